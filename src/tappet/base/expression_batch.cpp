#include "tappet/base/expression_batch.hpp"

#include <array>
#include <bit>
#include <unordered_map>

#include "tappet/base/expression_jets.hpp"

namespace tappet {

namespace ops = expression_ops;
using ops::J;

namespace {

J operand(const Jet& x) {
  return {x.value, x.d1, x.d2};
}

Jet apply(std::uint16_t code, const int* at, const std::vector<Jet>& values, const LookupTable* table) {
  const auto arg = [&](int n) { return operand(values[at[n]]); };
  J out;
  switch (code) {
    case ops::add:
      out = ops::sum(arg(0), arg(1));
      break;
    case ops::subtract:
      out = ops::difference(arg(0), arg(1));
      break;
    case ops::multiply:
      out = ops::product(arg(0), arg(1));
      break;
    case ops::lookup:
      out = ops::looked_up(arg(0), table->at(arg(0).v));
      break;
    case ops::lookup2:
      out = ops::looked_up(arg(0), arg(1), table->at(arg(0).v, arg(1).v));
      break;
    case ops::choose:
      out = arg(values[at[0]].value != 0 ? 1 : 2);
      break;
    case ops::step: {
      const J all[] = {arg(0), arg(1), arg(2), arg(3), arg(4)};
      out = ops::smooth_step(all);
      break;
    }
    default:
      out = ops::operands(code) == 1 ? ops::apply1(code, arg(0)) : ops::apply2(code, arg(0), arg(1));
  }
  return {out.v, out.d1, out.d2};
}

}  // namespace

/// Turns postfix instructions into values and what makes them.
class BatchWriter {
 public:
  explicit BatchWriter(ExpressionBatch& batch) : batch_(batch) {}

  /// The value of an expression.
  int write(const Expression& expression) {
    stack_.clear();
    for (const Expression::Op& op : expression.ops()) {
      if (op.code == ops::number) {
        stack_.push_back(constant(op.number));
      } else if (op.code == ops::variable) {
        stack_.push_back(0);
      } else if (op.code == ops::input) {
        stack_.push_back(input(op));
      } else if (op.code == ops::parameter) {
        stack_.push_back(stack_[op.argument]);
      } else if (op.code == ops::leave) {
        stack_[stack_.size() - 1 - op.argument] = stack_.back();
        stack_.resize(stack_.size() - op.argument);
      } else {
        const int count = ops::operands(op.code);
        const int made = value_of(op, stack_.data() + stack_.size() - count, count);
        stack_.resize(stack_.size() - count);
        stack_.push_back(made);
      }
    }
    return stack_.empty() ? constant(0) : stack_.back();
  }

  bool is_constant(int value) const { return constant_[value]; }

  /// Leaves out what no expression needs.
  void finish() {
    std::vector<char> needed(batch_.values_.size(), 0);
    for (const auto& output : batch_.outputs_) needed[output.value] = 1;
    for (std::size_t v = makes_.size(); v-- > 0;) {
      if (!needed[v] || makes_[v] < 0) continue;
      const ExpressionBatch::Instruction& made_by = batch_.program_[makes_[v]];
      for (int n = 0; n < ops::operands(made_by.code); ++n) needed[made_by.operand[n]] = 1;
    }
    std::erase_if(batch_.program_, [&](const auto& instruction) { return !needed[instruction.target]; });
  }

 private:
  // What an instruction computes from what: the same twice is computed once.
  struct Made {
    std::uint16_t code;
    const LookupTable* table;
    std::array<int, 5> operands;
    bool operator==(const Made&) const = default;
  };

  struct HashOfMade {
    std::size_t operator()(const Made& made) const {
      std::size_t hash = made.code + reinterpret_cast<std::uintptr_t>(made.table);
      for (const int operand : made.operands)
        hash = (hash ^ static_cast<unsigned>(operand)) * 0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 32);
    }
  };

  int add(const Jet& value, int made_by, bool constant) {
    batch_.values_.push_back(value);
    makes_.push_back(made_by);
    constant_.push_back(constant);
    return static_cast<int>(makes_.size()) - 1;
  }

  int constant(double number) {
    const auto [at, fresh] = numbers_.try_emplace(std::bit_cast<std::uint64_t>(number), 0);
    if (fresh) at->second = add({number, 0, 0}, -1, true);
    return at->second;
  }

  int input(const Expression::Op& op) {
    for (const auto& known : batch_.inputs_)
      if (known.input == op.argument) return known.value;
    batch_.inputs_.push_back({add({op.number, 0, 0}, -1, false), op.argument, op.number});
    return batch_.inputs_.back().value;
  }

  int value_of(const Expression::Op& op, const int* operands, int count) {
    const std::uint16_t code = op.code;
    if (code == ops::choose && constant_[operands[0]])
      return operands[batch_.values_[operands[0]].value != 0 ? 1 : 2];
    bool known = true;
    ExpressionBatch::Instruction instruction{code, 0, {}, op.table};
    for (int n = 0; n < count; ++n) {
      instruction.operand[n] = operands[n];
      known = known && constant_[operands[n]];
    }
    if (known) return constant(apply(code, operands, batch_.values_, op.table).value);
    const auto [at, fresh] = made_.try_emplace({code, op.table, std::to_array(instruction.operand)}, 0);
    if (fresh) {
      instruction.target = at->second = add({}, static_cast<int>(batch_.program_.size()), false);
      batch_.program_.push_back(instruction);
    }
    return at->second;
  }

  ExpressionBatch& batch_;
  std::vector<int> stack_;
  std::vector<int> makes_{-1};     // instruction behind each value, −1: none; the variable comes first
  std::vector<char> constant_{0};  // values
  std::unordered_map<std::uint64_t, int> numbers_;
  std::unordered_map<Made, int, HashOfMade> made_;
};

ExpressionBatch::ExpressionBatch(std::span<const Expression* const> expressions) {
  BatchWriter writer(*this);
  for (const Expression* expression : expressions) {
    const int value = writer.write(*expression);
    if (!writer.is_constant(value)) outputs_.push_back({value, static_cast<int>(jets_.size())});
    jets_.push_back(values_[value]);
    if (expression->tables()) tables_.push_back(expression->tables());
  }
  writer.finish();
}

void ExpressionBatch::evaluate(double t, const double* inputs, const double* rates) {
  values_[0].value = t;
  for (const InputValue& each : inputs_) {
    values_[each.value].value = inputs ? inputs[each.input] : each.fallback;
    values_[each.value].d1 = rates ? rates[each.input] : 0;
  }
  for (const Instruction& instruction : program_)
    values_[instruction.target] = apply(instruction.code, instruction.operand, values_, instruction.table);
  for (const Output& output : outputs_) jets_[output.expression] = values_[output.value];
}

}  // namespace tappet
