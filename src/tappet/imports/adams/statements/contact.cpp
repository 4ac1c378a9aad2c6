// CONTACT/1, IGEOM = 201, JGEOM = 101, IMPACT, STIFFNESS = 1e5, DAMPING = 10, EXPONENT = 2.2, DMAX = 0.1, COULOMB_FRICTION = ON, MU_STATIC …
//
// Stiffness is in force per length^e, so that units of length enter by that power. POISSON: PENALTY, RESTITUTION_COEFFICIENT.
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::contact {
namespace {

using namespace values;

Value normal_law(const Given& given, Conversion& c) {
  const Units& u = c.units;
  Value out = mapping();
  if (given.has("POISSON")) {
    add(out, "law", scalar("poisson"));
    add(out, "penalty", exact(c.number(given, "PENALTY", u.force * u.time / u.length, 0)));
    add(out, "restitution", exact(c.number(given, "RESTITUTION_COEFFICIENT", 1, 0)));
    return out;
  }
  const double e = c.number(given, "EXPONENT", 1, 2.2);
  add(out, "law", scalar("impact"));
  add(out, "stiffness", exact(c.number(given, "STIFFNESS", u.force / std::pow(u.length, e), 0)));
  add(out, "exponent", exact(e));
  add(out, "damping", exact(c.number(given, "DAMPING", u.force * u.time / u.length, 0)));
  add(out, "depth", exact(c.number(given, "DMAX", u.length, 0)));
  return out;
}

Value friction_law(const Given& given, Conversion& c) {
  const double speed = c.units.length / c.units.time;
  Value out = mapping();
  add(out, "law", scalar("adams"));
  // DYNAMICS_ONLY: no more than the dynamic coefficient at any speed.
  const std::string on = given.text("COULOMB_FRICTION");
  const bool dynamic_alone = on.starts_with("D") || on.starts_with("d");
  add(out, "static", exact(c.number(given, dynamic_alone ? "MU_DYNAMIC" : "MU_STATIC", 1, 0)));
  add(out, "dynamic", exact(c.number(given, "MU_DYNAMIC", 1, 0)));
  add(out, "stiction_velocity", exact(c.number(given, "STICTION_TRANSITION_VELOCITY", speed, 0)));
  add(out, "friction_velocity", exact(c.number(given, "FRICTION_TRANSITION_VELOCITY", speed, 0)));
  return out;
}

/// The surface of a graphic, BODY.SHAPE; "" after a loss was reported.
std::string surface(const Given& given, const std::string& id, Conversion& c) {
  const auto found = c.graphics.find(plain_id(id));
  if (found != c.graphics.end())
    return fmt::format("{}.{}", c.parts.at(found->second.part).name, found->second.shape);
  c.lost(given, fmt::format("GRAPHICS/{} is no shape that a model has", plain_id(id)));
  return "";
}

void read(const Given& given, Conversion& c) {
  const Argument *is = given.find("IGEOM"), *js = given.find("JGEOM");
  if (!is || !js) return c.fault(given, "IGEOM and JGEOM name the graphics that touch");
  if (!given.has("IMPACT") && !given.has("POISSON"))
    return c.lost(given, "only normal forces IMPACT and POISSON are translated");
  const std::string on = given.text("COULOMB_FRICTION");
  for (const std::string& i : is->values)
    for (const std::string& j : js->values) {
      const std::string first = surface(given, j, c), second = surface(given, i, c);
      if (first.empty() || second.empty()) return;
      Value out = mapping();
      add(out, "between", list({scalar(first), scalar(second)}));
      add(out, "normal", normal_law(given, c));
      if (given.has("COULOMB_FRICTION") && !on.starts_with("OF") && !on.starts_with("of"))
        add(out, "friction", friction_law(given, c));
      const std::string name = c.name_of(given, "contact");
      c.contacts[given.statement().id].push_back(name);
      c.add("contacts", name, std::move(out));
    }
}

const Registration<StatementType> registered{
    {.name = "CONTACT",
     .stage = StatementType::contacts,
     .arguments = {"IGEOM", "JGEOM", "IFLEX", "JFLEX", "IMPACT", "STIFFNESS", "DAMPING", "EXPONENT", "DMAX",
                   "POISSON", "PENALTY", "RESTITUTION_COEFFICIENT", "COULOMB_FRICTION", "MU_STATIC",
                   "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY", "FRICTION_TRANSITION_VELOCITY",
                   "AUGMENTED_LAGRANGIAN_FORMULATION"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::contact
