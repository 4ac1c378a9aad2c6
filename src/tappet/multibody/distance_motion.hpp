// A linear actuator: the distance of a point of one body from a point of another is a function of time.
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/motion_input.hpp"

namespace tappet {

/// The motion `{bodies: [...], points: [...], distance: ...}`. Null after an error was reported.
std::unique_ptr<Constraint> make_distance_motion(const MotionInput& in);

/// Its keys in the table of motions.
std::vector<Parameter> distance_motion_parameters();

}  // namespace tappet
