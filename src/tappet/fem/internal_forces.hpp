// What the elements of a structure resist with, whether they turn or not.
#pragma once

#include <vector>

#include "tappet/fem/structure.hpp"

namespace tappet::fem {

/// Forces on all unknowns that the elements' stiffness gives for a displacement of all unknowns: K u, or of elements that turn,
/// with supports.
std::vector<double> internal_forces(const Structure& s, const std::vector<double>& all);

}  // namespace tappet::fem
