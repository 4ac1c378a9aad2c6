// tappet methods: what `simulation.method` may be, and which method computes which kind of contact.

#include <algorithm>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/model/contact_support.hpp"

namespace tappet::app::methods_command {
namespace {

int list() {
  const auto& methods = MethodRegistry::instance().entries();
  std::size_t longest = 0;
  for (const MethodType& method : methods) longest = std::max(longest, method.name.size());
  for (const MethodType& method : methods) fmt::print("{:<{}}  {}\n", method.name, longest, method.help);
  fmt::print("\n{}", contact_table());
  return Exit::done;
}

std::function<int()> set_up(CLI::App&) {
  return list;
}

const Registration<Command> registered{{.name = "methods",
                                        .help = "list the methods, and what kinds of contact each computes",
                                        .place = 69,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::methods_command
