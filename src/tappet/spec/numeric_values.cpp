#include "tappet/spec/numeric_values.hpp"

#include <cmath>

#include "tappet/base/expression.hpp"
#include "tappet/base/text.hpp"
#include "tappet/base/unit_system.hpp"
#include "tappet/base/units.hpp"

namespace tappet {

namespace {

bool is_unit(const std::string& text) {
  try {
    parse_unit(text);
    return true;
  } catch (const UnitError&) {
    return false;
  }
}

void add_number(const Value& value, const std::string& path, std::vector<NumericValue>& out) {
  try {
    std::string rest;
    const Expression expression = Expression::parse(value.text, {}, rest);
    const double number = expression(std::span<const double>());
    const std::string unit(trimmed(rest));
    // "2 four-bar windows" begins with a number, but is none.
    if (std::isfinite(number) && (unit.empty() || is_unit(unit))) out.push_back({path, number, unit});
  } catch (const ExpressionError&) {
    // a text
  }
}

void walk(const Value& value, const std::string& path, std::vector<NumericValue>& out) {
  switch (value.kind) {
    case Value::Kind::null:
      return;
    case Value::Kind::scalar:
      return add_number(value, path, out);
    case Value::Kind::sequence:
      for (std::size_t i = 0; i < value.items.size(); ++i)
        walk(value.items[i], path + "." + std::to_string(i), out);
      return;
    case Value::Kind::mapping:
      for (const auto& [key, item] : value.map) {
        if (path.empty() && (key == "tappet" || key == "title")) continue;
        // A key with a dot cannot be named by a path.
        if (key.find('.') == std::string::npos) walk(item, path.empty() ? key : path + "." + key, out);
      }
  }
}

}  // namespace

std::vector<NumericValue> numeric_values(const Value& root) {
  std::vector<NumericValue> out;
  walk(root, "", out);
  return out;
}

}  // namespace tappet
