#include "tappet/spec/read_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/units.hpp"

namespace tappet {

namespace {

void report(const ReadContext& context, const Value& value, const std::string& message) {
  context.diagnostics->error(value.pos, message);
}

/// "a number in kg", "a plain number"
std::string number_words(const Parameter& parameter) {
  return parameter.unit.empty() ? "a plain number" : "a number in " + parameter.unit;
}

bool check_scalar(const Value& value, const Parameter& parameter, const std::string& expected,
                  const ReadContext& context) {
  if (value.kind == Value::Kind::scalar) return true;
  report(context, value, fmt::format("'{}' must be {}, not {}", parameter.name, expected, shown(value)));
  return false;
}

bool check_range(double number, const Value& value, const Parameter& parameter, const ReadContext& context) {
  if (!std::isfinite(number)) {
    report(context, value,
           fmt::format("'{}' is {}, which is not a finite number", parameter.name, shown(value)));
    return false;
  }
  if (parameter.range.contains(number)) return true;
  report(context, value,
         fmt::format("'{}' is {}, but must be {}{}", parameter.name, shown(value), parameter.range.text(),
                     parameter.unit.empty() ? "" : " (in " + parameter.unit + ")"));
  return false;
}

/// "500 t rad/s": the unit seems to begin with a variable; a product sign is missing.
std::string missing_operator_hint(const std::string& unit, const std::vector<std::string>& variables) {
  const std::string first = unit.substr(0, unit.find_first_of(" */.^-"));
  if (std::find(variables.begin(), variables.end(), first) == variables.end()) return "";
  return fmt::format(" (to multiply by the variable {}, write *{})", first, first);
}

bool read_integer(const Value& value, const Parameter& parameter, const ReadContext& context, double& out) {
  if (!check_scalar(value, parameter, "a whole number", context)) return false;
  const auto number = read_number(value, parameter, context);
  if (!number) return false;
  if (*number != std::round(*number) || std::abs(*number) > std::numeric_limits<int>::max()) {
    report(context, value,
           fmt::format("'{}' is {}, but must be a whole number", parameter.name, shown(value)));
    return false;
  }
  out = *number;
  return true;
}

bool read_boolean(const Value& value, const Parameter& parameter, const ReadContext& context, double& out) {
  if (value.kind != Value::Kind::scalar || (value.text != "true" && value.text != "false")) {
    report(context, value, fmt::format("'{}' must be true or false, not {}", parameter.name, shown(value)));
    return false;
  }
  out = value.text == "true";
  return true;
}

bool read_choice(const Value& value, const Parameter& parameter, const ReadContext& context,
                 std::string& out) {
  const auto& choices = parameter.choices;
  if (!check_scalar(value, parameter, "one of " + join_names(choices), context)) return false;
  if (std::find(choices.begin(), choices.end(), value.text) != choices.end()) {
    out = value.text;
    return true;
  }
  const std::string nearest = nearest_name(value.text, choices);
  report(context, value,
         fmt::format("'{}' is {}, which is not known; {}allowed: {}", parameter.name, shown(value),
                     nearest.empty() ? "" : "did you mean '" + nearest + "'? ", join_names(choices)));
  return false;
}

bool read_text(const Value& value, const Parameter& parameter, const ReadContext& context, std::string& out) {
  const bool name = parameter.kind == Kind::name;
  if (!check_scalar(value, parameter, name ? "a name" : "a text", context)) return false;
  if (name && value.text.empty()) {
    report(context, value, fmt::format("'{}' must be a name, but is empty", parameter.name));
    return false;
  }
  out = value.text;
  return true;
}

bool read_names(const Value& value, const Parameter& parameter, const ReadContext& context,
                std::vector<Name>& out) {
  const int length = parameter.count == 0 ? any_length : parameter.count;
  if (!check_list(value, parameter, length, "names", context)) return false;
  bool good = true;
  for (const Value& item : value.items) {
    if (item.kind != Value::Kind::scalar || item.text.empty()) {
      report(context, item,
             fmt::format("'{}' must be a list of names, but holds {}", parameter.name, shown(item)));
      good = false;
    }
    out.push_back({item.text, item.pos});
  }
  return good;
}

bool read_expressions(const Value& value, const Parameter& parameter, const ReadContext& context,
                      std::vector<Expression>& out) {
  if (!check_list(value, parameter, parameter.length, "expressions", context)) return false;
  bool good = true;
  for (const Value& item : value.items) {
    const auto expression = read_expression(item, parameter, context);
    if (expression) out.push_back(*expression);
    good = good && expression;
  }
  return good;
}

bool read_numbers(const Value& value, const Parameter& parameter, const ReadContext& context,
                  Object::Entry& entry) {
  if (value.kind != Value::Kind::mapping) {
    report(context, value,
           fmt::format("'{}' must be a mapping of names to numbers, not {}", parameter.name, shown(value)));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < value.map.size(); ++i) {
    Parameter item = parameter;
    item.name = value.map[i].first;
    const auto number = read_number(value.map[i].second, item, context);
    entry.names.push_back({item.name, value.key_pos[i]});
    entry.vector.push_back(number.value_or(0));
    good = good && number;
  }
  return good;
}

/// Each name and its text: expressions that somebody else reads.
bool read_texts(const Value& value, const Parameter& parameter, const ReadContext& context,
                std::vector<Name>& out) {
  if (value.kind != Value::Kind::mapping) {
    report(context, value,
           fmt::format("'{}' must be a mapping of names to texts, not {}", parameter.name, shown(value)));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < value.map.size(); ++i) {
    const auto& [name, text] = value.map[i];
    if (text.kind != Value::Kind::scalar || text.text.empty()) {
      report(context, text,
             fmt::format("'{}' of '{}' must be a text, not {}", name, parameter.name, shown(text)));
      good = false;
    }
    out.push_back({name, value.key_pos[i]});
    out.push_back({text.text, text.pos});
  }
  return good;
}

bool read_points(const Value& value, const Parameter& parameter, const ReadContext& context,
                 std::vector<std::vector<double>>& out) {
  const char* items = parameter.kind == Kind::matrix ? "rows" : "points";
  const int count = parameter.count == 0 ? any_length : parameter.count;
  if (parameter.kind == Kind::matrix && value.kind != Value::Kind::sequence) {
    const int wide = resolved_length(parameter.length, context);
    const std::string size =
        count == any_length || wide == any_length ? parameter.help : fmt::format("{} × {}", count, wide);
    report(context, value,
           fmt::format("'{}' must be a matrix, a list of rows such as [[1, 0], [0, 1]] ({}), not {}",
                       parameter.name, size, shown(value)));
    return false;
  }
  if (!check_list(value, parameter, count, items, context)) return false;
  // A matrix mixes dimensions, so that no one unit could stand for all of it: plain SI numbers.
  Parameter row = parameter;
  if (parameter.kind == Kind::matrix) row.unit = "";
  bool good = true;
  for (const Value& item : value.items) {
    auto point = read_vector(item, row, parameter.length, context);
    if (point) out.push_back(std::move(*point));
    good = good && point;
  }
  return good;
}

}  // namespace

std::string shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "empty";
    case Value::Kind::scalar:
      return quote(value.text);
    case Value::Kind::sequence:
      return "a list";
    case Value::Kind::mapping:
      return "a mapping";
  }
  return "";
}

int resolved_length(int length, const ReadContext& context) {
  if (length != by_dimension) return length;
  return context.dimension == Dimension::planar ? 2 : 3;
}

bool check_list(const Value& value, const Parameter& parameter, int length, const char* items,
                const ReadContext& context) {
  const int expected = resolved_length(length, context);
  const bool any = expected == any_length;
  if (value.kind != Value::Kind::sequence) {
    report(context, value,
           fmt::format("'{}' must be a list of {}{}, not {}", parameter.name,
                       any ? "" : fmt::format("{} ", expected), items, shown(value)));
    return false;
  }
  const int given = static_cast<int>(value.items.size());
  if (any ? given > 0 : given == expected) return true;
  const char* model = length != by_dimension                   ? ""
                      : context.dimension == Dimension::planar ? " in a planar model"
                                                               : " in a spatial model";
  report(context, value,
         any ? fmt::format("'{}' is an empty list; {} are expected", parameter.name, items)
             : fmt::format("'{}' has {} {}, but {} {} expected{}", parameter.name, given, items, expected,
                           expected == 1 ? "is" : "are", model));
  return false;
}

std::optional<double> read_number(const Value& value, const Parameter& parameter,
                                  const ReadContext& context) {
  if (!check_scalar(value, parameter, number_words(parameter), context)) return std::nullopt;
  try {
    std::string unit;
    const double number =
        Expression::parse(value.text, {}, unit, context.definitions.get())(std::span<const double>());
    const double si = convert_to_si(number, unit, parameter.unit);
    if (!check_range(si, value, parameter, context)) return std::nullopt;
    return si;
  } catch (const ExpressionError& fault) {
    report(context, value,
           fmt::format("'{}' must be {}: {}", parameter.name, number_words(parameter), fault.what()));
  } catch (const UnitError& fault) {
    report(context, value, fmt::format("'{}' is {}: {}", parameter.name, shown(value), fault.what()));
  }
  return std::nullopt;
}

std::optional<Expression> read_expression(const Value& value, const Parameter& parameter,
                                          const ReadContext& context) {
  const std::string expected = number_words(parameter) +
                               (parameter.variables.empty() ? "" : " or an expression of ") +
                               join_names(parameter.variables);
  if (!check_scalar(value, parameter, expected, context)) return std::nullopt;
  std::string unit;
  try {
    // Where a parameter has a reason of its own against inputs, they are read first.
    const Inputs inputs = parameter.no_inputs.empty() ? parameter.inputs : Inputs::all;
    Expression expression =
        Expression::parse(value.text, parameter.variables, unit, context.definitions.get(), inputs);
    if (parameter.inputs == Inputs::refused && expression.uses_inputs()) {
      report(context, value,
             fmt::format("'{}' uses {}: {}", parameter.name,
                         expression.uses_signals() ? "a signal or a state, which may stand where inputs may"
                                                   : "an input",
                         parameter.no_inputs));
      return std::nullopt;
    }
    if (context.definitions) {
      context.definitions->check_unit(expression.ops(), unit, parameter.unit);
      context.definitions->note_signals(expression.ops(), value.pos, fmt::format("'{}'", parameter.name),
                                        inputs, parameter.unit);
    }
    if (expression.is_constant())
      expression =
          Expression::constant(convert_to_si(expression(std::span<const double>()), unit, parameter.unit));
    else
      expression = expression.scaled(si_factor(unit, parameter.unit));
    // What varies can only be checked while it varies; a constant is checked now.
    if (expression.is_constant() &&
        !check_range(expression(std::span<const double>()), value, parameter, context))
      return std::nullopt;
    return expression;
  } catch (const ExpressionError& fault) {
    report(context, value, fmt::format("'{}' must be {}: {}", parameter.name, expected, fault.what()));
  } catch (const UnitError& fault) {
    report(context, value,
           fmt::format("'{}' is {}: {}{}", parameter.name, shown(value), fault.what(),
                       missing_operator_hint(unit, parameter.variables)));
  }
  return std::nullopt;
}

std::optional<std::vector<double>> read_vector(const Value& value, const Parameter& parameter, int length,
                                               const ReadContext& context) {
  if (!check_list(value, parameter, length, "numbers", context)) return std::nullopt;
  std::vector<double> out;
  for (const Value& item : value.items)
    if (const auto number = read_number(item, parameter, context)) out.push_back(*number);
  if (out.size() != value.items.size()) return std::nullopt;
  return out;
}

bool read_entry(const Value& value, const Parameter& parameter, const ReadContext& context,
                Object::Entry& entry) {
  const auto keep = [](auto& place, auto&& result) {
    if (result) place = std::move(*result);
    return result.has_value();
  };
  switch (parameter.kind) {
    case Kind::number:
      return keep(entry.number, read_number(value, parameter, context));
    case Kind::integer:
      return read_integer(value, parameter, context, entry.number);
    case Kind::boolean:
      return read_boolean(value, parameter, context, entry.number);
    case Kind::choice:
      return read_choice(value, parameter, context, entry.text);
    case Kind::text:
    case Kind::name:
      return read_text(value, parameter, context, entry.text);
    case Kind::names:
      return read_names(value, parameter, context, entry.names);
    case Kind::expression: {
      const auto expression = read_expression(value, parameter, context);
      if (expression) entry.expressions = {*expression};
      return expression.has_value();
    }
    case Kind::expressions:
      return read_expressions(value, parameter, context, entry.expressions);
    case Kind::vector:
      return keep(entry.vector, read_vector(value, parameter, parameter.length, context));
    case Kind::spin:
      if (context.dimension == Dimension::spatial)
        return keep(entry.vector, read_vector(value, parameter, 3, context));
      if (const auto number = read_number(value, parameter, context)) {
        entry.vector = {*number};
        return true;
      }
      return false;
    case Kind::numbers:
      return read_numbers(value, parameter, context, entry);
    case Kind::definitions:
      // Those of the model itself are read before everything else.
      return parameter.name == "define" || read_texts(value, parameter, context, entry.names);
    case Kind::points:
    case Kind::matrix:
      return read_points(value, parameter, context, entry.points);
    case Kind::inertia:
      return keep(entry.vector, read_inertia(value, parameter, context));
    case Kind::orientation:
      return keep(entry.vector, read_orientation(value, parameter, context));
    case Kind::object:
    case Kind::objects:
      break;
  }
  return false;
}

}  // namespace tappet
