// Several expressions of one variable, run as one program: what they have in common, and what an expression repeats, is computed once.
//
// The drives of a machine are functions of time that share much: the phase of a gait, a foot's place, the inverse kinematics of a leg
// that its motor and its actuator both need. Written out they are many times as long as what there is to compute.
//
// Every instruction makes a value of its own; one that has the same code and the same operands as another is that other
// (value numbering). Results are those of Expression::jet() to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tappet/base/expression.hpp"

namespace tappet {

class ExpressionBatch {
 public:
  ExpressionBatch() = default;
  /// Copies what it needs of the expressions, whose first variable is the only one.
  explicit ExpressionBatch(std::span<const Expression* const> expressions);

  /// Computes them all. Allocates nothing. `inputs`: their present values; null: their defaults. `rates`: how fast these change, so that
  /// derivatives are those by time altogether; null: they stay as they are.
  void evaluate(double t, const double* inputs = nullptr, const double* rates = nullptr);
  bool uses_inputs() const { return !inputs_.empty(); }
  /// Value and derivatives of each, in their order, at the last evaluate(). Their place in memory does not change.
  const std::vector<Jet>& jets() const { return jets_; }

  /// How many instructions an evaluation runs.
  int operations() const { return static_cast<int>(program_.size()); }

 private:
  friend class BatchWriter;
  struct Instruction {
    std::uint16_t code;
    int target;      // value that it makes
    int operand[5];  // values
    const LookupTable* table;
  };
  struct Output {
    int value, expression;
  };
  struct InputValue {
    int value, input;
    double fallback;
  };
  std::vector<Instruction> program_;
  std::vector<InputValue> inputs_;
  std::vector<Jet> values_{
      {0, 1, 0}};                // the variable, then constants and what the program makes as they came
  std::vector<Output> outputs_;  // of expressions that are not constant
  std::vector<Jet> jets_;
  std::vector<std::shared_ptr<const void>> tables_;  // kept alive
};

}  // namespace tappet
