#include "tappet/imports/urdf_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace tappet {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The bounds that a model file sets: positive, and none larger than the sum of the other two.
constexpr double smallest_share = 1e-14, triangle_slack = 1e-9;
/// What a repair leaves the smallest moments: so much more than half the largest that rounding does no harm.
constexpr double repaired_share = 0.5 * (1 + 1e-6);
constexpr double water = 1000;  ///< kg/m³

Matrix3d steiner(double mass, const Vector3d& offset) {
  return mass * (offset.squaredNorm() * Matrix3d::Identity() - offset * offset.transpose());
}

}  // namespace

UrdfMass placed(const UrdfMass& m, const Eigen::Isometry3d& place) {
  return {m.mass, place * m.centre, place.linear() * m.inertia * place.linear().transpose()};
}

UrdfMass together(const UrdfMass& a, const UrdfMass& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const Vector3d centre = (a.mass * a.centre + b.mass * b.centre) / mass;
  return {mass, centre,
          a.inertia + steiner(a.mass, a.centre - centre) + b.inertia + steiner(b.mass, b.centre - centre)};
}

std::string fault_of(const UrdfMass& m) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(m.inertia).eigenvalues();
  const bool positive = moments[0] > smallest_share * moments[2];
  if (positive && moments[2] <= (moments[0] + moments[1]) * (1 + triangle_slack)) return "";
  return fmt::format("its principal moments of inertia are {:.6g}, {:.6g} and {:.6g} kg m^2, but {}",
                     moments[0], moments[1], moments[2],
                     positive ? "none may exceed the sum of the other two" : "all must be > 0");
}

UrdfMass repaired(const UrdfMass& m) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(m.inertia);
  const Vector3d moments = axes.eigenvalues();
  if (!(moments[2] > 0)) return {m.mass, m.centre, water_ball(m.mass).inertia};
  // The two smaller ones are raised together until their sum reaches the largest: as little as is needed.
  const double low = std::max(moments[0], 0.0), middle = std::max(moments[1], 0.0);
  Vector3d raised(low, middle, moments[2]);
  if (low + middle < 2 * repaired_share * moments[2]) {
    const double missing = repaired_share * moments[2] - 0.5 * (low + middle);
    raised[0] = std::max(low + missing, smallest_share * 100 * moments[2]);
    raised[1] = middle + missing;
  }
  return {m.mass, m.centre, axes.eigenvectors() * raised.asDiagonal() * axes.eigenvectors().transpose()};
}

UrdfMass water_ball(double mass) {
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * water));
  return {mass, Vector3d::Zero(), 0.4 * mass * radius * radius * Matrix3d::Identity()};
}

}  // namespace tappet
