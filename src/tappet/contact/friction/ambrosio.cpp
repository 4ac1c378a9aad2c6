// Ambrósio: Coulomb's law with a dead zone and a ramp around rest.
//
//   F_t = −c_d c_f F_N v/|v|,      c_d = 0                          |v| ≤ v₀
//                                        (|v| − v₀)/(v₁ − v₀)       v₀ ≤ |v| ≤ v₁
//                                        1                          |v| ≥ v₁
//
//   c_f      coefficient of friction (`coefficient`)
//   c_d      dynamic correction coefficient
//   v₀, v₁   tolerances for the velocity, m/s
//   v        tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Ambrósio 2002; Flores 2006, equations 16 and 17; Flores 2022, equations 10 and 11]. As printed. No force
// at all below v₀.

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class Ambrosio final : public FrictionLaw {
 public:
  Ambrosio(double coefficient, double v0, double v1) : c_f(coefficient), v0(v0), v1(v1) {
    traits_.static_coefficient = traits_.sliding_coefficient = c_f;
    if (v0 > 0) traits_.kinks.push_back(v0);
    traits_.kinks.push_back(v1);
  }
  FrictionOutput evaluate(double speed) const override { return evaluate_branch(branch_of(speed), speed); }
  FrictionOutput evaluate_branch(int branch, double speed) const override {
    // Without a dead zone the ramp is the first branch.
    if (v0 == 0) ++branch;
    if (branch == 2) return {.coefficient = c_f, .d_speed = 0, .ratio = c_f / speed};
    if (branch == 0) return {};
    const double slope = c_f / (v1 - v0);
    if (v0 == 0) return {.coefficient = slope * speed, .d_speed = slope, .ratio = slope};
    const double mu = slope * (speed - v0);
    return {.coefficient = mu, .d_speed = slope, .ratio = mu / speed};
  }

 private:
  double c_f, v0, v1;
};

const Registration<FrictionLawType> registered{{
    .name = "ambrosio",
    .help = "Coulomb's law with a dead zone and a ramp around rest",
    .equation = "F_t = −c_d c_f F_N v/|v|\n"
                "c_d = 0 for |v| ≤ v₀,   (|v| − v₀)/(v₁ − v₀) between,   1 for |v| ≥ v₁",
    .citation = "Ambrosio2002; Flores2006, eqs. 16–17; Flores2022, eqs. 10–11",
    .table = {.name = "an ambrosio friction law",
              .help = "Coulomb's law with a dead zone and a ramp",
              .parameters = {coefficient_parameter(),
                             {.name = "v0",
                              .unit = "m/s",
                              .help = "speed below which there is no force",
                              .required = true,
                              .range = not_negative()},
                             velocity_parameter("v1", "speed above which the force is full")}},
    .make = [](const Object& object, Diagnostics& diagnostics) -> std::unique_ptr<FrictionLaw> {
      if (!require_order(object, "v0", "v1", diagnostics)) return nullptr;
      return std::make_unique<Ambrosio>(object.number("coefficient"), object.number("v0"),
                                        object.number("v1"));
    },
}};

}  // namespace
}  // namespace tappet
