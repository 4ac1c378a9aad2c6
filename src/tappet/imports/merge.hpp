// What a model file says besides what was imported.
#pragma once

#include "tappet/spec/value.hpp"

namespace tappet {

/// Puts what `more` says into the model: mappings key by key, all else in its place.
void merge(Value& model, const Value& more);

}  // namespace tappet
