// Inertia tensors and orientations: values whose numbers must fit together.
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "tappet/spec/read_values.hpp"

namespace tappet {

namespace {

using Tensor = Eigen::Matrix3d;

/// The tensor from the three ways to write it: diagonal, six numbers, three rows.
std::optional<Tensor> read_tensor(const Value& value, const Parameter& parameter,
                                  const ReadContext& context) {
  const auto refuse = [&](const std::string& what) {
    context.diagnostics->error(
        value.pos,
        fmt::format("'{}' {}; a spatial body takes [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three "
                    "rows of three numbers",
                    parameter.name, what));
    return std::nullopt;
  };
  if (value.kind != Value::Kind::sequence) return refuse("is " + shown(value));
  const std::size_t count = value.items.size();

  if (count == 3 && value.items[0].kind == Value::Kind::sequence) {
    Tensor tensor;
    for (int row = 0; row < 3; ++row) {
      const auto numbers = read_vector(value.items[row], parameter, 3, context);
      if (!numbers) return std::nullopt;
      for (int column = 0; column < 3; ++column) tensor(row, column) = (*numbers)[column];
    }
    const double asymmetry = (tensor - tensor.transpose()).cwiseAbs().maxCoeff();
    if (asymmetry > 1e-9 * tensor.cwiseAbs().maxCoeff()) return refuse("is not symmetric");
    return Tensor(0.5 * (tensor + tensor.transpose()));
  }
  if (count != 3 && count != 6) return refuse(fmt::format("has {} numbers", count));

  const auto numbers = read_vector(value, parameter, static_cast<int>(count), context);
  if (!numbers) return std::nullopt;
  const std::vector<double>& n = *numbers;
  Tensor tensor = Eigen::Vector3d(n[0], n[1], n[2]).asDiagonal();
  if (count == 6) {
    tensor(0, 1) = tensor(1, 0) = n[3];
    tensor(0, 2) = tensor(2, 0) = n[4];
    tensor(1, 2) = tensor(2, 1) = n[5];
  }
  return tensor;
}

/// Positive principal moments, none larger than the sum of the other two: ∫y²+z² ≤ ∫x²+z² + ∫x²+y².
bool check_principal_moments(const Tensor& tensor, const Value& value, const Parameter& parameter,
                             const ReadContext& context) {
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Tensor>(tensor).eigenvalues();
  const std::string listed =
      fmt::format("{:.6g}, {:.6g} and {:.6g} kg m^2", moments[0], moments[1], moments[2]);
  if (!(moments[0] > 1e-14 * moments[2])) {
    context.diagnostics->error(
        value.pos,
        fmt::format("'{}' is not positive definite: its principal moments are {}, but all must be > 0",
                    parameter.name, listed));
    return false;
  }
  if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-9)) {
    context.diagnostics->error(
        value.pos,
        fmt::format(
            "'{}' belongs to no real body: its principal moments are {}, but none may exceed the sum of the "
            "other two",
            parameter.name, listed));
    return false;
  }
  return true;
}

/// {axis: [1, 0, 0], angle: 30 deg}
std::optional<std::vector<double>> read_axis_angle(const Value& value, const Parameter& parameter,
                                                   const ReadContext& context) {
  static const Table table{
      .name = "an orientation",
      .help = "",
      .parameters = {
          {.name = "axis", .kind = Kind::vector, .help = "axis of rotation", .required = true, .length = 3},
          {.name = "angle", .unit = "rad", .help = "angle of rotation", .required = true}}};
  const Object object = read_object(value, table, context);
  if (!object.has("axis") || !object.has("angle")) return std::nullopt;
  const Eigen::Vector3d axis = Eigen::Map<const Eigen::Vector3d>(object.vector("axis").data());
  // stableNorm: the squares of an axis written in large or tiny numbers must not overflow or vanish.
  const double length = axis.stableNorm();
  if (!(length > 0) || !std::isfinite(length)) {
    context.diagnostics->error(object.where("axis"),
                               fmt::format("the axis of '{}' has no direction", parameter.name));
    return std::nullopt;
  }
  const double half = 0.5 * object.number("angle");
  const Eigen::Vector3d part = std::sin(half) / length * axis;
  return std::vector<double>{std::cos(half), part.x(), part.y(), part.z()};
}

}  // namespace

std::optional<std::vector<double>> read_inertia(const Value& value, const Parameter& parameter,
                                                const ReadContext& context) {
  Parameter numbers = parameter;
  if (numbers.unit.empty()) numbers.unit = "kg m^2";
  if (context.dimension == Dimension::planar) {
    if (value.kind != Value::Kind::scalar) {
      context.diagnostics->error(value.pos,
                                 fmt::format("'{}' must be one number (in kg m^2) in a planar model, not {}",
                                             parameter.name, shown(value)));
      return std::nullopt;
    }
    numbers.range = positive();
    const auto number = read_number(value, numbers, context);
    if (!number) return std::nullopt;
    return std::vector<double>{*number};
  }
  // Products of inertia may be negative: what is allowed is said by the principal moments alone.
  numbers.range = any_number();
  const auto tensor = read_tensor(value, numbers, context);
  if (!tensor || !check_principal_moments(*tensor, value, parameter, context)) return std::nullopt;
  return std::vector<double>(tensor->data(), tensor->data() + 9);
}

std::optional<std::vector<double>> read_orientation(const Value& value, const Parameter& parameter,
                                                    const ReadContext& context) {
  if (value.kind == Value::Kind::mapping) return read_axis_angle(value, parameter, context);
  if (value.kind != Value::Kind::sequence) {
    context.diagnostics->error(
        value.pos, fmt::format("'{}' must be a quaternion [w, x, y, z] or {{axis, angle}}, not {}",
                               parameter.name, shown(value)));
    return std::nullopt;
  }
  Parameter numbers = parameter;
  numbers.unit = "";
  auto quaternion = read_vector(value, numbers, 4, context);
  if (!quaternion) return std::nullopt;
  // A quaternion far from unit length is more likely a slip than a wish; rounding is put right in silence.
  const double length = Eigen::Map<const Eigen::Vector4d>(quaternion->data()).stableNorm();
  if (!(std::abs(length - 1) <= 1e-3)) {
    context.diagnostics->error(
        value.pos,
        fmt::format("the quaternion '{}' has length {:.6g}, but must have length 1", parameter.name, length));
    return std::nullopt;
  }
  // One that has it to rounding stays as it is, so that what was read, written and read again is the same.
  if (std::abs(length - 1) > 4 * std::numeric_limits<double>::epsilon())
    for (double& part : *quaternion) part /= length;
  return quaternion;
}

}  // namespace tappet
