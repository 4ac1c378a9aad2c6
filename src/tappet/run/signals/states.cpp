// States of the model's own, and their rates where places and speeds tell these.
#include "tappet/model/expression_signals.hpp"
#include "tappet/model/signals.hpp"

namespace tappet::signals::states {
namespace {

double value(SignalContext& c, const SignalDefinition& s) {
  return c.k.inputs[s.index];
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  for (int n = 0; n < static_cast<int>(model.states.size()); ++n) {
    const ModelState& state = model.states[n];
    // What shows reactions at once is known where these are, and not recorded: the feed knows it while rates are taken.
    out.push_back({"states." + state.name, state.unit, false, place_of_state(model, n), 0, 0, value});
  }
}

const Registration<SignalProvider> registered{{.name = "states", .order = 6, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::states
