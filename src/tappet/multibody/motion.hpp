// Prescribed motions: constraints that hold a joint's coordinate, or a point, to a function of time.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tappet/multibody/joint.hpp"

namespace tappet {

/// Of a joint, of a body's point, or between points of two bodies.
struct MotionParameters {
  std::string joint = {};
  Formula angle = {};                         ///< rad, of t; or
  Formula displacement = {};                  ///< m, of t; or
  std::string speed = {}, acceleration = {};  ///< of the joint's angle or displacement, of t
  std::string body = {};
  Vec3 point = no_vector;              ///< body coordinates, m; absent: the centre of mass
  std::vector<Formula> position = {};  ///< world, m, of t; or
  Formula x = {}, y = {}, z = {};      ///< some coordinates alone
  std::array<std::string, 2> bodies = {};
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< m
  Formula distance = {};                                ///< m, of t
};

/// What a motion is built from.
struct MotionInput {
  const MotionParameters& parameters;
  const Origin& origin;
  Dimension dimension;
  const std::vector<Joint>& joints;
  const std::vector<std::string>& joint_names;
  const std::vector<std::string>& body_names;
  Diagnostics& diagnostics;
};

/// Null after an error was reported. `unit` of the driving effort: "N m", "N", or "" for a point (its force has components).
struct Motion {
  std::unique_ptr<Constraint> constraint;
  std::string effort;     ///< "torque", "force" or "" (a point: fx, fy, fz)
  std::vector<int> axes;  ///< a point: the axis of each row
};
Motion make_motion(const MotionInput& in);

}  // namespace tappet
