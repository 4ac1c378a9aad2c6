#include "tappet/contact/laws/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/expression_words.hpp"
#include "tappet/base/units.hpp"

namespace tappet::laws::expression {
namespace {

constexpr int max_parameters = 13;

class ExpressionLaw final : public NormalLaw {
 public:
  /// `by_depth` has the variables (depth, rate, ...), `by_rate` (rate, depth, ...): each is differentiated by
  /// its first.
  Expression by_depth, by_rate, energy;
  std::vector<double> parameters;
  std::vector<std::string> names;  ///< of the variables of `by_depth`

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
    const Jet rate = by_rate.jet(all, in.inputs);
    values[0] = in.depth, values[1] = in.rate;
    const Jet depth = by_depth.jet(all, in.inputs), stored = energy.jet(all);
    if (!std::isfinite(depth.value)) throw LawDomainError("`force` " + in_words(by_depth, names, all));
    if (!std::isfinite(stored.value)) throw LawDomainError("`energy` " + in_words(energy, names, all));
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
std::optional<Expression> read(const Origin& origin, const std::string& key, const std::string& text,
                               const std::vector<std::string>& variables, const std::string& unit,
                               Inputs inputs, Diagnostics& diagnostics) {
  try {
    Expression out = Expression::parse_quantity(text, variables, unit, origin.definitions.get(), inputs);
    if (origin.definitions)
      origin.definitions->note_signals(out.ops(), origin.where(key), fmt::format("`{}` of a law", key),
                                       inputs, unit);
    return out;
  } catch (const std::runtime_error& fault) {
    diagnostics.error(origin.where(key), fmt::format("'{}': {}", key, fault.what()));
    return {};
  }
}

std::unique_ptr<NormalLaw> make(const ExpressionLawParameters& p, const Origin& origin, const ContactPair&,
                                Diagnostics& diagnostics) {
  auto law = std::make_unique<ExpressionLaw>(p.restitution);
  std::vector<std::string> by_depth{"depth", "rate", "impact_rate"}, by_rate{"rate", "depth", "impact_rate"};
  if (p.parameters.size() > max_parameters) {
    diagnostics.error(origin.where("parameters"),
                      fmt::format("'parameters' has {} names; at most {} are allowed", p.parameters.size(),
                                  max_parameters));
    return nullptr;
  }
  for (std::size_t i = 0; i < p.parameters.size(); ++i) {
    const auto& [name, number] = p.parameters[i];
    if (std::find(by_depth.begin(), by_depth.end(), name) != by_depth.end()) {
      diagnostics.error(origin.where("parameters", i),
                        fmt::format("'{}' is a variable of the law and cannot name a parameter", name));
      return nullptr;
    }
    by_depth.push_back(name), by_rate.push_back(name);
    law->parameters.push_back(number);
  }
  const auto force = read(origin, "force", p.force, by_depth, "N", Inputs::law, diagnostics);
  if (!force) return nullptr;
  law->by_depth = *force;
  law->names = by_depth;
  law->by_rate = read(origin, "force", p.force, by_rate, "N", Inputs::law, diagnostics).value();
  if (!p.energy.empty()) {
    std::vector<std::string> variables = by_depth;
    variables[1] = "", variables[2] = "";  // a state function of depth: the rates are not known to it
    const auto energy = read(origin, "energy", p.energy, variables, "J", Inputs::refused, diagnostics);
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
    .table = table_of<ExpressionLawParameters>(
        "an expression law", "A normal force written in the model file",
        {{&ExpressionLawParameters::force,
          {.name = "force",
           .kind = Kind::text,
           .unit = "N",
           .help = "expression of depth, rate, impact_rate and the parameters",
           .required = true}},
         {&ExpressionLawParameters::energy,
          {.name = "energy",
           .kind = Kind::text,
           .unit = "J",
           .help = "energy that the law can give back, an expression of depth and the parameters"}},
         {&ExpressionLawParameters::parameters,
          {.name = "parameters", .kind = Kind::numbers, .help = "numbers by name, SI"}},
         {&ExpressionLawParameters::restitution, rigid_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::expression
