// Events: what is watched, and what happens there.
#pragma once

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

/// After everything that has signals or can be switched.
void compile_events(const Spec& spec, Model& model, Diagnostics& diagnostics);

}  // namespace tappet
