// Newton's impact law: no force, only the relation between the normal velocities before and after an impact.
//
//   γ⁺ = −ε γ⁻
//
//   γ   relative normal velocity, m/s, > 0 separating; ⁻ before and ⁺ after the impact
//   ε   restitution
//
// [Flores 2022, equations 16 and 18]. What a contact has when no law is named: all that the non-smooth
// methods need. The smooth method needs a force law and says so.

#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

const Registration<NormalLawType> registered{{
    .name = "newton",
    .help = "restitution alone, for the non-smooth methods; taken when no law is named",
    .equation = "γ⁺ = −ε γ⁻",
    .citation = "Flores2022, eqs. 16, 18",
    .force_law = false,
    .table = {.name = "a newton law",
              .help = "Newton's impact law",
              .parameters = {restitution_parameter(unit_interval())}},
}};

}  // namespace
}  // namespace tappet
