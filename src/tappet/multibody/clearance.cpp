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

std::string clearance_words(const std::string& model, const std::string& joint_type) {
  return fmt::format("the clearance ({}) of a {} joint", model, joint_type);
}

Family clearance_family(std::vector<std::pair<std::string, Table>> models) {
  // The family hands out pointers to the tables.
  const auto kept = std::make_shared<const std::vector<std::pair<std::string, Table>>>(std::move(models));
  return {.key = "model",
          .noun = "clearance model",
          .common = {.name = "a clearance", .help = "play in a joint", .parameters = {}},
          .fallback = "contact",
          .members = [kept] {
            std::vector<std::pair<std::string, const Table*>> out;
            for (const auto& [name, table] : *kept) out.emplace_back(name, &table);
            return out;
          }};
}

void give_laws(const ClearanceInput& in, std::vector<std::unique_ptr<ContactPoint>> points, Clearance& out) {
  const ContactLawsInput laws{contact_laws_of(in.clearance), fmt::format("joint '{}'", in.joint.name()),
                              in.materials, in.joint.diagnostics, in.rigid};
  if (give_laws(laws, points, out.notes)) out.contacts = std::move(points);
}

}  // namespace tappet
