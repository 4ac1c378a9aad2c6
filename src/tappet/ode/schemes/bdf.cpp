// Variable-order, variable-step backward differentiation: for stiff motion.
//
//   Σ_{i=0}^{q} α_i y_{n−i} = h β₀ f(t_n, y_n),   q = 1 … 5,   solved by Newton's method
//
// CVODE, in Nordsieck form [Hindmarsh2005]. Shared parts: cvode_scheme.cpp.
//
// Newton's matrix I − hβ₀ ∂f/∂y is dense, by difference quotients, up to 600 unknowns; above, GMRES without a
// matrix and without a preconditioner. Components of infinite error scale then follow the others with the
// accuracy of GMRES alone.
//
// Manifold: CVODE projects the solution of each step, before its error test, and corrects its history
// accordingly.
#include "tappet/ode/cvode_scheme.hpp"

namespace tappet::schemes::bdf {

static const Registration<SchemeType> registered{{
    .name = "bdf",
    .help = "variable-order backward differentiation, orders 1 to 5, for stiff models (CVODE)",
    .citation = "Hindmarsh2005",
    .order = 0,
    .fixed_step = false,
    .implicit = true,
    .make = [](const SchemeOptions& options) { return make_cvode_scheme(CvodeMethod::bdf, options); },
}};

}  // namespace tappet::schemes::bdf
