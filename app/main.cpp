// The command-line program: finds the command, runs it, and turns every failure into a sentence and an exit
// status.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <system_error>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command.hpp"
#include "tappet/base/version.hpp"

using namespace tappet;
using namespace tappet::app;

namespace {

constexpr char description[] =
    "Tappet simulates machines whose parts touch.\n"
    "Exit status: 0 done, 1 the simulation stopped (what was computed is kept), 2 bad input or usage.";

/// A mistyped command gets a better answer than "argument not expected".
int unknown_command(const std::string& given) {
  auto names = Commands::instance().names();
  const auto near = nearest_name(given, names);
  fmt::print(stderr, "tappet: error: there is no command '{}'{}\n", given,
             near.empty() ? "; the commands are " + join_names(names) : ", did you mean '" + near + "'?");
  return Exit::bad_input;
}

int usage_error(const CLI::App& program, const std::string& message) {
  const auto chosen = program.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  fmt::print(stderr, "tappet: error: {}\nTry: tappet {}--help\n", message, command);
  return Exit::bad_input;
}

int dispatch(int argc, char** argv) {
  CLI::App program{description, "tappet"};
  program.set_version_flag("--version,-V", fmt::format("tappet {}", version()));
  program.require_subcommand(0, 1);

  auto commands = Commands::instance().entries();
  std::sort(commands.begin(), commands.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  std::map<std::string, std::function<int()>> actions;
  for (const auto& command : commands) {
    CLI::App& options = *program.add_subcommand(command.name, command.help);
    actions[command.name] = command.set_up(options);
    add_quiet(options);
  }

  if (argc > 1 && argv[1][0] != '-' && !actions.contains(argv[1])) return unknown_command(argv[1]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is an "error" of status 0.
    if (error.get_exit_code() == 0) return program.exit(error);
    return usage_error(program, error.what());
  }
  if (program.get_subcommands().empty()) {
    fmt::print(stderr, "{}", program.help());
    return Exit::bad_input;
  }
  go_quiet();
  return actions.at(program.get_subcommands().front()->get_name())();
}

/// Where an exception meets a function that must not throw: nlohmann's destructors allocate.
[[noreturn]] void end_at_once() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    constexpr char message[] = "error: not enough memory\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, sizeof message - 1);
    ::_exit(Exit::stopped);
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}: this is a fault of the program; please report it\n",
               error.what());
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  // A file that has reached its greatest allowed size is a write that fails, and is told as one.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(end_at_once);
  try {
    const int status = dispatch(argc, argv);
    // A full disk behind standard output shows only now.
    if (std::fflush(stdout) == 0) return status;
    fmt::print(stderr, "error: standard output cannot be written: {}\n", std::strerror(errno));
  } catch (const InputError& error) {
    print(error.diagnostics());
    return Exit::bad_input;
  } catch (const SimulationError& error) {
    fmt::print(stderr, "error: stopped at t = {} s: {}\n", error.time(), error.what());
  } catch (const std::system_error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}: this is a fault of the program; please report it\n",
               error.what());
  }
  return Exit::stopped;
}
