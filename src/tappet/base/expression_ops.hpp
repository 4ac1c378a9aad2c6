// The instructions of a compiled expression. Private to base/.
#pragma once

#include <cstdint>
#include <span>

#include "tappet/base/expression.hpp"

namespace tappet::expression_ops {

/// Deepest operand stack an expression may need; evaluation uses a fixed array of this size.
inline constexpr int max_stack = 64;

enum Code : std::uint16_t {
  number,
  variable,
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

double evaluate(std::span<const Expression::Op> ops, std::span<const double> values);
Jet evaluate_jet(std::span<const Expression::Op> ops, std::span<const double> values);

}  // namespace tappet::expression_ops
