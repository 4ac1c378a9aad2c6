// Bengisu–Akay: a parabola up to the static coefficient, then an exponential fall to the sliding one.
//
//   F_t = −F_N μ_s [1 − (|v| − v₀)²/v₀²] v/|v|                        |v| ≤ v₀
//   F_t = −F_N [μ_d + (μ_s − μ_d) e^(−κ(|v| − v₀))] v/|v|             |v| > v₀
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   v₀        velocity of the peak, m/s
//   κ         rate of the fall, s/m
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Bengisu & Akay 1994; Flores 2022, equation 9]. The print divides the parabola by v₀ where only v₀² gives a
// coefficient, zero force at rest, the peak μ_s F_N at v₀ and a continuous join. Friction opposes the
// velocity.

#include <cmath>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class BengisuAkay final : public FrictionLaw {
 public:
  BengisuAkay(double mu_s, double mu_d, double v0, double kappa)
      : mu_s(mu_s), mu_d(mu_d), v0(v0), kappa(kappa) {
    traits_.static_coefficient = mu_s;
    traits_.sliding_coefficient = mu_d;
    traits_.kinks = {v0};
  }
  FrictionOutput evaluate(double speed) const override { return evaluate_branch(branch_of(speed), speed); }
  FrictionOutput evaluate_branch(int branch, double speed) const override {
    if (branch == 0) {
      const double x = speed / v0;  // 1 − (x − 1)² = x(2 − x)
      return {.coefficient = mu_s * x * (2 - x),
              .d_speed = 2 * mu_s * (1 - x) / v0,
              .ratio = mu_s * (2 - x) / v0};
    }
    const double fall = (mu_s - mu_d) * std::exp(-kappa * (speed - v0));
    return {.coefficient = mu_d + fall, .d_speed = -kappa * fall, .ratio = (mu_d + fall) / speed};
  }

 private:
  double mu_s, mu_d, v0, kappa;
};

const Registration<FrictionLawType> registered{{
    .name = "bengisu-akay",
    .help = "parabola up to static friction, exponential fall to sliding friction",
    .equation = "F_t = −F_N μ_s [1 − (|v| − v₀)²/v₀²] v/|v|                 |v| ≤ v₀\n"
                "F_t = −F_N [μ_d + (μ_s − μ_d) e^(−κ(|v| − v₀))] v/|v|      |v| > v₀",
    .citation = "Bengisu1994; Flores2022, eq. 9",
    .table = {.name = "a bengisu-akay friction law",
              .help = "Static and sliding friction, smooth through rest",
              .parameters = {static_parameter(),
                             dynamic_parameter(),
                             velocity_parameter("v0", "speed of the peak, where friction is static"),
                             {.name = "kappa",
                              .unit = "s/m",
                              .help = "κ, rate of the fall from static to sliding friction",
                              .required = true,
                              .range = positive()}}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<BengisuAkay>(object.number("static"), object.number("dynamic"),
                                           object.number("v0"), object.number("kappa"));
    },
}};

}  // namespace
}  // namespace tappet
