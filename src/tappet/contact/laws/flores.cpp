#include "tappet/contact/laws/flores.hpp"

namespace tappet::laws::flores {
namespace {

double hysteresis(double c_r) {
  return 8 * (1 - c_r) / (5 * c_r);
}

const Registration<NormalLawType> registered{{
    .name = "flores",
    .help = "Hertz' spring with hysteresis damping, for every restitution",
    .equation = "F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),   h = 8(1 − c_r)/(5 c_r)",
    .citation = "Flores2011; Flores2022, eq. 5",
    .table = hysteretic_table<FloresParameters>("a flores law", "Hertz' spring with hysteresis damping",
                                                {.low = 0, .high = 1, .low_open = true}),
    .make = made_from<make_hysteretic<FloresParameters, hysteresis>>,
}};

}  // namespace
}  // namespace tappet::laws::flores
