// A linear actuator: the distance of a point of one body from a point of another is a function of time.
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/motion_input.hpp"

namespace tappet {

/// The motion `{bodies: [...], points: [...], distance: ...}`. Null after an error was reported.
std::unique_ptr<Constraint> make_distance_motion(const MotionInput& in);

/// Its rows in the table of motions.
std::vector<TableRow<MotionParameters>> distance_motion_rows();

}  // namespace tappet
