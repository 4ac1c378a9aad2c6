// What expressions read while a model runs besides its inputs: signals of the model and states of its own. Who knows signals is behind this
// interface (model/expression_signals.cpp).
//
// At one instant, in this order: what places, speeds and states tell; forces of contacts by their laws; then forces, reactions and
// accelerations of the mechanism; and what these tell, on which only rates of states may depend.
#pragma once

#include <string>

namespace tappet {

struct Kinematics;
struct DynamicsWorkspace;

class SignalFeed {
 public:
  virtual ~SignalFeed() = default;

  /// Makes room in frames that were not there before.
  virtual void prepare(Kinematics& k) const = 0;
  /// Values of all that positions `q`, velocities and states tell, and forces of contacts, at these frames.
  virtual void fill(Kinematics& k, const double* q) const = 0;
  /// Rates of the states, at the frames of the workspace and the forces there. `zdot`: of all auxiliary variables.
  virtual void state_rates(const DynamicsWorkspace& w, const double* q, double* zdot) const = 0;
  /// A rate that is not a finite number at these frames, a sentence; "": none.
  virtual std::string not_finite(const Kinematics& k) const = 0;
};

/// One variable of the states: auxiliary variables of the mechanism.
struct StateVariable {
  std::string name;  ///< of the state, with a number where it has several
  int offset = 0;    ///< among the auxiliary variables
  double initial = 0;
  double scale = 1;  ///< what is much for it
};

}  // namespace tappet
