#include "tappet/base/expression_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tappet {

std::string in_words(const Expression& expression, const std::vector<std::string>& names,
                     std::span<const double> values, const double* inputs) {
  const double value = expression(values, inputs);
  // Some of those that are no number have a sign, which says nothing.
  std::string out = fmt::format("'{}' is {:g}", expression.text(), std::isnan(value) ? NAN : value);
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{} = {:.9g}", i == 0 ? " at " : ", ", names[i], values[i]);
  return out;
}

std::string in_words(const std::vector<Expression>& expressions, const std::vector<std::string>& names,
                     std::span<const double> values, const double* inputs) {
  const auto wrong = std::find_if(expressions.begin(), expressions.end(),
                                  [&](const Expression& e) { return !std::isfinite(e(values, inputs)); });
  return in_words(wrong == expressions.end() ? expressions.front() : *wrong, names, values, inputs);
}

}  // namespace tappet
