#include "tappet/contact/laws/dubowsky_freudenstein.hpp"

namespace tappet::laws::dubowsky_freudenstein {
namespace {

double load(const LineContact& line) {
  return line.length * line.length * line.length * line.curvature / line.compliance;
}

const Registration<NormalLawType> registered{{
    .name = "dubowsky-freudenstein",
    .help = "elastic contact of a pin in a cylinder",
    .equation = "δ = (F Σ/L) [ln(L³ (R_i − R_j)/(F R_i R_j Σ)) + 1],   Σ = Σ_i + Σ_j\n"
                "Σ_k = (1 − ν²)/(πE) (plane-strain) or (1 − ν²)/E (flores-2006)",
    .citation = "Dubowsky1971; Flores2004, eq. 26; Flores2006, eq. 10",
    .table = line_contact_table<DubowskyFreudensteinParameters>("a dubowsky-freudenstein law",
                                                                "Elastic contact of a pin in a cylinder"),
    .make = made_from<make_line_contact<DubowskyFreudensteinParameters, load>>,
}};

}  // namespace
}  // namespace tappet::laws::dubowsky_freudenstein
