// One instance of a Tappet model as an FMU, whatever version of FMI asks: fmi2.cpp and fmi3.cpp translate.
//
// What it is stands in its resources: model.yaml, the files that this names, and variables.txt, which says which value reference is what.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tappet/run/co_simulation.hpp"

namespace tappet::fmu {

enum class Mode { instantiated, initialising, stepping, event, terminated, failed };

class Instance {
 public:
  using Log = std::function<void(const char* category, const std::string& message)>;

  /// Reads what the resources say. Throws std::runtime_error, with a sentence, also where the token is another one.
  Instance(std::string name, const std::string& token, std::string resources, Log log);

  // Every function throws std::runtime_error with a sentence for what cannot be; the instance has failed then where `failing` says so.

  void set_up(std::optional<double> tolerance, double start);
  void enter_initialisation();
  void exit_initialisation(bool into_event_mode);
  void enter_event_mode();
  void enter_step_mode();
  void terminate();
  /// As if it had been instantiated just now.
  void reset();

  double get(unsigned reference);
  void set(unsigned reference, double value);

  struct Stepped {
    double time = 0;
    bool impact = false, ended = false;
  };
  Stepped step(double from, double length, bool to_impacts);
  double time() const { return simulation_ ? simulation_->time() : 0; }

  /// All that it is just now, as a value.
  struct State {
    Mode mode = Mode::instantiated;
    std::map<unsigned, double> parameters, inputs;
    std::optional<double> tolerance;
    std::optional<CoSimulation::Memory> memory;
  };
  State state();
  void recall(const State& state);
  std::vector<std::byte> bytes(const State& state) const;
  State from_bytes(std::span<const std::byte> bytes);

  Mode mode = Mode::instantiated;
  Log log;

 private:
  struct Variable {
    char kind = 0;  ///< 't'ime, 'i'nput, 'o'utput, 'p'arameter
    std::string name;
    double start = 0;
    int column = 0;  ///< among the inputs or the outputs
  };
  const Variable& variable(unsigned reference) const;
  /// The compiled model with the present parameters.
  CoSimulation& simulation();
  void hand_over_inputs();

  std::string name_, token_, resources_;
  std::vector<std::optional<Variable>> variables_;  // by value reference
  std::map<unsigned, double> parameters_, inputs_;  // as they were set
  std::optional<double> tolerance_;
  std::unique_ptr<CoSimulation> simulation_;
  bool inputs_changed_ = true;
};

}  // namespace tappet::fmu
