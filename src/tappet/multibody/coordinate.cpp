#include "tappet/multibody/coordinate.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace tappet {
namespace {

/// From x to y about the axis a, in (−π, π].
double angle_from(const Vec3& x, const Vec3& y, const Vec3& a) {
  return std::atan2(x.cross(y).dot(a), x.dot(y));
}

class PlanarAngle final : public Coordinate {
 public:
  double zero = 0;
  CoordinateValue evaluate(const Kinematics& k) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    CoordinateValue c;
    c.value = fj.theta - fi.theta - zero;
    c.rate = fj.w - fi.w;
    c.J[0][2] = -1;
    c.J[1][2] = 1;
    return c;
  }
};

class PlanarDisplacement final : public Coordinate {
 public:
  Vec2 pi, pj, axis;
  CoordinateValue evaluate(const Kinematics& k) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pi(fi, pi), Pj(fj, pj);
    CoordinateValue c;
    double phi_t, gamma;
    on_line(fi, Pi, axis, fj, Pj, {&c.value, &phi_t, &gamma, {c.J[0], c.J[1], nullptr, nullptr}});
    const Vec2 a = fi.turn(axis);
    c.rate = a.dot(Pj.v - Pi.v) + fi.w * perpendicular(a).dot(Pj.r - Pi.r);
    c.bias = -gamma;
    return c;
  }
};

class SpatialAngle final : public Coordinate {
 public:
  Vec3 axis, x_i, x_j;
  CoordinateValue evaluate(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Vec3 a = fi.R * axis, xi = fi.R * x_i, xj = fj.R * x_j, relative = fj.w - fi.w;
    CoordinateValue c;
    c.value = angle_from(xi, xj, a);
    c.rate = a.dot(relative);
    c.bias = fi.w.cross(a).dot(relative);
    put(c.J[0], 0, fi, Vec3::Zero(), -a);
    put(c.J[1], 0, fj, Vec3::Zero(), a);
    return c;
  }
};

class SpatialDisplacement final : public Coordinate {
 public:
  Vec3 pi, pj, axis;
  CoordinateValue evaluate(const Kinematics& k) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 a = fi.R * axis;
    CoordinateValue c;
    double phi_t, gamma;
    no_offset_along(fi, Pi, a, fj, Pj, {&c.value, &phi_t, &gamma, {c.J[0], c.J[1], nullptr, nullptr}}, 0);
    c.rate = a.dot(Pj.v - Pi.v) + fi.w.cross(a).dot(Pj.r - Pi.r);
    c.bias = -gamma;
    return c;
  }
};

template <class C>
std::unique_ptr<C> between(int i, int j, bool angular, bool wrapped) {
  auto c = std::make_unique<C>();
  c->bodies[0] = i;
  c->bodies[1] = j;
  c->angular = angular;
  c->wrapped = wrapped;
  return c;
}

}  // namespace

std::unique_ptr<Coordinate> planar_angle(int i, int j, double zero) {
  auto c = between<PlanarAngle>(i, j, true, false);
  c->zero = zero;
  return c;
}

// A displacement is counted from the first body's point, moved along the axis to where it is zero.
std::unique_ptr<Coordinate> planar_displacement(int i, int j, Vec2 pi, Vec2 pj, Vec2 axis, double zero) {
  auto c = between<PlanarDisplacement>(i, j, false, false);
  c->pi = pi + zero * axis, c->pj = pj, c->axis = axis;
  return c;
}

std::unique_ptr<Coordinate> spatial_angle(int i, int j, Vec3 axis_i, Vec3 axis_j, double zero) {
  auto c = between<SpatialAngle>(i, j, true, true);
  const Vec3 x = angle_reference(axis_i);
  c->axis = axis_i;
  c->x_i = std::cos(zero) * x + std::sin(zero) * axis_i.cross(x);
  c->x_j = angle_reference(axis_j);
  return c;
}

std::unique_ptr<Coordinate> spatial_displacement(int i, int j, Vec3 pi, Vec3 pj, Vec3 axis_i, double zero) {
  auto c = between<SpatialDisplacement>(i, j, false, false);
  c->pi = pi + zero * axis_i, c->pj = pj, c->axis = axis_i;
  return c;
}

// Components that are alike up to rounding count as alike, and the first of them is taken: an axis that was turned to and
// fro keeps its reference.
Vec3 angle_reference(const Vec3& axis) {
  constexpr double alike = 1e-9;
  const double smallest = axis.cwiseAbs().minCoeff();
  int k = 0;
  while (std::abs(axis[k]) > smallest + alike) ++k;
  return axis.cross(Vec3::Unit(k)).normalized();
}

double angle_about(const Vec3& axis_i, const Vec3& axis_j, const Mat3& R) {
  return angle_from(angle_reference(axis_i), R * angle_reference(axis_j), axis_i);
}

double unwrap(double wrapped_angle, double winding) {
  const double turn = 2 * std::numbers::pi;
  return wrapped_angle + turn * std::round((winding - wrapped_angle) / turn);
}

}  // namespace tappet
