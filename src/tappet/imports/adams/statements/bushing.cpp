// BUSHING/1, I = 204, J = 205, K = 1, 2, 3, C = ..., KT = ..., CT = ...: stiffness and damping along and about the axes of J.
// FIELD/1, I = 204, J = 205, KMATRIX = 36 numbers, CMATRIX = ... or CRATIO = ..., LENGTH = 6 numbers, FORCE = 6 numbers: the same in full.
//
//   (F, T) = FORCE − K ((d, θ) − LENGTH) − C (ḋ, ω)          on I along the axes of J; a BUSHING has no LENGTH
//
// Ours acts in the axes of the body of J: K turns with R, the axes of J there, K_body = T K Tᵀ, T = diag(R, R). Its angles count from how the
// bodies stand in the file, Adams' from the markers' axes: where these are turned by θ₀ at the start, ours is without load at −θ₀.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::bushing {
namespace {

using namespace values;
using Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// In units of the data set, along the axes of J.
struct Law {
  Matrix6 stiffness = Matrix6::Zero(), damping = Matrix6::Zero();
  Vector6 length = Vector6::Zero(), force = Vector6::Zero();
};

Value six(const Vector6& v) {
  std::vector<Value> out;
  for (int n = 0; n < 6; ++n) out.push_back(number(v[n]));
  return list(std::move(out));
}

Value matrix(const Matrix6& m) {
  std::vector<Value> rows;
  for (int r = 0; r < 6; ++r) rows.push_back(six(m.row(r).transpose()));
  return list(std::move(rows));
}

void add_element(const Given& given, const Marker& i, const Marker& j, Law law, Conversion& c) {
  const Units& u = c.units;
  const Matrix3d R = c.axes(j);
  Matrix6 T = Matrix6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = R;
  // Displacements in m, loads in N and N m.
  Vector6 meters = Vector6::Ones(), loads = Vector6::Constant(u.force);
  meters.head<3>() *= u.length, loads.tail<3>() *= u.length;
  const auto in_body = [&](const Matrix6& m) -> Matrix6 {
    return T * loads.asDiagonal() * m * meters.cwiseInverse().asDiagonal() * T.transpose();
  };
  const Eigen::AngleAxisd turned(c.in_world(j).linear().transpose() * c.in_world(i).linear());
  Vector6 offset = meters.cwiseProduct(law.length);
  if (std::abs(turned.angle()) > 1e-9) {
    offset.tail<3>() -= turned.angle() * turned.axis();
    c.note(given,
           fmt::format("its markers are turned against each other by {:.3g} deg at the start, which counts "
                       "as a rotation vector",
                       turned.angle() * 180 / std::numbers::pi));
  }
  Value out = mapping();
  add(out, "type", scalar("bushing"));
  const Value ends = c.between(j, i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  add(out, "stiffness", matrix(in_body(law.stiffness)));
  add(out, "damping", matrix(u.time * in_body(law.damping)));
  if (!offset.isZero(0)) add(out, "offset", six(T * offset));
  if (!law.force.isZero(0)) add(out, "preload", six(T * loads.cwiseProduct(law.force)));
  c.add("forces", c.name_of(given, given.statement().name.starts_with("F") ? "field" : "bushing"),
        std::move(out));
}

void read_bushing(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  Law law;
  law.stiffness.diagonal() << c.vector(given, "K", 1), c.vector(given, "KT", 1);
  law.damping.diagonal() << c.vector(given, "C", 1), c.vector(given, "CT", 1);
  law.force << c.vector(given, "FORCE", 1), c.vector(given, "TORQUE", 1);
  add_element(given, *i, *j, law, c);
}

/// By columns, as Adams writes it.
Matrix6 full(const Given& given, const char* argument, Conversion& c) {
  if (!given.has(argument)) return Matrix6::Zero();
  const std::vector<double> n = c.numbers(given, argument, 36, 36);
  return Eigen::Map<const Matrix6>(n.data());
}

void read_field(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  if (given.has("NONLINEAR") || given.has("FUNCTION"))
    return c.lost(given, "fields by a user's subroutine are not translated");
  Law law;
  law.stiffness = full(given, "KMATRIX", c);
  law.damping = given.has("CRATIO") ? Matrix6(c.number(given, "CRATIO", 1, 0) * law.stiffness)
                                    : full(given, "CMATRIX", c);
  const auto vector = [&](const char* argument) -> Vector6 {
    if (!given.has(argument)) return Vector6::Zero();
    const std::vector<double> n = c.numbers(given, argument, 6, 6);
    return Eigen::Map<const Vector6>(n.data());
  };
  law.length = vector("LENGTH"), law.force = vector("FORCE");
  add_element(given, *i, *j, law, c);
}

const Registration<StatementType> bushing{{.name = "BUSHING",
                                           .stage = StatementType::forces,
                                           .arguments = {"I", "J", "K", "KT", "C", "CT", "FORCE", "TORQUE"},
                                           .read = read_bushing}};
const Registration<StatementType> field{
    {.name = "FIELD",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "KMATRIX", "CMATRIX", "CRATIO", "LENGTH", "FORCE", "NONLINEAR", "FUNCTION"},
     .read = read_field}};

}  // namespace
}  // namespace tappet::adams::statements::bushing
