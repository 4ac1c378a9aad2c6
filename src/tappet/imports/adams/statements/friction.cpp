// FRICTION/1, JOINT = 1, MU_STATIC = 0.3, MU_DYNAMIC = 0.1, STICTION_TRANSITION_VELOCITY = 0.1, PIN_RADIUS = 1, …: of an ideal joint.
//
//   slip PIN_RADIUS·ω, pressed by |F_r| + |F_a| FRICTION_ARM/PIN_RADIUS + |M_b|/BENDING_REACTION_ARM
//
// by law `adams`, which is dynamic from 1.5 times the transition velocity on and creeps below it, where Adams lets the joint give by
// MAX_STICTION_DEFORMATION. INPUTS says which of the three press; all, where it is absent.
#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::friction {
namespace {

using namespace values;

/// Past this many transition velocities friction is dynamic.
constexpr double dynamic_from = 1.5;

void read(const Given& given, Conversion& c) {
  const JointRecord* joint = c.joint(given, given.text("JOINT"));
  if (!joint) return;
  if (joint->type != "revolute" && joint->type != "cylindrical")
    return c.lost(given, fmt::format("friction of a joint of type {} is not translated", joint->type));
  if (c.number(given, "TORQUE_PRELOAD", 1, 0) != 0)
    return c.lost(given, "TORQUE_PRELOAD, a couple whatever presses, is not translated");
  if (given.has("EFFECT") && !given.text("EFFECT").starts_with("A"))
    return c.lost(given, fmt::format("EFFECT = {} is not translated, only ALL", given.text("EFFECT")));
  const Argument* inputs = given.find("INPUTS");
  const auto presses = [&](const char* what) {
    if (!inputs || given.text("INPUTS").starts_with("A")) return true;
    return std::any_of(inputs->values.begin(), inputs->values.end(),
                       [&](const std::string& one) { return std::string(what).starts_with(one); });
  };
  if (!presses("REACTION_FORCE"))
    return c.lost(given, "friction that the reaction force does not press is not translated");
  const double v = c.number(given, "STICTION_TRANSITION_VELOCITY", c.units.length / c.units.time,
                            0.1 * c.units.length / c.units.time);
  Value out = mapping();
  add(out, "law", scalar("adams"));
  add(out, "static", exact(c.number(given, "MU_STATIC", 1, 0.3)));
  add(out, "dynamic", exact(c.number(given, "MU_DYNAMIC", 1, 0.1)));
  add(out, "stiction_velocity", exact(v));
  add(out, "friction_velocity", exact(dynamic_from * v));
  add(out, "pin_radius", exact(c.number(given, "PIN_RADIUS", c.units.length, c.units.length)));
  if (joint->type == "revolute")
    add(out, "friction_arm", exact(c.number(given, "FRICTION_ARM", c.units.length, c.units.length)));
  if (presses("BENDING_MOMENT"))
    add(out, "bending_arm", exact(c.number(given, "BENDING_REACTION_ARM", c.units.length, c.units.length)));
  if (given.has("MAX_STICTION_DEFORMATION"))
    c.note(given,
           "joints that stick creep by law `adams` in place of giving by MAX_STICTION_DEFORMATION; `coulomb` "
           "holds them");
  if (Value* of = c.sections["joints"].find(joint->name)) add(*of, "friction", std::move(out));
}

const Registration<StatementType> registered{
    {.name = "FRICTION",
     .stage = StatementType::couplings,
     .arguments = {"JOINT", "MU_STATIC", "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY",
                   "MAX_STICTION_DEFORMATION", "PIN_RADIUS", "FRICTION_ARM", "BENDING_REACTION_ARM",
                   "TORQUE_PRELOAD", "EFFECT", "INPUTS", "MAX_FRICTION_FORCE", "YIELD"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::friction
