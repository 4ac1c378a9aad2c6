// What metrics have in common wherever a file names them: in studies and in catalogues of figures.
#pragma once

#include <vector>

#include "tappet/spec/object.hpp"
#include "tappet/studies/metric.hpp"

namespace tappet {

/// `peak: max(x)` is short for `peak: {value: max(x)}`. `metrics` may be null.
void spell_out_metrics(Value* metrics);

/// The rows and those of the window: `from`, `to` and `last`.
std::vector<Parameter> with_window(std::vector<Parameter> rows);
Window window_of(const Object& o);

}  // namespace tappet
