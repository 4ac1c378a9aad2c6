// REQUEST/1, DISPLACEMENT, I = 201, J = 101, RM = 101: measures of the model, request_1_X and so on, in SI units along the axes of RM (the
// world's without one): X Y Z of displacement, velocity, acceleration or force, and PSI THETA PHI, WX …, WDX … or TX ….
// F2 = expression …: request_1_F2, in SI units where it is one measure alone, else in those of the data set.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/measures.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::request {
namespace {

using namespace values;

/// What a measure may have at most; signals count with ten characters each, as which they are read.
constexpr std::size_t longest_expression = 10000, most_signals = 32;

struct Extent {
  std::size_t characters = 0;
  std::set<std::string> signals;
};

Extent extent_of(const std::string& value) {
  Extent out;
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t from = i;
    const auto in_name = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    while (i < value.size() && in_name(value[i])) ++i;
    const std::string word = value.substr(from, i - from);
    const bool signal =
        word.find('.') != std::string::npos && std::isalpha(static_cast<unsigned char>(word[0]));
    if (signal) out.signals.insert(word);
    out.characters += signal ? std::max<std::size_t>(10, word.size()) : word.size();
    if (i == from) ++i, ++out.characters;
  }
  return out;
}

void add_measure(const Given& given, const std::string& name, const std::string& value, const char* unit,
                 Conversion& c) {
  const Extent extent = extent_of(value);
  if (extent.characters > longest_expression || extent.signals.size() > most_signals)
    return c.note(
        given, fmt::format("{} is not measured: written out it has {} characters and {} signals, and a "
                           "measure may have {} and {}",
                           name, extent.characters, extent.signals.size(), longest_expression, most_signals));
  Value out = mapping();
  add(out, "value", scalar(value));
  add(out, "unit", scalar(unit));
  c.add("measures", name, std::move(out));
}

void add_vector(const Given& given, const char* prefix, const Words& words, const char* unit, Conversion& c) {
  for (int n = 0; n < 3; ++n)
    add_measure(given, fmt::format("request_{}_{}{}", given.statement().id, prefix, "XYZ"[n]), words[n], unit,
                c);
}

/// Of a function that is one measure alone, such as JOINT(1, 0, 2, 0): its SI unit, and what one of the data set's is in it.
std::pair<const char*, double> unit_of(const std::string& function, const Units& u) {
  const std::size_t open = function.find('('), close = function.find(')');
  if (open == std::string::npos || close != function.size() - 1) return {"1", 1};
  std::string name;
  for (char c : function.substr(0, open))
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (name == "JOINT" || name == "SFORCE" || name == "SPDP" || name == "MOTION" || name == "CONTACT") {
    // The third of its arguments is the component: forces up to 4, torques up to 8.
    const std::size_t second = function.find(',', function.find(',') + 1);
    return std::atoi(function.c_str() + second + 1) <= 4 ? std::pair{"N", u.force}
                                                         : std::pair{"N m", u.force * u.length};
  }
  if (name == "AX" || name == "AY" || name == "AZ" || name == "PSI" || name == "THETA" || name == "PHI")
    return {"rad", 1};
  if (name.size() < 2 || std::string("XYZMR").find(name.back()) == std::string::npos) return {"1", 1};
  const std::string head = name.substr(0, name.size() - 1);
  if (head == "D") return {"m", u.length};
  if (head == "V") return {"m/s", u.length / u.time};
  if (head == "ACC") return {"m/s^2", u.length / (u.time * u.time)};
  if (head == "W") return {"rad/s", 1 / u.time};
  if (head == "WDT") return {"rad/s^2", 1 / (u.time * u.time)};
  if (head == "F") return {"N", u.force};
  if (head == "T") return {"N m", u.force * u.length};
  return {"1", 1};
}

/// J absent: against the ground.
Words against(const Words& a, const Marker* j, Words (*of)(const Marker&, const Conversion&),
              const Conversion& c) {
  return j ? difference(a, of(*j, c)) : a;
}

void between_markers(const Given& given, Conversion& c) {
  // 0 is the ground, as no marker is.
  const auto some = [&](const char* argument) -> const Marker* {
    return plain_id(given.text(argument)) == "0" || !given.has(argument) ? nullptr
                                                                         : c.marker(given, argument);
  };
  const Marker *i = c.marker(given, "I"), *j = some("J"), *axes = some("RM");
  if (!i) return;
  if (given.has("DISPLACEMENT")) {
    add_vector(given, "", along(against(position_of(*i, c), j, position_of, c), axes, c), "m", c);
    const Measures measures = of_motion(c);
    for (const char* angle : {"PSI", "THETA", "PHI"})
      add_measure(given, fmt::format("request_{}_{}", given.statement().id, angle),
                  measures(angle, {plain_id(given.text("I")), j ? plain_id(given.text("J")) : "0"}), "rad",
                  c);
  } else if (given.has("VELOCITY")) {
    add_vector(given, "", along(against(velocity_of(*i, c), j, velocity_of, c), axes, c), "m/s", c);
    add_vector(given, "W", along(against(turning_of(*i, c), j, turning_of, c), axes, c), "rad/s", c);
  } else if (given.has("ACCELERATION")) {
    add_vector(given, "", along(against(acceleration_of(*i, c), j, acceleration_of, c), axes, c), "m/s^2", c);
    add_vector(given, "WD",
               along(against(turning_acceleration_of(*i, c), j, turning_acceleration_of, c), axes, c),
               "rad/s^2", c);
  } else {
    const Wrench w = wrench_on(plain_id(given.text("I")), plain_id(given.text("J")), c);
    add_vector(given, "", along(w.force, axes, c), "N", c);
    add_vector(given, "T", along(w.torque, axes, c), "N m", c);
  }
}

void read(const Given& given, Conversion& c) {
  try {
    if (given.has("DISPLACEMENT") || given.has("VELOCITY") || given.has("ACCELERATION") || given.has("FORCE"))
      return between_markers(given, c);
    if (!given.text("FUNCTION").empty())
      return c.note(given, "requests by a user's subroutine are not measured");
    const FunctionContext context = context_of_measures(c);
    for (int n = 1; n <= 8; ++n) {
      const std::string name = fmt::format("F{}", n);
      if (!given.has(name)) continue;
      const std::string value = translate(given.text(name), context);
      const auto [unit, factor] = unit_of(given.text(name), c.units);
      add_measure(given, fmt::format("request_{}_{}", given.statement().id, name),
                  factor == 1 ? value : fmt::format("{}*({})", factor, value), unit, c);
    }
  } catch (const Untranslatable& why) {
    c.note(given, fmt::format("is not measured: {}", why.what()));
  }
}

const Registration<StatementType> registered{
    {.name = "REQUEST",
     .stage = StatementType::others,
     .arguments = {"DISPLACEMENT", "VELOCITY", "ACCELERATION", "FORCE",  "I",      "J",           "RM", "C",
                   "COMMENT",      "TITLE",    "FUNCTION",     "F1",     "F2",     "F3",          "F4", "F5",
                   "F6",           "F7",       "F8",           "CNAMES", "CUNITS", "RESULTS_NAME"},
     .read = read,
     .moves = false}};

}  // namespace
}  // namespace tappet::adams::statements::request
