#include "tappet/model/compile_events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/units.hpp"
#include "tappet/model/run_parameters.hpp"
#include "tappet/model/signals.hpp"

namespace tappet {
namespace {

/// Numbers of the switches of what events and `simulation.inactive` name.
class Switches {
 public:
  Switches(Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  /// −1 after an error was reported. `words`: who names it.
  int of(const std::string& name, const SourcePos& pos, const std::string& words) {
    Mechanism& m = model_.mechanism;
    const auto known = std::find(m.switches.begin(), m.switches.end(), name);
    if (known != m.switches.end()) return static_cast<int>(known - m.switches.begin());
    const int number = static_cast<int>(m.switches.size());
    bool found = false;
    const auto give = [&](auto& element) { element.with_switch = number, found = true; };
    const auto owned = [&](const std::string& part) { return part.substr(0, part.find('.')) == name; };
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
      if (m.joint_names[j] != name) continue;
      found = true;
      if (m.joints[j].constraint) give(*m.joints[j].constraint);
      if (m.replaced[j]) give(*m.replaced[j]);
    }
    for (Motion& motion : m.motions)
      if (motion.constraint->name == name) give(*motion.constraint);
    for (auto& force : m.forces)
      if (owned(force->name)) give(*force);
    for (auto& contact : m.contacts)
      if (owned(contact->name)) give(*contact);
    for (auto& stick : m.sticks)
      if (owned(stick->name)) give(*stick);
    if (found) {
      m.switches.push_back(name);
      m.off.push_back(0);
      return number;
    }
    report(name, pos, words);
    return -1;
  }

 private:
  void report(const std::string& name, const SourcePos& pos, const std::string& words) {
    const Mechanism& m = model_.mechanism;
    const auto named = [&](const auto& each) { return each.name == name; };
    if (std::any_of(m.groups.begin(), m.groups.end(), named) ||
        std::any_of(model_.structure_contacts.begin(), model_.structure_contacts.end(), named) ||
        std::any_of(model_.structure_forces.begin(), model_.structure_forces.end(), named))
      return diagnostics_.error(
          pos,
          fmt::format("{} names '{}', whose places come and go or are nodes of a structure: it cannot be "
                      "switched",
                      words, name));
    std::vector<std::string> names = m.joint_names;
    for (const Motion& motion : m.motions) names.push_back(motion.constraint->name);
    for (const auto& force : m.forces) names.push_back(force->name);
    for (const auto& contact : m.contacts) names.push_back(contact->name.substr(0, contact->name.find('.')));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string near = nearest_name(name, names);
    diagnostics_.error(
        pos, fmt::format("{} names '{}', which is no joint, motion, force or contact{}; there are {}", words,
                         name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                         names.empty() ? "none" : join_names(names, 12)));
  }

  Model& model_;
  Diagnostics& diagnostics_;
};

/// A signal of the model; false after an error was reported.
bool find_signal(const Object& o, const std::vector<SignalDefinition>& signals, ModelEvent& event,
                 Diagnostics& diagnostics) {
  std::vector<std::string> state_signals;
  for (const SignalDefinition& s : signals)
    if (!s.needs_forces) state_signals.push_back(s.name);
  event.signal = o.text("signal");
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (!signals[i].needs_forces && signals[i].name == event.signal) event.source = static_cast<int>(i);
  if (event.source >= 0) return true;
  const std::string near = nearest_name(event.signal, state_signals);
  diagnostics.error(
      o.where("signal"),
      fmt::format("event '{}' watches '{}', which is not a signal that positions and velocities alone "
                  "tell{}; such "
                  "signals: {}",
                  o.name, event.signal, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  join_names(state_signals, 12)));
  return false;
}

bool read_expression(const Object& o, ModelEvent& event, Diagnostics& diagnostics) {
  event.by_expression = true;
  try {
    std::string rest;
    event.when = Expression::parse(o.text("when"), {"t"}, rest, o.definitions.get(), Inputs::law);
    if (!rest.empty())
      throw ExpressionError(fmt::format("{} stands behind it; numbers are in SI units", quote(rest)), 0);
    if (o.definitions)
      o.definitions->note_signals(event.when.ops(), o.where("when"),
                                  fmt::format("`when` of event '{}'", o.name), Inputs::law, std::nullopt);
    const int holds = event.when.take_difference();
    if (holds != 0 && !o.given("direction")) event.direction = holds;
    event.signal = event.when.text();
    return true;
  } catch (const std::runtime_error& e) {
    diagnostics.error(o.where("when"),
                      fmt::format("`when` of event '{}' is '{}': {}", o.name, o.text("when"), e.what()));
    return false;
  }
}

void read_action(const Object& o, Switches& switches, const Model& model, ModelEvent& event,
                 Diagnostics& diagnostics) {
  const Object& given = o.object("action");
  const std::string words = fmt::format("`action` of event '{}'", o.name);
  for (const bool on : {false, true}) {
    const char* key = on ? "activate" : "deactivate";
    if (!given.has(key)) continue;
    for (const Name& name : given.names(key))
      if (const int number = switches.of(name.text, name.pos, words); number >= 0)
        (on ? event.action.on : event.action.off).push_back(number);
  }
  for (const int number : event.action.on)
    if (std::count(event.action.off.begin(), event.action.off.end(), number))
      diagnostics.error(given.where("activate"), fmt::format("{} switches '{}' on and off at once", words,
                                                             model.mechanism.switches[number]));
  if (given.has("set")) {
    const std::vector<Name>& names = given.names("set");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto input = std::find_if(model.inputs.begin(), model.inputs.end(),
                                      [&](const ModelInput& each) { return each.name == names[i].text; });
      if (input != model.inputs.end()) {
        event.action.sets.emplace_back(static_cast<int>(input - model.inputs.begin()),
                                       given.vector("set")[i]);
        continue;
      }
      std::vector<std::string> known;
      for (const ModelInput& each : model.inputs) known.push_back(each.name);
      const bool defined = o.definitions && o.definitions->find(names[i].text);
      diagnostics.error(
          names[i].pos,
          fmt::format("{} sets '{}', which {}; inputs: {}", words, names[i].text,
                      defined
                          ? "is no input: what `define` says is worked in before the run. Make it an input"
                          : "does not exist",
                      known.empty() ? "none" : join_names(known)));
    }
  }
  event.action.record = given.boolean("record");
  event.action.restart = given.boolean("restart");
  event.action.once = given.boolean("once");
  if (!event.action.any())
    diagnostics.error(o.where("action"), fmt::format("{} does nothing; give `activate`, `deactivate`, `set`, "
                                                     "`record` or `restart`",
                                                     words));
}

}  // namespace

void compile_events(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  const std::vector<SignalDefinition> signals = all_signals(model);
  Switches switches(model, diagnostics);
  if (spec.simulation.has("inactive"))
    for (const Name& name : spec.simulation.names("inactive"))
      if (const int number = switches.of(name.text, name.pos, "`simulation.inactive`"); number >= 0)
        model.mechanism.off[number] = 1;
  for (const Object& o : spec.events) {
    ModelEvent event;
    event.name = o.name;
    if (o.has("signal") == o.has("when")) {
      diagnostics.error(o.name_pos,
                        fmt::format("event '{}' gives {} `signal` {} `when`; one of them is needed", o.name,
                                    o.has("signal") ? "both" : "neither", o.has("signal") ? "and" : "nor"));
      continue;
    }
    event.direction = o.text("direction") == "rising" ? 1 : o.text("direction") == "falling" ? -1 : 0;
    if (!(o.has("signal") ? find_signal(o, signals, event, diagnostics)
                          : read_expression(o, event, diagnostics)))
      continue;
    try {
      std::string rest;
      const Expression level = Expression::parse(o.text("level"), {}, rest, o.definitions.get());
      const std::string unit =
          event.by_expression || signals[event.source].unit == "1" ? "" : signals[event.source].unit;
      event.level = level.scaled(si_factor(rest, unit))({});
    } catch (const std::exception& e) {
      diagnostics.error(o.where("level"),
                        fmt::format("`level` of event '{}' is '{}': {}", o.name, o.text("level"), e.what()));
    }
    event.stop = o.boolean("stop");
    if (o.has("action")) read_action(o, switches, model, event, diagnostics);
    model.events.push_back(event);
  }
}

}  // namespace tappet
