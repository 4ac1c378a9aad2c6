// Where a part or a marker is: QP or QG, and REULER or points on its axes.
#pragma once

#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams {

/// Arguments are called after `letter`, which is P of a marker (QP, XP, ZP) and G of a part. REULER: turns about z, the new x and the new z.
/// ZP: a point on the positive z axis, XP: one in the x–z plane at positive x; with USEXP XP is on the x axis and ZP in the plane.
Eigen::Isometry3d read_placement(const Given& given, char letter, Conversion& c);

}  // namespace tappet::adams
