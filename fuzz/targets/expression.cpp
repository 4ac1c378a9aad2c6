// Expressions: what is read is evaluated in three ways, which agree to the last bit.
#include "tappet/base/expression.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/expression_batch.hpp"
#include "tappet/base/unit_error.hpp"
#include "target.hpp"

namespace tappet::fuzz::expression_target {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

void expect_same(double a, double b, const char* what, std::string_view text, double t) {
  if (!same(a, b)) throw Contradiction(fmt::format("{} of '{}' at {}: {} and {}", what, text, t, a, b));
}

void run(std::string_view text) {
  try {
    std::string rest;
    const std::vector<std::string> variables = {"t"};
    const Expression expression = Expression::parse(text, variables, rest);
    const Expression* const pointer = &expression;
    ExpressionBatch batch(std::span(&pointer, 1));
    for (const double t : {0.0, 0.3, -2.0, 1e300, -1e-300}) {
      const Jet jet = expression.jet(t);
      expect_same(expression(t), jet.value, "value and jet", text, t);
      batch.evaluate(t);
      expect_same(batch.jets()[0].value, jet.value, "batch and jet", text, t);
      expect_same(batch.jets()[0].d1, jet.d1, "first derivative by batch and jet", text, t);
      expect_same(batch.jets()[0].d2, jet.d2, "second derivative by batch and jet", text, t);
    }
    static_cast<void>(Expression::parse_quantity(text, variables, "m/s", nullptr));
  } catch (const ExpressionError&) {
  } catch (const UnitError&) {
  }
}

const Registration<FuzzTarget> registered{
    {.name = "expression",
     .help = "expressions with units; value, jet and batch agree",
     .examples = {},
     .run = run,
     .words = {"sin(", "cos(",  "tan(",   "asin(", "acos(", "atan(", "atan2(", "sinh(", "cosh(",  "tanh(",
               "exp(", "log(",  "log10(", "sqrt(", "abs(",  "sign(", "min(",   "max(",  "floor(", "mod(",
               "if(",  "step(", "pi",     "e",     "t",     "<=",    ">=",     "==",    "!=",     "^",
               "-",    "1e308", "mm",     "deg",   "rad/s", "rpm",   "(",      ")",     ",",      "*",
               "/",    "0",     "0.5",    "m/s",   "·",     "²"}}};

}  // namespace
}  // namespace tappet::fuzz::expression_target
