// Coulomb friction as MSC Adams writes it, by cubic steps.
//
//   F_t = −F_N μ(|v|) v/|v|
//   μ(s) = STEP(s, −V_s, −μ_s, V_s, μ_s)      s ≤ V_s
//          STEP(s, V_s, μ_s, V_d, μ_d)        V_s < s < V_d
//          μ_d                                s ≥ V_d
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   V_s       stiction transition velocity, m/s: the peak of the coefficient
//   V_d       friction transition velocity, m/s, above which friction is sliding; V_d > V_s
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Giesbers 2012, section 2.8; MSC Adams/Solver, CONTACT]. STEP as in step.hpp; with x = s/V_s the first is
// μ_s x(3 − x²)/2. The slope is continuous everywhere. There is no true stiction: a body at rest under load
// creeps below V_s.

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {
namespace {

class Adams final : public FrictionLaw {
 public:
  Adams(double mu_s, double mu_d, double V_s, double V_d) : mu_s(mu_s), mu_d(mu_d), V_s(V_s), V_d(V_d) {
    traits_.static_coefficient = mu_s;
    traits_.sliding_coefficient = mu_d;
  }
  FrictionOutput evaluate(double speed) const override {
    if (speed <= V_s) {
      const double x = speed / V_s, ratio = 0.5 * mu_s * (3 - x * x) / V_s;
      return {.coefficient = ratio * speed, .d_speed = 1.5 * mu_s * (1 - x * x) / V_s, .ratio = ratio};
    }
    const Step mu = cubic_step(speed, V_s, mu_s, V_d, mu_d);
    return {.coefficient = mu.value, .d_speed = mu.slope, .ratio = mu.value / speed};
  }

 private:
  double mu_s, mu_d, V_s, V_d;
};

const Registration<FrictionLawType> registered{{
    .name = "adams",
    .help = "static and sliding friction joined by MSC Adams' cubic steps",
    .equation = "F_t = −F_N μ(|v|) v/|v|\n"
                "μ(s) = STEP(s, −V_s, −μ_s, V_s, μ_s)   s ≤ V_s\n"
                "       STEP(s, V_s, μ_s, V_d, μ_d)     V_s < s < V_d\n"
                "       μ_d                             s ≥ V_d",
    .citation = "Giesbers2012, sec. 2.8",
    .table = {.name = "an adams friction law",
              .help = "MSC Adams' Coulomb friction",
              .parameters =
                  {static_parameter(), dynamic_parameter(),
                   velocity_parameter("stiction_velocity", "V_s, speed at which friction is static"),
                   velocity_parameter("friction_velocity", "V_d, speed from which on friction is sliding")}},
    .make = [](const Object& object, Diagnostics& diagnostics) -> std::unique_ptr<FrictionLaw> {
      if (!require_order(object, "stiction_velocity", "friction_velocity", diagnostics)) return nullptr;
      return std::make_unique<Adams>(object.number("static"), object.number("dynamic"),
                                     object.number("stiction_velocity"), object.number("friction_velocity"));
    },
}};

}  // namespace
}  // namespace tappet
