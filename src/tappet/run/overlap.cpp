#include "tappet/run/overlap.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/method.hpp"
#include "tappet/multibody/contact_field.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet {
namespace {

/// Of a contact's length: nearer than this two surfaces touch, and what remains is rounding of what was written.
constexpr double touching = 1e-9;

struct Overlap {
  std::string contact;
  int places = 0;             ///< that overlap
  double depth = 0;           ///< of the deepest, m
  double force = 0;           ///< of all of them at rest, N
  double energy = 0;          ///< that they hold, J
  std::string no_force = {};  ///< why the law gives none so deep; "": it does

  void add(double deep) {
    ++places;
    depth = std::max(depth, deep);
  }
  void add(const NormalLaw& law, double share, double deep) {
    add(deep);
    try {
      const NormalOutput n = law.evaluate({.depth = deep});
      force += share * n.force;
      // A law that stores nothing pushes all the same.
      energy += share * (n.stored_energy > 0 ? n.stored_energy : 0.5 * n.force * deep);
    } catch (const SimulationError& error) {
      no_force = error.what();
    }
  }
  std::string words() const {
    return fmt::format("contact '{}' overlaps by {:.4g} m at the start{}", contact, depth,
                       places > 1 ? fmt::format(" (the deepest of {} places)", places) : "");
  }
};

/// What the bodies' motion and weights amount to, J.
double own_energy(const Mechanism& m, const Kinematics& k) {
  double mass = 0;
  for (const Body& body : m.bodies) mass += body.mass;
  return kinetic_energy(m, k) + mass * m.gravity.norm() * m.length;
}

void say(const Overlap& overlap, const RunSettings& settings, double energy, RunSummary& out) {
  switch (method_type(settings).treatment) {
    case ContactTreatment::events:
      out.warnings.push_back(overlap.words() +
                             ": method event-driven moves the bodies apart at once, by no force");
      return;
    case ContactTreatment::steps:
      out.warnings.push_back(overlap.words() +
                             ": method moreau takes them as touching, and moves them apart only as far as "
                             "contacts lose the energy that this takes");
      return;
    case ContactTreatment::forces:
      break;
  }
  if (!overlap.no_force.empty())
    out.warnings.push_back(
        fmt::format("{}, where its law has no force: {}", overlap.words(), overlap.no_force));
  else if (overlap.energy > most_overlap_energy * energy)
    out.warnings.push_back(fmt::format(
        "{}: its law pushes with {:.4g} N and holds {:.4g} J there, {} and throws the bodies apart; set them "
        "apart, or down to where their weight is carried",
        overlap.words(), overlap.force, overlap.energy,
        energy > 0 ? fmt::format("{:.3g} times the {:.3g} J that the bodies' motion and weights amount to,",
                                 overlap.energy / energy, energy)
                   : "in a model at rest without gravity,"));
  else
    out.notes.push_back(
        fmt::format("{}: its law pushes with {:.4g} N there", overlap.words(), overlap.force));
}

}  // namespace

void report_overlaps(const Model& model, const State& start, RunSummary& out) {
  const Mechanism& m = model.mechanism;
  if (m.contacts.empty() && m.groups.empty()) return;
  std::vector<ContactState> states = start.contacts;
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  k.contacts = states.data();
  const double* y = start.y.data();
  update_kinematics(k, start.t, y, y + m.q_size(), y + m.q_size() + m.u_size());
  const double energy = own_energy(m, k);

  for (const auto& contact : m.contacts) {
    const double depth = -contact->touch(k).gap;
    if (!(depth > touching * contact->length_scale)) continue;
    Overlap overlap{.contact = contact->name};
    if (contact->normal_law)
      overlap.add(*contact->normal_law, contact->share, depth);
    else
      overlap.add(depth);
    say(overlap, model.settings, energy, out);
  }

  if (m.groups.empty()) return;
  std::vector<Overlap> groups(m.groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].contact = m.groups[g].name;
  ContactField field(m);
  field.update(k, 0);
  field.each_place(k, [&](const ContactField::Place& place) {
    const Proximity& found = *place.proximity;
    if (!(-found.gap > touching * place.length_scale)) return;
    const ContactGroup& group = m.groups[place.group];
    if (group.rigid)
      groups[place.group].add(-found.gap);
    else
      groups[place.group].add(*group.normal_law(found.radius[0], found.radius[1]), 1, -found.gap);
  });
  for (const Overlap& overlap : groups)
    if (overlap.places > 0) say(overlap, model.settings, energy, out);
}

}  // namespace tappet
