// Coulomb's cone K_μ = {(r_n, r_t) : ‖r_t‖ ≤ μ r_n} in two and three dimensions.
#pragma once

#include <cmath>

namespace tappet::lcp {

/// ‖x_t‖ of a contact's block; D = 2 or 3 rows.
template <int D>
double tangential_norm(const double* x) {
  if constexpr (D == 2) return std::abs(x[1]);
  return std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

/// x ← its nearest point in K_μ.
///
/// Three cases: inside; in the polar cone {μ‖x_t‖ ≤ −x_n}, whose nearest point is the apex; and between the
/// two, where it is the foot on the ray (1, μ x_t/‖x_t‖).
template <int D>
void project_on_cone(double mu, double* x) {
  const double t = tangential_norm<D>(x);
  if (x[0] >= 0 && t <= mu * x[0]) return;  // without friction t = 0 says nothing of the sign
  if (mu * t <= -x[0]) {
    for (int k = 0; k < D; ++k) x[k] = 0;
    return;
  }
  x[0] = (x[0] + mu * t) / (1 + mu * mu);
  const double factor = mu * x[0] / t;
  for (int k = 1; k < D; ++k) x[k] *= factor;
}

/// x_t ← its nearest point in the disc of this radius.
template <int D>
void project_on_disc(double radius, double* x_t) {
  double t = std::abs(x_t[0]);
  if constexpr (D == 3) t = std::sqrt(x_t[0] * x_t[0] + x_t[1] * x_t[1]);
  if (t <= radius) return;
  const double factor = radius / t;
  for (int k = 0; k < D - 1; ++k) x_t[k] *= factor;
}

}  // namespace tappet::lcp
