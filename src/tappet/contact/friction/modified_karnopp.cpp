// Modified Karnopp: the zero-velocity band of Karnopp with a sliding coefficient that falls with speed.
//
//   |F_t| ≤ μ_s F_N, from equilibrium              |v| ≤ D, while it holds
//   F_t = −F_N μ(|v|) v/|v|                        otherwise
//   μ(s) = μ_s                                     s ≤ D
//          μ_s + (μ_d − μ_s)(s − D)/(V − D)        D < s < V
//          μ_d                                     s ≥ V
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   D         half width of the band (`stick_velocity`), m/s
//   V         speed from which on friction is constant (`friction_velocity`), m/s; V > D
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Centea, Rahnejat & Menday 2001; named in Flores 2006, after equation 17, without its equations]. What that
// study of clutch judder adds to Karnopp is the dependence of the coefficient on the speed of slip, whose
// gradient decides whether the drive judders. Our reading: the gradient is constant, (μ_d − μ_s)/(V − D),
// from the edge of the band to V, so that letting go is continuous instead of a drop from μ_s to μ_d. Its
// data for clutch facings are not reproduced. Kind stick, friction_law.hpp and stick_slip.hpp; in the band as
// karnopp.

#include <limits>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class ModifiedKarnopp final : public FrictionLaw {
 public:
  ModifiedKarnopp(double mu_s, double mu_d, double band, double V)
      : mu_s(mu_s), mu_d(mu_d), D(band), V(V), gradient((mu_d - mu_s) / (V - band)) {
    traits_.kind = FrictionKind::stick;
    traits_.static_coefficient = mu_s;
    traits_.sliding_coefficient = mu_d;
    traits_.stick_velocity = D;
  }
  FrictionOutput evaluate(double speed) const override {
    const bool falling = speed > D && speed < V;
    const double mu = falling ? mu_s + gradient * (speed - D) : speed <= D ? mu_s : mu_d;
    return {.coefficient = mu,
            .d_speed = falling ? gradient : 0,
            .ratio = mu / (speed > 0 ? speed : std::numeric_limits<double>::min())};
  }

 private:
  double mu_s, mu_d, D, V, gradient;
};

const Registration<FrictionLawType> registered{{
    .name = "modified-karnopp",
    .help = "Karnopp's band with a sliding coefficient that falls with speed",
    .equation = "|F_t| ≤ μ_s F_N, from equilibrium          |v| ≤ D, while it holds\n"
                "F_t = −F_N μ(|v|) v/|v|                    otherwise\n"
                "μ(s) = μ_s for s ≤ D,   μ_s + (μ_d − μ_s)(s − D)/(V − D) between,   μ_d for s ≥ V",
    .citation = "Centea2001; Karnopp1985; Flores2006, sec. 4",
    .table = {.name = "a modified-karnopp friction law",
              .help = "Karnopp's band with falling friction",
              .parameters = {static_parameter(), dynamic_parameter(),
                             velocity_parameter("stick_velocity", "D, speed that counts as zero", "1 mm/s"),
                             velocity_parameter("friction_velocity",
                                                "V, speed from which on friction is constant")}},
    .make = [](const Object& object, Diagnostics& diagnostics) -> std::unique_ptr<FrictionLaw> {
      if (!require_order(object, "stick_velocity", "friction_velocity", diagnostics)) return nullptr;
      return std::make_unique<ModifiedKarnopp>(object.number("static"), object.number("dynamic"),
                                               object.number("stick_velocity"),
                                               object.number("friction_velocity"));
    },
}};

}  // namespace
}  // namespace tappet
