// Expressions of time and of other named quantities, with exact derivatives.
//
// Grammar (one rule for every number in a model file): `EXPRESSION [UNIT]`. The expression is read as far as it
// goes; what cannot continue it is the unit: "500*t rad/s", "2*pi*t rad", "9.8mm", "30 deg", "5000 rpm".
// Operators + - * / ^ (right associative, binds tighter than unary minus), parentheses, comparison < > <= >= == != giving 0 or 1,
// functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max floor mod
// if(c, a, b) step(x, x0, h0, x1, h1) (Adams' cubic STEP), constants pi and e, what the model defines itself, and its inputs.
//
// Library functions follow Adams' names: step5 havsin impact bistop shf poly cheby forcos forsin aint anint dim; a model's own
// definitions of these names come first. Tables of the model are functions of one or two variables (lookup_table.hpp).
//
// Signals of the model (`crank.angle`) and its states stand behind the inputs: their values are handed over with them.
//
// An input is a number that somebody sets between the steps of a run. Its values are handed over with each evaluation; without
// them an expression takes the defaults. Within a step an input does not vary, so that its derivatives are 0.
//
// The evaluation carries first and second derivatives with respect to the first variable (forward mode), because a
// motion prescribed as angle(t) needs its speed and acceleration to rounding, which no difference quotient gives.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tappet/base/expression_ops.hpp"
#include "tappet/base/inputs.hpp"

namespace tappet {

class Definitions;

class Expression {
 public:
  Expression() = default;  ///< the constant 0

  static Expression constant(double value);

  /// Reads the longest expression at the start of `text`; `rest` receives what follows it (a unit, or empty).
  /// `variables` are the names it may use; an unknown name inside the expression is an ExpressionError listing them.
  /// `definitions`: names and functions that the model brings; may be null.
  static Expression parse(std::string_view text, const std::vector<std::string>& variables, std::string& rest,
                          const Definitions* definitions = nullptr, Inputs inputs = Inputs::refused);
  /// The same for a quantity of the unit `si_unit`, with the expression's unit taken into account. Throws ExpressionError or
  /// UnitError.
  static Expression parse_quantity(std::string_view text, const std::vector<std::string>& variables,
                                   const std::string& si_unit, const Definitions* definitions,
                                   Inputs inputs = Inputs::refused);

  /// A comparison A > B or A < B becomes the difference A − B, and the sign that this has where the comparison holds is returned; any
  /// other expression stays what it is: 0.
  int take_difference();

  /// This expression times a constant (used to bring a unit to SI).
  Expression scaled(double factor) const;

  bool is_constant() const;  ///< uses neither variables nor inputs nor signals
  bool uses_inputs() const;  ///< or signals
  bool uses_signals() const { return signals_; }
  /// What its look-ups look into, kept alive; null: nothing.
  const std::shared_ptr<const void>& tables() const { return tables_; }
  /// Values of the variables in the order given to parse(), and of the inputs in the model's order; null: their defaults.
  /// Allocates nothing.
  double operator()(std::span<const double> values, const double* inputs = nullptr) const;
  Jet jet(std::span<const double> values, const double* inputs = nullptr) const;

  double operator()(double t, const double* inputs = nullptr) const {
    return (*this)(std::span<const double>(&t, 1), inputs);
  }
  Jet jet(double t, const double* inputs = nullptr) const {
    return jet(std::span<const double>(&t, 1), inputs);
  }

  const std::string& text() const { return text_; }

  using Op = ExpressionOp;
  const std::vector<Op>& ops() const { return ops_; }

 private:
  std::vector<Op> ops_;
  int stack_depth_ = 0;
  bool signals_ = false;
  std::string text_ = "0";
  std::shared_ptr<const void> tables_;
};

}  // namespace tappet
