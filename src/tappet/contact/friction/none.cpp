#include "tappet/contact/friction/none.hpp"

namespace tappet::friction_laws::none {
namespace {

std::unique_ptr<FrictionLaw> make(const NoFrictionParameters&, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<NoFriction>>(NoFriction{}, FrictionTraits{});
}

const Registration<FrictionLawType> registered{{
    .name = "none",
    .help = "no friction",
    .equation = "F_t = 0",
    .citation = "",
    .table = table_of<NoFrictionParameters>(
        "a none friction law", "No friction",
        {{&NoFrictionParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::none
