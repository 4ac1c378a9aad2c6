// Threlfall: Coulomb's law with an exponential rise through rest.
//
//   F_t = −μ F_N (1 − e^(−3|v|/v₀)) v/|v|      |v| ≤ v₀
//   F_t = −0.95 μ F_N v/|v|                    |v| > v₀
//
//   μ    coefficient of friction (`coefficient`)
//   v₀   threshold velocity, m/s, small against the speeds that occur
//   v    tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Threlfall 1978; Flores 2022, equation 8; Flores 2006, equation 15 has the first line alone and the sign
// reversed]. The second line is printed without direction; it opposes the velocity like the first. 0.95 is 1
// − e⁻³ = 0.9502 rounded: we use the unrounded number, so that the force is continuous at v₀. Its slope is
// not, there.

#include <cmath>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class Threlfall final : public FrictionLaw {
 public:
  Threlfall(double coefficient, double v0)
      : mu(coefficient), v0(v0), mu_far(-coefficient * std::expm1(-3.0)) {
    traits_.static_coefficient = traits_.sliding_coefficient = mu_far;
    traits_.kinks = {v0};
  }
  FrictionOutput evaluate(double speed) const override { return evaluate_branch(branch_of(speed), speed); }
  FrictionOutput evaluate_branch(int branch, double speed) const override {
    if (branch == 1) return {.coefficient = mu_far, .d_speed = 0, .ratio = mu_far / speed};
    const double rise = -std::expm1(-3 * speed / v0);  // 1 − e^(−3s/v₀)
    return {.coefficient = mu * rise,
            .d_speed = 3 * mu / v0 * (1 - rise),
            .ratio = speed > 0 ? mu * rise / speed : 3 * mu / v0};
  }

 private:
  double mu, v0, mu_far;
};

const Registration<FrictionLawType> registered{{
    .name = "threlfall",
    .help = "Coulomb's law with an exponential rise through rest",
    .equation = "F_t = −μ F_N (1 − e^(−3|v|/v₀)) v/|v|      |v| ≤ v₀\n"
                "F_t = −(1 − e⁻³) μ F_N v/|v|               |v| > v₀,   1 − e⁻³ ≈ 0.95",
    .citation = "Threlfall1978; Flores2006, eq. 15; Flores2022, eq. 8",
    .table = {.name = "a threlfall friction law",
              .help = "Coulomb's law with an exponential rise",
              .parameters = {coefficient_parameter(),
                             velocity_parameter("v0", "speed at which the rise ends")}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<Threlfall>(object.number("coefficient"), object.number("v0"));
    },
}};

}  // namespace
}  // namespace tappet
