// A mechanism linearised about what it does: ẋ = A x + B δv, δs = C x + D δv, in independent coordinates.
//
//   x = (y, w, ζ)    y: independent displacements, w: independent velocities, ζ: other states (deflections of bristles)
//   v: inputs, s: signals
//
// Displacements of all bodies are δ = N y, velocities δu = N w + P y, with N of independent.hpp in the metric of the masses, so that
// kinetic energy is ½ |w|². Positions and velocities stay on the constraints as they are displaced: what is differentiated is the
// motion itself, u̇(q, u, ζ, v), with joints, contacts that touch, friction that holds and redundant constraints as they are in a run.
//
// Axes. Of a rotor the coefficients are constant in some axes only: those of the ground where its supports are anisotropic, those of
// the rotor where its shaft is. In axes f that turn with Ω, displacements and velocities of a body are written in these, and
//
//   d/dt (Rᵀ δr) = Rᵀ δv − Ω × Rᵀ δr,   d/dt (Rᵀ δθ) = Rᵀ δω − Ω × Rᵀ δθ,   δω: change of ω′, in the axes of f       (R: of f)
//
// Error. N, M are exact; the derivatives of u and u̇ are extrapolated central differences (extrapolated_difference.hpp), whose
// estimated error is `derivative_error`.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/model/model.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/model/state.hpp"

namespace tappet {

struct LinearOptions {
  int axes = -1;                 ///< body in whose axes displacements are; −1: the ground
  std::vector<int> inputs = {};  ///< of the model
  std::vector<SignalDefinition> outputs = {};
};

struct LinearSystem {
  Eigen::MatrixXd A, B, C, D;
  int coordinates = 0, auxiliaries = 0;  ///< of y and w each; of ζ
  std::vector<std::string> auxiliary_names;
  Eigen::MatrixXd shapes;  ///< N: displacements of all bodies by y; turning in the body's own axes
  Eigen::MatrixXd mass;
  Eigen::VectorXd accelerations;  ///< u̇ where it was linearised, less what steady turning needs
  double time = 0;
  bool moves = false;           ///< some velocity is not 0
  double derivative_error = 0;  ///< the largest estimate, of the largest number in the same block of A
};

/// At a state of a run by method smooth or event-driven. Throws InputError for what cannot be linearised: structures, inputs that
/// prescribe speeds.
LinearSystem linearise(const Model& model, const State& state, const LinearOptions& options = {});

}  // namespace tappet
