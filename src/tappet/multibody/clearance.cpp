#include "tappet/multibody/clearance.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tappet {

Parameter clearance_parameter(const Family& family) {
  return {.name = "clearance", .kind = Kind::object,
          .help = "play between the two parts; without this key the joint is ideal", .family = &family};
}

Family clearance_family(const std::string& joint_type, const std::vector<Parameter>& geometry, bool with_link) {
  // Tables live as long as the program: the family hands out pointers to them.
  auto with = [&](const std::string& model, const std::string& help, std::vector<Parameter> own) {
    auto table = std::make_shared<Table>();
    table->name = fmt::format("the clearance ({}) of a {} joint", model, joint_type);
    table->help = help;
    table->parameters = geometry;
    table->parameters.insert(table->parameters.end(), own.begin(), own.end());
    return std::make_pair(model, table);
  };
  std::vector<std::pair<std::string, std::shared_ptr<Table>>> tables;
  tables.push_back(with("contact", "surfaces that collide",
                        {{.name = "materials", .kind = Kind::names,
                          .help = "of the first body's surface and of the second's, from `materials`", .count = 2},
                         {.name = "normal", .kind = Kind::object, .help = "law of the normal force", .required = true,
                          .family = &normal_law_family()},
                         {.name = "friction", .kind = Kind::object, .help = "law of friction; absent: none",
                          .family = &friction_law_family()}}));
  tables.push_back(with("spring-damper", "a linear spring and damper where the play is used up",
                        {{.name = "stiffness", .unit = "N/m", .help = "of the surfaces", .required = true,
                          .range = positive()},
                         {.name = "damping", .unit = "N s/m", .help = "of the surfaces", .fallback = "0",
                          .range = not_negative()}}));
  if (with_link) tables.push_back(with("massless-link", "a rigid link as long as the radial play", {}));
  return {.key = "model",
          .noun = "clearance model",
          .common = {.name = "a clearance", .help = "play in a joint", .parameters = {}},
          .fallback = "contact",
          .members = [tables] {
            std::vector<std::pair<std::string, const Table*>> out;
            for (const auto& [name, table] : tables) out.emplace_back(name, table.get());
            return out;
          }};
}

void give_laws(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points, Clearance& out) {
  const Object& o = in.clearance;
  const std::string& joint = in.joint.object.name;
  Diagnostics& diagnostics = in.joint.diagnostics;

  std::array<std::optional<Material>, 2> materials;
  if (o.has("materials")) {
    for (int n = 0; n < 2; ++n) {
      const Name& name = o.names("materials")[n];
      auto at = std::find_if(in.materials.begin(), in.materials.end(),
                             [&](const Material& m) { return m.name == name.text; });
      if (at == in.materials.end()) {
        std::vector<std::string> known;
        for (const Material& m : in.materials) known.push_back(m.name);
        diagnostics.error(name.pos, fmt::format("joint '{}' names material '{}', which is not under `materials`; there: {}",
                                                joint, name.text, known.empty() ? "none" : join_names(known)));
        return;
      }
      materials[n] = *at;
    }
  }

  std::shared_ptr<const NormalLaw> normal;
  std::shared_ptr<const FrictionLaw> friction;
  for (auto& point : points) {
    point->pair.material = materials;
    // Candidate points of one joint are alike, so they share their laws.
    if (!normal) {
      normal = make_normal_law(o.object("normal"), point->pair, diagnostics);
      if (o.has("friction")) {
        friction = make_friction_law(o.object("friction"), diagnostics);
      } else {
        static const Object frictionless = [] {
          Object object;
          object.type = "none";
          return object;
        }();
        friction = make_friction_law(frictionless, diagnostics);
      }
      if (!normal || !friction) return;
      for (const std::string& note : normal->traits().notes) out.notes.push_back(fmt::format("'{}': {}", joint, note));
      for (const std::string& note : friction->traits().notes) out.notes.push_back(fmt::format("'{}': {}", joint, note));
    }
    point->normal_law = normal;
    point->friction_law = friction;
    out.contacts.push_back(std::move(point));
  }
}

}  // namespace tappet
