// Motions of a body against another in up to six components: general_motion.cpp.
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/motion_input.hpp"

namespace tappet {

/// The rows rx, ry, rz of a motion's table.
std::vector<TableRow<MotionParameters>> general_motion_rows();
/// Does it prescribe a component of a turn, or a displacement between two bodies?
bool is_general(const MotionParameters& p);
/// Null after an error was reported; `axes`: of each row, 0 to 2 a displacement and 3 to 5 a turn.
std::unique_ptr<Constraint> make_general_motion(const MotionInput& in, std::vector<int>& axes);

}  // namespace tappet
