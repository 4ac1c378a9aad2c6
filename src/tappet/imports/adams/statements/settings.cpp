// Statements about the analysis and its output, and data that functions may use: no part of the motion by themselves.
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::settings {
namespace {

/// How Adams solves, prints and draws.
void of_the_run(const Given& given, Conversion& c) {
  c.note(given, "has no effect: how a model is solved and recorded stands under `simulation` and `output`");
}

void data(const Given& given, Conversion& c) {
  c.note(given, "has no effect by itself, and nothing that is translated reads it");
}

/// Points of one variable; X and Y are lists of equal length.
void points(const Given& given, Conversion& c) {
  const Argument *x = given.find("X"), *y = given.find("Y");
  if (!x || !y || given.has("Z") || given.has("FILE")) return;
  if (y->values.size() != x->values.size()) return;  // of two variables: each row of Y begins with the second
  SplineRecord out;
  out.line = given.statement().line;
  out.linear = given.has("LINEAR_EXTRAPOLATE");
  out.x = c.numbers(given, "X", x->values.size(), x->values.size());
  out.y = c.numbers(given, "Y", x->values.size(), x->values.size());
  c.splines[given.statement().id] = std::move(out);
}

/// A list of numbers (IC), of variables (U), or of what a TFSISO reads or gives (X, Y).
void list_of_values(const Given& given, Conversion& c) {
  const Argument *numbers = given.find("NUMBERS"), *variables = given.find("VARIABLES");
  std::vector<std::string>& out = c.arrays[given.statement().id];
  if (numbers) out = numbers->values;
  if (variables)
    for (const std::string& id : variables->values) out.push_back(fmt::format("VARVAL({})", plain_id(id)));
}

// FUNCTION = …, VALUE = …, GE, LE or EQ, and HALT, RETURN or PRINT: an event that ends the run, or records a row.
void sensor(const Given& given, Conversion& c) {
  const bool ends = given.has("HALT") || given.has("RETURN");
  if (!ends && !given.has("PRINT"))
    return c.note(given, "has no effect: it looks after the steps of Adams' integrator");
  if (given.text("FUNCTION").empty()) return c.lost(given, "FUNCTION is missing, or a user's subroutine");
  const auto function = c.function(given, "FUNCTION", 1, c.signals);
  if (!function) return;
  using namespace values;
  Value out = mapping();
  add(out, "when", scalar(*function));
  add(out, "level", exact(c.number(given, "VALUE", 1, 0)));
  add(out, "direction", scalar(given.has("GE") ? "rising" : given.has("LE") ? "falling" : "both"));
  if (given.has("RETURN") && !given.has("HALT"))
    c.note(given, "RETURN gives back to Adams' commands, which a model does not have: it ends the run");
  if (ends) {
    add(out, "stop", scalar("true"));
  } else {
    Value action = mapping();
    add(action, "record", scalar("true"));
    add(out, "action", std::move(action));
  }
  c.add("events", c.name_of(given, "sensor"), std::move(out));
}

StatementType without_effect(const char* name, void (*read)(const Given&, Conversion&)) {
  return {.name = name, .stage = StatementType::others, .arguments = {}, .read = read, .moves = false};
}
const Registration<StatementType> runs[] = {
    Registration<StatementType>{without_effect("DEBUG", of_the_run)},
    Registration<StatementType>{without_effect("EQUILIBRIUM", of_the_run)},
    Registration<StatementType>{without_effect("IC", of_the_run)},
    Registration<StatementType>{without_effect("INTEGRATOR", of_the_run)},
    Registration<StatementType>{without_effect("KINEMATICS", of_the_run)},
    Registration<StatementType>{without_effect("LIST", of_the_run)},
    Registration<StatementType>{without_effect("MREQUEST", of_the_run)},
    Registration<StatementType>{without_effect("OUTPUT", of_the_run)},
    Registration<StatementType>{without_effect("PREFERENCES", of_the_run)},
    Registration<StatementType>{without_effect("RESULTS", of_the_run)}};
const Registration<StatementType> unread[] = {Registration<StatementType>{without_effect("CURVE", data)},
                                              Registration<StatementType>{without_effect("MATERIAL", data)},
                                              Registration<StatementType>{without_effect("MATRIX", data)},
                                              Registration<StatementType>{without_effect("PINPUT", data)},
                                              Registration<StatementType>{without_effect("POUTPUT", data)},
                                              Registration<StatementType>{without_effect("STRING", data)}};
const Registration<StatementType> spline{
    {.name = "SPLINE",
     .stage = StatementType::parts,
     .arguments = {"X", "Y", "Z", "LINEAR_EXTRAPOLATE", "FILE", "BLOCK", "CHANNEL", "UNITS"},
     .read = points}};
const Registration<StatementType> array{{.name = "ARRAY",
                                         .stage = StatementType::parts,
                                         .arguments = {"IC", "U", "X", "Y", "SIZE", "NUMBERS", "VARIABLES"},
                                         .read = list_of_values}};
const Registration<StatementType> sensors{
    {.name = "SENSOR",
     .stage = StatementType::others,
     .arguments = {"FUNCTION", "VALUE", "ERROR", "EQ", "GE", "LE", "HALT", "PRINT", "RESTART", "RETURN",
                   "STEPSIZE", "YYDUMP", "CODGEN", "DT", "BISECTION", "EVALUATE", "ANGULAR", "TIME", "LTIME"},
     .read = sensor}};

}  // namespace
}  // namespace tappet::adams::statements::settings
