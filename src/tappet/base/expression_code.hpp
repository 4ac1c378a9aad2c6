// The postfix form of an expression while it is written. What is known by then is computed then: operators
// between numbers, the branch that an `if` takes, and of a definition all that follows from arguments that
// are numbers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tappet/base/defined_names.hpp"
#include "tappet/base/expression_ops.hpp"

namespace tappet {

class ExpressionCode {
 public:
  /// `parameters`: values that lie at the bottom of the stack from the beginning.
  explicit ExpressionCode(int parameters = 0) : bottom_(parameters), stack_depth_(parameters) {}

  /// An instruction behind those that bring its operands.
  void emit(const ExpressionOp& op);
  /// A definition behind its arguments. These are computed once and stay on the stack while its body runs
  /// above them.
  void call(const DefinedNames::Entry& entry);

  const std::vector<ExpressionOp>& ops() const { return ops_; }
  std::vector<ExpressionOp> take_ops() { return std::move(ops_); }
  int stack_depth() const { return stack_depth_; }  ///< places that the evaluation needs

 private:
  int depth() const { return bottom_ + static_cast<int>(starts_.size()); }
  std::size_t end_of(int height) const;
  const ExpressionOp* number_at(int height) const;
  bool fold(const ExpressionOp& op, int operands);
  void choose_branch();

  std::vector<ExpressionOp> ops_;
  std::vector<std::size_t>
      starts_;  // for each value on the stack: where the instructions begin that compute it
  int bottom_ = 0;
  int stack_depth_ = 0;
};

}  // namespace tappet
