#include "tappet/methods/structure_part.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <sys/resource.h>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression_words.hpp"
#include "tappet/fem/body.hpp"
#include "tappet/structures/structure_state.hpp"

namespace tappet {

std::string not_finite_load(const Model& model, double t) {
  const std::span<const double> at(&t, 1);
  const auto wrong = [&](const Jet& jet) {
    return !std::isfinite(jet.value) || !std::isfinite(jet.d1) || !std::isfinite(jet.d2);
  };
  for (const auto& body : model.structures) {
    for (const fem::NodeLoad& load : body->loads)
      for (const auto* part : {&load.force, &load.moment})
        for (const Expression& force : *part)
          if (!std::isfinite(force(t)))
            return fmt::format("load '{}' of structure '{}': {}", load.name, body->structure.name,
                               in_words(force, {"t"}, at));
    for (const fem::SupportMotion& motion : body->motions)
      if (wrong(motion.at(t)))
        return fmt::format(
            "the motion of '{}' of structure '{}', or a rate of it, is not a finite number: {}", motion.group,
            body->structure.name,
            motion.table ? fmt::format("its table at t = {:.9g}", t)
                         : in_words(motion.expression, {"t"}, at));
  }
  for (const StructureContact& contact : model.structure_contacts)
    if (wrong(contact.lift.jet(t)))
      return fmt::format("`lift` of contact '{}', or a rate of it, is not a finite number: {}", contact.name,
                         in_words(contact.lift, {"t"}, at));
  return "";
}

void fields(FieldVisitor& v, StructureMemory& m) {
  v.field("kept", m.kept);
  v.field("batches", m.batches);
  v.field("spring_forces", m.spring_forces);
  v.field("light_points", m.light_points);
  v.field("light_nodes", m.light_nodes);
  v.field("light_bodies", m.light_bodies);
  v.field("normal_loss", m.normal_loss);
  v.field("friction_loss", m.friction_loss);
}

StructurePart::StructurePart(const Model& model, const MoreauOptions& options, int offset, const double* y)
    : model_(model),
      system_(model),
      newmark_(model, system_, options, model.mechanism.bodies.empty() ? nullptr : y),
      offset_(offset) {
  sums_.resize(model.structure_contacts.size());
}

void StructurePart::prepare(State& state, SmoothSystem& bodies, StructureMemory& memory) {
  const Mechanism& m = model_.mechanism;
  state.y.resize(offset_ + 2 * system_.size(), 0.0);
  begin_structures(system_, q(state.y.data()), u(state.y.data()));
  memory.normal_loss.assign(model_.structure_contacts.size(), 0.0);
  memory.friction_loss = memory.normal_loss;

  const Kinematics& k = bodies.evaluate(0, state.y.data()).k;
  if (const Spiders* spiders = newmark_.spiders()) {
    const Spiders::Mismatch off = spiders->mismatch(u(state.y.data()), bodies.u(state.y.data()), k);
    if (off.spider >= 0) {
      const Spider& spider = model_.spiders[off.spider];
      const fem::Body& body = *model_.structures[spider.structure];
      throw InputError(
          {{Severity::error, body.pos,
            fmt::format("structure '{}' begins with [{:.4g}, {:.4g}, {:.4g}] m/s where '{}' is attached to "
                        "'{}', which "
                        "begins with [{:.4g}, {:.4g}, {:.4g}] m/s there; give both one `velocity`",
                        body.structure.name, off.node.x(), off.node.y(), off.node.z(), spider.group,
                        m.bodies[spider.body].name, off.body.x(), off.body.y(), off.body.z())}});
    }
  }
  Counters& c = state.counters;
  c.energy_low = c.energy_high = system_.potential_energy(q(state.y.data())) + potential_energy(m, k) +
                                 newmark_.spring_dampers().potential(q(state.y.data()), state.y.data());
  c.energy_start = system_.kinetic_energy(u(state.y.data())) + kinetic_energy(m, k) + c.energy_low;
}

void StructurePart::adopt(const State& state, const StructureMemory& memory) {
  std::vector<double>& warm = newmark_.warm_start();
  const std::size_t springs = 3 * static_cast<std::size_t>(newmark_.contacts().points());
  NewmarkMoreau::LightLoads& light = newmark_.light_loads();
  if (warm.size() != springs + memory.spring_forces.size() ||
      light.points.size() != memory.light_points.size() || light.nodes.size() != memory.light_nodes.size() ||
      light.bodies.size() != memory.light_bodies.size() ||
      memory.normal_loss.size() != model_.structure_contacts.size() ||
      memory.friction_loss.size() != model_.structure_contacts.size())
    throw std::invalid_argument("there are springs or contacts of another number");
  light = {memory.light_points, memory.light_nodes, memory.light_bodies};
  std::vector<char>& stuck = newmark_.stuck();
  std::fill(stuck.begin(), stuck.end(), 0);
  std::fill(warm.begin(), warm.end(), 0.0);
  std::copy(memory.spring_forces.begin(), memory.spring_forces.end(),
            warm.begin() + static_cast<std::ptrdiff_t>(springs));
  const int first = model_.first_structure_contact();
  for (const LastImpulse& last : state.impulses) {
    const int contact = last.id.entry - first;
    if (contact < 0) continue;
    const bool known = contact < static_cast<int>(model_.structure_contacts.size());
    const int at = known && last.id.first >= 0 ? newmark_.contacts().point(contact, last.id.first) : -1;
    if (at < 0 || at >= newmark_.contacts().point(contact + 1, 0))
      throw std::invalid_argument("a node touched that no contact has");
    Eigen::Map<Vec3>(warm.data() + 3 * at) = last.impulse;
    if (last.stuck && at < static_cast<int>(stuck.size())) stuck[at] = 1;
  }
  newmark_.contacts().restore_faces(state.faces, state.sides);
  newmark_.compliance().restore(memory.kept, memory.batches);
  std::fill(sums_.begin(), sums_.end(), ContactSum{});
  newmark_.set_statistics(state.counters.nodes);
  newmark_.set_largest_opening(state.counters.largest_opening);
  newmark_.state_changed();
}

void StructurePart::collect(State& state, StructureMemory& memory) const {
  const StructureContacts& contacts = newmark_.contacts();
  const std::vector<double>& warm = newmark_.warm_start();
  const int first = model_.first_structure_contact();
  for (int c = 0; c < static_cast<int>(model_.structure_contacts.size()); ++c)
    for (int at = contacts.point(c, 0); at < contacts.point(c + 1, 0); ++at) {
      const Vec3 impulse = Eigen::Map<const Vec3>(warm.data() + 3 * at);
      const bool held = at < static_cast<int>(newmark_.stuck().size()) && newmark_.stuck()[at];
      if (!impulse.isZero(0) || held)
        state.impulses.push_back({{.entry = first + c, .first = at - contacts.point(c, 0)}, impulse, held});
    }
  memory.spring_forces.assign(warm.begin() + 3 * contacts.points(), warm.end());
  const NewmarkMoreau::LightLoads& light = newmark_.light_loads();
  memory.light_points = light.points, memory.light_nodes = light.nodes, memory.light_bodies = light.bodies;
  memory.kept = newmark_.compliance().unknowns();
  memory.batches = newmark_.compliance().batches();
  contacts.store_faces(state.faces, state.sides);
  state.counters.nodes = newmark_.statistics();
  state.counters.largest_opening = newmark_.largest_opening();
}

void StructurePart::step(double t, double length, double* y, MoreauStepper& stepper, SmoothSystem& bodies) {
  const Mechanism& m = model_.mechanism;
  double *u_bodies = y + m.q_size(), *z = u_bodies + m.u_size();
  if (m.bodies.empty()) return newmark_.step(t, length, q(y), u(y), z);
  RigidPart rigid{stepper, bodies.workspace(), y, u_bodies};
  newmark_.step(t, length, q(y), u(y), z, &rigid);
}

// One entry for all nodes of a contact together.
void StructurePart::note_contacts(double length, StructureMemory& memory, std::vector<ContactStep>& out) {
  const int first = model_.first_structure_contact();
  const std::size_t begin = out.size();
  for (int c = 0; c < static_cast<int>(sums_.size()); ++c) {
    sums_[c] = {.gap = newmark_.smallest_gap(c)};
    out.push_back({.id = {.entry = first + c}});
  }
  for (const NodeImpulse& p : newmark_.impulses()) {
    if (p.normal > 0)
      sums_[p.contact].add(p.normal / length, p.tangential / length, p.impulse / length, p.slip);
    memory.normal_loss[p.contact] += p.normal_loss;
    memory.friction_loss[p.contact] += p.friction_loss;
    ContactStep& step = out[begin + p.contact];
    step.normal += p.normal;
    step.rate_before = std::min(step.rate_before, p.rate_before);
    step.rate_after = std::max(step.rate_after, p.rate_after);
    step.gap = std::min(step.gap, p.gap);
  }
  std::size_t kept = begin;
  for (std::size_t c = 0; c < sums_.size(); ++c)
    if (sums_[c].touching > 0) out[kept++] = out[begin + c];
  out.resize(kept);
}

Energies StructurePart::energies(const DynamicsWorkspace& w, const double* y) const {
  return {system_.kinetic_energy(u(y)) + kinetic_energy(model_.mechanism, w.k),
          system_.potential_energy(q(y)) + stored_energy(model_.mechanism, w) +
              newmark_.spring_dampers().potential(q(y), y)};
}

void StructurePart::signals(const std::vector<SignalDefinition>& signals, const Energies& energy,
                            const DynamicsWorkspace& w, const State& state, const StructureMemory& memory,
                            double length, const double* before, const double* y, double* out) {
  const Mechanism& m = model_.mechanism;
  for (std::size_t c = 0; c < sums_.size(); ++c)
    sums_[c].normal_loss = memory.normal_loss[c], sums_[c].friction_loss = memory.friction_loss[c];
  // Means over the step.
  const int n = system_.size();
  acceleration_.resize(n);
  const double *first = u(before), *last = u(state.y.data());
  for (int i = 0; i < n; ++i) acceleration_[i] = (last[i] - first[i]) / length;
  supports_ = newmark_.support_impulses();
  for (double& force : supports_) force /= length;
  attachments_ = newmark_.spider_loads();
  for (AttachmentLoad& load : attachments_) load.force /= length, load.moment /= length;
  const StructureInstant now{.system = system_,
                             .q = q(y),
                             .u = u(y),
                             .a = acceleration_.data(),
                             .supports = supports_,
                             .attachments = attachments_,
                             .contacts = sums_};
  SignalContext context{.model = model_,
                        .k = w.k,
                        .q = y,
                        .z = y + m.q_size() + m.u_size(),
                        .w = &w,
                        .kinetic = energy.kinetic,
                        .potential = energy.potential,
                        .energy_at_start = state.counters.energy_start,
                        .structures = &now};
  evaluate_signals(signals, context, out);
}

// Forces in contacts are those of the last step.
void StructurePart::fields_of(int s, double length, const double* y, fem::Fields& out) const {
  std::vector<double> contact_force = newmark_.node_impulses(s);
  for (double& f : contact_force) f /= length;
  structure_fields(system_, s, q(y), u(y), std::move(contact_force), out);
}

void StructurePart::contacts(double length, std::vector<ContactLoad>& out) const {
  for (const NodeImpulse& p : newmark_.impulses())
    out.push_back(load_of(model_, newmark_.touch(p.touch), p.impulse / length));
}

void StructurePart::report(std::vector<std::string>& notes) const {
  notes.insert(notes.end(), system_.notes.begin(), system_.notes.end());
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  notes.push_back(fmt::format(
      "the factors of the matrices hold {:.3g} million numbers ({:.3g} MB); the program took {:.0f} MB of "
      "memory at most",
      1e-6 * static_cast<double>(system_.factor_size()), 8e-6 * static_cast<double>(system_.factor_size()),
      usage.ru_maxrss / 1024.0));
}

}  // namespace tappet
