// Names that a model file defines for its expressions: constants (`rise: 170 mm`) and functions (`lift(u):
// 16*u^2*(1-u)^2`).
//
// A definition may use those that stand before it, so that none can call itself. Its value is in SI units,
// whatever unit stands behind it; its derivatives are exact like those of every expression.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tappet/base/defined_names.hpp"

namespace tappet {

class Definitions : public DefinedNames {
 public:
  /// `head` is "name" or "name(a, b)", `text` its expression with or without a unit.
  /// Throws ExpressionError or UnitError, sentences both.
  void add(std::string_view head, std::string_view text);

  /// A number that is set between steps, for the expressions that may use inputs and for the definitions that follow. `unit`: SI's own,
  /// or "". Throws ExpressionError or UnitError.
  void add_input(const std::string& name, const std::string& unit, double default_value);
  /// An expression that is nothing but an input must be of the quantity that is asked for, and has its unit already. `unit`: what
  /// stands behind it. Throws ExpressionError or UnitError.
  void check_unit(std::span<const ExpressionOp> ops, const std::string& unit,
                  const std::string& si_unit) const;
  /// Inputs among these instructions are used from now on.
  void note_use(std::span<const ExpressionOp> ops) const;
};

}  // namespace tappet
