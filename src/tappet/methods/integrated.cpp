#include "tappet/methods/integrated.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/methods/element_peaks.hpp"
#include "tappet/methods/fast_modes.hpp"
#include "tappet/multibody/film.hpp"
#include "tappet/ode/choose_scheme.hpp"
#include "tappet/ode/step_errors.hpp"
#include "tappet/structures/structure_instant.hpp"
#include "tappet/structures/structure_motion.hpp"
#include "tappet/structures/structure_state.hpp"

namespace tappet {
namespace {

/// Multistep schemes begin anew this often in a run, always at the same times, so that a resumed run takes the same steps.
constexpr double restarts_in_a_run = 64;
/// Changes of contacts at one instant before a run gives up.
constexpr int most_changes = 100;
/// Closed contacts that depend on each other: their problem is dense.
constexpr int many_closed = 500;

/// Structures join the system; null: there are none.
StructureMotion* attach_structures(const Model& model, SmoothSystem& system) {
  if (model.structures.empty()) return nullptr;
  auto made = std::make_unique<StructureMotion>(model);
  StructureMotion* out = made.get();
  system.attach(std::move(made));
  return out;
}

struct IntegratedWorkspace final : Workspace {
  IntegratedWorkspace(const Model& model, std::unique_ptr<Scheme> integrator, MakeWatch make_watch)
      : Workspace(model),
        structures(attach_structures(model, system)),
        scheme(std::move(integrator)),
        gaps(model.mechanism, system),
        elements(model.mechanism),
        watch(make_watch(model, system)) {
    y.assign(system.size(), 0.0);
    before.y = y;
    end = model.settings.duration;
  }
  StructureMotion* structures;  // the system's; null: none
  std::unique_ptr<Scheme> scheme;
  GapSearch gaps;
  ElementPeaks elements;
  std::unique_ptr<ContactWatch> watch;
  std::optional<ContactWatch::Found> found;  // what changes at the end of the last step
  double end = 0;                            // that the scheme goes to
  bool restarted = true;                     // the scheme has just begun
  double suggestion = 0;                     // step that suits what began behind a jump; look_at_jump()
  bool placed = false;                       // the state was altered from outside: what touches is not known
  std::vector<double> y;                     // like the state; cut(), end_at_first_touch()
  std::vector<PassingTouch> parted;          // settle_passing()
  std::vector<double> passing_peaks;         // of the last step; follow_passing()
  bool followed = false;                     // likewise: they are known
  std::vector<ContactSum> sums;              // of structures' contacts; signals()
  double fastest_oscillation = 0;            // of the structures, rad/s; prepare()
  std::optional<ContactWatch::Found> ended;  // what the last step ended with; step_limit()
  int hindered_by = -1;                      // the contact that let no longer step be tried; likewise

  /// As the last step began, where the state itself is not kept up to date within it; undo().
  struct {
    double t = 0;
    std::vector<double> y, watch;
    AnyValue integrator;
    std::vector<PassingContact> passing;
    std::vector<int> faces, sides;
    std::vector<ContactState> contacts;  // where the state was placed
    double flight_step = 0, last_change = 0;
    int same_instant = 0, dropped_rows = 0;
    long restarts = 0;
  } before;
};

/// What impacts of method event-driven met.
void report_impacts(const ContactStatistics& met, std::vector<std::string>& notes) {
  if (met.scaled > 0)
    notes.push_back(fmt::format(
        "{} impacts would have gained energy by their law, and were scaled back until they did not",
        met.scaled));
  if (met.plastic > 0)
    notes.push_back(fmt::format(
        "{} impacts had no solution by their law, between contacts that face each other, and were plastic",
        met.plastic));
  if (met.most_contacts > many_closed)
    notes.push_back(fmt::format(
        "{} contacts were closed that depend on each other: method event-driven solves for all of them at "
        "once, at a cost that grows with their number cubed; moreau is made for so many",
        met.most_contacts));
}

class IntegratedMethod final : public Method {
 public:
  IntegratedMethod(std::string integrator, const SchemeType& type, MakeWatch make_watch)
      : integrator_(std::move(integrator)), type_(type), make_watch_(make_watch) {}

  std::string integrator() const override { return integrator_; }

  std::unique_ptr<Workspace> make_workspace(const Model& model) const override {
    return std::make_unique<IntegratedWorkspace>(model,
                                                 type_.make({.tolerance = model.settings.tolerance,
                                                             .max_step = model.settings.max_step,
                                                             .fixed_step = model.settings.step}),
                                                 make_watch_);
  }

  void prepare(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    state.method.as<IntegratedMemory>();
    w.scheme->store(state.integrator);
    if (w.structures) begin_with_structures(model, state, base);
    collect(model, base, state);
  }

  void begin(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    if (!model.mechanism.contacts.empty()) w.watch->prepare(state.t, state.y.data(), w.finished);
    if (!w.system.passing().empty()) {
      // What is closed from the start, and the energy that it holds already.
      for (PassingContacts* passing : w.system.passing()) {
        const Kinematics& k = w.system.frames(state.t, state.y.data());
        passing->look_around(k, 0);
        passing->start(state.t, k);
      }
      w.system.evaluate(state.t, state.y.data());
      double held = 0;
      for (const PassingContacts* passing : w.system.passing())
        for (const ContactSum& sum : passing->sums()) held += sum.stored;
      Counters& c = state.counters;
      c.energy_start += held, c.energy_low += held, c.energy_high += held;
    }
    restart(state, w);
    if (!model.mechanism.contacts.empty()) w.watch->start(state.t, state.y.data());
    count(state, w);
  }

  void adopt(const Model& model, const State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    const Counters& c = state.counters;
    const auto& memory = state.method.get<IntegratedMemory>();
    w.system.set_inputs(state.inputs);
    w.system.adopt_off(state.off);
    w.system.contact_states() = state.contacts;
    w.system.constraint_violation = c.constraint_violation;
    w.system.set_dropped_rows(memory.dropped_rows);
    for (PassingContacts* passing : w.system.passing())
      passing->restore(state.passing_contacts, c.max_first_penetration);
    if (w.structures) w.structures->nodes().field().contacts().restore_faces(state.faces, state.sides);
    w.watch->impacts = c.impacts;
    w.watch->max_first_penetration = c.max_first_penetration;
    w.watch->worst_love_ratio = c.love_ratio;
    w.watch->love_exceeded = c.love_exceeded;
    w.watch->worst_love_contact = c.love_contact;
    if (RigidContacts* rigid = w.system.rigid_contacts())
      rigid->set_statistics({c.bodies.scaled, c.bodies.plastic, c.bodies.most_contacts});
    w.scheme->set_counters({c.steps, c.rejected, c.evaluations});
    restart(state, w);
    w.scheme->restore(state.integrator);
    const bool moved = memory.t != state.t || memory.y != state.y;
    const bool altered = moved || memory.inputs != state.inputs;
    w.placed = moved && state.started;
    if (altered) restart(state, w, true);
    if (!model.mechanism.contacts.empty() && state.started) {
      w.watch->start(state.t, state.y.data());
      if (!altered) w.watch->restore(memory.watch);
    }
    w.finished.rows.clear();
    w.found.reset();
  }

  void collect(const Model&, const Workspace& base, State& state) const override {
    const auto& w = static_cast<const IntegratedWorkspace&>(base);
    auto& memory = state.method.as<IntegratedMemory>();
    memory.dropped_rows = w.system.dropped_rows();
    w.watch->store(memory.watch);
    w.scheme->store(state.integrator);
    note_place(state, w, memory);
    state.passing_contacts.clear();
    for (const PassingContacts* passing : w.system.passing()) passing->touching(state.passing_contacts);
    if (w.structures) w.structures->nodes().field().contacts().store_faces(state.faces, state.sides);
  }

  bool exact(const Workspace& base) const override {
    const auto& w = static_cast<const IntegratedWorkspace&>(base);
    return !w.scheme->restarts_at_checkpoint() || w.restarted;
  }

  StepReport step(const Model& model, State& state, Workspace& base, double until) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    if (until != w.end) w.scheme->set_end(w.end = until);
    remember(state, w);
    if (w.placed) look_anew(model, state, w);
    w.restarted = w.followed = false;
    take_step(model, state, w);
    const bool beyond = w.scheme->t() > until;
    if (beyond) cut(w, until);
    take_over(state, w);
    // A change beyond where the step was cut is found again.
    if (beyond && w.found && w.found->time > until) w.found.reset();
    if (beyond && !w.found && !model.mechanism.contacts.empty()) w.watch->start(state.t, state.y.data());
    return {w.before.t, state.t, w.found.has_value()};
  }

  void settle(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    const bool followed = !model.mechanism.contacts.empty();
    if (followed) w.watch->accepted(*w.scheme);
    follow_passing(w);
    w.followed = false;
    settle_passing(model, state, w);
    if (w.found && state.t == w.found->time)
      change(model, state, w, *w.found);
    else if (w.found)
      w.watch->start(state.t, state.y.data());
    restart_multistep(model, state, w);
    w.found.reset();
    w.placed = false;
    count(state, w);
  }

  void undo(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    state.t = w.before.t;
    state.y = w.before.y;
    auto& memory = state.method.as<IntegratedMemory>();
    memory.flight_step = w.before.flight_step, memory.last_change = w.before.last_change;
    memory.same_instant = w.before.same_instant, memory.restarts = w.before.restarts;
    memory.dropped_rows = w.before.dropped_rows;
    memory.watch = w.before.watch;
    note_place(state, w, memory);
    if (w.placed) state.contacts = w.before.contacts;
    state.integrator = w.before.integrator;
    state.passing_contacts = w.before.passing;
    if (w.structures) state.faces = w.before.faces, state.sides = w.before.sides;
    adopt(model, state, w);
  }

  void disturbed(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    look_at_jump(model, state, w, w.system.jump(state.inputs, state.t, state.y.data()));
    begin_anew(state, w, true);
  }

  void switched(const Model& model, State& state, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    const bool back = w.system.set_off(state.off, state.t, state.y.data());
    const bool jumped = w.system.jump(state.inputs, state.t, state.y.data());
    look_at_jump(model, state, w, back || jumped);
  }
  void go_on(const Model&, State& state, Workspace& base) const override {
    begin_anew(state, static_cast<IntegratedWorkspace&>(base), false);
  }

  /// What contacts make of a jump, of speeds too if so told.
  static void look_at_jump(const Model& model, State& state, IntegratedWorkspace& w, bool speeds) {
    if (!state.started || w.placed) return;  // begin() looks at everything
    w.suggestion = 0;
    if (!model.mechanism.contacts.empty())
      w.suggestion = w.watch->jumped(state.t, state.y.data(), speeds, w.finished);
  }
  static void begin_anew(State& state, IntegratedWorkspace& w, bool keep_step) {
    if (!state.started || w.placed) return;
    restart(state, w, keep_step);
    const double next = w.scheme->next_step();
    if (w.suggestion > 0 && !(next > 0 && next <= w.suggestion)) w.scheme->suggest_step(w.suggestion);
    count(state, w);
  }

  void interpolate(const Model&, const State&, Workspace& base, double t, double* y) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    if (t == w.scheme->t()) return void(std::copy(w.scheme->y(), w.scheme->y() + w.system.size(), y));
    w.scheme->interpolate(t, y);
    w.system.project(t, y);
  }

  void moments(const Model& model, const State& state, Workspace& base, double young,
               Moments& out) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    if (method_type(model.settings).rigid()) return;
    if (!model.mechanism.contacts.empty()) w.watch->peaks(*w.scheme, out.peaks);
    follow_passing(w);
    out.peaks.insert(out.peaks.end(), w.passing_peaks.begin(), w.passing_peaks.end());
    DenseMotion motion(w);
    w.elements.find(motion, out.peaks);
    // Accelerations may jump where another contact changes, and what rose falls.
    if (w.found && !w.before.passing.empty()) out.peaks.push_back(state.t);
    const auto is_young = [&](const auto& contact) { return contact.start > state.t - young; };
    for (const ContactState& contact : w.system.contact_states())
      out.young = out.young || (contact.touching && is_young(contact));
    // Those that touched as the step began; what begins at its end does not act yet.
    out.young = out.young || std::any_of(w.before.passing.begin(), w.before.passing.end(), is_young);
  }

  const Scheme* dense(const Workspace& base) const override {
    return static_cast<const IntegratedWorkspace&>(base).scheme.get();
  }

  void rewind(const Model&, State& state, Workspace& base, double t) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    cut(w, t);
    take_over(state, w);
  }

  // Forces only where they are asked for: places and speeds are read off the frames.
  const DynamicsWorkspace& evaluate(const Model&, const State&, Workspace& base, double t, const double* y,
                                    bool forces) const override {
    SmoothSystem& system = base.system;
    if (forces || !system.passing().empty() || system.elastic()) return system.evaluate(t, y);
    DynamicsWorkspace& instant = system.workspace();
    update_kinematics(instant.k, t, system.q(y), system.u(y), system.z(y));
    return instant;
  }

  std::string step_limit(const Model& model, const Workspace& base) const override {
    const auto& w = static_cast<const IntegratedWorkspace&>(base);
    const auto& contacts = model.mechanism.contacts;
    if (w.ended) {
      const char* what[] = {"touches", "parts", "turns from loading to unloading", "sticks or slips"};
      return fmt::format("contact '{}' {} at the end of the last step", contacts[w.ended->contact]->name,
                         what[static_cast<int>(w.ended->change)]);
    }
    if (w.hindered_by >= 0)
      return fmt::format("the surfaces of contact '{}' could meet and part unseen in longer steps",
                         contacts[w.hindered_by]->name);
    return largest_error(w.system, w.scheme->worst_component());
  }

  void signals(const Model& model, const State& state, Workspace& base, const Energies& energy,
               const std::vector<SignalDefinition>& signals, const double* y, double* out) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    if (!w.structures) return Method::signals(model, state, base, energy, signals, y, out);
    const DynamicsWorkspace& instant = w.system.workspace();
    const double *q = w.system.elastic(y), *z = w.system.z(y);
    const int n = w.structures->unknowns();
    w.y.resize(state.y.size());
    w.structures->accelerations(instant.k, w.y.data());
    w.sums = w.structures->nodes().sums();
    for (std::size_t c = 0; c < w.sums.size(); ++c) {
      const double* own = z + model.structure_contacts[c].aux_offset;
      w.sums[c].normal_loss = own[ContactPoint::aux_normal_loss];
      w.sums[c].friction_loss = own[ContactPoint::aux_friction_loss];
    }
    const StructureInstant now{.system = w.structures->system(),
                               .q = q,
                               .u = q + n,
                               .a = w.y.data(),
                               .supports = w.structures->support_forces(),
                               .contacts = w.sums};
    SignalContext context{.model = model,
                          .k = instant.k,
                          .q = w.system.q(y),
                          .z = z,
                          .w = &instant,
                          .kinetic = energy.kinetic,
                          .potential = energy.potential,
                          .energy_at_start = state.counters.energy_start,
                          .structures = &now};
    evaluate_signals(signals, context, out);
  }

  Energies energies(const Model& model, const State& state, Workspace& base, const double* y) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    Energies out = Method::energies(model, state, base, y);
    if (!w.structures) return out;
    const double* q = w.system.elastic(y);
    Kinematics k = w.system.workspace().k;
    k.elastic_q = q;
    out.kinetic += w.structures->system().kinetic_energy(q + w.structures->unknowns());
    out.potential += w.structures->potential_energy(k);
    return out;
  }

  void fields(const Model&, const State&, Workspace& base, const double* y, int structure,
              fem::Fields& out) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    const double* q = w.system.elastic(y);
    structure_fields(w.structures->system(), structure, q, q + w.structures->unknowns(),
                     w.structures->nodes().field().node_forces(structure), out);
  }
  double largest_turn(const Workspace& base, const double* y) const override {
    const auto& w = static_cast<const IntegratedWorkspace&>(base);
    return w.structures ? tappet::largest_turn(w.structures->system(), w.system.elastic(y)) : 0;
  }
  Eigen::MatrixXd mass_matrix(const Model& model, Workspace& base) const override {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    const Eigen::MatrixXd bodies = Method::mass_matrix(model, base);
    return w.structures ? mass_with_structures(bodies, w.structures->system()) : bodies;
  }

  void report(const Model& model, const State& state, const Workspace& base, std::vector<std::string>& notes,
              std::vector<std::string>& warnings) const override {
    const auto& w = static_cast<const IntegratedWorkspace&>(base);
    if (w.structures) report_structures(model, w, notes);
    if (!type_.implicit) note_explicit_steps(model.mechanism, notes);
    if (!type_.implicit && model.settings.step == 0 && state.counters.steps > 0)
      note_fast_modes(model.mechanism, state.t / static_cast<double>(state.counters.steps), notes);
    if (!model.mechanism.contacts.empty()) w.watch->report(state.t, state.y.data(), warnings);
    if (method_type(model.settings).treatment == ContactTreatment::events)
      report_impacts(state.counters.bodies, notes);
  }

 private:
  /// A new state gets the unknowns of the structures and their energy.
  static void begin_with_structures(const Model& model, State& state, Workspace& base) {
    auto& w = static_cast<IntegratedWorkspace&>(base);
    double* q = state.y.data() + (w.system.elastic(state.y.data()) - state.y.data());
    begin_structures(w.structures->system(), q, q + w.structures->unknowns());
    const Kinematics& k = w.system.evaluate(0, state.y.data()).k;
    Counters& c = state.counters;
    c.energy_low = c.energy_high = potential_energy(model.mechanism, k) + w.structures->potential_energy(k);
    c.energy_start = kinetic_energy(model.mechanism, k) +
                     w.structures->system().kinetic_energy(q + w.structures->unknowns()) + c.energy_low;
    w.fastest_oscillation = w.structures->fastest_oscillation();
  }

  void report_structures(const Model& model, const IntegratedWorkspace& w,
                         std::vector<std::string>& notes) const {
    const std::vector<std::string>& own = w.structures->system().notes;
    notes.insert(notes.end(), own.begin(), own.end());
    if (type_.implicit) return;
    // dopri5 is stable up to h ω = 0.94 on the imaginary axis.
    notes.push_back(fmt::format(
        "the fastest oscillation of the structures has {:.3g} rad/s; where it is excited '{}', an explicit "
        "integrator, takes steps of about a radian of it, {:.2g} in a whole run; bdf can take longer ones "
        "where "
        "only slow motion matters",
        w.fastest_oscillation, integrator_, model.settings.duration * w.fastest_oscillation));
  }

  /// The scheme begins at the state.
  static void restart(const State& state, IntegratedWorkspace& w, bool keep_step = false) {
    w.scheme->start(w.system, state.t, state.y.data(), w.end, keep_step);
    w.restarted = true;
  }

  /// Where the memory holds: nowhere, while the state is one that was altered.
  static void note_place(const State& state, const IntegratedWorkspace& w, IntegratedMemory& memory) {
    if (!w.placed) memory.t = state.t, memory.y = state.y, memory.inputs = state.inputs;
  }

  /// The first step from a state that was altered: its contacts begin as at the start of a run.
  void look_anew(const Model& model, State& state, IntegratedWorkspace& w) const {
    w.before.contacts = state.contacts;
    std::vector<ContactState>& contacts = w.system.contact_states();
    std::fill(contacts.begin(), contacts.end(), ContactState{});
    begin(model, state, w);
  }

  /// Brings the state's counters and contacts up to date.
  static void count(State& state, const IntegratedWorkspace& w) {
    Counters& c = state.counters;
    const SchemeCounters& scheme = w.scheme->counters();
    c.steps = scheme.steps, c.rejected = scheme.rejected, c.evaluations = scheme.evaluations;
    c.impacts = w.watch->impacts;
    c.max_first_penetration = w.watch->max_first_penetration;
    for (const PassingContacts* passing : w.system.passing())
      c.max_first_penetration = std::max(c.max_first_penetration, passing->deepest_start());
    c.love_ratio = w.watch->worst_love_ratio;
    c.love_exceeded = w.watch->love_exceeded;
    c.love_contact = w.watch->worst_love_contact;
    const std::string& crowded = w.watch->crowded;
    if (!crowded.empty() && std::find(c.said.begin(), c.said.end(), crowded) == c.said.end())
      c.said.push_back(crowded);
    c.constraint_violation = w.system.constraint_violation;
    if (const RigidContacts* rigid = w.system.rigid_contacts()) {
      const RigidContacts::Statistics met = rigid->statistics();
      c.bodies.scaled = met.scaled, c.bodies.plastic = met.plastic, c.bodies.most_contacts = met.most_closed;
    }
    const std::vector<ContactState>& contacts = w.system.contact_states();
    std::copy(contacts.begin(), contacts.end(), state.contacts.begin());
  }

  /// Before a step: what undo() needs.
  static void remember(const State& state, IntegratedWorkspace& w) {
    w.before.t = state.t;
    std::copy(state.y.begin(), state.y.end(), w.before.y.begin());
    w.watch->store(w.before.watch);
    w.scheme->store(w.before.integrator);
    w.before.dropped_rows = w.system.dropped_rows();
    w.before.passing.clear();
    for (const PassingContacts* passing : w.system.passing()) passing->touching(w.before.passing);
    if (w.structures) w.structures->nodes().field().contacts().store_faces(w.before.faces, w.before.sides);
    const auto& memory = state.method.get<IntegratedMemory>();
    w.before.flight_step = memory.flight_step, w.before.last_change = memory.last_change;
    w.before.same_instant = memory.same_instant, w.before.restarts = memory.restarts;
  }

  /// The state becomes that of the end of the scheme's step.
  static void take_over(State& state, const IntegratedWorkspace& w) {
    state.t = w.scheme->t();
    std::copy(w.scheme->y(), w.scheme->y() + state.y.size(), state.y.begin());
  }

  /// One step of the scheme, cut where a contact changes.
  static void take_step(const Model& model, State& state, IntegratedWorkspace& w) {
    w.found.reset();
    if (model.mechanism.contacts.empty()) return step_among_passing(model, state, w);
    SmoothSystem& system = w.system;
    Scheme& scheme = *w.scheme;
    double limit = w.watch->step_limit();
    const Kinematics& k = system.frames(state.t, state.y.data());
    w.hindered_by = -1;
    for (const auto& contact : model.mechanism.contacts)
      if (const double clear = contact->clear_time(k); clear < limit)
        limit = clear, w.hindered_by = contact->index;
    if (limit < scheme.next_step())
      scheme.suggest_step(limit);
    else
      w.hindered_by = -1;
    w.gaps.start(state.t, state.y.data());
    step_among_passing(model, state, w);
    if (const auto touch = w.gaps.hidden_touch(scheme)) cut(w, *touch);
    if (model.settings.reject_steps) reject_deep_steps(model, state, w);
    w.found = w.ended = w.watch->find(scheme);
    if (!w.found) return;
    if (w.found->change == ContactWatch::Found::Change::touch)
      state.method.as<IntegratedMemory>().flight_step = scheme.t() - scheme.t_old();
    if (w.found->time < scheme.t()) cut(w, w.found->time);
  }

  /// Steps that end too deep in a new contact are taken again, shorter. A scheme that does not take steps of any length is cut at
  /// half of its step instead: nothing acts there yet.
  static void reject_deep_steps(const Model& model, const State& state, IntegratedWorkspace& w) {
    Scheme& scheme = *w.scheme;
    const bool any_length = model.settings.step == 0 && !scheme.restarts_at_checkpoint();
    while (w.watch->first_penetration(scheme.t(), scheme.y()) > model.settings.first_penetration) {
      const double tried = scheme.t() - state.t;
      if (tried <= 1e-14 * std::max(std::abs(state.t), model.settings.duration))
        throw SimulationError(
            state.t, fmt::format("no step is short enough for `contact_detection`: even one of {:.3g} s ends "
                                 "{:.3g} m deep in a new contact, where {:.3g} m are allowed",
                                 tried, w.watch->first_penetration(scheme.t(), scheme.y()),
                                 model.settings.first_penetration));
      if (!any_length) {
        cut(w, state.t + 0.5 * tried);
        continue;
      }
      SchemeCounters counters = scheme.counters();
      --counters.steps, ++counters.rejected;
      scheme.set_counters(counters);
      scheme.start(w.system, state.t, state.y.data(), w.end);
      scheme.suggest_step(0.5 * tried);
      scheme.step();
    }
  }

  /// Ends the scheme's last step at `time`.
  static void cut(IntegratedWorkspace& w, double time) {
    w.scheme->interpolate(time, w.y.data());
    w.system.project(time, w.y.data());
    w.scheme->truncate(time, w.y.data());
  }

  /// How far any surface may go in this time: twice what the fastest does, and what gravity adds.
  static double reach(const Model& model, IntegratedWorkspace& w, double t, double time, const double* y) {
    const Kinematics& k = w.system.frames(t, y);
    double fastest = model.mechanism.gravity.norm() * time;
    for (const PassingContacts* passing : w.system.passing())
      fastest = std::max(fastest, passing->fastest(k, w.system.u(y)));
    return 2 * fastest * time;
  }

  /// A step during which contacts that come and go are looked after.
  static void step_among_passing(const Model& model, const State& state, IntegratedWorkspace& w) {
    const std::vector<PassingContacts*>& all = w.system.passing();
    Scheme& scheme = *w.scheme;
    if (all.empty()) return scheme.step();
    const double* y = state.y.data();
    const auto look_around = [&](double room) {
      for (PassingContacts* passing : all) passing->look_around(w.system.frames(state.t, y), room);
    };
    double room =
        reach(model, w, state.t, scheme.next_step() > 0 ? scheme.next_step() : model.settings.output_step, y);
    look_around(room);
    // No use in going much beyond the next touch.
    double soon = HUGE_VAL;
    for (PassingContacts* passing : all)
      soon = std::min(soon, passing->time_to_touch(w.system.frames(state.t, y)));
    if (soon > 0 && soon < scheme.next_step()) scheme.suggest_step(1.05 * soon);
    scheme.step();
    // Surfaces that got further than was looked: look further, and again.
    for (int n = 0; n < 20; ++n) {
      const double gone = reach(model, w, scheme.t(), scheme.t() - state.t, scheme.y());
      if (gone <= 2 * room) break;
      room = gone;
      look_around(room);
      scheme.start(w.system, state.t, y, w.end, true);
      scheme.step();
    }
    end_at_first_touch(state, w);
  }

  /// The deepest penetration of a contact that does not act yet.
  static PassingContacts::Depth first_penetration(IntegratedWorkspace& w, double t, const double* y) {
    PassingContacts::Depth out;
    for (PassingContacts* passing : w.system.passing())
      if (const auto deep = passing->first_penetration(w.system.frames(t, y)); deep.part > out.part)
        out = deep;
    return out;
  }

  /// Cuts the step where the first contact that begins is about as deep as is allowed. Nothing acted there yet, so that the
  /// motion up to it is as accurate as the whole step.
  static void end_at_first_touch(const State& state, IntegratedWorkspace& w) {
    double open = state.t, late = w.scheme->t();
    std::copy(w.scheme->y(), w.scheme->y() + w.y.size(), w.y.begin());
    PassingContacts::Depth deep = first_penetration(w, late, w.y.data());
    if (!(deep.part > 1)) return;
    double end = late;
    for (int n = 0; n < 100 && end > open; ++n) {
      if (deep.part > 1)
        late = end;
      else if (deep.part > 0.01 || late - open <= 4e-16 * late)
        break;
      else
        open = end;
      end = deep.rate > 0 && deep.part > 1 ? end - (deep.depth - 0.5 * deep.allowed) / deep.rate
                                           : 0.5 * (open + late);
      if (!(end > open && end < late)) end = 0.5 * (open + late);
      w.scheme->interpolate(end, w.y.data());
      deep = first_penetration(w, end, w.y.data());
    }
    cut(w, end);
  }

  /// The scheme's last step, as signals see it.
  class DenseMotion final : public StepMotion {
   public:
    explicit DenseMotion(IntegratedWorkspace& w) : w_(w) {}
    double from() const override { return w_.before.t; }
    double to() const override { return w_.scheme->t(); }
    const Kinematics& at(double t) override {
      if (t == from()) return w_.system.frames(t, w_.before.y.data());
      if (t == to()) return w_.system.frames(t, w_.scheme->y());
      w_.scheme->interpolate(t, w_.y.data());
      w_.system.project(t, w_.y.data());
      return w_.system.frames(t, w_.y.data());
    }

   private:
    IntegratedWorkspace& w_;
  };

  /// Once after each step: the largest forces and penetrations of contacts that come and go.
  static void follow_passing(IntegratedWorkspace& w) {
    if (w.followed) return;
    w.followed = true;
    w.passing_peaks.clear();
    DenseMotion motion(w);
    for (PassingContacts* passing : w.system.passing()) passing->follow(motion, w.passing_peaks);
  }

  /// After a step: contacts that have met begin, those that have parted are impacts.
  static void settle_passing(const Model& model, const State& state, IntegratedWorkspace& w) {
    w.parted.clear();
    bool begun = false;
    double shortest = HUGE_VAL;
    for (PassingContacts* passing : w.system.passing())
      if (passing->settle(state.t, w.system.frames(state.t, state.y.data()), w.parted)) {
        begun = true;
        shortest = std::min(shortest, passing->shortest_touch());
      }
    for (const PassingTouch& touch : w.parted) {
      const Episode episode{.id = {.entry = touch.entry},
                            .start = touch.start,
                            .speed_in = touch.impact_rate,
                            .speed_out = touch.parting_rate,
                            .peak_force = touch.peak_force,
                            .impulse = touch.impulse,
                            .depth = touch.max_penetration};
      w.finished.impact(finished(episode, touch.end, touch.requested));
      ++w.watch->impacts;
    }
    if (!begun) return;
    restart(state, w, true);
    // A force that starts like δ^1.5 makes the first step's error go like h^3.5, whatever the scheme's order.
    const double rough = std::min(0.125, 2 * std::pow(model.settings.tolerance, 1 / 3.5)) * shortest;
    if (rough < w.scheme->next_step()) w.scheme->suggest_step(rough);
  }

  /// A contact changes at the end of the step: the scheme starts anew behind it.
  static void change(const Model& model, State& state, IntegratedWorkspace& w,
                     const ContactWatch::Found& found) {
    auto& memory = state.method.as<IntegratedMemory>();
    // Changes that pile up at one instant would never end.
    memory.same_instant =
        found.time - memory.last_change <= 1e-15 * std::abs(found.time) ? memory.same_instant + 1 : 0;
    memory.last_change = found.time;
    if (memory.same_instant > most_changes)
      throw SimulationError(state.t, fmt::format("contact '{}' changes without end at one instant",
                                                 model.mechanism.contacts[found.contact]->name));
    const double suggestion = w.watch->change(found, state.t, state.y.data(), w.finished, memory.flight_step);
    restart(state, w);
    if (suggestion > 0) w.scheme->suggest_step(suggestion);
  }

  static void restart_multistep(const Model& model, State& state, IntegratedWorkspace& w) {
    if (!w.scheme->restarts_at_checkpoint()) return;
    auto& memory = state.method.as<IntegratedMemory>();
    const double every = model.settings.duration / restarts_in_a_run;
    if (!(state.t >= static_cast<double>(memory.restarts + 1) * every) || state.t >= w.end) return;
    memory.restarts = static_cast<long>(state.t / every);
    restart(state, w);
  }

  std::string integrator_;
  const SchemeType& type_;
  MakeWatch make_watch_;
};

}  // namespace

void fields(FieldVisitor& v, IntegratedMemory& m) {
  v.field("flight_step", m.flight_step);
  v.field("restarts", m.restarts);
  v.field("last_change", m.last_change);
  v.field("same_instant", m.same_instant);
  v.field("dropped_rows", m.dropped_rows);
  v.field("watch", m.watch);
  v.field("t", m.t);
  v.field("y", m.y);
  v.field("inputs", m.inputs);
}

std::unique_ptr<Method> make_integrated_method(const Model& model, MakeWatch make_watch) {
  const SchemeType& type = choose_scheme(model);
  return std::make_unique<IntegratedMethod>(type.name, type, make_watch);
}

}  // namespace tappet
