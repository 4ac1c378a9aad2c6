// Play in a revolute joint whose surfaces are a bed of springs and wear: multibody/foundation.hpp has the equations.
#include "tappet/multibody/foundation.hpp"

#include <fmt/format.h>

#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/contact_laws.hpp"

namespace tappet {
namespace {

using P = JournalFoundationParameters;

std::shared_ptr<const FrictionLaw> friction_of(const ClearanceInput& in, bool& good) {
  const auto given = in.clearance.get("friction");
  if (!given) return nullptr;
  AnyParameters parameters;
  parameters::put(*given, parameters);
  std::shared_ptr<const FrictionLaw> law = make_friction_law(parameters, in.joint.diagnostics);
  good = law != nullptr;
  if (law && law->traits().kind != FrictionKind::regularised) {
    in.joint.diagnostics.error(
        parameters.origin.pos,
        fmt::format(
            "joint '{}' has friction by law {}, which keeps a memory of sticking; the nodes of a foundation "
            "keep none: a law that is continuous through rest is needed",
            in.joint.name(), parameters.origin.type));
    good = false;
  }
  return law;
}

}  // namespace

std::pair<std::string, Table> journal_foundation() {
  return {"foundation",
          table_of<P>(
              clearance_words("foundation", "revolute"), "surfaces as a bed of springs, which wear",
              {{&P::bearing_radius,
                {.name = "bearing_radius",
                 .unit = "m",
                 .help = "R_B, of the first body's bearing",
                 .required = true,
                 .range = positive()}},
               {&P::journal_radius,
                {.name = "journal_radius",
                 .unit = "m",
                 .help = "R_J, of the second body's journal",
                 .required = true,
                 .range = positive()}},
               {&P::length,
                {.name = "length",
                 .unit = "m",
                 .help = "of the journal in its bearing",
                 .required = true,
                 .range = positive()}},
               {&P::stiffness,
                {.name = "stiffness",
                 .unit = "Pa/m",
                 .help = "K_W, pressure over depth; (1 − ν) E/((1 + ν)(1 − 2ν) t) for a layer of thickness t",
                 .required = true,
                 .range = positive()}},
               {&P::damping,
                {.name = "damping",
                 .unit = "Pa s/m",
                 .help = "pressure over the rate of depth",
                 .fallback = "0",
                 .range = not_negative()}},
               {&P::nodes,
                {.name = "nodes",
                 .kind = Kind::integer,
                 .help = "around the circumference",
                 .fallback = "360",
                 .range = {.low = 16, .high = 100000}}},
               {&P::friction, friction_of_play()},
               {&P::wear,
                {.name = "wear",
                 .kind = Kind::object,
                 .help = "law by which the surfaces lose depth; absent: none",
                 .family = &wear_law_family()}}})};
}

Clearance make_journal_foundation(const ClearanceInput& in, double c) {
  Clearance out;
  const auto& o = in.clearance.as<P>();
  if (in.joint.dimension != Dimension::planar) {
    in.joint.diagnostics.error(
        in.clearance.origin.pos,
        fmt::format("the clearance of joint '{}' has model foundation, which planar models have; "
                    "in space contact, spring-damper and massless-link serve",
                    in.joint.name()));
    return out;
  }
  auto element = std::make_unique<Foundation>();
  bool good = true;
  element->friction = friction_of(in, good);
  if (const auto given = in.clearance.get("wear")) {
    AnyParameters parameters;
    parameters::put(*given, parameters);
    element->wear = make_wear_law(parameters, in.joint.diagnostics);
    good = good && element->wear;
    if (element->wear && element->wear->schedule.extrapolate > 1 && element->wear->schedule.update.empty())
      out.notes.push_back(
          fmt::format("joint '{}': wear is extrapolated: each revolution stands for {:g}; a run with half of "
                      "that shows the error, `update` keeps it small",
                      in.joint.name(), element->wear->schedule.extrapolate));
    if (element->wear && in.steps && !element->wear->schedule.update.empty()) {
      in.joint.diagnostics.error(
          element->wear->schedule.origin.where("update"),
          fmt::format(
              "joint '{}' wears in cycles of `update`, whose ends steps of one length do not meet; methods "
              "smooth and event-driven do, and `extrapolate` alone serves method moreau",
              in.joint.name()));
      good = false;
    }
  }
  if (!good) return {};
  element->name = in.joint.name();
  element->bodies = {in.joint.i, in.joint.j};
  element->turns_bodies = true;
  element->pi = in.joint.point2(0), element->pj = in.joint.point2(1);
  element->radius = o.bearing_radius, element->length = o.length, element->clearance = c;
  element->stiffness = o.stiffness, element->damping = o.damping, element->nodes = o.nodes;
  out.foundation = element.get();
  out.forces.push_back(std::move(element));
  return out;
}

}  // namespace tappet
