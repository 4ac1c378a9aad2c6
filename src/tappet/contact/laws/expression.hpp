// A law of the user's own, written in the model file.
//
//   F = force(depth, rate, impact_rate, parameters),   not below 0
//
//   depth        δ, m
//   rate         δ̇, m/s, > 0 approaching
//   impact_rate  δ̇⁽⁻⁾ at first touch, m/s; 0 for a contact that begins at rest: write max(impact_rate, 1e-4)
//   parameters   numbers by name, in SI; inputs of the model may be used too, in `force`
//   force        N, on the second surface along the normal, away from the first
//   energy       optional: the energy U(depth) that the law can give back, J
//
// Example:
//   normal:
//     law: expression
//     force: k*depth^1.5*(1 + a*rate)
//     energy: k*depth^2.5/2.5
//     parameters: {k: 6.6e10, a: 0.2}
//
// Derivatives are exact (forward differentiation of the expression). Without `energy` all of F δ̇ is booked as
// lost, negative when it comes back; the ledger closes either way. Nothing is known about continuity at first
// touch or dissipation, so the law claims neither. A force or an energy that is not a finite number (a logarithm of a
// negative rate, a division by zero) ends the run, unless shorter steps avoid it.
#pragma once

#include <string>

#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct ExpressionLawParameters {
  std::string force = {};          ///< N, of depth, rate, impact_rate and the parameters
  std::string energy = {};         ///< J, of depth and the parameters; "": none
  NamedNumbers parameters = {};    ///< SI
  double restitution = not_given;  ///< for the non-smooth methods
};

}  // namespace tappet
