#include "tappet/multibody/force.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/spec/spec.hpp"

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

const bool registered = (register_family("forces", &force_family()), true);

}  // namespace

int ForceInput::body(const Name& name) const {
  auto at = std::find(body_names.begin(), body_names.end(), name.text);
  if (at != body_names.end()) return static_cast<int>(at - body_names.begin());
  const std::string near = nearest_name(name.text, body_names);
  diagnostics.error(
      name.pos,
      fmt::format("force '{}' acts on body '{}', which does not exist{}; bodies: {}", object.name, name.text,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(body_names)));
  return -1;
}

int ForceInput::body(const std::string& key) const {
  return body(Name{object.text(key), object.where(key)});
}

Vec2 ForceInput::point2(const std::string& key, int index) const {
  const auto& p = object.points(key)[index];
  return {p[0], p[1]};
}

Vec3 ForceInput::point3(const std::string& key, int index) const {
  const auto& p = object.points(key)[index];
  return {p[0], p[1], p[2]};
}

}  // namespace tappet
