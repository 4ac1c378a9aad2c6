// Static equilibrium, K q = f, and what is wrong when there is none.
#pragma once

#include <string>
#include <vector>

#include "tappet/fem/structure.hpp"

namespace tappet::fem {

struct StaticSolution {
  std::vector<double> q;                ///< of the free unknowns
  std::vector<std::string> mechanisms;  ///< not empty: the supports leave these motions free, and q is empty
};
StaticSolution solve_static(const Structure& s, const StructureMatrices& m, const std::vector<double>& f);

/// Motions that cost no energy, in words.
std::vector<std::string> mechanisms(const Structure& s, const StructureMatrices& m);

}  // namespace tappet::fem
