// What a command of the program is. Adding one is adding a file: it registers itself, and the program finds
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/base/table.hpp"
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

/// The options --set PATH=VALUE, --add PATH=VALUE and --input NAME=VALUE, all into one list that load_spec() takes.
void add_settings(CLI::App& command, std::vector<std::string>& settings);

/// An option that takes a number as a model file does: plain SI or with a unit, "300 ms".
CLI::Option* add_quantity(CLI::App& command, const std::string& names, std::function<void(double)> put,
                          const std::string& unit, const std::string& help,
                          const Range& range = any_number());
template <class Number>
CLI::Option* add_quantity(CLI::App& command, const std::string& names, Number& value, const std::string& unit,
                          const std::string& help, const Range& range = any_number()) {
  return add_quantity(command, names, std::function<void(double)>([&value](double x) { value = x; }), unit,
                      help, range);
}

/// --quiet and --json for a command that has none of its own: quiet leaves nothing but errors and the exit status.
void add_quiet(CLI::App& command);
void add_json(CLI::App& command, bool& json, const std::string& help = "as one JSON object");
/// Once the options are read: takes standard output away if --quiet says so.
void go_quiet();

/// Warnings and errors to standard error, one per line.
void print(const std::vector<Diagnostic>& diagnostics);

}  // namespace tappet::app
