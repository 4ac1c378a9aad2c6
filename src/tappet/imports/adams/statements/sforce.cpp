// SFORCE/1, TRANSLATION, I = 204, J = 205, FUNCTION = -100*(DM(204, 205) - 2): a force along the line through two markers, pushing them
// apart where it is positive; ROTATION: a torque on I about the z axis of J, by the joint that turns the two about it where there is one.
// ACTIONONLY: along the z axis of J, and nobody takes the opposite.
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/line_of_action.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::sforce {
namespace {

using namespace values;

/// A force at I, or a torque on its part, along the z axis of J, whose part takes the opposite unless nobody does.
void along_z(const Given& given, const Marker& i, const Marker& j, bool turns, bool alone, Conversion& c) {
  const double unit = turns ? c.units.force * c.units.length : c.units.force;
  const bool swapped = c.part(i).ground;
  if (swapped && (alone || !turns))
    return c.lost(given, "it acts on the ground: name the other part's marker as I");
  const auto value = c.function(given, "FUNCTION", swapped ? -unit : unit, c.signals);
  if (!value) return;
  const Part &on = c.part(swapped ? j : i), &other = c.part(swapped ? i : j);
  Value out = mapping();
  add(out, "type", scalar(turns ? "torque" : "force"));
  add(out, "body", scalar(on.name));
  if (!turns) add(out, "point", values::vector(c.point(i)));
  const Eigen::Vector3d z = c.axis(j);
  std::vector<Value> components;
  for (int n = 0; n < 3; ++n)
    components.push_back(scalar(std::abs(z[n]) < 1e-15       ? "0"
                                : std::abs(z[n] - 1) < 1e-15 ? *value
                                                             : fmt::format("{}*({})", z[n], *value)));
  add(out, turns ? "vector" : "force", list(std::move(components)));
  if (!c.part(j).ground) add(out, "axes_of", scalar(c.part(j).name));
  if (!alone && !other.ground) add(out, "reaction", scalar(other.name));
  c.add("forces", c.name_of(given, turns ? "torque" : "force"), std::move(out));
}

void rotation(const Given& given, const Marker& i, const Marker& j, Conversion& c) {
  const std::optional<Turn> turn = c.turn(i, j);
  if (!turn) return along_z(given, i, j, true, false, c);
  const double unit = c.units.force * c.units.length;
  // Ours brings the joint back; Adams' turns I onwards.
  const auto torque = c.function(given, "FUNCTION", -turn->sign * unit, about_axis(given, *turn, c));
  if (!torque) return;
  Value out = mapping();
  add(out, "type", scalar("rotational-spring-damper"));
  add(out, "joint", scalar(turn->joint));
  add(out, "torque", scalar(*torque));
  c.add("forces", c.name_of(given, "torque"), std::move(out));
}

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  const bool turns = given.has("ROTATIONAL") || given.has("ROTATION"), alone = given.has("ACTIONONLY");
  if (alone) {
    // Both may be on one part: nobody takes the opposite.
    i = c.marker(given, "I"), j = c.marker(given, "J");
    if (!i || !j) return;
    along_z(given, *i, *j, turns, true, c);
  } else {
    if (!c.pair(given, i, j)) return;
    if (turns) {
      rotation(given, *i, *j, c);
    } else if (const auto pull = c.function(given, "FUNCTION", -c.units.force, along_line(given, c))) {
      add_line_force(given, *i, *j, *pull, c);
    }
  }
  c.single_forces.push_back({"SFORCE", given.statement().id, plain_id(given.text("I")),
                             plain_id(given.text("J")), given.text("FUNCTION"), turns, alone});
}

const Registration<StatementType> registered{
    {.name = "SFORCE",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "TRANSLATIONAL", "TRANSLATION", "ROTATIONAL", "ROTATION", "ACTIONONLY",
                   "FUNCTION"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::sforce
