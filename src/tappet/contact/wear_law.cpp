#include "tappet/contact/wear_law.hpp"

#include "tappet/base/sections.hpp"

namespace tappet {

const Family& wear_law_family() {
  static const Family family{.key = "law",
                             .noun = "wear law",
                             .common = {.name = "a wear law", .help = "", .parameters = {}},
                             .fallback = "archard",
                             .members = [] {
                               std::vector<std::pair<std::string, const Table*>> members;
                               for (const WearLawType& type : WearLawRegistry::instance().entries())
                                 members.emplace_back(type.name, &type.table);
                               return members;
                             }};
  return family;
}

static const bool wear_family_registered = (register_family("wear", &wear_law_family()), true);

std::unique_ptr<WearLaw> make_wear_law(const AnyParameters& parameters, Diagnostics& diagnostics) {
  const WearLawType* type = find_type(WearLawRegistry::instance().entries(), parameters);
  if (!type) return nullptr;  // the reader has reported the unknown name
  AnyParameters named = parameters;
  named.origin.type = type->name;
  return type->make(named, diagnostics);
}

}  // namespace tappet
