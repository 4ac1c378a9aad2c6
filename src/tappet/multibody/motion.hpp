// Prescribed motions: constraints that hold a joint's coordinate, or a point, to a function of time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/multibody/motion_input.hpp"

namespace tappet {

/// Null after an error was reported. `unit` of the driving effort: "N m", "N", or "" for a point (its force has components).
struct Motion {
  std::unique_ptr<Constraint> constraint;
  std::string effort;     ///< "torque", "force" or "" (a point: fx, fy, fz; a turn: tx, ty, tz)
  std::vector<int> axes;  ///< a point: the axis of each row; 3 to 5 those of turns
};
Motion make_motion(const MotionInput& in);

}  // namespace tappet
