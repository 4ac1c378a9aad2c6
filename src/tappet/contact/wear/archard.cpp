#include "tappet/contact/wear/archard.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet::wear::archard {
namespace {

std::unique_ptr<WearLaw> make(const ArchardParameters& p, const Origin& origin, Diagnostics& diagnostics) {
  const bool direct = !std::isnan(p.coefficient), number = !std::isnan(p.number),
             hardness = !std::isnan(p.hardness);
  if (direct == (number || hardness) || number != hardness) {
    diagnostics.error(
        origin.pos,
        "wear by archard needs either `coefficient`, in m^2/N, or `number` and `hardness`, whose ratio it "
        "then is");
    return nullptr;
  }
  auto law = std::make_unique<Archard>(direct ? p.coefficient : p.number / p.hardness, p.journal_coefficient);
  law->schedule = {p.extrapolate, p.update, p.tolerance, p.life, origin};
  if (p.update.empty() && origin.given("tolerance")) {
    diagnostics.error(
        origin.where("tolerance"),
        "`tolerance` of wear is that of cycles of `update`, which is not given: without it every "
        "cycle stands for as many, `extrapolate`");
    return nullptr;
  }
  return law;
}

const Registration<WearLawType> registered{{
    .name = "archard",
    .help = "depth proportional to pressure and path",
    .equation = "ḋ = k p v,   k = K/H",
    .citation = "Archard1953",
    .table = table_of<ArchardParameters>(
        "an archard wear law", "Depth proportional to pressure and path",
        {{&ArchardParameters::coefficient,
          {.name = "coefficient", .unit = "m^2/N", .help = "k of the bearing", .range = not_negative()}},
         {&ArchardParameters::number,
          {.name = "number",
           .help = "Archard's K, with `hardness` in place of `coefficient`",
           .range = not_negative()}},
         {&ArchardParameters::hardness,
          {.name = "hardness", .unit = "Pa", .help = "H of the softer surface", .range = positive()}},
         {&ArchardParameters::journal_coefficient,
          {.name = "journal_coefficient",
           .unit = "m^2/N",
           .help = "k of the journal",
           .fallback = "0",
           .range = not_negative()}},
         {&ArchardParameters::extrapolate,
          {.name = "extrapolate",
           .help = "how many revolutions each one that is run stands for; with `update` at most",
           .fallback = "1",
           .range = {.low = 1, .high = 1e9}}},
         {&ArchardParameters::update,
          {.name = "update",
           .kind = Kind::text,
           .help =
               "every 1 rev, of the motion that drives the machine, or every 0.1 s: how many cycles each one "
               "stands for then follows from the error",
           .range = positive()}},
         {&ArchardParameters::tolerance,
          {.name = "tolerance",
           .help = "with `update`: error of the worn depth over that depth",
           .fallback = "0.02",
           .range = {.low = 0, .high = 1, .low_open = true}}},
         {&ArchardParameters::life,
          {.name = "life",
           .unit = "m",
           .help = "depth at which a surface is worn out; the summary says when",
           .range = positive()}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::wear::archard
