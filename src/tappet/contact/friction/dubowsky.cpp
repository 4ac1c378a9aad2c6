// Dubowsky: Coulomb's sliding force without any thought of rest.
//
//   F_t = −c_c F_N v/|v|
//
//   c_c   empirical friction parameter (`coefficient`), a pure number
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Dubowsky 1974; Flores 2006, equation 12]. The print jumps from −c_c F_N to c_c F_N at v = 0, which no
// integrator passes. We replace the jump by a straight line over |v| < v₀:
//   F_t = −c_c F_N v/max(|v|, v₀)
// A contact at rest creeps at up to v₀; for a law that holds, see coulomb or rooney-deravi.

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class Dubowsky final : public FrictionLaw {
 public:
  Dubowsky(double coefficient, double v0) : c_c(coefficient), v0(v0) {
    traits_.static_coefficient = traits_.sliding_coefficient = c_c;
  }
  FrictionOutput evaluate(double speed) const override {
    if (speed < v0) return {.coefficient = c_c * speed / v0, .d_speed = c_c / v0, .ratio = c_c / v0};
    return {.coefficient = c_c, .d_speed = 0, .ratio = c_c / speed};
  }

 private:
  double c_c, v0;
};

const Registration<FrictionLawType> registered{{
    .name = "dubowsky",
    .help = "constant sliding friction, its jump at rest made a steep line",
    .equation = "F_t = −c_c F_N v/max(|v|, v₀)",
    .citation = "Dubowsky1974; Flores2006, eq. 12",
    .table = {.name = "a dubowsky friction law",
              .help = "Constant sliding friction",
              .parameters = {coefficient_parameter(),
                             velocity_parameter("v0", "speed below which the force falls to 0", "0.1 mm/s")}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<Dubowsky>(object.number("coefficient"), object.number("v0"));
    },
}};

}  // namespace
}  // namespace tappet
