// Singly diagonally implicit Runge–Kutta methods with fixed steps; a tableau makes one a scheme.
//
//   Y_j = y + h Σ_{l<j} a_jl k_l + h γ k_j,   k_j = f(t + c_j h, Y_j)     stages, j = 0 … s−1
//   y₁  = P(t + h, Y_{s−1})                                               stiffly accurate: the last stage is the new point
//   u(θ) = y + h Σ_j (d_j0 θ + d_j1 θ²) k_j + θ (y₁ − Y_{s−1})            dense output on θ ∈ [0, 1]
//
// P brings the new point back to the manifold. k_j is read off the stage, k_j = (Y_j − …)/(hγ), which does not enlarge what is left of
// its residual as another evaluation of a stiff f would [Hairer1996, IV.8].
//
// Each stage is a root of r(Y) = Y − g − hγ f(Y), found by Newton's method with (I − hγ ∂f/∂Y), ∂f/∂Y by difference quotients and
// dense. It is made anew for each step, so that a step is a function of (t, y) alone and a resumed run repeats it to the last bit; and
// again wherever an iteration does not come much nearer, as in the first moments of a contact, whose stiffness is that of its depth. A
// Newton step that does not bring r down is halved.
#pragma once

#include <memory>

#include "tappet/ode/scheme.hpp"

namespace tappet {

struct ImplicitTableau {
  static constexpr int most_stages = 2;
  int stages = 1;
  double gamma = 1;  ///< of every stage
  double a[most_stages][most_stages] =
      {};  ///< below the diagonal; a[s−1] and γ are the weights of the new point
  double c[most_stages] = {};
  int dense_order = 1;
  double dense[most_stages][2] = {};  ///< d_j0, d_j1
};

/// Throws std::invalid_argument without a fixed step: these methods have no error control.
std::unique_ptr<Scheme> make_implicit_runge_kutta(const ImplicitTableau& tableau,
                                                  const SchemeOptions& options);

}  // namespace tappet
