#include "tappet/studies/expression_text.hpp"

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet::expression_text {

std::size_t closing(const std::string& text, std::size_t open, int& commas) {
  int depth = 0;
  commas = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
    if (text[i] == ',' && depth == 1) ++commas;
  }
  return std::string::npos;
}

Expression parse_all(const std::string& text, const std::vector<std::string>& variables,
                     const std::vector<std::string>& meanings) {
  std::string rest;
  try {
    Expression out = Expression::parse(text, variables, rest);
    if (rest.empty()) return out;
  } catch (const ExpressionError& fault) {
    std::string message = fault.what();
    for (std::size_t i = 0; i < variables.size(); ++i)
      for (auto at = message.find(variables[i]); at != std::string::npos; at = message.find(variables[i]))
        message.replace(at, variables[i].size(), meanings[i]);
    throw ExpressionError(message, fault.column());
  }
  throw ExpressionError(fmt::format("{} cannot stand behind the expression", quote(rest)),
                        static_cast<int>(text.size() - rest.size()));
}

}  // namespace tappet::expression_text
