// Runs a compiled expression on a small stack, with numbers or with jets.
#include <cassert>

#include "tappet/base/expression_jets.hpp"

namespace tappet::expression_ops {

namespace {

// The stack is not cleared before it is used, and the parser sees to it that every operand has been pushed:
// more than the analyser can know.
// NOLINTBEGIN(clang-analyzer-core.*)

void push_number(double& top, double number) {
  top = number;
}
void push_number(J& top, double number) {
  top = {number, 0, 0};
}
void push_variable(double& top, double value, int) {
  top = value;
}
void push_variable(J& top, double value, int index) {
  top = {value, index == 0 ? 1.0 : 0.0, 0};
}

template <class T>
T run(std::span<const ExpressionOp> ops, std::span<const double> values, const double* inputs) {
  T stack[max_stack];
  T* top = stack - 1;
  for (const ExpressionOp& op : ops) {
    switch (op.code) {
      case number:
        push_number(*++top, op.number);
        break;
      case variable:
        assert(op.argument < values.size());
        push_variable(*++top, values[op.argument], op.argument);
        break;
      case input:
        push_number(*++top, inputs ? inputs[op.argument] : op.number);
        break;
      case parameter:
        *++top = stack[op.argument];
        break;
      case add:
        --top;
        top[0] = sum(top[0], top[1]);
        break;
      case subtract:
        --top;
        top[0] = difference(top[0], top[1]);
        break;
      case multiply:
        --top;
        top[0] = product(top[0], top[1]);
        break;
      case choose:
        top -= 2;
        top[0] = value(top[0]) != 0 ? top[1] : top[2];
        break;
      case step:
        top -= 4;
        top[0] = smooth_step(top);
        break;
      case leave:
        top[-op.argument] = top[0];
        top -= op.argument;
        break;
      default:
        if (operands(op.code) == 1) {
          top[0] = apply1(op.code, top[0]);
        } else {
          --top;
          top[0] = apply2(op.code, top[0], top[1]);
        }
    }
    assert(top >= stack && top < stack + max_stack);
  }
  assert(top == stack);
  return stack[0];
}

// NOLINTEND(clang-analyzer-core.*)

}  // namespace

double evaluate(std::span<const ExpressionOp> ops, std::span<const double> values, const double* inputs) {
  if (ops.empty()) return 0;
  if (ops.size() == 1 && ops[0].code == number) return ops[0].number;
  return run<double>(ops, values, inputs);
}

Jet evaluate_jet(std::span<const ExpressionOp> ops, std::span<const double> values, const double* inputs) {
  if (ops.empty()) return {};
  if (ops.size() == 1 && ops[0].code == number) return {ops[0].number, 0, 0};
  const J j = run<J>(ops, values, inputs);
  return {j.v, j.d1, j.d2};
}

}  // namespace tappet::expression_ops
