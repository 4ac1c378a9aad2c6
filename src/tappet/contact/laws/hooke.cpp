// Hooke: a linear spring, with a linear damper beside it when asked for.
//
//   F = K δ + D δ̇,   not below 0
//
//   K   stiffness, N/m
//   D   damping, N s/m; 0 is the law as printed
//   δ   penetration, m;  δ̇ > 0 approaching;  F on the second surface along the normal, away from the first
//
//   U = K δ²/2;   P = D δ̇² ≥ 0, and −K δ δ̇ where F was cut off at 0
//
// [Flores 2022, equation 1]. The damper is ours: with D > 0 the force jumps to D δ̇⁽⁻⁾ at first touch, which
// is the drawback that Hunt and Crossley set out from.

#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

class Hooke final : public NormalLaw {
 public:
  Hooke(double stiffness, double damping, double restitution) : K(stiffness), D(damping) {
    traits_.requested_restitution = D == 0 ? 1 : restitution;
    traits_.predicted_restitution = D == 0 ? 1 : NormalTraits::unknown;
    traits_.continuous = D == 0;
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const double spring = K * in.depth, force = spring + D * in.rate, energy = 0.5 * spring * in.depth;
    if (force <= 0) return {.stored_energy = energy, .dissipated_power = -spring * in.rate};
    return {.force = force,
            .d_depth = K,
            .d_rate = D,
            .stored_energy = energy,
            .dissipated_power = D * in.rate * in.rate};
  }

 private:
  double K, D;
};

const Registration<NormalLawType> registered{{
    .name = "hooke",
    .help = "linear spring, optionally with a linear damper",
    .equation = "F = K δ + D δ̇,   not below 0",
    .citation = "Flores2022, eq. 1",
    .table = {.name = "a hooke law",
              .help = "Linear spring and damper",
              .parameters = {linear_stiffness_parameter(),
                             {.name = "damping",
                              .unit = "N s/m",
                              .help = "D; makes the force jump at first touch",
                              .fallback = "0",
                              .range = not_negative()},
                             rigid_restitution_parameter()}},
    .make = [](const Object& object, const ContactPair&, Diagnostics&) -> std::unique_ptr<NormalLaw> {
      return std::make_unique<Hooke>(object.number("stiffness"), object.number("damping"),
                                     object.number_or("restitution", NormalTraits::unknown));
    },
}};

}  // namespace
}  // namespace tappet
