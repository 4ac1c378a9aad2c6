// From the user's words to the machine's arrays.
#pragma once

#include <memory>

#include "tappet/spec/spec.hpp"

namespace tappet {

struct Model;

/// Checks everything that one key alone cannot show (names that must exist, bodies that must differ, inertia that joints
/// need, ...) and builds the immutable model. Throws InputError with every fault found; warnings go to `diagnostics`.
std::shared_ptr<const Model> compile(const Spec& spec, Diagnostics& diagnostics);

}  // namespace tappet
