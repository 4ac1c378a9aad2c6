// DIFF/1, FUNCTION = DM(204, 205) - DIF(1), IC = 0: a state by its rate, per unit of time of the data set: DIF(1) reads it.
// TFSISO/1, U = 1, Y = 2, NUMERATOR = 1, DENOMINATOR = 1, 0.1: a transfer function of the first component of ARRAY/1, which ARYVAL(2, 1)
// reads; coefficients of s⁰, s¹ …, in seconds after
//
//   s = T s',   T: unit of time, so that a_k (T s)^k has the coefficient a_k T^k
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/adams/measures.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::diff {
namespace {

using namespace values;

void name_state(const Given& given, Conversion& c) {
  c.states[given.statement().id] = c.name_of(given, "diff");
  c.rates[given.statement().id] = given.text("FUNCTION");
}

/// What others read although it is left out stays what it is at the start.
void keep_still(const std::string& name, Conversion& c) {
  Value out = mapping();
  add(out, "derivative", scalar("0"));
  c.add("states", name, std::move(out));
}

void read(const Given& given, Conversion& c) {
  if (given.has("IMPLICIT")) {
    c.lost(given, "an equation that gives the rate implicitly is not translated");
    return keep_still(c.states.at(given.statement().id), c);
  }
  const auto rate = c.function(given, "FUNCTION", 1 / c.units.time, of_motion(c));
  if (!rate) return keep_still(c.states.at(given.statement().id), c);
  if (given.has("STATIC_HOLD"))
    c.note(given, "STATIC_HOLD has no effect: a model does not solve statics in between");
  Value out = mapping();
  add(out, "derivative", scalar(*rate));
  std::vector<double> initial = {0};
  if (given.has("IC")) initial = c.numbers(given, "IC", 1, 2);
  if (initial.front() != 0) add(out, "initial", exact(initial.front()));
  c.add("states", c.states.at(given.statement().id), std::move(out));
}

const std::string own_key(const Given& given) {
  return "TFSISO " + given.statement().id;
}

// Its output is known before anything reads it: one component of the array Y.
void name_output(const Given& given, Conversion& c) {
  c.states[own_key(given)] = c.name_of(given, "transfer");
  c.arrays[plain_id(given.text("Y"))] = {fmt::format("DIF({})", own_key(given))};
}

void read_transfer(const Given& given, Conversion& c) {
  const std::string input = plain_id(given.text("U"));
  if (!c.arrays.count(input) || c.arrays.at(input).size() != 1)
    return c.fault(given, fmt::format("U = {}: there is no ARRAY/{} of one variable", input, input));
  const auto polynomial = [&](const char* argument) {
    std::vector<double> n = c.numbers(given, argument, 1, 1000);
    for (std::size_t k = 0; k < n.size(); ++k) n[k] *= std::pow(c.units.time, static_cast<double>(k));
    std::vector<Value> out;
    for (std::size_t k = n.size(); k-- > 0;) out.push_back(exact(n[k]));
    return list(std::move(out));
  };
  FunctionContext context = context_of_measures(c);
  context.time = c.units.time == 1 ? "t" : fmt::format("(t/{})", c.units.time);
  Value of = mapping(), out = mapping();
  add(of, "numerator", polynomial("NUMERATOR"));
  add(of, "denominator", polynomial("DENOMINATOR"));
  try {
    add(of, "input", scalar(translate(fmt::format("ARYVAL({}, 1)", input), context)));
  } catch (const Untranslatable& why) {
    c.lost(given, fmt::format("its input cannot be said in a model: {}", why.what()));
    return keep_still(c.states.at(own_key(given)), c);
  }
  add(out, "transfer_function", std::move(of));
  c.add("states", c.states.at(own_key(given)), std::move(out));
}

const Registration<StatementType> equation{{.name = "DIFF",
                                            .stage = StatementType::parts,
                                            .arguments = {"FUNCTION", "IC", "IMPLICIT", "STATIC_HOLD"},
                                            .read = name_state,
                                            .finish = read,
                                            .finishing = StatementType::others}};
const Registration<StatementType> transfer{
    {.name = "TFSISO",
     .stage = StatementType::bodies,
     .arguments = {"X", "U", "Y", "NUMERATOR", "DENOMINATOR", "STATIC_HOLD"},
     .read = name_output,
     .finish = read_transfer,
     .finishing = StatementType::others}};

}  // namespace
}  // namespace tappet::adams::statements::diff
