// Signals of the user's own: expressions of others, by name.
//
//   output: {measures: {power: {value: motor.torque*crank.omega, unit: W}}}
//
// A measure is evaluated from its signals at the same instant, wherever signals are: at samples, between them, in studies.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/definitions.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/model/signals.hpp"

namespace tappet {

struct Measure {
  std::string name, unit;
  Expression value;                         ///< of `arguments`, SI
  std::vector<SignalDefinition> arguments;  ///< signals of the model, no measures
};

struct Measures {
  std::vector<Measure> all;
};

/// So many signals at most in one measure.
inline constexpr std::size_t most_measured = 32;

/// Reads all measures. `signals`: those of the model. Faults are reported with their places.
Measures make_measures(const NamedParameters& given, const std::vector<SignalDefinition>& signals,
                       const Definitions* definitions, Diagnostics& diagnostics);

}  // namespace tappet
