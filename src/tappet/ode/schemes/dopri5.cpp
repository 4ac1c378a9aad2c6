// Dormand–Prince 5(4): the default integrator of smooth motion.
//
// Seven stages, six evaluations a step, since the last stage is the first of the next step; error estimate of
// order 4; dense output of order 4 without a further evaluation. Step-size control: PI with β = 0.04.
// [Dormand1980]; continuous extension and control: [Hairer1993, II.5, II.6 and IV.2]. Engine:
// explicit_runge_kutta.hpp.
//
// The derivative at the new point is that of the projected one, so that it serves the error estimate and the next step.
#include "tappet/ode/explicit_runge_kutta.hpp"
#include "tappet/ode/schemes/dopri5_tableau.hpp"

namespace tappet::schemes::dopri5 {

static const Registration<SchemeType> registered{{
    .name = "dopri5",
    .help = "Dormand-Prince 5(4), error-controlled, dense output of order 4",
    .citation = "Dormand1980",
    .order = 5,
    .fixed_step = true,
    .make = [](const SchemeOptions& options) -> std::unique_ptr<Scheme> {
      return std::make_unique<ExplicitRungeKutta<Dopri5Tableau>>(options);
    },
}};

}  // namespace tappet::schemes::dopri5
