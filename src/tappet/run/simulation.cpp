#include "tappet/run/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/equilibrium/dense_matrices.hpp"
#include "tappet/fem/body.hpp"
#include "tappet/fem/flexible_fields.hpp"
#include "tappet/methods/initial_state.hpp"
#include "tappet/methods/method.hpp"
#include "tappet/model/impact.hpp"
#include "tappet/model/measures.hpp"
#include "tappet/run/driver.hpp"
#include "tappet/run/report.hpp"

namespace tappet {
namespace {

std::vector<SignalDefinition> recorded_signals(const Model& model) {
  std::vector<SignalDefinition> out = all_signals(model);
  const auto& patterns = model.settings.output_signals;
  const auto wanted = [&](const SignalDefinition& s) {
    // Measures were asked for by being written.
    const bool measure = model.measures && std::any_of(model.measures->all.begin(), model.measures->all.end(),
                                                       [&](const Measure& m) { return m.name == s.name; });
    return measure || (patterns.empty() && !s.on_request) ||
           std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& p) { return matches(p, s.name); });
  };
  std::erase_if(out, [&](const SignalDefinition& s) { return !wanted(s); });
  return out;
}

}  // namespace

struct Simulation::Data {
  explicit Data(std::shared_ptr<const Model> m)
      : model(std::move(m)),
        method(method_type(model->settings).make(*model)),
        workspace(method->make_workspace(*model)),
        start(initial_state(*model, workspace->system)),
        driver(*model, *method, *workspace, recorded_signals(*model)) {
    method->prepare(*model, start.state, *workspace);
    state = start.state;
    for (const SignalDefinition& s : driver.recorded()) signals.push_back({s.name, s.unit});
    for (const ModelInput& input : model->inputs) inputs.push_back({input.name, input.unit});
    for (const ModelEvent& event : model->events) event_names.push_back(event.name);
    for (const auto& contact : model->mechanism.contacts) contact_names.push_back(contact->name);
    for (const ContactGroup& group : model->mechanism.groups) contact_names.push_back(group.name);
    for (const auto& contact : model->structure_contacts) contact_names.push_back(contact.name);
  }

  /// Brings the state up to date with what the workspace keeps.
  void collect() {
    if (collected) return;
    driver.collect(state, *workspace);
    collected = true;
  }
  void moved() { collected = evaluated = false; }

  /// Calls look(t, y) with the forces of the present instant in the workspace. A method that has them as means over a step, and
  /// has taken none from here, takes the next one for it and goes back.
  template <class Look>
  void with_forces(Look look) {
    if (method->knows_forces(*workspace)) return look(state.t, state.y.data());
    const double t = state.t;
    const std::vector<double> y = state.y;
    collect();
    try {
      method->step(*model, state, *workspace, std::numeric_limits<double>::infinity());
      look(t, y.data());
    } catch (...) {
      method->undo(*model, state, *workspace);
      throw;
    }
    method->undo(*model, state, *workspace);
  }

  std::shared_ptr<const Model> model;
  std::unique_ptr<Method> method;
  std::unique_ptr<Workspace> workspace;
  Start start;
  Driver driver;
  State state;
  bool collected = true;   // the state holds what the workspace keeps
  bool evaluated = false;  // `values` are those of the state
  std::vector<Signal> signals;
  std::vector<std::string> contact_names, event_names;
  std::vector<SignalDefinition> asked;  // signals that somebody asked for; signal()
  std::vector<double> values;           // of these; value()
  std::vector<Signal> inputs;
  std::vector<double> wanted_inputs;  // set_input()
};

Simulation::Simulation(std::shared_ptr<const Model> model)
    : data_(std::make_unique<Data>(std::move(model))) {}
Simulation::Simulation(const Model& model)
    : Simulation(std::shared_ptr<const Model>(std::shared_ptr<const Model>{}, &model)) {}
Simulation::Simulation(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Model& Simulation::model() const {
  return *data_->model;
}

// ---- by hand ----

void Simulation::begin() {
  Data& d = *data_;
  if (d.state.started) return;
  d.moved();
  Observer nobody;
  d.driver.start(d.state, *d.workspace, nobody);
}

double Simulation::step() {
  Observer nobody;
  const double duration = data_->model->settings.duration, from = time();
  step(nobody, from < duration ? duration : std::numeric_limits<double>::infinity());
  return time() - from;
}

bool Simulation::step(Observer& observer, double until) {
  Data& d = *data_;
  d.moved();
  d.driver.start(d.state, *d.workspace, observer);
  return d.driver.step(d.state, *d.workspace, observer, until);
}

void Simulation::advance(double t) {
  if (!(t >= time()))
    throw std::invalid_argument(
        fmt::format("the simulation is at t = {:.9g} s and cannot advance to {:.9g} s", time(), t));
  Observer nobody;
  while (time() < t) step(nobody, t);
}

double Simulation::time() const {
  return data_->state.t;
}

const State& Simulation::state() const {
  data_->collect();
  return data_->state;
}

void Simulation::set_state(const State& state) {
  Data& d = *data_;
  const auto refuse = [&](const std::string& what) {
    throw InputError(
        {{Severity::error, d.model->pos,
          fmt::format("the state does not fit this model: {}; it is of another model or version", what)}});
  };
  const State& own = d.start.state;
  if (state.y.size() != own.y.size())
    refuse(fmt::format("it has {} numbers, the model {}", state.y.size(), own.y.size()));
  if (state.contacts.size() != own.contacts.size() || state.triggers.size() != own.triggers.size() ||
      state.inputs.size() != own.inputs.size() || state.off.size() != own.off.size() ||
      state.acted.size() != own.acted.size() || state.acted_energy.size() != own.acted_energy.size() ||
      state.exchanges.size() != own.exchanges.size() || state.controllers.size() != own.controllers.size())
    refuse("it has another number of contacts, events, inputs, switches or controllers");
  d.collect();
  const State before = d.state;
  try {
    d.method->adopt(*d.model, state, *d.workspace);
  } catch (const std::invalid_argument& error) {
    d.method->adopt(*d.model, before, *d.workspace);
    refuse(error.what());
  }
  try {
    d.driver.controllers().adopt(state);
  } catch (const std::invalid_argument& error) {
    d.method->adopt(*d.model, before, *d.workspace);
    throw InputError(
        {{Severity::error, d.model->pos, fmt::format("the state cannot be taken: {}", error.what())}});
  }
  d.state = state;
  d.collected = true;
  d.evaluated = false;
}

void Simulation::restore(std::span<const std::byte> saved) {
  State state = data_->start.state;
  load(saved, state);
  set_state(state);
}

bool Simulation::exact() const {
  return data_->method->exact(*data_->workspace) && data_->driver.controllers().remember();
}

std::string Simulation::no_way_back() const {
  return data_->driver.controllers().forgetful();
}

void Simulation::load_controllers() {
  data_->driver.controllers().begin();
}

Simulation Simulation::clone() const {
  Simulation out(data_->model);
  out.set_state(state());
  return out;
}

int Simulation::signal(std::string_view name) const {
  Data& d = *data_;
  const auto known =
      std::find_if(d.asked.begin(), d.asked.end(), [&](const SignalDefinition& s) { return s.name == name; });
  if (known != d.asked.end()) return static_cast<int>(known - d.asked.begin());
  std::vector<std::string> names;
  for (const SignalDefinition& s : all_signals(*d.model)) {
    names.push_back(s.name);
    if (s.name != name) continue;
    d.asked.push_back(s);
    d.values.push_back(0);
    d.evaluated = false;
    return static_cast<int>(d.asked.size()) - 1;
  }
  const std::string near = nearest_name(std::string(name), names);
  throw InputError({{Severity::error, d.model->pos,
                     fmt::format("there is no signal '{}'{}", name,
                                 near.empty() ? "" : fmt::format(": did you mean '{}'?", near))}});
}

double Simulation::value(int signal) const {
  Data& d = *data_;
  if (signal < 0 || signal >= static_cast<int>(d.asked.size()))
    throw std::out_of_range("a signal's number comes from Simulation::signal()");
  if (!d.evaluated) {
    const auto look = [&](bool forces) {
      return [&d, forces](double t, const double* y) {
        d.method->evaluate(*d.model, d.state, *d.workspace, t, y, forces);
        const Energies energy = forces ? d.method->energies(*d.model, d.state, *d.workspace, y) : Energies{};
        d.method->signals(*d.model, d.state, *d.workspace, energy, d.asked, y, d.values.data());
      };
    };
    // Places and speeds are read off the frames.
    if (std::any_of(d.asked.begin(), d.asked.end(), [](const SignalDefinition& s) { return s.needs_forces; }))
      d.with_forces(look(true));
    else
      look(false)(d.state.t, d.state.y.data());
    d.evaluated = true;
  }
  return d.values[signal];
}

std::vector<ContactInfo> Simulation::contacts() const {
  Data& d = *data_;
  const Mechanism& m = d.model->mechanism;
  std::vector<ContactLoad> loads;
  d.with_forces([&](double t, const double* y) {
    d.method->evaluate(*d.model, d.state, *d.workspace, t, y, true);
    d.method->contacts(*d.model, d.state, *d.workspace, loads);
  });
  const auto name_of = [&](const ContactLoad& load, int side) -> std::string {
    if (load.structures[side] >= 0) return d.model->structures[load.structures[side]]->structure.name;
    return m.frame_name(load.bodies[side]);
  };
  std::vector<ContactInfo> out;
  for (const ContactLoad& load : loads)
    out.push_back({d.contact_names[load.id.entry], name_of(load, 0), name_of(load, 1), load.id, load.point,
                   load.normal, load.gap, load.force});
  return out;
}

const std::vector<Signal>& Simulation::inputs() const {
  return data_->inputs;
}

int Simulation::input(std::string_view name) const {
  std::vector<std::string> names;
  for (const Signal& input : data_->inputs) {
    if (input.name == name) return static_cast<int>(names.size());
    names.push_back(input.name);
  }
  throw InputError(
      {{Severity::error, data_->model->pos,
        names.empty() ? fmt::format("there is no input '{}': the model has no inputs", name)
                      : fmt::format("there is no input '{}'; inputs: {}", name, join_names(names))}});
}

double Simulation::input_value(int input) const {
  return data_->state.inputs.at(input);
}

void Simulation::set_input(int input, double value) {
  Data& d = *data_;
  if (input < 0 || input >= static_cast<int>(d.state.inputs.size()))
    throw std::out_of_range(
        fmt::format("there is no input {}: the model has {}", input, d.state.inputs.size()));
  d.wanted_inputs = d.state.inputs;
  d.wanted_inputs[input] = value;
  set_inputs(d.wanted_inputs);
}

void Simulation::set_inputs(std::span<const double> values) {
  Data& d = *data_;
  if (values.size() != d.state.inputs.size())
    throw std::out_of_range(
        fmt::format("{} inputs are set, but the model has {}", values.size(), d.state.inputs.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError({{Severity::error, d.model->pos,
                         fmt::format("the input '{}' is set to {}, which is not a finite number",
                                     d.inputs[i].name, values[i])}});
  if (std::equal(values.begin(), values.end(), d.state.inputs.begin())) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const FmuController* owner = d.driver.controllers().owner(static_cast<int>(i));
        owner && values[i] != d.state.inputs[i])
      throw InputError({{Severity::error, d.model->pos,
                         fmt::format("the input '{}' is set by controller '{}', and by nobody else",
                                     d.inputs[i].name, owner->name)}});
  d.collect();
  tappet::set_inputs(*d.model, *d.method, d.state, *d.workspace, {values.begin(), values.end()});
  d.moved();
}

Eigen::MatrixXd Simulation::mass_matrix() const {
  return data_->method->mass_matrix(*data_->model, *data_->workspace);
}

Eigen::MatrixXd Simulation::constraint_jacobian() const {
  Data& d = *data_;
  const DynamicsWorkspace& w = d.workspace->system.evaluate(d.state.t, d.state.y.data());
  return dense_jacobian(d.model->mechanism, w.constraints);
}

Eigen::VectorXd Simulation::forces() const {
  Data& d = *data_;
  const std::vector<double>& h = d.workspace->system.evaluate(d.state.t, d.state.y.data()).h;
  return Eigen::Map<const Eigen::VectorXd>(h.data(), static_cast<Eigen::Index>(h.size()));
}

// ---- whole runs ----

const std::vector<Signal>& Simulation::signals() const {
  return data_->signals;
}
const std::vector<std::string>& Simulation::contact_names() const {
  return data_->contact_names;
}
const std::vector<std::string>& Simulation::event_names() const {
  return data_->event_names;
}

std::vector<fem::FieldMesh> Simulation::field_meshes() const {
  std::vector<fem::FieldMesh> out;
  if (field_samples() == 0) return out;
  for (const auto& body : model().structures) out.push_back(fem::field_mesh(body->structure));
  for (const FlexibleBody& body : model().mechanism.flexible.bodies)
    if (body.mesh) out.push_back(fem::field_mesh(body));
  return out;
}
long Simulation::field_samples() const {
  return model().settings.field_samples;
}

RunSummary Simulation::describe() const {
  return describe_run(*data_->model, *data_->method, data_->start);
}

RunSummary Simulation::run(Observer& observer) {
  Data& d = *data_;
  RunSummary out = describe();
  const auto begin = std::chrono::steady_clock::now();
  d.moved();
  try {
    out.stop_reason = d.driver.run(d.state, *d.workspace, observer, d.model->settings.duration);
    out.completed = out.stop_reason.empty();
  } catch (const SimulationError& e) {
    // The place where the failing step began, and why it failed.
    out.stop_reason = fmt::format("stopped at t = {:.9g} s: {}", d.state.t, e.what());
  }
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  d.collect();
  finish_run(*d.model, *d.method, *d.workspace, d.state, d.contact_names, out);
  if (out.completed) out.impacts += static_cast<long>(under_way(*d.model, d.state).size());
  return out;
}

}  // namespace tappet
