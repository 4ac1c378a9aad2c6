// Rooney–Deravi: Coulomb's law, with the force at rest left to equilibrium.
//
//   F_t = −c_f F_N v/|v|              v not close to zero
//   −c_f F_N < F_t < c_f F_N          v close to zero
//
//   c_f   coefficient of friction (`coefficient`)
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Rooney & Deravi 1982; Flores 2006, equations 13 and 14]. "Close" is |v| ≤ stick_velocity; 0, the default,
// locates the zero of the velocity exactly. Close to zero the contact is held by a constraint v = 0 (kind
// stick, friction_law.hpp).

#include <limits>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class RooneyDeravi final : public FrictionLaw {
 public:
  RooneyDeravi(double coefficient, double stick_velocity) : c_f(coefficient) {
    traits_.kind = FrictionKind::stick;
    traits_.static_coefficient = traits_.sliding_coefficient = c_f;
    traits_.stick_velocity = stick_velocity;
  }
  FrictionOutput evaluate(double speed) const override {
    return {.coefficient = c_f,
            .d_speed = 0,
            .ratio = c_f / (speed > 0 ? speed : std::numeric_limits<double>::min())};
  }

 private:
  double c_f;
};

const Registration<FrictionLawType> registered{{
    .name = "rooney-deravi",
    .help = "Coulomb's law with the force near rest left to equilibrium",
    .equation = "F_t = −c_f F_N v/|v|           v not close to zero\n"
                "−c_f F_N < F_t < c_f F_N       v close to zero",
    .citation = "Rooney1982; Flores2006, eqs. 13–14",
    .table = {.name = "a rooney-deravi friction law",
              .help = "Coulomb's law with a stick state",
              .parameters = {coefficient_parameter(),
                             {.name = "stick_velocity",
                              .unit = "m/s",
                              .help = "speed that counts as close to zero; 0 locates rest exactly",
                              .fallback = "0",
                              .range = not_negative()}}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<RooneyDeravi>(object.number("coefficient"), object.number("stick_velocity"));
    },
}};

}  // namespace
}  // namespace tappet
