// Names that a model file defines for its expressions: constants (`rise: 170 mm`) and functions (`lift(u):
// 16*u^2*(1-u)^2`).
//
// A definition may use those that stand before it, so that none can call itself. Its value is in SI units,
// whatever unit stands behind it; its derivatives are exact like those of every expression.
#pragma once

#include <string_view>

#include "tappet/base/defined_names.hpp"

namespace tappet {

class Definitions : public DefinedNames {
 public:
  /// `head` is "name" or "name(a, b)", `text` its expression with or without a unit.
  /// Throws ExpressionError or UnitError, sentences both.
  void add(std::string_view head, std::string_view text);
};

}  // namespace tappet
