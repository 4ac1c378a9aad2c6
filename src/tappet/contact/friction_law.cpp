#include "tappet/contact/friction_law.hpp"

#include <fmt/format.h>

#include "tappet/base/sections.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {

BristleOutput FrictionLaw::bristle(bool, const Tangential&, const Tangential&) const {
  throw std::logic_error("a friction law without bristles was asked for them");
}

Tangential FrictionLaw::bristle_reset(bool, const Tangential& deflection) const {
  return deflection;
}

FrictionOutputOf<FrictionLaw::Number> FrictionLaw::evaluate_dual(const Number& speed) const {
  const FrictionOutput out = evaluate(speed.value);
  return {speed.chain(out.coefficient, out.d_speed), out.d_speed, out.ratio};
}

const Family& friction_law_family() {
  static const Family family{.key = "law",
                             .noun = "friction law",
                             .common = {.name = "a friction law", .help = "", .parameters = {}},
                             .fallback = "coulomb",
                             .members = [] {
                               std::vector<std::pair<std::string, const Table*>> members;
                               for (const FrictionLawType& type : FrictionLawRegistry::instance().entries())
                                 members.emplace_back(type.name, &type.table);
                               return members;
                             }};
  return family;
}

static const bool friction_family_registered = (register_family("friction", &friction_law_family()), true);

std::unique_ptr<FrictionLaw> make_friction_law(const AnyParameters& parameters, Diagnostics& diagnostics) {
  const FrictionLawType* type = find_type(FrictionLawRegistry::instance().entries(), parameters);
  if (!type) return nullptr;  // the reader has reported the unknown name
  if (!require_supplied(parameters, type->table, diagnostics)) return nullptr;
  AnyParameters named = parameters;
  named.origin.type = type->name;
  return type->make(named, diagnostics);
}

Parameter tangential_restitution_parameter() {
  return {.name = "tangential_restitution",
          .help = "for the non-smooth methods; the force does not use it",
          .fallback = "0",
          .range = unit_interval()};
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

bool require_order(const Origin& origin, const std::string& low_key, double low, const std::string& high_key,
                   double high, Diagnostics& diagnostics) {
  if (low < high) return true;
  diagnostics.error(origin.where(high_key),
                    fmt::format("law {}: '{}' is {:.6g}; it must be greater than '{}', which is {:.6g}",
                                origin.type, high_key, high, low_key, low));
  return false;
}

}  // namespace tappet
