// What an expression consists of once it is compiled: its instructions; and what their evaluation gives.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace tappet {

/// Value and the first two derivatives with respect to the expression's first variable.
struct Jet {
  double value = 0;
  double d1 = 0;
  double d2 = 0;
};

/// An expression that cannot be read; what() is a sentence, `column()` counts characters from 0 in the text.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& what, int column) : std::runtime_error(what), column_(column) {}
  int column() const { return column_; }

 private:
  int column_;
};

class LookupTable;

/// One instruction of the compiled (postfix) form.
struct ExpressionOp {
  std::uint16_t code = 0;
  std::uint16_t argument = 0;          ///< variable or input index; place on the stack; number of arguments
  double number = 0;                   ///< of an input: its default
  const LookupTable* table = nullptr;  ///< of a look-up
};

}  // namespace tappet

namespace tappet::expression_ops {

/// Deepest operand stack an expression may need; evaluation uses a fixed array of this size.
inline constexpr int max_stack = 64;

enum Code : std::uint16_t {
  number,
  variable,
  input,      ///< a number that changes while the model runs: an input, and behind these signals and states
  parameter,  ///< of a definition: a copy of the value at this height of the stack
  // one operand
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  lookup,  ///< in a table of one variable
  // two operands
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  greater,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  atan2,
  min,
  max,
  mod,
  lookup2,  ///< in a table of two variables
  // three and five operands
  choose,  ///< if(condition, then, otherwise)
  step,    ///< step(x, x0, h0, x1, h1)
  leave,   ///< end of a definition: its value replaces the arguments below it
};

/// −1: as many as the instruction says itself.
constexpr int operands(std::uint16_t code) {
  if (code == leave) return -1;
  if (code <= parameter) return 0;
  if (code < add) return 1;
  if (code < choose) return 2;
  return code == choose ? 3 : 5;
}

/// `inputs`: their present values; null: their defaults.
double evaluate(std::span<const ExpressionOp> ops, std::span<const double> values,
                const double* inputs = nullptr);
Jet evaluate_jet(std::span<const ExpressionOp> ops, std::span<const double> values,
                 const double* inputs = nullptr);

}  // namespace tappet::expression_ops
