// tappet version: the same as --version.

#include "tappet/base/version.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace tappet::app::version_command {
namespace {

std::function<int()> set_up(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  return [json] {
    if (*json)
      fmt::print("{}\n", nlohmann::ordered_json{{"program", "tappet"}, {"version", version()}}.dump(2));
    else
      fmt::print("tappet {}\n", version());
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "version", .help = "print the version", .place = 90, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::version_command
