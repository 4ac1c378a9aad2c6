#include "tappet/run/controllers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

// A state keeps texts, and these have no zeros: two digits for each byte.
constexpr char digits[] = "0123456789abcdef";

std::string as_text(const std::string& bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string as_bytes(const std::string& text) {
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    out += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  return out;
}

}  // namespace

void set_inputs(const Model& model, const Method& method, State& state, Workspace& w,
                const std::vector<double>& values) {
  const std::vector<double> inputs_before = state.inputs, y_before = state.y;
  state.inputs = values;
  try {
    method.disturbed(model, state, w);
  } catch (...) {
    state.inputs = inputs_before;
    state.y = y_before;
    method.adopt(model, state, w);
    throw;
  }
}

Controllers::Controllers(const Model& model, const Method& method) : model_(model), method_(method) {
  for (const auto& controller : model.controllers) {
    all_.push_back({controller, nullptr, nullptr});
    if (forgetful_.empty() && !controller->package->description.serialises_state)
      forgetful_ = fmt::format(
          "the FMU '{}' of controller '{}' cannot say what it remembers (canSerializeFMUstate is not true), "
          "so that a run with it "
          "goes on from no state",
          controller->package->file, controller->name);
  }
}

void Controllers::make(One& one) const {
  try {
    if (!one.library) one.library = fmi::load(one.what->package);
    std::vector<std::pair<const fmi::Variable*, double>> before;
    for (const FmuController::Start& start : one.what->parameters)
      before.emplace_back(&start.variable, start.value);
    one.instance.reset();
    one.instance = fmi::instantiate(one.library, one.what->name, model_.settings.duration, before);
  } catch (const fmi::InstanceError& error) {
    throw InputError({{Severity::error, one.what->pos,
                       fmt::format("the FMU '{}' of controller '{}' {}", one.what->package->file,
                                   one.what->name, error.what())}});
  }
}

void Controllers::begin() {
  for (One& one : all_)
    if (!one.instance) make(one);
}

double Controllers::next(const State& state) const {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all_.size(); ++i) out = std::min(out, state.exchanges[i] * all_[i].what->step);
  return out;
}

std::vector<double> Controllers::read_inputs(const One& one, State& state, Workspace& w) const {
  std::vector<double> out;
  std::vector<SignalDefinition> signals;
  for (const FmuController::Input& input : one.what->inputs)
    signals.insert(signals.end(), input.value.arguments.begin(), input.value.arguments.end());
  std::vector<double> values(signals.size());
  const bool forces = one.what->needs_forces;
  const auto look = [&](double t, const double* y) {
    method_.evaluate(model_, state, w, t, y, forces);
    const Energies energy = forces ? method_.energies(model_, state, w, y) : Energies{};
    method_.signals(model_, state, w, energy, signals, y, values.data());
  };
  if (!forces || method_.knows_forces(w)) {
    look(state.t, state.y.data());
  } else {
    // Means over a step, and none was taken from here: over the next one, which is then taken back.
    const double t = state.t;
    const std::vector<double> y = state.y;
    method_.collect(model_, w, state);
    try {
      method_.step(model_, state, w, std::numeric_limits<double>::infinity());
      look(t, y.data());
    } catch (...) {
      method_.undo(model_, state, w);
      throw;
    }
    method_.undo(model_, state, w);
  }
  std::size_t at = 0;
  for (const FmuController::Input& input : one.what->inputs) {
    const std::size_t count = input.value.arguments.size();
    out.push_back(input.of_si(input.value.value(std::span<const double>(values.data() + at, count))));
    at += count;
    if (!std::isfinite(out.back()))
      throw SimulationError(state.t, fmt::format("the input '{}' of controller '{}' is {:g} at t = {:.9g} s",
                                                 input.variable.name, one.what->name, out.back(), state.t));
  }
  return out;
}

void Controllers::exchange(State& state, Workspace& w) {
  if (all_.empty()) return;
  begin();
  for (std::size_t i = 0; i < all_.size(); ++i) {
    One& one = all_[i];
    const double step = one.what->step, due = state.exchanges[i] * step;
    if (due - state.t > same_instant * step) continue;
    std::vector<double> inputs = state.inputs;
    const std::vector<double> read = read_inputs(one, state, w);
    try {
      for (std::size_t k = 0; k < read.size(); ++k) one.instance->set(one.what->inputs[k].variable, read[k]);
      if (state.exchanges[i] == 0) one.instance->begin();
      one.instance->step(due, step);
      for (const FmuController::Output& output : one.what->outputs) {
        const double value = output.to_si(one.instance->get(output.variable));
        if (!std::isfinite(value))
          throw fmi::InstanceError(fmt::format("gives {:g} for '{}'", value, output.variable.name));
        inputs[static_cast<std::size_t>(output.input)] = value;
      }
    } catch (const fmi::InstanceError& error) {
      throw SimulationError(state.t, fmt::format("controller '{}': the FMU '{}' {}", one.what->name,
                                                 one.what->package->file, error.what()));
    }
    ++state.exchanges[i];
    if (inputs != state.inputs) set_inputs(model_, method_, state, w, inputs);
  }
}

void Controllers::collect(State& state) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const bool asked = state.exchanges[i] > 0 && all_[i].instance;
    try {
      state.controllers[i] = asked && all_[i].what->package->description.serialises_state
                                 ? as_text(all_[i].instance->memory())
                                 : std::string();
    } catch (const fmi::InstanceError&) {
      state.controllers[i].clear();  // it has failed, and there is nothing to ask it for
    }
  }
}

void Controllers::adopt(const State& state) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (state.exchanges[i] == 0) continue;
    if (!all_[i].what->package->description.serialises_state) throw std::invalid_argument(forgetful_);
    if (state.controllers[i].empty())
      throw std::invalid_argument(
          fmt::format("it holds nothing of what the FMU of controller '{}' remembered", all_[i].what->name));
  }
  for (std::size_t i = 0; i < all_.size(); ++i) {
    One& one = all_[i];
    if (state.exchanges[i] == 0) {
      one.instance.reset();  // begins anew when it is asked
      continue;
    }
    make(one);
    try {
      one.instance->begin();
      one.instance->recall(as_bytes(state.controllers[i]));
    } catch (const fmi::InstanceError& error) {
      one.instance.reset();
      throw std::invalid_argument(fmt::format("the FMU '{}' of controller '{}' {}", one.what->package->file,
                                              one.what->name, error.what()));
    }
  }
}

const FmuController* Controllers::owner(int input) const {
  for (const One& one : all_)
    for (const FmuController::Output& output : one.what->outputs)
      if (output.input == input) return one.what.get();
  return nullptr;
}

}  // namespace tappet
