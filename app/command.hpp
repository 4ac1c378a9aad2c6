// What a command of the program is. Adding one is adding a file: it registers itself, and the program finds
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

/// The options --set PATH=VALUE and --input NAME=VALUE, both into one list that load_spec() takes.
void add_settings(CLI::App& command, std::vector<std::string>& settings);

/// Warnings and errors to standard error, one per line.
void print(const std::vector<Diagnostic>& diagnostics);

}  // namespace tappet::app
