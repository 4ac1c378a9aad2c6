// From an expression's text to its instructions. Private to base/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tappet/base/defined_names.hpp"
#include "tappet/base/expression_ops.hpp"

namespace tappet {

struct ParsedExpression {
  std::vector<ExpressionOp> ops;
  int stack_depth = 0;  ///< places that the evaluation needs
  std::size_t end = 0;  ///< in the text: behind the expression and the spaces that follow it
};

/// Reads the longest expression at the start of `text`. Throws ExpressionError. `inputs`: whether it may use those, and signals.
ParsedExpression parse_expression(std::string_view text, const std::vector<std::string>& variables,
                                  const DefinedNames* definitions = nullptr, Inputs inputs = Inputs::refused);

/// The same for the body of a definition, whose parameters lie at the bottom of the stack.
ParsedExpression parse_definition(std::string_view text, const std::vector<std::string>& parameters,
                                  const DefinedNames& earlier);

/// A function or constant of the language itself, which nobody may give another meaning.
bool is_builtin_name(std::string_view name);

}  // namespace tappet
