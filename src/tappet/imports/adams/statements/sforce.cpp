// SFORCE/1, TRANSLATION, I = 204, J = 205, FUNCTION = -100*(DM(204, 205) - 2): a force along the line through two markers, pushing them
// apart where it is positive; ROTATION: a torque on I about the z axis of J. ACTIONONLY: nobody takes the opposite.
#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/line_of_action.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::sforce {
namespace {

using namespace values;

void rotation(const Given& given, const Marker& i, const Marker& j, Conversion& c) {
  const std::optional<Turn> turn = turn_of(given, i, j, c);
  if (!turn) return;
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
  if (!c.pair(given, i, j)) return;
  if (given.has("ACTIONONLY")) return c.lost(given, "forces without a reaction are not translated");
  if (given.has("ROTATIONAL") || given.has("ROTATION")) return rotation(given, *i, *j, c);
  const auto pull = c.function(given, "FUNCTION", -c.units.force, along_line(given, c));
  if (!pull) return;
  add_line_force(given, *i, *j, *pull, c);
  c.line_forces.push_back({plain_id(given.text("I")), plain_id(given.text("J")), given.text("FUNCTION")});
}

const Registration<StatementType> registered{
    {.name = "SFORCE",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "TRANSLATIONAL", "TRANSLATION", "ROTATIONAL", "ROTATION", "ACTIONONLY",
                   "FUNCTION"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::sforce
