#include "tappet/contact/friction_law.hpp"

#include <fmt/format.h>

#include "tappet/contact/material_pairs.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

BristleOutput FrictionLaw::bristle(bool, const Tangential&, const Tangential&) const {
  throw std::logic_error("a friction law without bristles was asked for them");
}

Tangential FrictionLaw::bristle_reset(bool, const Tangential& deflection) const {
  return deflection;
}

const Family& friction_law_family() {
  static const Family family{
      .key = "law",
      .noun = "friction law",
      .common = {.name = "a friction law",
                 .help = "",
                 .parameters = {{.name = "tangential_restitution",
                                 .help = "for the non-smooth methods; the force does not use it",
                                 .fallback = "0",
                                 .range = unit_interval()}}},
      .fallback = "coulomb",
      .members = [] {
        std::vector<std::pair<std::string, const Table*>> members;
        for (const FrictionLawType& type : FrictionLawRegistry::instance().entries())
          members.emplace_back(type.name, &type.table);
        return members;
      }};
  return family;
}

static const bool registered = (register_family("friction", &friction_law_family()), true);

std::unique_ptr<FrictionLaw> make_friction_law(const Object& object, Diagnostics& diagnostics) {
  const FrictionLawType* type = FrictionLawRegistry::instance().find(object.type);
  if (!type) return nullptr;  // the reader has reported the unknown name
  if (!require_supplied(object, type->table, diagnostics)) return nullptr;
  return type->make(object, diagnostics);
}

Parameter coefficient_parameter() {
  return {.name = "coefficient",
          .help = "coefficient of friction μ",
          .required = true,
          .supplied_by = pair_words,
          .range = not_negative()};
}

Parameter static_parameter() {
  return {.name = "static",
          .help = "coefficient of static friction μ_s",
          .required = true,
          .supplied_by = pair_words,
          .range = not_negative()};
}

Parameter dynamic_parameter() {
  return {.name = "dynamic",
          .help = "coefficient of sliding friction μ_d",
          .required = true,
          .supplied_by = pair_words,
          .range = not_negative()};
}

Parameter velocity_parameter(const std::string& name, const std::string& help, const std::string& fallback) {
  return {.name = name,
          .unit = "m/s",
          .help = help,
          .required = fallback.empty(),
          .fallback = fallback,
          .range = positive()};
}

bool require_order(const Object& object, const std::string& low, const std::string& high,
                   Diagnostics& diagnostics) {
  if (object.number(low) < object.number(high)) return true;
  diagnostics.error(object.where(high),
                    fmt::format("law {}: '{}' is {:.6g}; it must be greater than '{}', which is {:.6g}",
                                object.type, high, object.number(high), low, object.number(low)));
  return false;
}

}  // namespace tappet
