// Lankarani–Nikravesh: Hertz' spring with hysteresis damping, for impacts that lose little.
//
//   F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),      h = 3(1 − c_r²)/4
//
//   K     stiffness, N/m^n, by Hertz when absent
//   n     exponent
//   c_r   coefficient of restitution asked for
//   δ     penetration, m;  δ̇ its rate, > 0 approaching;  δ̇⁽⁻⁾ > 0 the rate at first touch, m/s
//   F     on the second surface along the normal, away from the first, N
//
// [Lankarani & Nikravesh 1990; Flores 2006, equations 6 to 9; Flores & Ambrósio 2004, equation 28; Flores
// 2022, equation 4]. h follows from balancing the energy of a nearly elastic impact, so that the realised
// restitution leaves c_r as c_r falls: 0.913 for 0.9, 0.725 for 0.5, and never below 0.66 (restitution.hpp).
// What happens at rest, when F would pull, U and P: hysteretic.hpp.

#include "tappet/contact/hysteretic.hpp"

namespace tappet {
namespace {

double hysteresis(double c_r) {
  return 3 * (1 - c_r * c_r) / 4;
}

const Registration<NormalLawType> registered{{
    .name = "lankarani-nikravesh",
    .help = "Hertz' spring with hysteresis damping, for impacts that lose little",
    .equation = "F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),   h = 3(1 − c_r²)/4",
    .citation = "Lankarani1990; Flores2006, eqs. 6–9; Flores2022, eq. 4",
    .table = hysteretic_table("a lankarani-nikravesh law", "Hertz' spring with hysteresis damping",
                              unit_interval()),
    .make = [](const Object& object, const ContactPair& pair,
               Diagnostics& diagnostics) { return make_hysteretic(object, pair, diagnostics, hysteresis); },
}};

}  // namespace
}  // namespace tappet
