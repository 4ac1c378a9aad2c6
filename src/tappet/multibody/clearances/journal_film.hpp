// The oil between a journal and its bearing: keys `lubricant` and `mixed` of a revolute joint's clearance.
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/clearance.hpp"

namespace tappet {

/// Adds the film, if the clearance has one. The first contacts of `out` are the journal's; `places` are copies of these for the summits that
/// touch through the film. False after an error.
bool give_film(const ClearanceInput& in, double clearance, std::vector<std::unique_ptr<ContactPoint>> places,
               Clearance& out);

}  // namespace tappet
