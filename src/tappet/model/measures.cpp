#include "tappet/model/measures.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tappet/base/unit_error.hpp"
#include "tappet/base/units.hpp"
#include "tappet/model/run_parameters.hpp"

namespace tappet {
namespace measures {
namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool in_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

/// Time, which every model has: `t`, as in other expressions.
const SignalDefinition& clock() {
  static const SignalDefinition time{
      "time", "s", false, 0, 0, 0, [](SignalContext& c, const SignalDefinition&) { return c.k.t; }};
  return time;
}

/// Names of signals hold dots and hyphens, which expressions do not know: each is replaced by a variable of its own, the
/// longest name that fits first.
class Text {
 public:
  Text(const std::string& text, const std::vector<SignalDefinition>& signals) {
    for (std::size_t i = 0; i < text.size();) {
      const bool word = begins_name(text[i]) && (i == 0 || !in_name(text[i - 1]) || text[i - 1] == '-');
      std::size_t end = i;
      while (word && end < text.size() && in_name(text[end])) ++end;
      const SignalDefinition* found = nullptr;
      std::size_t taken = 0;
      for (std::size_t length = end - i; word && length > 0 && !found; --length) {
        const std::string name = text.substr(i, length);
        if (length < end - i && text[i + length] != '-')
          continue;  // a name ends where a word does, or at a minus
        const auto at =
            std::find_if(signals.begin(), signals.end(), [&](const auto& s) { return s.name == name; });
        if (at != signals.end()) found = &*at, taken = length;
        // A state is known by its own name, too.
        for (const SignalDefinition& s : signals)
          if (!found && s.name.starts_with("states.") && s.name.compare(7, s.name.npos, name) == 0)
            found = &s, taken = length;
      }
      if (!found && word && (text.substr(i, end - i) == "t" || text.substr(i, end - i) == "time"))
        found = &clock(), taken = end - i;
      if (found) {
        replaced += variable_of(*found);
        i += taken;
      } else if (word) {
        const std::size_t stop = std::max(i + 1, std::min(end, text.find('-', i)));
        replaced += text.substr(i, stop - i);
        if (text.substr(i, stop - i).find('.') != std::string::npos && unknown.empty())
          unknown = text.substr(i, stop - i);
        i = stop;
      } else {
        replaced += text[i++];
      }
    }
  }

  std::string replaced;
  std::string unknown;  ///< a word that looks like a signal and is none
  std::vector<std::string> variables;
  std::vector<SignalDefinition> arguments;

 private:
  std::string variable_of(const SignalDefinition& signal) {
    const auto at = std::find_if(arguments.begin(), arguments.end(),
                                 [&](const auto& a) { return a.name == signal.name; });
    if (at != arguments.end()) return variables[static_cast<std::size_t>(at - arguments.begin())];
    arguments.push_back(signal);
    variables.push_back(fmt::format("signal_{}", arguments.size()));
    return variables.back();
  }
};

void check_unit(const std::string& unit) {
  if (si_factor(unit) != 1)
    throw UnitError(
        fmt::format("{} is not a unit of the SI itself; write one such as N, W, m/s or rad/s", quote(unit)));
}

Measure read(const std::string& name, const MeasureParameters& p,
             const std::vector<SignalDefinition>& signals, const Definitions* definitions) {
  Text text(p.value, signals);
  if (!text.unknown.empty()) {
    std::vector<std::string> names;
    for (const SignalDefinition& signal : signals) names.push_back(signal.name);
    const std::string near = nearest_name(text.unknown, names);
    throw ExpressionError(fmt::format("there is no signal '{}'{}", text.unknown,
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)),
                          0);
  }
  if (text.arguments.size() > most_measured)
    throw ExpressionError(fmt::format("{} signals are too many for one measure; at most {}",
                                      text.arguments.size(), most_measured),
                          0);
  std::string rest;
  Measure out{.name = name, .unit = p.unit.empty() ? "1" : p.unit, .value = {}, .arguments = text.arguments};
  out.value = Expression::parse(text.replaced, text.variables, rest, definitions, Inputs::refused);
  if (!rest.empty())
    throw ExpressionError(
        fmt::format("{} stands behind the expression; its unit goes under `unit`", quote(rest)), 0);
  check_unit(p.unit);
  return out;
}

double evaluate(SignalContext& context, const SignalDefinition& signal) {
  const Measure& measure = context.model.measures->all[static_cast<std::size_t>(signal.index)];
  std::array<double, most_measured> values;
  for (std::size_t i = 0; i < measure.arguments.size(); ++i)
    values[i] = measure.arguments[i].evaluate(context, measure.arguments[i]);
  return measure.value(std::span<const double>(values.data(), measure.arguments.size()));
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  if (!model.measures) return;
  for (std::size_t i = 0; i < model.measures->all.size(); ++i) {
    const Measure& measure = model.measures->all[i];
    const bool forces = std::any_of(measure.arguments.begin(), measure.arguments.end(),
                                    [](const SignalDefinition& s) { return s.needs_forces; });
    out.push_back({measure.name, measure.unit, forces, static_cast<int>(i), 0, 0, evaluate});
  }
}

// Behind all others, which they are made of.
const Registration<SignalProvider> registered{{.name = "measures", .order = 1000, .offer = offer}};

}  // namespace
}  // namespace measures

Measures make_measures(const NamedParameters& given, const std::vector<SignalDefinition>& signals,
                       const Definitions* definitions, Diagnostics& diagnostics) {
  Measures out;
  for (const auto& [name, parameters] : given) {
    const MeasureParameters& p = parameters.as<MeasureParameters>();
    if (std::any_of(signals.begin(), signals.end(), [&, &n = name](const auto& s) { return s.name == n; })) {
      diagnostics.error(parameters.origin.name_pos,
                        fmt::format("measure '{}' has the name of a signal", name));
      continue;
    }
    try {
      out.all.push_back(measures::read(name, p, signals, definitions));
    } catch (const UnitError& fault) {
      diagnostics.error(parameters.origin.where("unit"),
                        fmt::format("'unit' of measure '{}': {}", name, fault.what()));
    } catch (const ExpressionError& fault) {
      diagnostics.error(parameters.origin.where("value"),
                        fmt::format("measure '{}' is {}: {}", name, quote(p.value), fault.what()));
    }
  }
  return out;
}

}  // namespace tappet
