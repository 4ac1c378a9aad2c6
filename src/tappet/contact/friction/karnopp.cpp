// Karnopp: a band of velocities that count as zero.
//
//   |F_t| ≤ μ_s F_N, from equilibrium     |v| ≤ D, while it holds
//   F_t = −μ_d F_N v/|v|                  otherwise
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   D         half width of the band (`stick_velocity`), m/s
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Karnopp 1985; described in Flores 2006, after equation 17]. In the band friction balances what drives the
// contact, so that nothing accelerates; when more than μ_s F_N would be needed it lets go. Karnopp keeps the
// momentum and reports zero velocity in the band; we set the velocity to zero as it enters (the energy m D²/2
// at most is lost), so that a body at rest does not creep through the band. Kind stick, friction_law.hpp and
// stick_slip.hpp. His sliding friction may be any function of velocity; here it is constant, and
// `modified-karnopp` has a falling one.

#include <limits>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class Karnopp final : public FrictionLaw {
 public:
  Karnopp(double mu_s, double mu_d, double band) : mu_d(mu_d) {
    traits_.kind = FrictionKind::stick;
    traits_.static_coefficient = mu_s;
    traits_.sliding_coefficient = mu_d;
    traits_.stick_velocity = band;
  }
  FrictionOutput evaluate(double speed) const override {
    return {.coefficient = mu_d,
            .d_speed = 0,
            .ratio = mu_d / (speed > 0 ? speed : std::numeric_limits<double>::min())};
  }

 private:
  double mu_d;
};

const Registration<FrictionLawType> registered{{
    .name = "karnopp",
    .help = "static and sliding friction with a band of velocities that count as zero",
    .equation = "|F_t| ≤ μ_s F_N, from equilibrium     |v| ≤ D, while it holds\n"
                "F_t = −μ_d F_N v/|v|                  otherwise",
    .citation = "Karnopp1985; Flores2006, sec. 4",
    .table = {.name = "a karnopp friction law",
              .help = "Static and sliding friction with a zero-velocity band",
              .parameters = {static_parameter(), dynamic_parameter(),
                             velocity_parameter("stick_velocity", "D, speed that counts as zero", "1 mm/s")}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<Karnopp>(object.number("static"), object.number("dynamic"),
                                       object.number("stick_velocity"));
    },
}};

}  // namespace
}  // namespace tappet
