// Signals and states in expressions: those that the model file names are looked for among the model's signals, and given values at every
// instant (multibody/signal_feed.hpp).
//
// What may stand where follows from what it depends on at one instant:
//
//   motion     places, speeds, states                                  everywhere
//   law        forces of contacts by laws of penetration               forces, prescribed accelerations, rates of states
//   reaction   reactions, accelerations, efforts, impulses             rates of states alone: anything else would decide on itself
#pragma once

#include <vector>

#include "tappet/base/definitions.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/object.hpp"

namespace tappet {

/// The states as written, with their auxiliary variables.
void compile_states(const std::vector<Object>& states, const Definitions& definitions, Model& model,
                    Diagnostics& diagnostics);

/// After everything that expressions were read for. Reports signals that do not exist or may not stand where they do.
void compile_expression_signals(const Definitions& definitions, const SourcePos& pos, Model& model,
                                Diagnostics& diagnostics);

/// Where the value of state number n stands in what expressions read.
int place_of_state(const Model& model, int n);

}  // namespace tappet
