// Statements about the analysis and its output, and data that functions may use: no part of the motion by themselves. A function that
// reads a SPLINE, an ARRAY or a STRING says itself what it cannot have.
#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::settings {
namespace {

/// The steps, tolerances and files of Adams' own run.
void of_the_run(const Given&, Conversion&) {}

void data(const Given&, Conversion&) {}

/// Points of one variable; X and Y are lists of equal length.
void points(const Given& given, Conversion& c) {
  const Argument *x = given.find("X"), *y = given.find("Y");
  if (!x || !y || given.has("Z") || given.has("FILE")) return;
  SplineRecord out;
  out.linear = given.has("LINEAR_EXTRAPOLATE");
  out.x = c.numbers(given, "X", x->values.size(), x->values.size());
  out.y = c.numbers(given, "Y", x->values.size(), x->values.size());
  c.splines[given.statement().id] = std::move(out);
}

// FUNCTION = …, VALUE = …, GE, LE or EQ, and HALT or PRINT: an event that ends the run, or records a row.
void sensor(const Given& given, Conversion& c) {
  if ((!given.has("HALT") && !given.has("PRINT")) || given.text("FUNCTION").empty())
    return c.lost(given, "what happens when this sensor fires is not translated: HALT and PRINT are");
  const auto function = c.function(given, "FUNCTION", 1, c.signals);
  if (!function) return;
  using namespace values;
  Value out = mapping();
  add(out, "when", scalar(*function));
  add(out, "level", exact(c.number(given, "VALUE", 1, 0)));
  add(out, "direction", scalar(given.has("GE") ? "rising" : given.has("LE") ? "falling" : "both"));
  if (given.has("HALT")) {
    add(out, "stop", scalar("true"));
  } else {
    Value action = mapping();
    add(action, "record", scalar("true"));
    add(out, "action", std::move(action));
  }
  c.add("events", c.name_of(given, "sensor"), std::move(out));
}

StatementType type(const char* name, void (*read)(const Given&, Conversion&),
                   std::vector<std::string> arguments) {
  return {.name = name, .stage = StatementType::others, .arguments = std::move(arguments), .read = read};
}
const Registration<StatementType> output{
    type("OUTPUT", of_the_run,
         {"REQSAVE", "GRSAVE", "NOSEPARATOR", "DPRECISION", "OSF", "CHART", "FIXED", "TELETYPE", "YPR",
          "PTEXT", "NOPRINT", "PRINT"})};
const Registration<StatementType> results{
    type("RESULTS", of_the_run,
         {"FORMATTED", "UNFORMATTED", "XRF", "COMMENT", "NOACCELERATIONS", "NOAPPLIEDFORCES",
          "NODATASTRUCTURES", "NODISPLACEMENTS", "NOFLOATINGMARKERS", "NOLINEAR", "NOREACTIONFORCES",
          "NOSYSTEMELEMENTS", "NOTIRES", "NOVELOCITIES", "DECIMAL_PLACES", "SIGNIFICANT_FIGURES"})};
const Registration<StatementType> integrator{
    type("INTEGRATOR", of_the_run,
         {"ABAM",  "BDF",  "CONSTANT_BDF", "GSTIFF", "HASTIFF",     "HHT",       "NEWMARK",    "RKF45",
          "SI1",   "SI2",  "SI3",          "WSTIFF", "I3",          "ERROR",     "KMAX",       "HINIT",
          "HMAX",  "HMIN", "PATTERN",      "MAXIT",  "INTERPOLATE", "CORRECTOR", "ADAPTIVITY", "SCALE",
          "ALPHA", "BETA", "GAMMA",        "DTOUT",  "PHASE_ERROR", "FIXIT"})};
const Registration<StatementType> spline{
    {.name = "SPLINE",
     .stage = StatementType::parts,
     .arguments = {"X", "Y", "Z", "LINEAR_EXTRAPOLATE", "FILE", "BLOCK", "CHANNEL", "UNITS"},
     .read = points}};
const Registration<StatementType> array{
    type("ARRAY", data, {"IC", "U", "X", "Y", "SIZE", "NUMBERS", "VARIABLES"})};
const Registration<StatementType> string{type("STRING", data, {"STRING"})};
const Registration<StatementType> sensors{
    type("SENSOR", sensor,
         {"FUNCTION", "VALUE", "ERROR", "EQ", "GE", "LE", "HALT", "PRINT", "RESTART", "RETURN", "STEPSIZE",
          "YYDUMP", "CODGEN", "DT", "BISECTION", "EVALUATE", "ANGULAR", "TIME", "LTIME"})};

}  // namespace
}  // namespace tappet::adams::statements::settings
