// Coulomb, exactly: set-valued at rest.
//
//   |F_t| ≤ μ_s F_N               v = 0
//   F_t = −μ_d F_N v/|v|          v ≠ 0
//
//   μ_d   coefficient of sliding friction (`coefficient`)
//   μ_s   coefficient of static friction (`static`); μ_d when absent
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Flores 2022, equations 6 and 7]; printed there without the sign: friction opposes the velocity. The first
// line is a state of its own, held by a constraint and left when it would need more than μ_s F_N (kind stick,
// friction_law.hpp). The zero of the velocity is located exactly.

#include <limits>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class Coulomb final : public FrictionLaw {
 public:
  Coulomb(double dynamic, double static_coefficient) : mu(dynamic) {
    traits_.kind = FrictionKind::stick;
    traits_.static_coefficient = static_coefficient;
    traits_.sliding_coefficient = mu;
  }
  FrictionOutput evaluate(double speed) const override {
    return {.coefficient = mu,
            .d_speed = 0,
            .ratio = mu / (speed > 0 ? speed : std::numeric_limits<double>::min())};
  }

 private:
  double mu;
};

const Registration<FrictionLawType> registered{{
    .name = "coulomb",
    .help = "Coulomb's law with a true stick state; taken when no law is named",
    .equation = "|F_t| ≤ μ_s F_N           v = 0\n"
                "F_t = −μ_d F_N v/|v|      v ≠ 0",
    .citation = "Flores2022, eqs. 6–7",
    .table = {.name = "a coulomb friction law",
              .help = "Coulomb's law with a stick state",
              .parameters = {coefficient_parameter(),
                             {.name = "static",
                              .help = "coefficient of static friction μ_s; the sliding one when absent",
                              .range = not_negative()}}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      const double mu = object.number("coefficient");
      return std::make_unique<Coulomb>(mu, object.number_or("static", mu));
    },
}};

}  // namespace
}  // namespace tappet
