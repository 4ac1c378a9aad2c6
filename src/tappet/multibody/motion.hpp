// Prescribed motions: constraints that hold a joint's coordinate, or a point, to a function of time.
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/joint.hpp"

namespace tappet {

/// What a motion is built from.
struct MotionInput {
  const Object& object;
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
