// What a command of the program is. Adding one is adding a file: it registers itself, and the program finds
// it.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet::app {

/// The program's exit status.
enum Exit : int {
  done = 0,
  stopped = 1,    ///< the simulation stopped; what was computed is kept
  bad_input = 2,  ///< or bad usage
};

struct Command {
  std::string name;
  std::string help;  ///< one line
  int place = 0;     ///< in the list of commands that --help prints
  /// Declares the options and returns what to do once they are read; the function gives the exit status.
  std::function<int()> (*set_up)(CLI::App& options) = nullptr;
};

using Commands = Registry<Command>;

/// Warnings and errors to standard error, one per line.
void print(const std::vector<Diagnostic>& diagnostics);

}  // namespace tappet::app
