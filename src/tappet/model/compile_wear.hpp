// Joints that wear in cycles: what a cycle is, and that all of them mean the same one.
#pragma once

#include "tappet/base/diagnostics.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

struct Model;

/// Before auxiliary variables get their places.
void compile_wear(const Spec& spec, Model& model, Diagnostics& diagnostics);

}  // namespace tappet
