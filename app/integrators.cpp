// tappet integrators: what `simulation.integrator` may be.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/ode/scheme.hpp"

namespace tappet::app::integrators_command {
namespace {

int list(bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& scheme : SchemeRegistry::instance().entries())
      all.push_back({{"name", scheme.name}, {"order", scheme.order}, {"help", scheme.help}});
    fmt::print("{}\n", nlohmann::ordered_json{{"integrators", all}}.dump(2));
    return Exit::done;
  }
  std::size_t longest = 0;
  for (const auto& scheme : SchemeRegistry::instance().entries())
    longest = std::max(longest, scheme.name.size());
  for (const auto& scheme : SchemeRegistry::instance().entries()) {
    const std::string order = scheme.order > 0 ? fmt::format("order {}", scheme.order) : "variable order";
    fmt::print("{:<{}}  {:<14}  {}\n", scheme.name, longest, order, scheme.help);
  }
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  return [json] { return list(*json); };
}

const Registration<Command> registered{
    {.name = "integrators", .help = "list the integrators", .place = 70, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::integrators_command
