#include "tappet/contact/laws/newton.hpp"

namespace tappet::laws::newton {
namespace {

const Registration<NormalLawType> registered{{
    .name = "newton",
    .help = "restitution alone, for the non-smooth methods; taken when no law is named",
    .equation = "γ⁺ = −ε γ⁻",
    .citation = "Flores2022, eqs. 16, 18",
    .force_law = false,
    .table = table_of<NewtonParameters>(
        "a newton law", "Newton's impact law",
        {{&NewtonParameters::restitution, restitution_parameter(unit_interval())}}),
}};

}  // namespace
}  // namespace tappet::laws::newton
