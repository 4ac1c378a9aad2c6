// Every number of a model file that can be turned like a knob.
#pragma once

#include <string>
#include <vector>

#include "tappet/spec/value.hpp"

namespace tappet {

struct NumericValue {
  std::string path;   ///< as apply_setting() takes it: "joints.wrist.clearance.journal_radius",
                      ///< "bodies.rod.position.0"
  double number = 0;  ///< as written, in `unit`; an expression without variables is worked out
  std::string unit;   ///< as written: "mm"; "" for a plain number
};

/// In file order. Texts, names and expressions of time are left out, and so are the title and the language's
/// version.
std::vector<NumericValue> numeric_values(const Value& root);

}  // namespace tappet
