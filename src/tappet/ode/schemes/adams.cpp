// Variable-order, variable-step Adams–Moulton predictor–corrector: fewest evaluations for smooth motion at
// tight tolerances, where evaluations are expensive.
//
//   y_n = y_{n−1} + h Σ_{i=0}^{q−1} β_i f_{n−i},   q = 1 … 12,   solved by functional iteration
//
// CVODE, in Nordsieck form [Hindmarsh2005]. Shared parts: cvode_scheme.cpp.
//
// Manifold: the history is left alone, since a change of it would be a restart. Instead f(t, P(y)) is
// integrated: the derivative is always taken on the manifold, where it is tangent to it, so that the distance
// of y from the manifold grows no faster than the integration error itself, and y() = P(y).
#include "tappet/ode/cvode_scheme.hpp"

namespace tappet::schemes::adams {

static const Registration<SchemeType> registered{{
    .name = "adams",
    .help = "variable-order Adams-Moulton predictor-corrector, orders 1 to 12 (CVODE)",
    .citation = "Hindmarsh2005",
    .order = 0,
    .fixed_step = false,
    .make = [](const SchemeOptions& options) { return make_cvode_scheme(CvodeMethod::adams, options); },
}};

}  // namespace tappet::schemes::adams
