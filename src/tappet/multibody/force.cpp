#include "tappet/multibody/force.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"

namespace tappet {
namespace {

const Family& force_family() {
  static const Family family{
      .key = "type",
      .noun = "force type",
      .common = {.name = "a force", .help = "An applied force", .parameters = {}},
      .fallback = "",
      .members =
          [] {
            std::vector<std::pair<std::string, const Table*>> out;
            for (const ForceType& type : ForceRegistry::instance().entries())
              out.emplace_back(type.name, &type.table);
            return out;
          },
  };
  return family;
}

const bool forces_registered = (register_family("forces", &force_family()), true);

}  // namespace

int ForceInput::body(const std::string& body_name, const SourcePos& pos) const {
  auto at = std::find(body_names.begin(), body_names.end(), body_name);
  if (at != body_names.end()) return static_cast<int>(at - body_names.begin());
  const std::string near = nearest_name(body_name, body_names);
  diagnostics.error(
      pos,
      fmt::format("force '{}' acts on body '{}', which does not exist{}; bodies: {}", name(), body_name,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(body_names)));
  return -1;
}

}  // namespace tappet
