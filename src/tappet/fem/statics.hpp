// Static equilibrium, K q = f, and what is wrong when there is none.
#pragma once

#include <string>
#include <vector>

#include "tappet/fem/body.hpp"

namespace tappet::fem {

/// Weight, and the loads and moved supports at t = 0, as forces on the free unknowns; `held` is
/// with_motions_held().
std::vector<double> static_forces(const Body& body, const Structure& held, const StructureMatrices& m,
                                  const Vec3& gravity);

/// The sum of what the supports carry for a displacement of all unknowns: their stiffness's forces, and the weight and
/// the loads at t = 0 of held nodes.
Vec3 support_force(const Body& body, const Structure& held, const std::vector<double>& all,
                   const Vec3& gravity);

struct StaticSolution {
  std::vector<double> q;                ///< of the free unknowns
  std::vector<std::string> mechanisms;  ///< not empty: the supports leave these motions free, and q is empty
};
StaticSolution solve_static(const Structure& s, const StructureMatrices& m, const std::vector<double>& f);

/// Motions that cost no energy, in words.
std::vector<std::string> mechanisms(const Structure& s, const StructureMatrices& m);

}  // namespace tappet::fem
