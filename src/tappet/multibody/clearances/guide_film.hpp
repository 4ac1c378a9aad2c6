// The oil between a slider and the walls of its guide: key `lubricant` of a translational joint's clearance.
#pragma once

#include "tappet/multibody/clearance.hpp"

namespace tappet {

/// Adds the films of both walls, if the clearance has them. False after an error.
bool give_guide_film(const ClearanceInput& in, double clearance, Clearance& out);

}  // namespace tappet
