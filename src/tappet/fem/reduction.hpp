// Craig and Bampton's reduction: a structure by the motion of some of its unknowns and a few modes of the
// rest.
//
//   q = [ q_i ]  =  [ 1  0 ] [ q_i ]      Ψ = −K_oo⁻¹ K_oi    static shapes for unit motion of the interface
//       [ q_o ]     [ Ψ  Φ ] [  p  ]      K_oo Φ = M_oo Φ Λ   lowest modes with the interface held
//
//   K_r = diag(K_ii + K_io Ψ, Λ),   M_r = Tᵀ M T,   C_r = Tᵀ C T                     [Craig & Bampton 1968]
//
// Statics are exact for loads on the interface; dynamics up to the highest mode that was kept.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/fem/structure.hpp"

namespace tappet::fem {

struct Reduction {
  std::vector<int> interface;  ///< free unknowns that stay as they are, ascending: the first unknowns of the
                               ///< reduced system
  Eigen::MatrixXd basis;       ///< T: free unknowns × reduced ones
  StructureMatrices matrices;  ///< reduced, every entry in the pattern
  double highest = 0;          ///< ω of the last mode kept, rad/s
  int size() const { return static_cast<int>(basis.cols()); }
};

/// Throws std::runtime_error if the rest is not held by the interface and the supports.
Reduction craig_bampton(const StructureMatrices& m, std::vector<int> interface, int modes);

}  // namespace tappet::fem
