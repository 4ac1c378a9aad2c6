// What metrics and claims have in common as texts: words, calls, and whole expressions of variables that
// stand for something longer.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/expression.hpp"

namespace tappet::expression_text {

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}

/// Where the parenthesis that opens at `open` closes; npos if it does not. `commas` counts those at its own
/// level.
std::size_t closing(const std::string& text, std::size_t open, int& commas);

/// A whole text as an expression; what could be a unit is too much. `meanings` are what the variables stand
/// for, in messages. Throws ExpressionError.
Expression parse_all(const std::string& text, const std::vector<std::string>& variables,
                     const std::vector<std::string>& meanings);

}  // namespace tappet::expression_text
