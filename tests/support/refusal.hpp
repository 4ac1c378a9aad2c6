// What the program says to a model that it does not take.
#pragma once

#include "support/run_model.hpp"

namespace tappet::testing {

/// All faults, with their places; "accepted" where there are none.
inline std::string refusal(const std::string& model) {
  try {
    run_text(model);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace tappet::testing
