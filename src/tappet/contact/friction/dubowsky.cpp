#include "tappet/contact/friction/dubowsky.hpp"

namespace tappet::friction_laws::dubowsky {
namespace {

std::unique_ptr<FrictionLaw> make(const DubowskyParameters& p, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<Dubowsky>>(
      Dubowsky{p.coefficient, p.v0},
      FrictionTraits{.static_coefficient = p.coefficient, .sliding_coefficient = p.coefficient});
}

const Registration<FrictionLawType> registered{{
    .name = "dubowsky",
    .help = "constant sliding friction, its jump at rest made a steep line",
    .equation = "F_t = −c_c F_N v/max(|v|, v₀)",
    .citation = "Dubowsky1974; Flores2006, eq. 12",
    .table = table_of<DubowskyParameters>(
        "a dubowsky friction law", "Constant sliding friction",
        {{&DubowskyParameters::coefficient, coefficient_parameter()},
         {&DubowskyParameters::v0,
          velocity_parameter("v0", "speed below which the force falls to 0", "0.1 mm/s")},
         {&DubowskyParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::dubowsky
