// Reset integrator: the surfaces are joined by one bristle that gives way at a fixed deflection.
//
//   ṗ = v                                   holding
//   ṗ = v − (v·n) n,  |p| = p₀              sliding, n = p/|p|; in the plane ṗ = 0
//   F_t = −F_N [(1 + a) (μ_d/p₀)(p + τ ṗ)]  holding,   (1 + a) μ_d = μ_s
//   F_t = −F_N μ_d n                        sliding
//
//   p     deflection of the bristle, m, a state that is integrated with the motion
//   p₀    deflection at which it gives way (`deflection`), m
//   μ_s, μ_d  coefficients of static and sliding friction; a = μ_s/μ_d − 1 is the paper's stiction
//   τ     damping time of the bristle (`damping_time`), s: damping over stiffness
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Haessig & Friedland 1991; named in Flores 2006, after equation 17]. The paper writes, in one dimension,
//   ṗ = 0 if (v > 0 and p ≥ p₀) or (v < 0 and p ≤ −p₀), else v;      F = (1 + a(p)) σ₀ p + σ₁ ṗ
//   a(p) = a for |p| < p₀, 0 otherwise,
// with a constant sliding force σ₀ p₀. Where we deviate: the sliding force is μ_d F_N, hence σ₀ = μ_d F_N/p₀
// and σ₁ = (1 + a) σ₀ τ follow the normal force; and in space the deflection is a vector that turns with the
// sliding.
//
// Two modes (kind bristle, friction_law.hpp): holding ends when |p| reaches p₀ on the way out, sliding ends
// when v·p falls to 0. A held contact does not creep: it comes to rest at the deflection that carries the
// load. Breaking away drops the force from μ_s F_N to μ_d F_N; the energy in the bristle, of the order μ_s
// F_N p₀/2, is booked as F_t·v either way. Critical damping of a body whose weight gives F_N: τ = 2/ω, ω² =
// μ_s g/p₀, hence 1.2 ms for the default p₀ and μ_s = 0.3.

#include <cmath>
#include <limits>

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class ResetIntegrator final : public FrictionLaw {
 public:
  ResetIntegrator(double mu_s, double mu_d, double deflection, double damping_time)
      : mu_s(mu_s), mu_d(mu_d), p0(deflection), tau(damping_time) {
    traits_.kind = FrictionKind::bristle;
    traits_.static_coefficient = mu_s;
    traits_.sliding_coefficient = mu_d;
  }

  /// Steady sliding.
  FrictionOutput evaluate(double speed) const override {
    return {.coefficient = mu_d,
            .d_speed = 0,
            .ratio = mu_d / (speed > 0 ? speed : std::numeric_limits<double>::min())};
  }

  BristleOutput bristle(bool sliding, const Tangential& v, const Tangential& p) const override {
    const double length = p[1] == 0 ? std::abs(p[0]) : std::hypot(p[0], p[1]);
    BristleOutput out;
    if (sliding) {
      const Tangential n{p[0] / length, p[1] / length};
      const double outward = v[0] * n[0] + v[1] * n[1];
      for (int k : {0, 1}) {
        out.deflection_rate[k] = v[k] - outward * n[k];
        out.coefficient[k] = mu_d * n[k];
      }
      // In the plane the difference above is rounding.
      if (p[1] == 0 && v[1] == 0) out.deflection_rate = {0, 0};
      out.margin = outward;
    } else {
      const double stiffness = mu_s / p0;
      for (int k : {0, 1}) {
        out.deflection_rate[k] = v[k];
        out.coefficient[k] = stiffness * (p[k] + tau * v[k]);
      }
      out.margin = p0 - length;
    }
    return out;
  }

  Tangential bristle_reset(bool sliding, const Tangential& p) const override {
    if (!sliding) return p;
    // Onto the circle |p| = p₀, where the event was located up to its tolerance.
    const double length = std::hypot(p[0], p[1]);
    return {p[0] * p0 / length, p[1] * p0 / length};
  }

 private:
  double mu_s, mu_d, p0, tau;
};

const Registration<FrictionLawType> registered{{
    .name = "reset-integrator",
    .help = "a bristle joins the surfaces and gives way at a fixed deflection",
    .equation = "ṗ = v                                holding, until |p| = p₀\n"
                "ṗ = v − (v·n) n,   n = p/|p|         sliding, while v·n > 0\n"
                "F_t = −F_N μ_s (p + τ ṗ)/p₀          holding\n"
                "F_t = −F_N μ_d n                     sliding",
    .citation = "Haessig1991; Flores2006, sec. 4",
    .table = {.name = "a reset-integrator friction law",
              .help = "Friction by a bristle that gives way",
              .parameters = {static_parameter(),
                             dynamic_parameter(),
                             {.name = "deflection",
                              .unit = "m",
                              .help = "p₀, deflection at which the bristle gives way",
                              .fallback = "1 um",
                              .range = positive()},
                             {.name = "damping_time",
                              .unit = "s",
                              .help = "τ, damping of the bristle over its stiffness",
                              .fallback = "1 ms",
                              .range = not_negative()}}},
    .make = [](const Object& object, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<ResetIntegrator>(object.number("static"), object.number("dynamic"),
                                               object.number("deflection"), object.number("damping_time"));
    },
}};

}  // namespace
}  // namespace tappet
