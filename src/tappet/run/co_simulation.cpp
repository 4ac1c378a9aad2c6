#include "tappet/run/co_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/controller.hpp"
#include "tappet/model/impact.hpp"
#include "tappet/model/model.hpp"

namespace tappet {

/// What one step shows of the instant that was asked for, and of impacts.
struct CoSimulation::Look final : Observer {
  double at = std::numeric_limits<double>::infinity();
  std::vector<double> row;  // time first
  bool seen = false;
  std::vector<double> impacts;  // when those began that ended

  double next_look() const override { return seen ? std::numeric_limits<double>::infinity() : at; }
  void look(std::span<const double> values) override {
    row.assign(values.begin(), values.end());
    seen = true;
  }
  void impact(const Impact& impact) override { impacts.push_back(impact.start); }
};

namespace {

/// The first sample of a run.
struct First final : Observer {
  std::vector<double> row;
  void sample(std::span<const double> values) override {
    if (row.empty()) row.assign(values.begin() + 1, values.end());
  }
};

}  // namespace

CoSimulation::CoSimulation(std::shared_ptr<const Model> model) : simulation_(std::move(model)) {
  memory_.inputs = simulation_.state().inputs;
  for (const Signal& signal : simulation_.signals()) shown_.push_back(simulation_.signal(signal.name));
  memory_.set.assign(memory_.inputs.size(), 0);
  driven_.assign(memory_.inputs.size(), 0);
  for (const auto& controller : simulation_.model().controllers)
    for (const FmuController::Output& output : controller->outputs)
      driven_[static_cast<std::size_t>(output.input)] = 1;
}

void CoSimulation::come_back() {
  if (!ahead_) return;
  simulation_.set_state(memory_.state);
  ahead_ = false;
}

// What was set is in force, and the simulation stands at time(). Inputs that nobody set are the model's own affair: its controllers and events
// set some.
void CoSimulation::follow_inputs() {
  if (std::none_of(memory_.set.begin(), memory_.set.end(), [](int set) { return set != 0; })) return;
  come_back();
  simulation_.advance(std::max(memory_.time, simulation_.time()));
  std::vector<double> wanted = simulation_.state().inputs;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (memory_.set[i]) wanted[i] = memory_.inputs[i];
  simulation_.set_inputs(wanted);
  memory_.set.assign(wanted.size(), 0);
}

void CoSimulation::set_inputs(std::span<const double> values) {
  if (values.size() != memory_.inputs.size())
    throw std::out_of_range(
        fmt::format("{} inputs are set, but the model has {}", values.size(), memory_.inputs.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError({{Severity::error, simulation_.model().pos,
                         fmt::format("the input '{}' is set to {}, which is not a finite number",
                                     input_signals()[i].name, values[i])}});
  if (std::equal(values.begin(), values.end(), memory_.inputs.begin())) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != memory_.inputs[i] && !driven_[i]) memory_.set[i] = 1;
  memory_.inputs.assign(values.begin(), values.end());
  memory_.outputs.clear();
}

const std::vector<double>& CoSimulation::outputs() {
  if (!memory_.outputs.empty() || shown_.empty()) return memory_.outputs;
  follow_inputs();
  if (!simulation_.state().started) {
    // What a run records first: contacts that are closed are known once it has begun.
    Simulation other = simulation_.clone();
    First first;
    try {
      other.step(first, std::numeric_limits<double>::infinity());
    } catch (const SimulationError&) {
      if (first.row.empty()) throw;
    }
    memory_.outputs = first.row;
    return memory_.outputs;
  }
  for (const int signal : shown_) memory_.outputs.push_back(simulation_.value(signal));
  return memory_.outputs;
}

std::optional<double> CoSimulation::first_impact(const Look& look, double from) const {
  std::optional<double> first;
  const auto take = [&](double start) {
    if (start > memory_.met && start >= from && (!first || start < *first)) first = start;
  };
  for (const double start : look.impacts) take(start);
  for (const Impact& row : under_way(simulation_.model(), simulation_.state())) take(row.start);
  return first;
}

// One step as a run takes it; where that cannot be taken back, not beyond t. False: an event of the model's ends the run.
bool CoSimulation::go(Look& look, double t) {
  const double duration = simulation_.model().settings.duration;
  const double end = simulation_.time() < duration ? duration : std::numeric_limits<double>::infinity();
  return simulation_.step(look, simulation_.exact() ? end : t);
}

CoSimulation::Reached CoSimulation::advance(double t, bool to_impacts) {
  const bool exact = simulation_.exact();
  const double begin = memory_.time;
  Reached reached;
  const auto stand = [&](double time) { memory_.time = time, memory_.outputs.clear(); };
  try {
    if (t <= begin) return reached;
    follow_inputs();
    come_back();
    while (true) {
      if (exact) memory_.state = simulation_.state();
      Look look;
      look.at = t;
      const double from = simulation_.time();
      const bool goes_on = go(look, t);
      const double now = simulation_.time();
      const std::optional<double> impact = to_impacts ? first_impact(look, from) : std::nullopt;
      if (impact && *impact <= from) {
        if (exact && from > begin) {
          // It shows where it has begun: at the end of the step before.
          simulation_.set_state(memory_.state);
          memory_.met = from;
          stand(from);
          reached.impact = true;
          return reached;
        }
        memory_.met = *impact;  // where this call began: who called has met it
      }
      const bool at_end = impact && *impact > from && now <= t;
      if (at_end || (!goes_on && !look.seen)) {
        if (at_end) memory_.met = now;
        stand(now);
        reached.impact = at_end;
        reached.ended = !goes_on;
        return reached;
      }
      if (!look.seen) continue;
      stand(t);
      memory_.outputs.assign(look.row.begin() + 1, look.row.end());
      ahead_ = now > t;
      reached.ended = !goes_on && !ahead_;
      return reached;
    }
  } catch (const SimulationError&) {
    // At the end of the last step that was good.
    ahead_ = false;
    stand(simulation_.time());
    throw;
  }
}

CoSimulation::Memory CoSimulation::memory() {
  if (ahead_) return memory_;
  Memory out = memory_;
  out.state = simulation_.state();
  // Who goes on from here takes the steps that who comes back to here will take.
  if (!simulation_.exact()) simulation_.set_state(out.state);
  return out;
}

void CoSimulation::recall(const Memory& memory) {
  simulation_.set_state(memory.state);
  memory_ = memory;
  ahead_ = false;
}

void fields(FieldVisitor& v, CoSimulation::Memory& m) {
  v.field("time", m.time);
  v.field("inputs", m.inputs);
  v.field("set", m.set);
  v.field("outputs", m.outputs);
  v.field("met", m.met);
  v.part("state", m.state);
}

namespace {

constexpr char magic[8] = {'T', 'A', 'P', 'P', 'E', 'T', 'C', 'O'};
constexpr std::uint32_t memory_version = 1;
constexpr std::size_t head_size = sizeof magic + sizeof memory_version;

[[noreturn]] void refuse_memory(const std::string& what) {
  throw InputError({{Severity::error, {}, fmt::format("the state cannot be read: {}", what)}});
}

}  // namespace

std::vector<std::byte> save(const CoSimulation::Memory& memory) {
  ValueWriter writer;
  fields(writer, const_cast<CoSimulation::Memory&>(memory));  // a writer only looks
  const std::vector<std::byte> contents = writer.take();
  std::vector<std::byte> out(head_size);
  std::memcpy(out.data(), magic, sizeof magic);
  std::memcpy(out.data() + sizeof magic, &memory_version, sizeof memory_version);
  out.insert(out.end(), contents.begin(), contents.end());
  const std::uint64_t sum = checksum(out);
  out.resize(out.size() + sizeof sum);
  std::memcpy(out.data() + out.size() - sizeof sum, &sum, sizeof sum);
  return out;
}

void load(std::span<const std::byte> bytes, CoSimulation::Memory& out) {
  std::uint64_t sum = 0;
  std::uint32_t version = 0;
  if (bytes.size() < head_size + sizeof sum || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
    refuse_memory("these bytes are not a state of Tappet's co-simulation");
  std::memcpy(&version, bytes.data() + sizeof magic, sizeof version);
  if (version != memory_version)
    refuse_memory(fmt::format("it is of version {}; this Tappet reads version {}", version, memory_version));
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (sum != checksum(bytes.first(bytes.size() - sizeof sum)))
    refuse_memory("its checksum does not fit: a number in it was altered");
  CoSimulation::Memory read = out;
  try {
    ValueReader reader(bytes.subspan(head_size, bytes.size() - head_size - sizeof sum));
    fields(reader, read);
    reader.finish();
  } catch (const ValueError& error) {
    refuse_memory(error.what());
  }
  out = std::move(read);
}

}  // namespace tappet
