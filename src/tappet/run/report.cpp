#include "tappet/run/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/fem/body.hpp"
#include "tappet/nonsmooth/impact_problem.hpp"
#include "tappet/run/driver.hpp"
#include "tappet/run/overlap.hpp"
#include "tappet/run/wear_cycles.hpp"

namespace tappet {
namespace {

/// Structures of linear elements are good up to about this turn, rad.
constexpr double largest_good_turn = 0.1;

/// A ledger that is open by more of the energy that moved deserves a look at where it went.
constexpr double largest_good_residual = 1e-2;

/// How the complementarity problems went, `among` contacts or nodes.
void report_problems(const RunSettings& settings, const ContactStatistics& s, const char* among,
                     RunSummary& out) {
  const ContactReport report = report_contacts(s, among, settings);
  out.notes.insert(out.notes.end(), report.notes.begin(), report.notes.end());
  out.warnings.insert(out.warnings.end(), report.warnings.begin(), report.warnings.end());
}

}  // namespace

RunSummary describe_run(const Model& model, const Method& method, const Start& start) {
  const Mechanism& m = model.mechanism;
  RunSummary out;
  out.bodies = m.body_count();
  out.constraints = start.rows;
  out.redundant = start.rows - start.rank;
  out.degrees_of_freedom = m.u_size() - start.rank;
  for (const Body& body : m.bodies)
    if (!body.has_inertia) out.degrees_of_freedom -= m.dimension == Dimension::planar ? 1 : 3;
  out.bodies += static_cast<int>(model.structures.size());
  for (const auto& body : model.structures)
    out.degrees_of_freedom += body->structure.free - body->structure.moved;
  out.method = model.settings.method;
  out.integrator = method.integrator();
  out.notes = model.notes;
  // What repeats in the assembly also repeats in the motion, unless a joint has play.
  const Assembly& assembly = start.assembly;
  if (std::find(m.has_play.begin(), m.has_play.end(), true) == m.has_play.end())
    for (const std::string& text : assembly.redundant)
      out.notes.push_back(text +
                          ": redundant; its reaction there is taken as 0 and the others carry the load");
  if (assembly.moved > 1e-6 * m.length)
    out.notes.push_back(fmt::format("assembly moved bodies from the positions given, '{}' most, by {:.4g} m",
                                    assembly.moved_body, assembly.moved));
  if (start.statics) {
    out.notes.push_back(
        start.statics->moved > 0
            ? fmt::format("starts in static equilibrium, found in {} steps; '{}' moved most from "
                          "where it was given, by {:.4g} m",
                          start.statics->steps, start.statics->moved_body, start.statics->moved)
            : "starts in static equilibrium: bodies were given in one");
    out.notes.insert(out.notes.end(), start.statics->notes.begin(), start.statics->notes.end());
  }
  report_overlaps(model, start.state, out);
  return out;
}

void finish_run(const Model& model, const Method& method, const Workspace& w, const State& state,
                const std::vector<std::string>& contact_names, RunSummary& out) {
  const Counters& c = state.counters;
  out.t_end = state.t;
  out.steps = c.steps, out.rejected = c.rejected, out.evaluations = c.evaluations;
  out.samples = c.samples, out.impacts = c.impacts, out.events = c.events;
  out.max_first_penetration = c.max_first_penetration;
  out.love_ratio = c.love_ratio;
  out.constraint_violation = std::max(c.constraint_violation, c.largest_opening);
  out.warnings.insert(out.warnings.end(), c.said.begin(), c.said.end());
  if (c.love_exceeded > 0)
    out.warnings.push_back(
        fmt::format("{} of {} impacts were faster than Love's limit of 1e-5 times the wave speed, '{}' at "
                    "most {:.3g} times: the contact "
                    "laws are used beyond their theory (waves, plastic flow)",
                    c.love_exceeded, c.impacts, contact_names[c.love_contact], c.love_ratio));
  if (c.short_impacts > 0)
    out.warnings.push_back(
        fmt::format("{} of {} impacts are shorter than {:g} output steps of {:.3g} s, the shortest {:.3g} s: "
                    "samples alone do not show them; the impact table has their peaks",
                    c.short_impacts, c.impacts, few_samples, model.settings.output_step, c.shortest_impact));
  for (std::size_t i = 0; i < model.events.size(); ++i) {
    const ModelEvent::Action& action = model.events[i].action;
    if (!action.any()) continue;
    const double times = state.acted[i], energy = state.acted_energy[i];
    std::string text = fmt::format("event '{}' acted {}", model.events[i].name,
                                   times == 1 ? "once" : fmt::format("{:g} times", times));
    if (std::abs(energy) > 1e-12 * std::max(c.kinetic_high + c.energy_high - c.energy_low, 1e-300))
      text += fmt::format("; what it changed {} {:.4g} J at once, booked as input",
                          energy > 0 ? "brought" : "took", std::abs(energy));
    out.notes.push_back(std::move(text));
  }
  method.report(model, state, w, out.notes, out.warnings);
  report_wear(model.mechanism, w.system.z(state.y.data()), out.notes);
  if (c.largest_turn > largest_good_turn)
    out.warnings.push_back(
        fmt::format("a structure turned by about {:.2g} rad: its elements are linear and swell when they "
                    "turn; results are good up to "
                    "about {:.2g} rad; `large_rotations: true` of the structure lets them turn",
                    c.largest_turn, largest_good_turn));
  report_problems(model.settings, c.bodies, "contacts", out);
  report_problems(model.settings, c.nodes, "nodes", out);

  const double* z = w.system.z(state.y.data());
  const double moved = c.kinetic_high + (c.energy_high - c.energy_low) + std::abs(z[ledger_input]) +
                       ledger_losses(model.mechanism, z);
  // Where next to nothing moves, rounding is measured by the weights' energy instead.
  double mass = 0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  const double floor = 1e-6 * mass * model.mechanism.gravity.norm() * model.mechanism.length;
  out.energy_residual = moved > 0 ? c.residual_high / std::max(moved, floor) : 0;
  if (out.energy_residual > largest_good_residual)
    out.warnings.push_back(fmt::format(
        "the energy ledger does not close: {:.2g} of the energy that moved, {:.3g} J, is gained or "
        "lost by no force; steps are too long, or something moved at once",
        out.energy_residual, c.residual_high));
}

}  // namespace tappet
