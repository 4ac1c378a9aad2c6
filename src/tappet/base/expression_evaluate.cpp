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

void look_up(double& x, const LookupTable& table) {
  x = table.at(x).value;
}
void look_up(J& x, const LookupTable& table) {
  x = looked_up(x, table.at(x.v));
}
void look_up(double& x, double y, const LookupTable& table) {
  x = table.at(x, y).f;
}
void look_up(J& x, const J& y, const LookupTable& table) {
  x = looked_up(x, y, table.at(x.v, y.v));
}

template <class T>
T run(std::span<const ExpressionOp> ops, std::span<const double> values, const double* inputs) {
  T stack[max_stack];
  T* top = stack;  // the first that is free
  for (const ExpressionOp& op : ops) {
    switch (op.code) {
      case number:
        push_number(*top++, op.number);
        break;
      case variable:
        assert(op.argument < values.size());
        push_variable(*top++, values[op.argument], op.argument);
        break;
      case input:
        push_number(*top++, inputs ? inputs[op.argument] : op.number);
        break;
      case parameter:
        *top++ = stack[op.argument];
        break;
      case add:
        --top;
        top[-1] = sum(top[-1], top[0]);
        break;
      case subtract:
        --top;
        top[-1] = difference(top[-1], top[0]);
        break;
      case multiply:
        --top;
        top[-1] = product(top[-1], top[0]);
        break;
      case lookup:
        look_up(top[-1], *op.table);
        break;
      case lookup2:
        --top;
        look_up(top[-1], top[0], *op.table);
        break;
      case choose:
        top -= 2;
        top[-1] = value(top[-1]) != 0 ? top[0] : top[1];
        break;
      case step:
        top -= 4;
        top[-1] = smooth_step(top - 1);
        break;
      case leave:
        top[-1 - op.argument] = top[-1];
        top -= op.argument;
        break;
      default:
        if (operands(op.code) == 1) {
          top[-1] = apply1(op.code, top[-1]);
        } else {
          --top;
          top[-1] = apply2(op.code, top[-1], top[0]);
        }
    }
    assert(top > stack && top <= stack + max_stack);
  }
  assert(top == stack + 1);
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
