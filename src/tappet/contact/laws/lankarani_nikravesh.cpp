#include "tappet/contact/laws/lankarani_nikravesh.hpp"

namespace tappet::laws::lankarani_nikravesh {
namespace {

double hysteresis(double c_r) {
  return 3 * (1 - c_r * c_r) / 4;
}

const Registration<NormalLawType> registered{{
    .name = "lankarani-nikravesh",
    .help = "Hertz' spring with hysteresis damping, for impacts that lose little",
    .equation = "F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),   h = 3(1 − c_r²)/4",
    .citation = "Lankarani1990; Flores2006, eqs. 6–9; Flores2022, eq. 4",
    .table = hysteretic_table<LankaraniNikraveshParameters>(
        "a lankarani-nikravesh law", "Hertz' spring with hysteresis damping", unit_interval()),
    .make = made_from<make_hysteretic<LankaraniNikraveshParameters, hysteresis>>,
}};

}  // namespace
}  // namespace tappet::laws::lankarani_nikravesh
