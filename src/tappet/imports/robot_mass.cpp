#include "tappet/imports/robot_mass.hpp"

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

Matrix3d steiner(double mass, const Vector3d& offset) {
  return mass * (offset.squaredNorm() * Matrix3d::Identity() - offset * offset.transpose());
}

}  // namespace

RobotMass placed(const RobotMass& m, const Eigen::Isometry3d& place) {
  return {m.mass, place * m.centre, place.linear() * m.inertia * place.linear().transpose()};
}

RobotMass together(const RobotMass& a, const RobotMass& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const Vector3d centre = (a.mass * a.centre + b.mass * b.centre) / mass;
  return {mass, centre,
          a.inertia + steiner(a.mass, a.centre - centre) + b.inertia + steiner(b.mass, b.centre - centre)};
}

std::string fault_of(const RobotMass& m) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(m.inertia).eigenvalues();
  const bool positive = moments[0] > smallest_share * moments[2];
  if (positive && moments[2] <= (moments[0] + moments[1]) * (1 + triangle_slack)) return "";
  return fmt::format("its principal moments of inertia are {:.6g}, {:.6g} and {:.6g} kg m^2, but {}",
                     moments[0], moments[1], moments[2],
                     positive ? "none may exceed the sum of the other two" : "all must be > 0");
}

RobotMass repaired(const RobotMass& m) {
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

std::string said_of_repair(const std::string& owner, const std::string& fault, const RobotMass& repaired) {
  const Vector3d now = repaired.inertia.selfadjointView<Eigen::Lower>().eigenvalues();
  return fmt::format("{}: {}; they are taken as {:.6g}, {:.6g} and {:.6g} kg m^2", owner, fault, now[0],
                     now[1], now[2]);
}

RobotMass solid_of(const std::string& type, const std::vector<double>& s) {
  constexpr double pi = std::numbers::pi;
  RobotMass out;
  if (type == "sphere") {
    out.mass = 4.0 / 3 * pi * s[0] * s[0] * s[0];
    out.inertia = 0.4 * out.mass * s[0] * s[0] * Matrix3d::Identity();
  } else if (type == "box" || type == "ellipsoid") {
    const double part = type == "box" ? 1.0 / 3 : 1.0 / 5;
    out.mass = (type == "box" ? 8.0 : 4.0 / 3 * pi) * s[0] * s[1] * s[2];
    const Vector3d q(s[0] * s[0], s[1] * s[1], s[2] * s[2]);
    out.inertia = (part * out.mass * Vector3d(q[1] + q[2], q[2] + q[0], q[0] + q[1])).asDiagonal();
  } else {
    const double r = s[0], L = 2 * s[1], m = pi * r * r * L;
    double across = m * (3 * r * r + L * L) / 12, along = 0.5 * m * r * r;
    out.mass = m;
    if (type == "capsule") {
      // Both half balls, each with its centre 3 r/8 beyond its end.
      const double b = 4.0 / 3 * pi * r * r * r;
      out.mass += b;
      along += 0.4 * b * r * r;
      across += b * (0.4 * r * r + L * L / 4 + 3.0 / 8 * L * r);
    }
    out.inertia = Vector3d(across, across, along).asDiagonal();
  }
  return out;
}

RobotMass water_ball(double mass) {
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * water_density));
  return {mass, Vector3d::Zero(), 0.4 * mass * radius * radius * Matrix3d::Identity()};
}

}  // namespace tappet
