// Static equilibrium of a structure whose elements turn: Newton's method with the whole tangent, load by load.
//
//   r = λ (weight + loads) − f(x, R) = 0,   (∂f/∂(x, θ)) δ = r,   x += δx,  R ← exp(δθ) R           λ from 0 to 1
//
// Loads keep their directions; supports that move go to λ times where they are at t = 0. An increment that does not converge is halved.
#pragma once

#include <string>
#include <vector>

#include "tappet/fem/body.hpp"

namespace tappet::fem {

struct TurnedStatics {
  std::vector<double> all;              ///< displacements and rotation vectors of all unknowns
  std::vector<std::string> mechanisms;  ///< not empty: the supports leave these motions free
  bool converged = false;
  double reached = 0;  ///< part of the load with which there still was equilibrium
  int increments = 0, iterations = 0;
};

/// `held` is with_motions_held(); its load grows in `increments`, or more.
TurnedStatics solve_turned_static(const Body& body, const Structure& held, const Vec3& gravity,
                                  int increments);

}  // namespace tappet::fem
