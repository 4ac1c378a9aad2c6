// States of the model's own in method moreau: by the implicit midpoint rule,
//
//   z_E = z_A + h f(t_M, q_M, ½ (u_A + u_E), ½ (z_A + z_E); reactions and accelerations as means over the step)
//
// after bodies and contacts have been stepped with z_A. A state that depends on itself alone is met to the order h², however stiff; together
// with the motion, which follows it a step late, to the order h.
#pragma once

#include <vector>

#include "tappet/methods/method.hpp"

namespace tappet {

class StateStep {
 public:
  /// z of a state that has just been stepped from y_A. Throws SimulationError where Newton's method finds no solution.
  void advance(const Model& model, const Method& method, State& state, Workspace& w, double from, double h,
               const std::vector<double>& before, double theta) const;
};

}  // namespace tappet
