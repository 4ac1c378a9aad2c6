#include "tappet/multibody/clearance.hpp"

#include <fmt/format.h>

#include "tappet/multibody/contact_laws.hpp"

namespace tappet {

Parameter clearance_parameter(const Family& family) {
  return {.name = "clearance",
          .kind = Kind::object,
          .help = "play between the two parts; without this key the joint is ideal",
          .family = &family};
}

Family clearance_family(const std::string& joint_type, const std::vector<Parameter>& geometry,
                        bool with_link) {
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
  tables.push_back(with("contact", "surfaces that collide", contact_law_parameters()));
  tables.push_back(with(
      "spring-damper", "a linear spring and damper where the play is used up",
      {{.name = "stiffness", .unit = "N/m", .help = "of the surfaces", .required = true, .range = positive()},
       {.name = "damping",
        .unit = "N s/m",
        .help = "of the surfaces",
        .fallback = "0",
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
  const ContactLawsInput laws{in.clearance, fmt::format("joint '{}'", in.joint.object.name), in.materials,
                              in.joint.diagnostics, in.rigid};
  if (give_laws(laws, points, out.notes)) out.contacts = std::move(points);
}

}  // namespace tappet
