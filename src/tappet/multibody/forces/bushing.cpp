// Bushing: elastic and viscous in all directions between a frame on each body.
//
//   (F, T) = −K (d, φ) − C (ḋ, φ̇)
//
// on the second body, in the axes of the first. d: second point against the first; φ: the second body's rotation against
// the first as a rotation vector, zero as written in the file (planar: θ_j − θ_i − θ₀); ḋ and φ̇ ≈ ω_j − ω_i their rates.
// The opposite acts on the first body at the same place, so action equals reaction and no moment is made. Rates are those
// seen from the first body, so turning as a whole costs nothing. Stored: ½ xᵀK x; dissipated: ẋᵀC ẋ. For a rotation
// vector beyond small angles the power of K φ differs from the rate of ½ φᵀKφ at second order; the rotational torque is
// therefore taken as J(φ)⁻ᵀ K φ, whose power is exactly the rate of the stored energy.
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "tappet/multibody/force.hpp"

namespace tappet::forces::bushing {
namespace {

Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Rotation vector of R, |φ| < π.
Vec3 rotation_vector(const Mat3& R) {
  const Vec3 axis = 0.5 * Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));  // sin φ · e
  const double s = axis.norm(), c = 0.5 * (R.trace() - 1);
  const double angle = std::atan2(s, c);
  if (s > 1e-6) return axis * (angle / s);
  if (c > 0) return axis * (1 + s * s / 6);
  // Near half a turn: the axis from the symmetric part.
  int largest = 0;
  R.diagonal().maxCoeff(&largest);
  Vec3 e = (R + Mat3::Identity()).col(largest).normalized();
  if (e.dot(axis) < 0) e = -e;
  return angle * e;
}

// φ̇ = J⁻¹ ω for a body that turns by R = exp(φ) with angular velocity ω in the fixed axes.
Mat3 rate_of_rotation_vector(const Vec3& phi) {
  const double angle = phi.norm();
  const Mat3 S = skew(phi);
  const double factor =
      angle > 1e-3 ? 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle)) : 1.0 / 12;
  return Mat3::Identity() - 0.5 * S + factor * S * S;
}

template <int N>
using Square = Eigen::Matrix<double, N, N>;

class PlanarBushing final : public ForceElement {
 public:
  Vec2 pi, pj;
  double angle = 0;
  Square<3> K = Square<3>::Zero(), C = Square<3>::Zero();

  // Deformation and its rate in the first body's axes.
  void deform(const Kinematics& k, Vec3& x, Vec3& v) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Pj(fj, pj);
    const Vec2 d = Pj.r - Pi.r, rate = Pj.v - Pi.v - fi.w * perpendicular(d);
    const auto back = [&](const Vec2& a) {
      return Vec2(fi.c * a.x() + fi.s * a.y(), -fi.s * a.x() + fi.c * a.y());
    };
    x << back(d), fj.theta - fi.theta - angle;
    v << back(rate), fj.w - fi.w;
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    Vec3 x, v;
    deform(k, x, v);
    const Vec3 viscous = C * v, f = -(K * x) - viscous;
    sum.powers.damping += v.dot(viscous);
    const Vec2 at = fj.point(pj), force = fi.turn(f.head<2>());
    sum.add(fj, bodies[1], at, force);
    sum.add(fi, bodies[0], at, -force);
    sum.add_torque(bodies[1], f.z());
    sum.add_torque(bodies[0], -f.z());
  }

  double potential(const Kinematics& k) const override {
    Vec3 x, v;
    deform(k, x, v);
    return 0.5 * x.dot(K * x);
  }
};

class SpatialBushing final : public ForceElement {
 public:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  Vec3 pi, pj;
  Mat3 relative;  // the second body's axes in the first's, as written in the file
  Square<6> K = Square<6>::Zero(), C = Square<6>::Zero();

  void deform(const Kinematics& k, Vec6& x, Vec6& v) const {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 d = Pj.r - Pi.r;
    x.head<3>() = fi.R.transpose() * d;
    x.tail<3>() = rotation_vector(fi.R.transpose() * fj.R * relative.transpose());
    v.head<3>() = fi.R.transpose() * (Pj.v - Pi.v - fi.w.cross(d));
    v.tail<3>() = rate_of_rotation_vector(x.tail<3>()) * (fi.R.transpose() * (fj.w - fi.w));
  }

  void apply(const Kinematics& k, ForceSum& sum) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    Vec6 x, v;
    deform(k, x, v);
    const Vec6 viscous = C * v, f = -(K * x) - viscous;
    sum.powers.damping += v.dot(viscous);
    const Vec3 at = fj.point(pj), force = fi.R * f.head<3>();
    // Power φ̇·f_φ = (J⁻¹ω)·f_φ, so the torque is J⁻ᵀ f_φ.
    const Vec3 torque = fi.R * (rate_of_rotation_vector(x.tail<3>()).transpose() * f.tail<3>());
    sum.add(fj, bodies[1], at, force);
    sum.add(fi, bodies[0], at, -force);
    sum.add_torque(fj, bodies[1], torque);
    sum.add_torque(fi, bodies[0], -torque);
  }

  double potential(const Kinematics& k) const override {
    Vec6 x, v;
    deform(k, x, v);
    return 0.5 * x.dot(K * x);
  }
};

// Reads a matrix given in full or by its diagonal; it must be symmetric without negative eigenvalues.
template <int N>
bool fill(const ForceInput& in, const std::string& key, const std::vector<std::vector<double>>& rows,
          const std::vector<double>& d, Square<N>& out) {
  const Origin& o = in.origin;
  const std::string diagonal = key + "_diagonal";
  out.setZero();
  if (!rows.empty() && !d.empty()) {
    in.diagnostics.error(o.where(diagonal), fmt::format("bushing '{}' gives `{}` and `{}`; give one of them",
                                                        o.name, key, diagonal));
    return false;
  }
  auto wrong_size = [&](const std::string& which, std::size_t given) {
    in.diagnostics.error(o.where(which),
                         fmt::format("`{}` of bushing '{}' has {} {}; {} are needed in this model", which,
                                     o.name, given, which == key ? "rows or columns" : "numbers", N));
    return false;
  };
  if (!d.empty()) {
    if (d.size() != N) return wrong_size(diagonal, d.size());
    for (int i = 0; i < N; ++i) out(i, i) = d[i];
  } else if (!rows.empty()) {
    if (rows.size() != N) return wrong_size(key, rows.size());
    for (int i = 0; i < N; ++i) {
      if (rows[i].size() != N) return wrong_size(key, rows[i].size());
      for (int j = 0; j < N; ++j) out(i, j) = rows[i][j];
    }
  }
  const double size = out.cwiseAbs().maxCoeff();
  if ((out - out.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size ||
      Eigen::SelfAdjointEigenSolver<Square<N>>(out).eigenvalues().minCoeff() < -1e-9 * size) {
    in.diagnostics.error(
        o.where(!rows.empty() ? key : diagonal),
        fmt::format("`{}` of bushing '{}' must be symmetric and must not have a negative eigenvalue", key,
                    o.name));
    return false;
  }
  return true;
}

std::unique_ptr<ForceElement> make(const BushingParameters& p, const Origin& o, const ForceInput& in) {
  const int i = in.body(p.bodies[0], o.where("bodies", 0)), j = in.body(p.bodies[1], o.where("bodies", 1));
  if (i < 0 || j < 0) return nullptr;
  if (in.dimension == Dimension::planar) {
    auto f = std::make_unique<PlanarBushing>();
    f->name = o.name;
    f->bodies = {i, j};
    f->turns_bodies = true;
    f->pi = p.points[0].head<2>();
    f->pj = p.points[1].head<2>();
    f->angle = in.start.planar[j].theta - in.start.planar[i].theta;
    if (!fill<3>(in, "stiffness", p.stiffness, p.stiffness_diagonal, f->K) ||
        !fill<3>(in, "damping", p.damping, p.damping_diagonal, f->C))
      return nullptr;
    return f;
  }
  auto f = std::make_unique<SpatialBushing>();
  f->name = o.name;
  f->bodies = {i, j};
  f->turns_bodies = true;
  f->pi = p.points[0];
  f->pj = p.points[1];
  f->relative = in.start.spatial[i].R.transpose() * in.start.spatial[j].R;
  if (!fill<6>(in, "stiffness", p.stiffness, p.stiffness_diagonal, f->K) ||
      !fill<6>(in, "damping", p.damping, p.damping_diagonal, f->C))
    return nullptr;
  return f;
}

Parameter matrix(const char* name, const char* help) {
  return {.name = name, .kind = Kind::matrix, .help = help, .length = any_length, .count = 0};
}
Parameter diagonal(const char* name, const char* help) {
  return {.name = name, .kind = Kind::vector, .help = help, .length = any_length};
}

const Registration<ForceType> registered{{
    .name = "bushing",
    .equation = "(F, T) = −K (d, φ) − C (ḋ, φ̇) on the second body, in the first body's axes",
    .citation = "Haug1989",
    .table = table_of<BushingParameters>(
        "a bushing", "An elastic block between two bodies",
        {{&BushingParameters::bodies, bodies_parameter()},
         {&BushingParameters::points, points_parameter()},
         {&BushingParameters::stiffness,
          matrix("stiffness", "K in SI: 6×6 in space (x, y, z, rotations), 3×3 in the plane")},
         {&BushingParameters::stiffness_diagonal,
          diagonal("stiffness_diagonal", "K by its diagonal, 6 (3) numbers in SI")},
         {&BushingParameters::damping, matrix("damping", "C in SI, like K")},
         {&BushingParameters::damping_diagonal,
          diagonal("damping_diagonal", "C by its diagonal, 6 (3) numbers in SI")}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::forces::bushing
