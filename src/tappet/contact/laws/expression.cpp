// A law of the user's own, written in the model file.
//
//   F = force(depth, rate, impact_rate, parameters),   not below 0
//
//   depth        δ, m
//   rate         δ̇, m/s, > 0 approaching
//   impact_rate  δ̇⁽⁻⁾ at first touch, m/s; 0 for a contact that begins at rest: write max(impact_rate, 1e-4)
//   parameters   numbers by name, in SI
//   force        N, on the second surface along the normal, away from the first
//   energy       optional: the energy U(depth) that the law can give back, J
//
// Example:
//   normal:
//     law: expression
//     force: k*depth^1.5*(1 + a*rate)
//     energy: k*depth^2.5/2.5
//     parameters: {k: 6.6e10, a: 0.2}
//
// Derivatives are exact (forward differentiation of the expression). Without `energy` all of F δ̇ is booked as
// lost, negative when it comes back; the ledger closes either way. Nothing is known about continuity at first
// touch or dissipation, so the law claims neither.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

constexpr int max_parameters = 13;

class ExpressionLaw final : public NormalLaw {
 public:
  /// `by_depth` has the variables (depth, rate, ...), `by_rate` (rate, depth, ...): each is differentiated by
  /// its first.
  Expression by_depth, by_rate, energy;
  std::vector<double> parameters;

  explicit ExpressionLaw(double restitution) {
    traits_.requested_restitution = restitution;
    traits_.continuous = false;
    traits_.passive = false;
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    std::array<double, 3 + max_parameters> values;
    const std::span<const double> all(values.data(), 3 + parameters.size());
    std::copy(parameters.begin(), parameters.end(), values.begin() + 3);
    values[2] = in.impact_rate;
    values[0] = in.rate, values[1] = in.depth;
    const Jet rate = by_rate.jet(all);
    values[0] = in.depth, values[1] = in.rate;
    const Jet depth = by_depth.jet(all), stored = energy.jet(all);
    const bool pushing = depth.value > 0;
    const double force = pushing ? depth.value : 0;
    return {.force = force,
            .d_depth = pushing ? depth.d1 : 0,
            .d_rate = pushing ? rate.d1 : 0,
            .stored_energy = stored.value,
            .dissipated_power = (force - stored.d1) * in.rate};
  }
};

// Reads one expression with its unit; a fault is reported at the key.
std::optional<Expression> read(const Object& object, const std::string& key,
                               const std::vector<std::string>& variables, const std::string& unit,
                               Diagnostics& diagnostics) {
  try {
    std::string rest;
    const Expression expression =
        Expression::parse(object.text(key), variables, rest, object.definitions.get());
    return expression.scaled(si_factor(rest, unit));
  } catch (const std::runtime_error& fault) {
    diagnostics.error(object.where(key), fmt::format("'{}': {}", key, fault.what()));
    return {};
  }
}

std::unique_ptr<NormalLaw> make(const Object& object, const ContactPair&, Diagnostics& diagnostics) {
  auto law = std::make_unique<ExpressionLaw>(object.number_or("restitution", NormalTraits::unknown));
  std::vector<std::string> by_depth{"depth", "rate", "impact_rate"}, by_rate{"rate", "depth", "impact_rate"};
  if (object.has("parameters")) {
    const std::vector<Name>& names = object.names("parameters");
    if (names.size() > max_parameters) {
      diagnostics.error(
          object.where("parameters"),
          fmt::format("'parameters' has {} names; at most {} are allowed", names.size(), max_parameters));
      return nullptr;
    }
    for (const Name& name : names) {
      if (std::find(by_depth.begin(), by_depth.end(), name.text) != by_depth.end()) {
        diagnostics.error(
            name.pos, fmt::format("'{}' is a variable of the law and cannot name a parameter", name.text));
        return nullptr;
      }
      by_depth.push_back(name.text), by_rate.push_back(name.text);
    }
    law->parameters = object.vector("parameters");
  }
  const auto force = read(object, "force", by_depth, "N", diagnostics);
  if (!force) return nullptr;
  law->by_depth = *force;
  law->by_rate = read(object, "force", by_rate, "N", diagnostics).value();
  if (object.has("energy")) {
    std::vector<std::string> variables = by_depth;
    variables[1] = "", variables[2] = "";  // a state function of depth: the rates are not known to it
    const auto energy = read(object, "energy", variables, "J", diagnostics);
    if (!energy) return nullptr;
    law->energy = *energy;
  }
  return law;
}

const Registration<NormalLawType> registered{{
    .name = "expression",
    .help = "a law of your own, written in the model file",
    .equation = "F = force(depth, rate, impact_rate, parameters),   not below 0",
    .citation = "",
    .table = {.name = "an expression law",
              .help = "A normal force written in the model file",
              .parameters =
                  {{.name = "force",
                    .kind = Kind::text,
                    .unit = "N",
                    .help = "expression of depth, rate, impact_rate and the parameters",
                    .required = true},
                   {.name = "energy",
                    .kind = Kind::text,
                    .unit = "J",
                    .help = "energy that the law can give back, an expression of depth and the parameters"},
                   {.name = "parameters", .kind = Kind::numbers, .help = "numbers by name, SI"},
                   rigid_restitution_parameter()}},
    .make = make,
}};

}  // namespace
}  // namespace tappet
