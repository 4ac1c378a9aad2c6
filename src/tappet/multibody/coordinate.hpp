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

/// c = θj − θi.
std::unique_ptr<Coordinate> planar_angle(int i, int j);
/// c = a·d, a fixed in the first body.
std::unique_ptr<Coordinate> planar_displacement(int i, int j, Vec2 pi, Vec2 pj, Vec2 axis);
/// Angle from x_i to x_j about the axis; axis_i, x_i in the first body's coordinates, x_j in the second's. In (−π, π].
std::unique_ptr<Coordinate> spatial_angle(int i, int j, Vec3 axis_i, Vec3 x_i, Vec3 x_j);
std::unique_ptr<Coordinate> spatial_displacement(int i, int j, Vec3 pi, Vec3 pj, Vec3 axis_i);

/// The value nearest to `winding` that differs from `wrapped_angle` by whole turns.
double unwrap(double wrapped_angle, double winding);

}  // namespace tappet
