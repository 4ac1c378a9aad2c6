#include "tappet/contact/laws/goldsmith.hpp"

namespace tappet::laws::goldsmith {
namespace {

double load(const LineContact& line) {
  return line.length * line.curvature / line.compliance;
}

const Registration<NormalLawType> registered{{
    .name = "goldsmith",
    .help = "elastic contact of a pin in a cylinder, almost linear; evaluated in metres",
    .equation = "δ = (F Σ/L) [ln(L (R_i − R_j)/(F R_i R_j Σ)) + 1],   Σ = Σ_i + Σ_j,   lengths in m, F in N\n"
                "Σ_k = (1 − ν²)/(πE) (plane-strain) or (1 − ν²)/E (flores-2006)",
    .citation = "Goldsmith1960; Flores2004, eq. 26; Flores2006, eq. 10",
    .table = line_contact_table<GoldsmithParameters>("a goldsmith law",
                                                     "Elastic contact of a pin in a cylinder, in metres"),
    .make = made_from<make_line_contact<GoldsmithParameters, load>>,
}};

}  // namespace
}  // namespace tappet::laws::goldsmith
