// SPRINGDAMPER/1, I = 204, J = 205, TRANSLATION, K = 100, C = 1, LENGTH = 2, FORCE = 0, or ROTATION with KT, CT, ANGLE, TORQUE:
//
//   F = FORCE − K (DM − LENGTH) − C VR        pushing the markers apart
//   T = TORQUE − KT (α − ANGLE) − CT α̇        on I about the z axis of J
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/line_of_action.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::springdamper {
namespace {

using namespace values;

void translation(const Given& given, const Marker& i, const Marker& j, Conversion& c) {
  const Units& u = c.units;
  const double k = c.number(given, "K", u.force / u.length, 0),
               b = c.number(given, "C", u.force * u.time / u.length, 0),
               length = c.number(given, "LENGTH", u.length, 0), force = c.number(given, "FORCE", u.force, 0);
  if (force != 0)
    return add_line_force(given, i, j, fmt::format("{}*(x - {}) + {}*v - {}", k, length, b, force), c);
  Value out = mapping();
  add(out, "type", scalar("spring-damper"));
  const Value ends = c.between(j, i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  add(out, "stiffness", exact(k));
  add(out, "damping", exact(b));
  add(out, "length", exact(length));
  c.add("forces", c.name_of(given, "spring"), std::move(out));
}

void rotation(const Given& given, const Marker& i, const Marker& j, Conversion& c) {
  const std::optional<Turn> turn = turn_of(given, i, j, c);
  if (!turn) return;
  const double moment = c.units.force * c.units.length;
  const double k = c.number(given, "KT", moment, 0), b = c.number(given, "CT", moment * c.units.time, 0),
               angle = c.number(given, "ANGLE", 1, 0), torque = c.number(given, "TORQUE", moment, 0);
  Value out = mapping();
  add(out, "type", scalar("rotational-spring-damper"));
  add(out, "joint", scalar(turn->joint));
  // α = sign·c + offset: relaxed where c = sign·(ANGLE − offset).
  const double relaxed = turn->sign * (angle - turn->offset);
  if (torque != 0) {
    add(out, "torque",
        scalar(fmt::format("{}*(x - ({})) + {}*v - ({})", k, relaxed, b, turn->sign * torque)));
  } else {
    add(out, "stiffness", exact(k));
    add(out, "damping", exact(b));
    add(out, "angle", exact(relaxed));
  }
  c.add("forces", c.name_of(given, "spring"), std::move(out));
}

/// What requests show of it: its law as a function of the data set.
std::string law(const Given& given, bool turns, Conversion& c) {
  const std::string i = plain_id(given.text("I")), j = plain_id(given.text("J"));
  if (turns)
    return fmt::format("{}-({})*(AZ({},{})-({}))-({})*WZ({},{},{})", c.number(given, "TORQUE", 1, 0),
                       c.number(given, "KT", 1, 0), i, j, c.number(given, "ANGLE", 1, 0),
                       c.number(given, "CT", 1, 0), i, j, j);
  return fmt::format("{}-({})*(DM({},{})-({}))-({})*VR({},{})", c.number(given, "FORCE", 1, 0),
                     c.number(given, "K", 1, 0), i, j, c.number(given, "LENGTH", 1, 0),
                     c.number(given, "C", 1, 0), i, j);
}

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  const bool turns = given.has("ROTATIONAL") || given.has("ROTATION");
  if (turns)
    rotation(given, *i, *j, c);
  else
    translation(given, *i, *j, c);
  c.single_forces.push_back({"SPRINGDAMPER", given.statement().id, plain_id(given.text("I")),
                             plain_id(given.text("J")), law(given, turns, c), turns, false});
}

const Registration<StatementType> registered{
    {.name = "SPRINGDAMPER",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "TRANSLATIONAL", "TRANSLATION", "ROTATIONAL", "ROTATION", "C", "K", "FORCE",
                   "LENGTH", "CT", "KT", "TORQUE", "ANGLE"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::springdamper
