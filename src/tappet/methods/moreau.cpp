// Method moreau: steps of one length, contacts by complementarity (nonsmooth/moreau.hpp); structures in the same model are stepped
// with the bodies (structures/newmark_moreau.hpp).
#include "tappet/nonsmooth/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/methods/initial_state.hpp"
#include "tappet/methods/method.hpp"
#include "tappet/methods/state_step.hpp"
#include "tappet/methods/stride_watch.hpp"
#include "tappet/methods/structure_part.hpp"
#include "tappet/ode/step_errors.hpp"
#include "tappet/structures/structure_state.hpp"

namespace tappet {
namespace {

struct MoreauMemory {
  static constexpr const char* kind = "moreau";
  int redundant = -1;  ///< MoreauStepper::redundant()
  Stride stride;
  StructureMemory structures;
  // Of contacts of structures, to see where they are largest: forces and penetrations in the last step, and which of them had risen.
  std::vector<double> loads;
  std::vector<int> rising;
  std::vector<double> held;  // Method::held()

  bool operator==(const MoreauMemory&) const = default;
};

void fields(FieldVisitor& v, MoreauMemory& m) {
  v.field("redundant", m.redundant);
  v.part("stride", m.stride);
  v.part("structures", m.structures);
  v.field("loads", m.loads);
  v.field("rising", m.rising);
  v.field("held", m.held);
}

MoreauOptions options_of(const RunSettings& s) {
  return {.theta = s.theta,
          .impact_law = s.impact_law,
          .contacts = {.solver = s.solver, .tolerance = s.tolerance, .facets = s.facets}};
}

struct MoreauWorkspace final : Workspace {
  explicit MoreauWorkspace(const Model& model)
      : Workspace(model),
        stepper(model.mechanism, options_of(model.settings)),
        strides(model.mechanism),
        moved(model.mechanism.u_size()) {
    if (model.structures.empty()) return;
    const Start start = initial_state(model, system);
    structures =
        std::make_unique<StructurePart>(model, stepper_options(model), system.size(), start.state.y.data());
    structures->system().inputs = system.inputs().data();
  }
  static MoreauOptions stepper_options(const Model& model) { return options_of(model.settings); }

  MoreauStepper stepper;
  StrideWatch strides;
  std::unique_ptr<StructurePart> structures;  // null: there are none
  double length = 0;                          // of the last step; 0: none was taken from where the state is
  std::vector<double> moved;                  // like u; displace_by()
  std::vector<double> loads;                  // watch_loads()
  bool rose = false, fell = false;            // likewise, in the last step

  /// As the last step began; undo() and interpolate().
  struct {
    double t = 0;
    std::vector<double> y, warm, warm_couples;
    std::vector<char> stuck;
    ContactStatistics bodies;
    double constraint_violation = 0;
    State structures;  // what StructurePart::collect() gives
    MoreauMemory memory;
  } before;
};

class MoreauMethod final : public Method {
 public:
  explicit MoreauMethod(const Model& model)
      : structures_(!model.structures.empty()), theta_(model.settings.theta) {}

  std::string integrator() const override {
    const char* name = structures_ ? "newmark-moreau" : "moreau";
    return theta_ == 0.5 ? name : fmt::format("{}, theta {:g}", name, theta_);
  }

  std::unique_ptr<Workspace> make_workspace(const Model& model) const override {
    return std::make_unique<MoreauWorkspace>(model);
  }

  void prepare(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    auto& memory = state.method.as<MoreauMemory>();
    if (w.structures) w.structures->prepare(state, w.system, memory.structures);
    w.before.y = state.y;
    collect(model, base, state);
  }

  void begin(const Model&, State&, Workspace&) const override {}

  void adopt(const Model& model, const State& state, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    const auto& memory = state.method.get<MoreauMemory>();
    w.system.set_inputs(state.inputs);
    w.system.adopt_off(state.off);
    w.system.contact_states() = state.contacts;
    w.system.constraint_violation = state.counters.constraint_violation;
    w.stepper.set_redundant(memory.redundant);
    w.stepper.set_statistics(state.counters.bodies);
    adopt_impulses(model, state, w.stepper);
    if (w.structures) w.structures->adopt(state, memory.structures);
    w.finished.rows.clear();
    w.steps.clear();
    w.length = 0;
  }

  void collect(const Model& model, const Workspace& base, State& state) const override {
    const auto& w = static_cast<const MoreauWorkspace&>(base);
    auto& memory = state.method.as<MoreauMemory>();
    memory.redundant = w.stepper.redundant();
    state.counters.bodies = w.stepper.statistics();
    state.counters.constraint_violation = w.system.constraint_violation;
    collect_impulses(model, w.stepper, w.stepper.warm_start(), w.stepper.warm_couples(), w.stepper.stuck(),
                     state.impulses);
    if (w.structures) w.structures->collect(state, memory.structures);
  }

  StepReport step(const Model& model, State& state, Workspace& base, double until) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    remember(state, w);
    const Mechanism& m = model.mechanism;
    const double from = state.t, next = step_end(model, from, until);
    double *y = state.y.data(), *u = y + m.q_size(), *z = u + m.u_size();
    if (w.structures) {
      // Steps of one length are of one length to the last bit, so that the matrices are factorised once.
      const double h = model.settings.step;
      const double length = std::abs(next - from - h) < same_instant * h ? h : next - from;
      w.structures->step(from, length, y, w.stepper, w.system);
    } else {
      w.stepper.step(from, next - from, y, u, z, w.system.workspace());
    }
    // What is no number cannot be put in order; the driver says whose it is.
    if (!m.bodies.empty() && first_not_finite(y, static_cast<int>(state.y.size())) < 0) {
      w.system.project(next, y);
      w.stepper.add_projection(w.system.workspace(), z);
    }

    state.t = next;
    w.length = next - from;
    if (!m.states.empty() && first_not_finite(y, static_cast<int>(state.y.size())) < 0)
      states_.advance(model, *this, state, w, from, w.length, w.before.y, theta_);
    auto& memory = state.method.as<MoreauMemory>();
    state.counters.evaluations = ++state.counters.steps;
    w.strides.look(next, w.length, u, memory.stride);
    note_contacts(model, w, memory);
    if (w.structures) watch_loads(model, w, memory);
    return {from, next, false};
  }

  void moments(const Model& model, const State& state, Workspace& base, double young,
               Moments& out) const override {
    const auto& w = static_cast<const MoreauWorkspace&>(base);
    const int first = model.first_structure_contact();
    out.rose = w.rose, out.fell = w.fell, out.lasting = true;
    for (const Episode& episode : state.episodes)
      if (episode.id.entry >= first && episode.start > state.t - young) out.lasting = false;
  }
  std::vector<double>* held(State& state) const override {
    return structures_ ? &state.method.as<MoreauMemory>().held : nullptr;
  }

  void settle(const Model&, State&, Workspace&) const override {}

  void undo(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    if (state.t != w.before.t) --state.counters.steps, --state.counters.evaluations;
    state.t = w.before.t;
    state.y = w.before.y;
    state.method.as<MoreauMemory>() = w.before.memory;
    state.counters.bodies = w.before.bodies;
    state.counters.constraint_violation = w.before.constraint_violation;
    collect_impulses(model, w.stepper, w.before.warm, w.before.warm_couples, w.before.stuck, state.impulses);
    if (w.structures) {
      const State& old = w.before.structures;
      state.impulses.insert(state.impulses.end(), old.impulses.begin(), old.impulses.end());
      state.faces = old.faces, state.sides = old.sides;
      state.counters.nodes = old.counters.nodes;
      state.counters.largest_opening = old.counters.largest_opening;
    }
    adopt(model, state, w);
  }

  bool knows_forces(const Workspace& base) const override {
    return static_cast<const MoreauWorkspace&>(base).length > 0;
  }

  // What touches bodies whose speeds jumped is the next step's impact.
  void disturbed(const Model&, State& state, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    if (w.system.jump(state.inputs, state.t, state.y.data())) w.length = 0;
  }

  void switched(const Model&, State& state, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    const bool back = w.system.set_off(state.off, state.t, state.y.data());
    if (w.system.jump(state.inputs, state.t, state.y.data()) || back) w.length = 0;
    w.stepper.set_redundant(-1);  // counted anew where the next step begins
  }

  // Between the ends of a step positions and velocities go in straight lines, unless contacts act: then velocities of bodies
  // jump in its middle, and with them the ledger.
  void interpolate(const Model& model, const State& state, Workspace& base, double t,
                   double* y) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    const double to = state.t, from = w.before.t;
    if (std::abs(t - to) <= same_instant * w.length)
      return void(std::copy(state.y.begin(), state.y.end(), y));
    const double part = (t - from) / w.length;
    const int bodies = w.system.size();
    for (std::size_t i = 0; i < state.y.size(); ++i)
      y[i] = w.before.y[i] + part * (state.y[i] - w.before.y[i]);
    if (w.structures) w.structures->turned_between(w.before.y.data(), state.y.data(), part, y);
    const auto& impulses = w.stepper.impulses();
    if (std::none_of(impulses.begin(), impulses.end(), [](const ContactImpulse& p) { return p.normal > 0; }))
      return displace_by(model, w, 0, y);  // unit quaternions
    const bool late = part > 1 - theta_;
    const std::vector<double>& end = late ? state.y : w.before.y;
    std::copy(end.begin(), end.begin() + bodies, y);
    displace_by(model, w, late ? t - to : t - from, y);
  }

  // Forces are impulses over the length of the step, accelerations changes of velocity over it.
  const DynamicsWorkspace& evaluate(const Model& model, const State& state, Workspace& base, double t,
                                    const double* y, bool) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    if (w.length == 0) return w.system.evaluate(t, y);
    const Mechanism& m = model.mechanism;
    DynamicsWorkspace& instant = w.system.workspace();
    update_kinematics(instant.k, t, w.system.q(y), w.system.u(y), w.system.z(y));
    instant.constraints.evaluate(instant.k);
    const double *u0 = w.system.u(w.before.y.data()), *u1 = w.system.u(state.y.data());
    for (int i = 0; i < m.u_size(); ++i) instant.a[i] = (u1[i] - u0[i]) / w.length;
    for (std::size_t r = 0; r < instant.lambda.size(); ++r)
      instant.lambda[r] = w.stepper.multipliers()[r] / w.length;
    for (ContactInstant& contact : instant.contacts) contact.force = {};
    instant.groups.assign(instant.groups.size(), {});
    for (const ContactImpulse& impulse : w.stepper.impulses()) {
      if (impulse.group >= 0) {
        ContactSum& sum = instant.groups[impulse.group];
        sum.see(impulse.gap);
        if (!(impulse.normal > 0)) continue;
        const Eigen::Map<const Vec3> total(w.stepper.warm_start().data() + 3 * impulse.contact);
        sum.add(impulse.normal / w.length, impulse.tangential.norm() / w.length, total / w.length,
                impulse.slip);
        continue;
      }
      ContactForce& force = instant.contacts[impulse.contact].force;
      force.normal = impulse.normal / w.length;
      force.tangential = impulse.tangential / w.length;
      force.couple = impulse.couple / w.length;
    }
    for (const BearingImpulse& bearing : w.stepper.bearings()) {
      ContactForce& force = instant.contacts[bearing.contact].force;
      force.normal = bearing.normal / w.length, force.tangential = bearing.tangential / w.length;
    }
    return instant;
  }

  void signals(const Model& model, const State& state, Workspace& base, const Energies& energy,
               const std::vector<SignalDefinition>& signals, const double* y, double* out) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    if (!w.structures) return Method::signals(model, state, base, energy, signals, y, out);
    w.structures->signals(signals, energy, w.system.workspace(), state,
                          state.method.get<MoreauMemory>().structures, step_length(model, w),
                          w.before.y.data(), y, out);
  }

  Energies energies(const Model& model, const State& state, Workspace& base, const double* y) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    return w.structures ? w.structures->energies(w.system.workspace(), y)
                        : Method::energies(model, state, base, y);
  }
  bool ledger_inside_steps() const override { return !structures_; }

  void fields(const Model& model, const State&, Workspace& base, const double* y, int structure,
              fem::Fields& out) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    w.structures->fields_of(structure, step_length(model, w), y, out);
  }
  double largest_turn(const Workspace& base, const double* y) const override {
    const auto& w = static_cast<const MoreauWorkspace&>(base);
    return w.structures ? tappet::largest_turn(w.structures->system(), w.structures->q(y)) : 0;
  }

  Eigen::MatrixXd mass_matrix(const Model& model, Workspace& base) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    const Eigen::MatrixXd bodies = Method::mass_matrix(model, base);
    return w.structures ? mass_with_structures(bodies, w.structures->system()) : bodies;
  }

  void contacts(const Model& model, const State&, Workspace& base,
                std::vector<ContactLoad>& out) const override {
    auto& w = static_cast<MoreauWorkspace&>(base);
    const int own = static_cast<int>(model.mechanism.contacts.size());
    if (w.length == 0) return;
    const ContactProblem& problem = w.stepper.near();
    for (int i = 0; i < problem.count(); ++i) {
      const ContactImpulse& impulse = w.stepper.impulses()[i];
      if (impulse.contact < own && model.mechanism.contacts[impulse.contact]->turns) continue;
      ContactLoad load;
      load.id = impulse.contact < own ? ContactId{.entry = impulse.contact}
                                      : w.stepper.field().name(impulse.contact - own);
      for (int side = 0; side < 2; ++side) load.bodies[side] = problem.bodies(i)[side];
      load.point = problem.touch(i).at, load.normal = problem.touch(i).normal, load.gap = impulse.gap;
      load.force = (impulse.normal * load.normal + impulse.tangential) / w.length;
      out.push_back(load);
    }
    if (w.structures) w.structures->contacts(w.length, out);
  }

  void report(const Model&, const State& state, const Workspace& base, std::vector<std::string>& notes,
              std::vector<std::string>& warnings) const override {
    const auto& w = static_cast<const MoreauWorkspace&>(base);
    if (const auto warning = w.strides.warning(state.method.get<MoreauMemory>().stride))
      warnings.push_back(*warning);
    if (w.structures) w.structures->report(notes);
  }

 private:
  /// Before the first step forces are taken over the length that it will have.
  static double step_length(const Model& model, const MoreauWorkspace& w) {
    return w.length > 0 ? w.length : model.settings.step;
  }

  /// Steps end at multiples of their length, so that rounding does not add up; the last ends where it is told to.
  static double step_end(const Model& model, double t, double until) {
    const double h = model.settings.step, steps = std::floor(t / h + same_instant) + 1, next = h * steps;
    return next > until - same_instant * h ? until : next;
  }

  static void remember(const State& state, MoreauWorkspace& w) {
    w.before.t = state.t;
    w.before.y = state.y;
    w.before.warm = w.stepper.warm_start();
    w.before.warm_couples = w.stepper.warm_couples();
    w.before.stuck = w.stepper.stuck();
    w.before.bodies = w.stepper.statistics();
    w.before.constraint_violation = w.system.constraint_violation;
    const auto& memory = state.method.get<MoreauMemory>();
    w.before.memory.redundant = w.stepper.redundant(), w.before.memory.stride = memory.stride;
    if (!w.structures) return;
    w.before.memory.structures = memory.structures;
    w.before.memory.loads = memory.loads, w.before.memory.rising = memory.rising;
    w.before.memory.held = memory.held;
    w.before.structures.impulses.clear();
    w.structures->collect(w.before.structures, w.before.memory.structures);
  }

  static void collect_impulses(const Model& model, const MoreauStepper& stepper,
                               const std::vector<double>& warm, const std::vector<double>& couples,
                               const std::vector<char>& stuck, std::vector<LastImpulse>& out) {
    const int own = static_cast<int>(model.mechanism.contacts.size());
    out.clear();
    for (int c = 0; c < static_cast<int>(warm.size() / 3); ++c) {
      const Vec3 impulse = Eigen::Map<const Vec3>(warm.data() + 3 * c);
      const bool held = c < static_cast<int>(stuck.size()) && stuck[c];
      if (impulse.isZero(0) && !held) continue;
      out.push_back({c < own ? ContactId{.entry = c} : stepper.field().name(c - own), impulse, held});
      if (!couples.empty()) out.back().couple = Eigen::Map<const Vec3>(couples.data() + 3 * c);
    }
    // Slots are numbered as contacts came and went.
    std::sort(out.begin(), out.end(), [](const LastImpulse& a, const LastImpulse& b) { return a.id < b.id; });
  }

  static void adopt_impulses(const Model& model, const State& state, MoreauStepper& stepper) {
    const int own = static_cast<int>(model.mechanism.contacts.size()),
              groups = static_cast<int>(model.mechanism.groups.size());
    std::vector<double>& warm = stepper.warm_start();
    stepper.field().forget();
    std::vector<char>& stuck = stepper.stuck();
    warm.assign(3 * own, 0.0);
    std::vector<double>& couples = stepper.warm_couples();
    if (stepper.resists()) couples.assign(3 * own, 0.0);
    std::fill(stuck.begin(), stuck.end(), 0);
    for (const LastImpulse& last : state.impulses) {
      if (last.id.entry >= own + groups) continue;  // of a structure's node
      if (last.id.entry < 0) throw std::invalid_argument("a contact acted that the model does not have");
      const int contact = last.id.entry < own ? last.id.entry : own + stepper.field().reopen(last.id);
      warm.resize(3 * (own + stepper.field().capacity()), 0.0);
      Eigen::Map<Vec3>(warm.data() + 3 * contact) = last.impulse;
      if (stepper.resists()) {
        couples.resize(warm.size(), 0.0);
        Eigen::Map<Vec3>(couples.data() + 3 * contact) = last.couple;
      }
      if (!last.stuck) continue;
      stuck.resize(std::max(stuck.size(), warm.size() / 3), 0);
      stuck[contact] = 1;
    }
  }

  /// The contacts that carried load, by name.
  static void note_contacts(const Model& model, MoreauWorkspace& w, MoreauMemory& memory) {
    const int own = static_cast<int>(model.mechanism.contacts.size());
    w.steps.clear();
    for (const ContactImpulse& p : w.stepper.impulses()) {
      if (!(p.normal > 0)) continue;
      const ContactId id =
          p.contact < own ? ContactId{.entry = p.contact} : w.stepper.field().name(p.contact - own);
      w.steps.push_back({id, p.normal, p.rate_before, p.rate_after, p.gap});
    }
    // Those of several groups may be mixed.
    const auto before = [](const ContactStep& a, const ContactStep& b) { return a.id < b.id; };
    if (!std::is_sorted(w.steps.begin(), w.steps.end(), before))
      std::sort(w.steps.begin(), w.steps.end(), before);
    if (w.structures) w.structures->note_contacts(w.length, memory.structures, w.steps);
  }

  /// Which forces and penetrations of structures' contacts rose in the last step, and which fell that had risen.
  static void watch_loads(const Model& model, MoreauWorkspace& w, MoreauMemory& memory) {
    const int first = model.first_structure_contact();
    const std::size_t entries = model.structure_contacts.size();
    memory.loads.resize(2 * entries, 0.0), memory.rising.resize(2 * entries, 0);
    w.loads.assign(2 * entries, 0.0);
    for (const ContactStep& step : w.steps) {
      if (step.id.entry < first) continue;
      double* own = w.loads.data() + 2 * static_cast<std::size_t>(step.id.entry - first);
      own[0] = step.normal / w.length, own[1] = std::max(0.0, -step.gap);
    }
    w.rose = w.fell = false;
    for (std::size_t i = 0; i < w.loads.size(); ++i) {
      const double before = memory.loads[i], now = w.loads[i];
      w.rose = w.rose || now > before;
      w.fell = w.fell || (memory.rising[i] && now < before);
      if (now != before) memory.rising[i] = now > before;
    }
    memory.loads = w.loads;
  }

  /// Moves bodies along their own velocities.
  static void displace_by(const Model& model, MoreauWorkspace& w, double time, double* y) {
    const Mechanism& m = model.mechanism;
    for (int i = 0; i < m.u_size(); ++i) w.moved[i] = time * w.system.u(y)[i];
    displace(m, y, w.moved.data());
  }

  bool structures_;
  double theta_;
  StateStep states_;
};

const Registration<MethodType> moreau_registered{{
    .name = "moreau",
    .help = "rigid contacts and structures, impulses by complementarity in steps of one length",
    .treatment = ContactTreatment::steps,
    .make = [](const Model& model) -> std::unique_ptr<Method> {
      return std::make_unique<MoreauMethod>(model);
    },
}};

}  // namespace
}  // namespace tappet
