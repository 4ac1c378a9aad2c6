// The free coordinate of a joint, an angle or a displacement: what motions drive, gears couple and springs turn about.
#pragma once

#include <memory>

#include "tappet/multibody/rows.hpp"

namespace tappet {

/// The coordinate c, its rate ċ = J u, and `bias`, the part of c̈ = J u̇ + bias that velocities alone give.
struct CoordinateValue {
  double value = 0, rate = 0, bias = 0;
  double J[2][6] = {};
};

/// Relative angle (rad) or displacement (m) of the second body against the first.
class Coordinate {
 public:
  virtual ~Coordinate() = default;
  int bodies[2] = {0, 0};
  bool angular = false;
  virtual CoordinateValue evaluate(const Kinematics& k) const = 0;
  /// Angles in space are known only up to whole turns; whoever needs the turns keeps a winding variable z with ż = ċ.
  bool wrapped = false;
};

// `zero` is what counts as 0: each coordinate is measured from there.

/// c = θj − θi − zero.
std::unique_ptr<Coordinate> planar_angle(int i, int j, double zero);
/// c = a·d − zero, a fixed in the first body.
std::unique_ptr<Coordinate> planar_displacement(int i, int j, Vec2 pi, Vec2 pj, Vec2 axis, double zero);
/// The angle about the axis, given in each body's coordinates, from angle_reference(axis_i) turned by `zero` to
/// angle_reference(axis_j). In (−π, π].
std::unique_ptr<Coordinate> spatial_angle(int i, int j, Vec3 axis_i, Vec3 axis_j, double zero);
std::unique_ptr<Coordinate> spatial_displacement(int i, int j, Vec3 pi, Vec3 pj, Vec3 axis_i, double zero);

/// The direction of a body from which angles about an axis of it are counted: a × e, unit, where e is the body's own
/// axis along which a has its smallest component.
Vec3 angle_reference(const Vec3& axis);
/// What spatial_angle() gives with `zero` 0 when the second body is turned by R against the first.
double angle_about(const Vec3& axis_i, const Vec3& axis_j, const Mat3& R);

/// The value nearest to `winding` that differs from `wrapped_angle` by whole turns.
double unwrap(double wrapped_angle, double winding);

}  // namespace tappet
