// Integrators of the smooth method.
#include "tappet/ode/scheme.hpp"
#include "tappet/studies/compare.hpp"

namespace tappet::variations::integrators {

static const Registration<VariationType> registered{{
    .name = "integrators",
    .help = "integrators of the smooth method",
    .names = [] { return SchemeRegistry::instance().names(); },
    .make =
        [](const Value&, const std::string& name) {
          return Variant{name, {"simulation.integrator=" + name}};
        },
}};

}  // namespace tappet::variations::integrators
