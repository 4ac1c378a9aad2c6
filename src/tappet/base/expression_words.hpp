// What an expression gives, in words: for sentences about a number that is not one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tappet/base/expression.hpp"

namespace tappet {

/// "'log(x)' is nan at x = -1, t = 0.5". Names as given to Expression::parse().
std::string in_words(const Expression& expression, const std::vector<std::string>& names,
                     std::span<const double> values, const double* inputs = nullptr);

/// The same of the first of several that is not finite; of the first where all are.
std::string in_words(const std::vector<Expression>& expressions, const std::vector<std::string>& names,
                     std::span<const double> values, const double* inputs = nullptr);

}  // namespace tappet
