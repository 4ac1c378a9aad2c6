// tappet methods: what `simulation.method` may be, and which method computes which kind of contact.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/model/contact_support.hpp"

namespace tappet::app::methods_command {
namespace {

int list(bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const MethodType& method : MethodRegistry::instance().entries())
      all.push_back({{"name", method.name}, {"help", method.help}});
    fmt::print("{}\n", nlohmann::ordered_json{{"methods", all}}.dump(2));
    return Exit::done;
  }
  const auto& methods = MethodRegistry::instance().entries();
  std::size_t longest = 0;
  for (const MethodType& method : methods) longest = std::max(longest, method.name.size());
  for (const MethodType& method : methods) fmt::print("{:<{}}  {}\n", method.name, longest, method.help);
  fmt::print("\n{}", contact_table());
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  return [json] { return list(*json); };
}

const Registration<Command> registered{{.name = "methods",
                                        .help = "list the methods, and what kinds of contact each computes",
                                        .place = 69,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::methods_command
