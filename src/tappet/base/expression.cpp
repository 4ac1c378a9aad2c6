#include "tappet/base/expression.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/expression_parser.hpp"
#include "tappet/base/text.hpp"
#include "tappet/base/units.hpp"

namespace tappet {

namespace {

namespace ops = expression_ops;

}  // namespace

Expression Expression::constant(double value) {
  Expression result;
  result.ops_ = {{ops::number, 0, value}};
  result.stack_depth_ = 1;
  result.text_ = fmt::format("{}", value);
  return result;
}

Expression Expression::parse(std::string_view text, const std::vector<std::string>& variables,
                             std::string& rest, const Definitions* definitions, Inputs inputs) {
  ParsedExpression parsed = parse_expression(text, variables, definitions, inputs);
  Expression result;
  result.ops_ = std::move(parsed.ops);
  result.stack_depth_ = parsed.stack_depth;
  result.text_ = trimmed(text.substr(0, parsed.end));
  rest = trimmed(text.substr(parsed.end));
  if (definitions) {
    definitions->note_use(result.ops_);
    result.signals_ = definitions->uses_signals(result.ops_);
    if (std::any_of(result.ops_.begin(), result.ops_.end(), [](const Op& op) { return op.table; }))
      result.tables_ = definitions->tables();
  }
  return result;
}

Expression Expression::parse_quantity(std::string_view text, const std::vector<std::string>& variables,
                                      const std::string& si_unit, const Definitions* definitions,
                                      Inputs inputs) {
  std::string unit;
  const Expression expression = parse(text, variables, unit, definitions, inputs);
  if (definitions) definitions->check_unit(expression.ops_, unit, si_unit);
  return expression.scaled(si_factor(unit, si_unit));
}

Expression Expression::scaled(double factor) const {
  if (factor == 1) return *this;
  if (is_constant()) return constant(factor * (*this)(std::span<const double>()));
  Expression result = *this;
  result.ops_.push_back({ops::number, 0, factor});
  result.ops_.push_back({ops::multiply});
  result.stack_depth_ = std::max(stack_depth_, 2);
  result.text_ = fmt::format("({})*{}", text_, factor);
  return result;
}

int Expression::take_difference() {
  if (ops_.empty()) return 0;
  const std::uint16_t code = ops_.back().code;
  const bool greater = code == ops::greater || code == ops::greater_equal,
             less = code == ops::less || code == ops::less_equal;
  if (greater || less) ops_.back().code = ops::subtract;
  return greater ? 1 : less ? -1 : 0;
}

bool Expression::is_constant() const {
  return std::none_of(ops_.begin(), ops_.end(),
                      [](const Op& op) { return op.code == ops::variable || op.code == ops::input; });
}

bool Expression::uses_inputs() const {
  return std::any_of(ops_.begin(), ops_.end(), [](const Op& op) { return op.code == ops::input; });
}

double Expression::operator()(std::span<const double> values, const double* inputs) const {
  return ops::evaluate(ops_, values, inputs);
}

Jet Expression::jet(std::span<const double> values, const double* inputs) const {
  return ops::evaluate_jet(ops_, values, inputs);
}

}  // namespace tappet
