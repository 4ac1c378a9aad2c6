// tappet schema: what editors need to complete and check model files.

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::schema_command {
namespace {

std::function<int()> set_up(CLI::App& command) {
  auto json = std::make_shared<bool>(true);
  add_json(command, *json, "as it always is");
  return [json] {
    fmt::print("{}\n", json_schema());
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "schema", .help = "print the JSON Schema of the model file", .place = 60, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::schema_command
