// tappet version: the same as --version.

#include "tappet/base/version.hpp"

#include <fmt/format.h>

#include "command.hpp"

namespace tappet::app::version_command {
namespace {

std::function<int()> set_up(CLI::App&) {
  return [] {
    fmt::print("tappet {}\n", version());
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "version", .help = "print the version", .place = 90, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::version_command
