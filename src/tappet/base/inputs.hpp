// Where the model's inputs, numbers that are set from outside between steps, may be used.
#pragma once

namespace tappet {

/// In expressions that are evaluated again and again during a run, and whose values may jump.
enum class Inputs { refused, allowed };

}  // namespace tappet
