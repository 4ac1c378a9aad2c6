// tappet integrators: what `simulation.integrator` may be.

#include <algorithm>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/ode/scheme.hpp"

namespace tappet::app::integrators_command {
namespace {

int list() {
  std::size_t longest = 0;
  for (const auto& scheme : SchemeRegistry::instance().entries())
    longest = std::max(longest, scheme.name.size());
  for (const auto& scheme : SchemeRegistry::instance().entries()) {
    const std::string order = scheme.order > 0 ? fmt::format("order {}", scheme.order) : "variable order";
    fmt::print("{:<{}}  {:<14}  {}\n", scheme.name, longest, order, scheme.help);
  }
  return Exit::done;
}

std::function<int()> set_up(CLI::App&) {
  return list;
}

const Registration<Command> registered{
    {.name = "integrators", .help = "list the integrators", .place = 70, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::integrators_command
