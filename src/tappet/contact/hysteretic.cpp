#include "tappet/contact/hysteretic.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/contact/restitution.hpp"

namespace tappet {

HystereticLaw::HystereticLaw(PowerLaw elastic, double hysteresis, double rest_velocity, NormalTraits traits)
    : elastic_(elastic), hysteresis_(hysteresis), rest_velocity_(rest_velocity) {
  traits_ = std::move(traits);
}

NormalOutput HystereticLaw::contact(const NormalInput& in) const {
  const PowerLaw::Value elastic = elastic_.at(in.depth);
  const double damping = hysteresis_ / std::max(in.impact_rate, rest_velocity_);
  const double bracket = 1 + damping * in.rate;
  if (bracket <= 0) return {.stored_energy = elastic.energy, .dissipated_power = -elastic.force * in.rate};
  return {.force = elastic.force * bracket,
          .d_depth = elastic.slope * bracket,
          .d_rate = elastic.force * damping,
          .stored_energy = elastic.energy,
          .dissipated_power = elastic.force * damping * in.rate * in.rate};
}

Table hysteretic_table(const std::string& name, const std::string& help, const Range& restitution) {
  return {.name = name,
          .help = help,
          .parameters = {
              stiffness_parameter(), exponent_parameter(), restitution_parameter(restitution),
              rest_velocity_parameter("impacts slower than this are damped as if struck at this speed")}};
}

std::unique_ptr<NormalLaw> make_hysteretic(const Object& object, const ContactPair& pair,
                                           Diagnostics& diagnostics,
                                           double (*hysteresis)(double restitution)) {
  NormalTraits traits;
  const double exponent = object.number("exponent");
  const auto stiffness = read_stiffness(object, pair, exponent, diagnostics, traits.notes);
  if (!stiffness) return nullptr;
  const double requested = object.number("restitution");
  const double h = hysteresis(requested);
  traits.requested_restitution = requested;
  traits.predicted_restitution = realised_restitution(h);
  traits.notes.push_back(fmt::format("{}: restitution {:.4g} asked for, {:.4g} realised in a free impact",
                                     object.type, requested, traits.predicted_restitution));
  return std::make_unique<HystereticLaw>(PowerLaw{*stiffness, exponent}, h, object.number("rest_velocity"),
                                         std::move(traits));
}

}  // namespace tappet
