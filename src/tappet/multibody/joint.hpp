// Joint types: what a file in joints/ registers.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/multibody/constraint.hpp"
#include "tappet/multibody/coordinate.hpp"
#include "tappet/multibody/joint_parameters.hpp"

namespace tappet {

struct ClearanceInput;
struct Clearance;

/// A joint as built: its equations, and the coordinates it leaves free that can be driven or coupled.
struct Joint {
  std::unique_ptr<Constraint> constraint;
  std::shared_ptr<const Coordinate> angle;         ///< null if the joint has no single angle
  std::shared_ptr<const Coordinate> displacement;  ///< null if it has no single displacement
  std::array<Vec3, 2> points = {Vec3::Zero(),
                                Vec3::Zero()};  ///< on each body, in its coordinates; not of couplings
  bool couples_displacement = false;            ///< a coupling whose multiplier is a force, and not a torque
  /// A coupling: Φ is the sum of these coordinates by their weights, less its value at the start.
  std::vector<std::pair<std::shared_ptr<const Coordinate>, double>> combination = {};
  Vec3 axis = Vec3::Zero();  ///< in the first body's coordinates, unit; zero: it has none
};

/// What a joint is built from besides its own parameters.
struct JointInput {
  const Origin& origin;
  Dimension dimension;
  int i = 0, j = 0;         ///< first and second body
  const Kinematics& start;  ///< frames as written in the file, before assembly
  Diagnostics& diagnostics;
  const std::vector<Joint>& others;             ///< joints built before this one (couplings refer to them)
  const std::vector<std::string>& other_names;  ///< their names
  // As far as the joint has them.
  std::array<Vec3, 2> points = {Vec3::Zero(), Vec3::Zero()};
  Vec3 axis = no_vector;
  std::array<Vec3, 2> axes = {no_vector, no_vector};

  const std::string& name() const { return origin.name; }
  /// Point `index` of the key `points`, in body coordinates.
  Vec2 point2(int index) const { return points[index].head<2>(); }
  Vec3 point3(int index) const { return points[index]; }
  /// The joint's axis, unit length, in the coordinates of the first and of the second body: from `axes`, or from
  /// `axis` in the first body's coordinates and the bodies' directions as written in the file.
  Vec2 axis2() const;
  std::pair<Vec3, Vec3> axes3() const;
};

struct JointType {
  std::string name;
  std::string equation;  ///< UTF-8, one line per row
  std::string citation;
  Table table;           ///< parameters besides `type` and those common to all joints
  bool couples = false;  ///< refers to `joints`, not to `bodies` and `points`
  Joint (*make)(const AnyParameters&, const JointInput&) = nullptr;
  Clearance (*make_clearance)(const ClearanceInput&) = nullptr;  ///< null: the joint cannot have clearance
};

using JointRegistry = Registry<JointType>;

/// Rows that most joints share.
Parameter bodies_parameter();
Parameter points_parameter();
Parameter axis_parameter(const std::string& help, bool required);
Parameter axes_parameter(const std::string& help);
/// Of a joint's angle (`unit` rad) or displacement (m).
Parameter zero_parameter(const std::string& unit, const std::string& name = "zero");

/// Names bodies and rows of a new constraint.
template <class C>
std::unique_ptr<C> make_constraint(const JointInput& in, int rows) {
  auto c = std::make_unique<C>();
  c->name = in.name();
  c->bodies = {in.i, in.j};
  c->rows = rows;
  return c;
}

}  // namespace tappet
