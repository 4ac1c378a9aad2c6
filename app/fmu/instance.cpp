#include "instance.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::fmu {
namespace {

[[noreturn]] void refuse(const std::string& words) {
  throw std::runtime_error(words);
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

}  // namespace

Instance::Instance(std::string name, const std::string& token, std::string resources, Log log)
    : log(std::move(log)), name_(std::move(name)), token_(token), resources_(std::move(resources)) {
  while (resources_.size() > 1 && resources_.back() == '/') resources_.pop_back();
  const std::string file = resources_ + "/variables.txt";
  std::ifstream in(file);
  if (!in) refuse("the resources of this FMU cannot be read: there is no '" + file + "'");
  int inputs = 0, outputs = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind, reference, of, start;
    std::getline(words, kind, '\t');
    std::getline(words, reference, '\t');
    std::getline(words, of, '\t');
    std::getline(words, start, '\t');
    if (kind == "token") {
      if (reference != token)
        refuse("the token '" + token + "' is not that of this FMU, '" + reference +
               "': its description and its resources do not belong together");
      continue;
    }
    const auto at = static_cast<std::size_t>(std::strtoul(reference.c_str(), nullptr, 10));
    if (kind.empty() || at > 10'000'000) refuse("'" + file + "' is damaged: \"" + line + "\"");
    if (variables_.size() <= at) variables_.resize(at + 1);
    Variable variable{kind[0], of, std::strtod(start.c_str(), nullptr), 0};
    if (variable.kind == 'i') variable.column = inputs++;
    if (variable.kind == 'o') variable.column = outputs++;
    variables_[at] = variable;
  }
}

const Instance::Variable& Instance::variable(unsigned reference) const {
  if (reference >= variables_.size() || !variables_[reference])
    refuse("there is no variable with the value reference " + std::to_string(reference));
  return *variables_[reference];
}

CoSimulation& Instance::simulation() {
  if (simulation_) return *simulation_;
  std::vector<std::string> settings;
  for (const auto& [reference, value] : parameters_)
    if (const Variable& v = variable(reference); value != v.start)
      settings.push_back(v.name + "=" + number(value));
  if (tolerance_) settings.push_back("simulation.tolerance=" + number(*tolerance_));
  Diagnostics diagnostics;
  const auto model = compile(load_spec(resources_ + "/model.yaml", settings), diagnostics);
  for (const Diagnostic& said : diagnostics.all()) log("logStatusWarning", said.text());
  simulation_ = std::make_unique<CoSimulation>(model);
  inputs_changed_ = true;
  return *simulation_;
}

void Instance::hand_over_inputs() {
  if (!inputs_changed_) return;
  CoSimulation& s = simulation();
  std::vector<double> values = s.inputs();
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const auto& [reference, value] : inputs_)
      if (variable(reference).name == s.input_signals()[i].name) values[i] = value;
  s.set_inputs(values);
  inputs_changed_ = false;
}

void Instance::set_up(std::optional<double> tolerance, double start) {
  if (mode != Mode::instantiated) refuse("an experiment is set up before it is initialised");
  if (start != 0) refuse("the start time is " + number(start) + " s, but a Tappet model begins at t = 0 s");
  tolerance_ = tolerance;
}

void Instance::enter_initialisation() {
  if (mode != Mode::instantiated)
    refuse("the initialisation mode is entered once, after it was instantiated");
  mode = Mode::initialising;
}

void Instance::exit_initialisation(bool into_event_mode) {
  if (mode != Mode::initialising) refuse("the initialisation mode is left where it was not entered");
  hand_over_inputs();
  mode = into_event_mode ? Mode::event : Mode::stepping;
}

void Instance::enter_event_mode() {
  if (mode != Mode::stepping) refuse("the event mode is entered from the step mode");
  mode = Mode::event;
}

void Instance::enter_step_mode() {
  if (mode != Mode::event) refuse("the step mode is entered from the event mode");
  mode = Mode::stepping;
}

void Instance::terminate() {
  if (mode != Mode::stepping && mode != Mode::event) refuse("what does not run cannot be terminated");
  mode = Mode::terminated;
}

void Instance::reset() {
  parameters_.clear();
  inputs_.clear();
  tolerance_.reset();
  simulation_.reset();
  inputs_changed_ = true;
  mode = Mode::instantiated;
}

double Instance::get(unsigned reference) {
  const Variable& v = variable(reference);
  const auto set = [&](const std::map<unsigned, double>& values) {
    const auto at = values.find(reference);
    return at == values.end() ? v.start : at->second;
  };
  switch (v.kind) {
    case 't':
      return time();
    case 'i':
      return set(inputs_);
    case 'p':
      return set(parameters_);
    default:
      break;
  }
  if (mode == Mode::instantiated) refuse("'" + v.name + "' is known once the FMU initialises");
  hand_over_inputs();
  return simulation().outputs()[static_cast<std::size_t>(v.column)];
}

void Instance::set(unsigned reference, double value) {
  const Variable& v = variable(reference);
  if (!std::isfinite(value))
    refuse("'" + v.name + "' is set to " + number(value) + ", which is not a finite number");
  if (v.kind == 'i') {
    if (mode == Mode::terminated || mode == Mode::failed) refuse("'" + v.name + "' is set after the end");
    inputs_[reference] = value;
    inputs_changed_ = true;
    return;
  }
  if (v.kind != 'p') refuse("'" + v.name + "' is no input and no parameter: it cannot be set");
  if (mode != Mode::instantiated && mode != Mode::initialising)
    refuse("the parameter '" + v.name + "' is fixed once the initialisation is over");
  parameters_[reference] = value;
  simulation_.reset();  // another model
  inputs_changed_ = true;
}

Instance::Stepped Instance::step(double from, double length, bool to_impacts) {
  if (mode != Mode::stepping) refuse("a step is taken in the step mode, after the initialisation");
  CoSimulation& s = simulation();
  // Times of others add up in their own way.
  constexpr double same = 1e-9;
  if (!(length > 0) || !std::isfinite(from + length))
    refuse("a step of " + number(length) + " s cannot be taken");
  if (std::abs(from - s.time()) > same * std::max(length, 1e-6))
    refuse("a step from t = " + number(from) + " s is asked for, but the model is at " + number(s.time()) +
           " s");
  hand_over_inputs();
  const double to = from + length;
  const CoSimulation::Reached reached = s.advance(to, to_impacts);
  return {s.time(), reached.impact, reached.ended};
}

Instance::State Instance::state() {
  State out{mode, parameters_, inputs_, tolerance_, std::nullopt};
  if (simulation_) {
    hand_over_inputs();
    out.memory = simulation_->memory();
  }
  return out;
}

void Instance::recall(const State& state) {
  if (parameters_ != state.parameters || tolerance_ != state.tolerance) simulation_.reset();
  parameters_ = state.parameters;
  inputs_ = state.inputs;
  tolerance_ = state.tolerance;
  mode = state.mode;
  inputs_changed_ = true;
  if (state.memory) {
    simulation().recall(*state.memory);
    inputs_changed_ = false;
  } else {
    simulation_.reset();
  }
}

// A line for each fact, then the bytes of the memory.
std::vector<std::byte> Instance::bytes(const State& state) const {
  std::string head = "mode " + std::to_string(static_cast<int>(state.mode)) + "\n";
  for (const auto& [reference, value] : state.parameters)
    head += "parameter " + std::to_string(reference) + " " + number(value) + "\n";
  for (const auto& [reference, value] : state.inputs)
    head += "input " + std::to_string(reference) + " " + number(value) + "\n";
  if (state.tolerance) head += "tolerance " + number(*state.tolerance) + "\n";
  head += state.memory ? "memory\n" : "end\n";
  const std::vector<std::byte> memory = state.memory ? save(*state.memory) : std::vector<std::byte>{};
  std::vector<std::byte> out(head.size() + memory.size());
  std::memcpy(out.data(), head.data(), head.size());
  if (!memory.empty()) std::memcpy(out.data() + head.size(), memory.data(), memory.size());
  return out;
}

Instance::State Instance::from_bytes(std::span<const std::byte> bytes) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  State out;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    std::istringstream line{std::string(all.substr(begin, end - begin))};
    begin = end + 1;
    std::string kind;
    unsigned reference = 0;
    std::string value;
    line >> kind;
    if (kind == "mode") {
      line >> reference;
      if (reference > static_cast<unsigned>(Mode::failed)) break;
      out.mode = static_cast<Mode>(reference);
    } else if (kind == "parameter" || kind == "input") {
      line >> reference >> value;
      (kind == "input" ? out.inputs : out.parameters)[reference] = std::strtod(value.c_str(), nullptr);
    } else if (kind == "tolerance") {
      line >> value;
      out.tolerance = std::strtod(value.c_str(), nullptr);
    } else if (kind == "end") {
      return out;
    } else if (kind == "memory") {
      // Which state the model has follows from its parameters.
      Instance other(name_, token_, resources_, [](const char*, const std::string&) {});
      other.parameters_ = out.parameters;
      other.tolerance_ = out.tolerance;
      CoSimulation::Memory memory = other.simulation().memory();
      load(bytes.subspan(begin), memory);
      out.memory = std::move(memory);
      return out;
    } else {
      break;
    }
  }
  refuse("these bytes are no state of this FMU");
}

}  // namespace tappet::fmu
