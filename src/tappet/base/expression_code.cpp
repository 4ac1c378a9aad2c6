#include "tappet/base/expression_code.hpp"

#include <algorithm>
#include <cassert>

namespace tappet {

namespace ops = expression_ops;
using Op = ExpressionOp;

std::size_t ExpressionCode::end_of(int height) const {
  return height + 1 < depth() ? starts_[height + 1 - bottom_] : ops_.size();
}

/// The instruction that pushes the value at this height of the stack, if it is a number.
const Op* ExpressionCode::number_at(int height) const {
  if (height < bottom_) return nullptr;
  const std::size_t start = starts_[height - bottom_];
  return end_of(height) == start + 1 && ops_[start].code == ops::number ? &ops_[start] : nullptr;
}

void ExpressionCode::emit(const Op& op) {
  const int operands = op.code == ops::leave ? op.argument + 1 : ops::operands(op.code);
  assert(operands <= depth() - bottom_);
  if (fold(op, operands)) return;
  if (operands == 0)
    starts_.push_back(ops_.size());
  else
    starts_.resize(starts_.size() - operands + 1);
  ops_.push_back(op);
  stack_depth_ = std::max(stack_depth_, depth());
}

/// Does what `op` would do, if it can be done now.
bool ExpressionCode::fold(const Op& op, int operands) {
  if (operands == 0) return false;
  const int first = depth() - operands;
  const std::size_t begin = starts_[first - bottom_];
  if (op.code == ops::choose && number_at(first)) {
    choose_branch();
    return true;
  }
  // A definition whose value is a number needs no arguments.
  Op value{ops::number};
  if (op.code == ops::leave && number_at(depth() - 1)) {
    value.number = ops_.back().number;
  } else {
    for (int n = 0; n < operands; ++n)
      if (!number_at(first + n)) return false;
    std::vector<Op> known(ops_.begin() + static_cast<std::ptrdiff_t>(begin), ops_.end());
    known.push_back(op);
    value.number = ops::evaluate(known, {});
  }
  ops_.resize(begin);
  ops_.push_back(value);
  starts_.resize(starts_.size() - operands + 1);
  return true;
}

/// if(number, then, otherwise): one of them remains, and what it has on the stack lies lower by what is gone.
void ExpressionCode::choose_branch() {
  const int condition = depth() - 3;
  const bool holds = number_at(condition)->number != 0;
  const auto at = [&](int height) {
    return ops_.begin() + static_cast<std::ptrdiff_t>(starts_[height - bottom_]);
  };
  if (holds) ops_.erase(at(condition + 2), ops_.end());
  const int lower = holds ? 1 : 2;
  const auto kept = ops_.erase(at(condition), at(condition + lower));
  for (auto op = kept; op != ops_.end(); ++op)
    if (op->code == ops::parameter && op->argument > condition)
      op->argument = static_cast<std::uint16_t>(op->argument - lower);
  starts_.resize(starts_.size() - 2);
}

void ExpressionCode::call(const DefinedNames::Entry& entry) {
  const int base = depth() - entry.parameters;
  for (Op op : entry.ops) {
    if (op.code == ops::parameter) {
      const int height = base + op.argument;
      if (const Op* known = number_at(height))
        op = *known;
      else
        op.argument = static_cast<std::uint16_t>(height);
    }
    emit(op);
  }
  if (entry.parameters > 0) emit({ops::leave, static_cast<std::uint16_t>(entry.parameters)});
}

}  // namespace tappet
