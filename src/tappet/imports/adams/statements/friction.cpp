// FRICTION/1, JOINT = 1, MU_STATIC = 0.3, MU_DYNAMIC = 0.1, STICTION_TRANSITION_VELOCITY = 0.1, PIN_RADIUS = 1, …: of an ideal joint.
//
//   slip PIN_RADIUS·ω, pressed by |F_r| + |F_a| FRICTION_ARM/PIN_RADIUS + |M_b|/BENDING_REACTION_ARM
//
// by law `adams`, which is dynamic from 1.5 times the transition velocity on and creeps below it, where Adams lets the joint give by
// MAX_STICTION_DEFORMATION. INPUTS says which of the three press; all, where it is absent.
#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::friction {
namespace {

using namespace values;

/// Is `text` this word, cut short or not, in any letters?
bool is_word(const std::string& text, std::string_view word) {
  return !text.empty() && text.size() <= word.size() &&
         std::equal(text.begin(), text.end(), word.begin(),
                    [](unsigned char a, char b) { return std::toupper(a) == b; });
}

/// Past this many transition velocities friction is dynamic.
constexpr double dynamic_from = 1.5;

/// The keys of what rubs, with Adams' standards for what is not given: lengths of 1, an overlap of 1000 units.
void add_surfaces(const Given& given, const JointRecord& joint, bool bends, bool twists, Value& out,
                  Conversion& c) {
  const double unit = c.units.length;
  if (joint.type != "translational") {
    add(out, "pin_radius", exact(c.number(given, "PIN_RADIUS", unit, unit)));
    if (joint.type == "revolute")
      add(out, "friction_arm", exact(c.number(given, "FRICTION_ARM", unit, unit)));
  }
  if (bends)
    add(out, "bending_arm",
        exact(joint.type == "revolute" ? c.number(given, "BENDING_REACTION_ARM", unit, unit)
                                       : c.number(given, "INITIAL_OVERLAP", unit, 1000 * unit)));
  if (joint.type == "translational" && twists)
    add(out, "torsion_arm", exact(c.number(given, "REACTION_ARM", unit, unit)));
}

void read(const Given& given, Conversion& c) {
  const JointRecord* joint = c.joint(given, given.text("JOINT"));
  if (!joint) return;
  if (joint->type != "revolute" && joint->type != "cylindrical" && joint->type != "translational")
    return c.lost(given, fmt::format("friction of a joint of type {} is not translated", joint->type));
  for (const char* preload : {"TORQUE_PRELOAD", "FRICTION_TORQUE_PRELOAD", "FRICTION_FORCE_PRELOAD"})
    if (c.number(given, preload, 1, 0) != 0)
      return c.lost(given, fmt::format("{}, friction whatever presses, is not translated", preload));
  if (given.has("EFFECT") && !is_word(given.text("EFFECT"), "ALL"))
    return c.lost(given, fmt::format("EFFECT = {} is not translated, only ALL", given.text("EFFECT")));
  if (given.has("OVERLAP_DELTA") && !is_word(given.text("OVERLAP_DELTA"), "CONSTANT"))
    return c.lost(given, fmt::format("OVERLAP_DELTA = {} is not translated: the overlap stays what it is",
                                     given.text("OVERLAP_DELTA")));
  if (given.has("FORMULATION") && !is_word(given.text("FORMULATION"), "ORIGINAL"))
    return c.lost(
        given, fmt::format("FORMULATION = {} is not translated, only ORIGINAL", given.text("FORMULATION")));
  const Argument* inputs = given.find("INPUTS");
  const auto presses = [&](const char* what) {
    if (!inputs || is_word(given.text("INPUTS"), "ALL")) return true;
    return std::any_of(inputs->values.begin(), inputs->values.end(),
                       [&](const std::string& one) { return is_word(one, what); });
  };
  if (!presses("REACTION_FORCE"))
    return c.lost(given, "friction that the reaction force does not press is not translated");
  const double v = c.number(given, "STICTION_TRANSITION_VELOCITY", c.units.length / c.units.time,
                            0.1 * c.units.length / c.units.time);
  const double factor = c.number(given, "TRANSITION_VELOCITY_COEFFICIENT", 1, dynamic_from);
  Value out = mapping();
  add(out, "law", scalar("adams"));
  for (const auto& [argument, key] : {std::pair{"MU_STATIC", "static"}, {"MU_DYNAMIC", "dynamic"}}) {
    if (!given.has(argument))
      return c.fault(given, fmt::format("{} is missing, a coefficient of friction", argument));
    add(out, key, exact(c.number(given, argument, 1, 0)));
  }
  add(out, "stiction_velocity", exact(v));
  add(out, "friction_velocity", exact(factor * v));
  add_surfaces(given, *joint, presses("BENDING_MOMENT"), presses("TORSIONAL_MOMENT"), out, c);
  if (given.has("MAX_STICTION_DEFORMATION"))
    c.note(given,
           "joints that stick creep by law `adams` in place of giving by MAX_STICTION_DEFORMATION; `coulomb` "
           "holds them");
  if (given.has("INACTIVE"))
    c.note(given, "INACTIVE has no effect: statics of a model have their own friction");
  if (Value* of = c.sections["joints"].find(joint->name)) add(*of, "friction", std::move(out));
}

const Registration<StatementType> registered{
    {.name = "FRICTION",
     .stage = StatementType::couplings,
     .arguments = {"JOINT", "MU_STATIC", "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY",
                   "MAX_STICTION_DEFORMATION", "PIN_RADIUS", "FRICTION_ARM", "BENDING_REACTION_ARM",
                   "TORQUE_PRELOAD", "FRICTION_TORQUE_PRELOAD", "FRICTION_FORCE_PRELOAD", "EFFECT", "INPUTS",
                   "REACTION_ARM", "INITIAL_OVERLAP", "OVERLAP_DELTA", "FORMULATION",
                   "TRANSITION_VELOCITY_COEFFICIENT", "INACTIVE"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::friction
