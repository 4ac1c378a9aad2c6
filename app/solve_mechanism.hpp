// tappet solve for mechanisms: static equilibrium, modes, linear systems.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tappet::app {

struct MechanismSolveOptions {
  std::string model, frame, output, report;
  std::vector<std::string> settings, inputs, outputs;
  bool statics = false, modes = false, json = false;
  int most_modes = 0;  ///< 0: all
  std::optional<double> at;
};

int solve_mechanism(const MechanismSolveOptions& options);

}  // namespace tappet::app
