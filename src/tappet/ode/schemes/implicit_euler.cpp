// The backward Euler method: y₁ = y + h f(t + h, y₁).
//
// Order 1, L-stable: what is faster than the step dies out within it. An undamped oscillation of angular frequency ω loses the part
// 1 − 1/√(1 + ω²h²) of its amplitude in each step, which is how contacts lose energy where steps do not resolve them
// [Hairer1996, IV.3]. Dense output is the straight line. Engine: implicit_runge_kutta.cpp.
#include "tappet/ode/implicit_runge_kutta.hpp"

namespace tappet::schemes::implicit_euler {

static const Registration<SchemeType> registered{{
    .name = "implicit-euler",
    .help = "backward Euler with a fixed step; stable at every step, damps what the step does not resolve",
    .citation = "Hairer1996",
    .order = 1,
    .fixed_step = true,
    .error_control = false,
    .implicit = true,
    .make =
        [](const SchemeOptions& options) {
          constexpr ImplicitTableau tableau{
              .stages = 1, .gamma = 1, .c = {1}, .dense_order = 1, .dense = {{1, 0}}};
          return make_implicit_runge_kutta(tableau, options);
        },
}};

}  // namespace tappet::schemes::implicit_euler
