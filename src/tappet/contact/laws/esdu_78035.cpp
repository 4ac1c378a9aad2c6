#include "tappet/contact/laws/esdu_78035.hpp"

namespace tappet::laws::esdu_78035 {
namespace {

double load(const LineContact& line) {
  return 4 * line.length * line.radius_difference / line.compliance;
}

const Registration<NormalLawType> registered{{
    .name = "esdu-78035",
    .help = "elastic contact of a pin in a cylinder, as ESDU publishes it",
    .equation = "δ = (F Σ/L) [ln(4 L (R_i − R_j)/(F Σ)) + 1],   Σ = Σ_i + Σ_j\n"
                "Σ_k = (1 − ν²)/(πE) (plane-strain) or (1 − ν²)/E (flores-2006)",
    .citation = "Esdu1978; Flores2004, eq. 27; Flores2006, eq. 11",
    .table = line_contact_table<Esdu78035Parameters>("an esdu-78035 law",
                                                     "Elastic contact of a pin in a cylinder"),
    .make = made_from<make_line_contact<Esdu78035Parameters, load>>,
}};

}  // namespace
}  // namespace tappet::laws::esdu_78035
