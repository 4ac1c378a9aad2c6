// What a motion is built from.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/multibody/joint.hpp"

namespace tappet {

/// Why the expression of a place takes no inputs.
inline constexpr const char* position_jumps =
    "inputs jump, and what is held to a place cannot; prescribe the `speed` or `acceleration` of a joint";

/// Of a joint, of a body's point and turn, or between two bodies.
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
  Formula rx = {}, ry = {}, rz = {};                    ///< turns, rad, of t (general_motion.cpp)
};

/// With what it refers to.
struct MotionInput {
  const MotionParameters& parameters;
  const Origin& origin;
  Dimension dimension;
  const std::vector<Joint>& joints;
  const std::vector<std::string>& joint_names;
  const std::vector<std::string>& body_names;
  Diagnostics& diagnostics;
};

}  // namespace tappet
