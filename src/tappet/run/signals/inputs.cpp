// Inputs as they are.
#include "tappet/model/signals.hpp"

namespace tappet::signals::inputs {
namespace {

double input(SignalContext& c, const SignalDefinition& s) {
  return c.k.inputs[s.index];
}

// Events do not watch them: who sets an input knows when.
void offer(const Model& model, std::vector<SignalDefinition>& out) {
  for (int i = 0; i < static_cast<int>(model.inputs.size()); ++i)
    out.push_back({"inputs." + model.inputs[i].name,
                   model.inputs[i].unit.empty() ? "1" : model.inputs[i].unit, true, i, 0, 0, input});
}

const Registration<SignalProvider> registered{{.name = "inputs", .order = 5, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::inputs
