#include "command.hpp"

#include <fmt/format.h>

namespace tappet::app {

void print(const std::vector<Diagnostic>& diagnostics) {
  for (const auto& diagnostic : diagnostics) fmt::print(stderr, "{}\n", diagnostic.text());
}

}  // namespace tappet::app
