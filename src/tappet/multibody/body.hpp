// Rigid bodies.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/multibody/kinematics.hpp"

namespace tappet {

/// Its coordinates have their origin in the centre of mass.
struct BodyParameters {
  double mass = not_given;     ///< kg; or
  double density = not_given;  ///< kg/m³, plane: kg/m²: mass and inertia follow from the shapes
  std::optional<Mat3> inertia =
      {};                     ///< about the centre of mass, kg m²; plane: (2, 2) alone; absent: a point mass
  Vec3 position = no_vector;  ///< of the centre of mass at the start, world, m; absent: the origin
  double angle = 0;           ///< plane, at the start, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space, at the start: quaternion w, x, y, z
  Vec3 velocity = no_vector;          ///< at the start, world, m/s; absent: from joints and motions
  Vec3 angular_velocity = no_vector;  ///< world, rad/s; plane: z alone; absent: from joints and motions
  AnyParameters structure = {};       ///< an elastic body of finite elements, instead of mass and shapes
  AnyParameters flexible = {};        ///< a body that bends while it turns, instead of mass and shapes
  NamedParameters shapes = {};        ///< its surfaces
};

struct Body {
  std::string name;
  double mass = 1;              ///< kg
  bool has_inertia = false;     ///< false: a point mass, which keeps its orientation
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, body axes, kg m²; planar: only (2, 2)
};

/// Inverse masses, block by block: what constraints are weighed with. Assembly uses lengths instead of masses.
struct InverseMass {
  std::vector<double> linear;  ///< one per body
  std::vector<Mat3> angular;   ///< one per body; planar: only (2, 2)
  /// Of elastic coordinates, of the mass of their body; negative: flexible bodies as they are, and not by their entries above.
  double elastic = -1;

  static InverseMass of(const std::vector<Body>& bodies);
  /// Every body alike: displacement 1 m weighs as much as turning by 1/length rad.
  static InverseMass uniform(int bodies, double length);
};

}  // namespace tappet
