// No friction.
//
//   F_t = 0

#include "tappet/contact/friction_law.hpp"

namespace tappet {
namespace {

class None final : public FrictionLaw {
 public:
  FrictionOutput evaluate(double) const override { return {}; }
};

const Registration<FrictionLawType> registered{{
    .name = "none",
    .help = "no friction",
    .equation = "F_t = 0",
    .citation = "",
    .table = {.name = "a none friction law", .help = "No friction", .parameters = {}},
    .make = [](const Object&, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
      return std::make_unique<None>();
    },
}};

}  // namespace
}  // namespace tappet
