// The singly diagonally implicit method of two stages and order 2 that is L-stable [Alexander1977].
//
//   γ = 1 − 1/√2:   Y₀ = y + hγ k₀,   Y₁ = y + h (1 − γ) k₀ + hγ k₁ = y₁,   c = (γ, 1)
//
// Dense output of order 2: the weights b(θ) with Σ b_j = θ and Σ b_j c_j = θ²/2,
//
//   b₁(θ) = (θ²/2 − γθ)/(1 − γ),   b₀(θ) = θ − b₁(θ),   which at θ = 1 are those of the method.
//
// Engine: implicit_runge_kutta.cpp.
#include <numbers>

#include "tappet/ode/implicit_runge_kutta.hpp"

namespace tappet::schemes::sdirk2 {

static const Registration<SchemeType> registered{{
    .name = "sdirk2",
    .help = "two-stage diagonally implicit Runge-Kutta with a fixed step; stable at every step",
    .citation = "Alexander1977",
    .order = 2,
    .fixed_step = true,
    .error_control = false,
    .implicit = true,
    .make =
        [](const SchemeOptions& options) {
          constexpr double g = 1 - 1 / std::numbers::sqrt2, d1 = -g / (1 - g), d2 = 0.5 / (1 - g);
          constexpr ImplicitTableau tableau{.stages = 2,
                                            .gamma = g,
                                            .a = {{0, 0}, {1 - g, 0}},
                                            .c = {g, 1},
                                            .dense_order = 2,
                                            .dense = {{1 - d1, -d2}, {d1, d2}}};
          return make_implicit_runge_kutta(tableau, options);
        },
}};

}  // namespace tappet::schemes::sdirk2
