#include "tappet/contact/laws/hooke.hpp"

namespace tappet::laws::hooke {
namespace {

std::unique_ptr<NormalLaw> make(const HookeParameters& p, const Origin&, const ContactPair&, Diagnostics&) {
  const bool elastic = p.damping == 0;
  return std::make_unique<ForceLaw<Hooke>>(
      Hooke{p.stiffness, p.damping},
      NormalTraits{.requested_restitution = elastic ? 1 : p.restitution,
                   .predicted_restitution = elastic ? 1 : NormalTraits::unknown,
                   .continuous = elastic});
}

const Registration<NormalLawType> registered{{
    .name = "hooke",
    .help = "linear spring, optionally with a linear damper",
    .equation = "F = K δ + D δ̇,   not below 0",
    .citation = "Flores2022, eq. 1",
    .table = table_of<HookeParameters>("a hooke law", "Linear spring and damper",
                                       {{&HookeParameters::stiffness, linear_stiffness_parameter()},
                                        {&HookeParameters::damping,
                                         {.name = "damping",
                                          .unit = "N s/m",
                                          .help = "D; makes the force jump at first touch",
                                          .fallback = "0",
                                          .range = not_negative()}},
                                        {&HookeParameters::restitution, rigid_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::hooke
