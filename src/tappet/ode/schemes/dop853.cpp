// Dormand–Prince 8(5,3): for smooth motion at tight tolerances.
//
// Twelve stages and the derivative at the new point, which is the first stage of the next step; two error
// estimates, of order 5 and 3, combined to one that behaves as order 7; dense output of order 7, whose three
// further evaluations are made only when it is asked for. [Hairer1993, II.5, II.6 and II.10]. Engine:
// explicit_runge_kutta.hpp.
#include "tappet/ode/explicit_runge_kutta.hpp"
#include "tappet/ode/schemes/dop853_tableau.hpp"

namespace tappet::schemes::dop853 {

static const Registration<SchemeType> registered{{
    .name = "dop853",
    .help = "Dormand-Prince 8(5,3), error-controlled, dense output of order 7, for tight tolerances",
    .citation = "Hairer1993",
    .order = 8,
    .fixed_step = true,
    .make = [](const SchemeOptions& options) -> std::unique_ptr<Scheme> {
      return std::make_unique<ExplicitRungeKutta<Dop853Tableau>>(options);
    },
}};

}  // namespace tappet::schemes::dop853
