#include "tappet/contact/laws/hunt_crossley.hpp"

namespace tappet::laws::hunt_crossley {
namespace {

double hysteresis(double c_r) {
  return 3 * (1 - c_r) / 2;
}

const Registration<NormalLawType> registered{{
    .name = "hunt-crossley",
    .help = "Hertz' spring with a damper that grows with the penetration",
    .equation = "F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),   h = 3(1 − c_r)/2",
    .citation = "Hunt1975; Flores2022, eq. 3",
    .table = hysteretic_table<HuntCrossleyParameters>(
        "a hunt-crossley law", "Hertz' spring with hysteresis damping", unit_interval()),
    .make = made_from<make_hysteretic<HuntCrossleyParameters, hysteresis>>,
}};

}  // namespace
}  // namespace tappet::laws::hunt_crossley
