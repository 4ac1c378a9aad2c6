// Pinkus and Sternlicht: the film of a long bearing that turns and is squeezed, with an arc that bears in between.
//
//   k² = q [(ω_eff/2ε̇)² + 1/ε²],   A = 6/((2 + ε²) q^(3/2))
//   ε̇ > 0:  F_n = −(μR³L/c²) A |ε̇| [4 k ε² + (2 + ε²) π (k + 3)/(k + 3/2)]
//           F_t =  (μR³L/c²) 6π ε ω_eff/((2 + ε²) s) · (k + 3)/(k + 3/2)
//   ε̇ < 0:  F_n = −(μR³L/c²) A |ε̇| [4 k ε² − (2 + ε²) π k/(k + 3/2)]
//           F_t =  (μR³L/c²) 6π ε ω_eff/((2 + ε²) s) · k/(k + 3/2)
//
// Prints that have ε̇ in place of |ε̇| in the second pair pull the journal the wrong way. As ε̇ → 0 both pairs become Sommerfeld's;
// k itself then grows beyond all bounds and is never formed: |ε̇| k = s √((ω_eff/2)² + (ε̇/ε)²). Pure pressing is 0.98 to
// 1.09 of the exact force with p ≥ 0; parting is 0.74 of it at ε = 0.6 but 23 times at 0.99. Good for L/D ≥ 2.
// [Pinkus & Sternlicht 1961; Flores et al. 2006]
#pragma once

#include "tappet/contact/film_law.hpp"

namespace tappet {

struct PinkusSternlichtParameters {
  Viscosity viscosity;             ///< of the oil
  double temperature = not_given;  ///< of it, K, where that is a table
};

struct PinkusSternlicht {
  double scale = 0;  ///< μ R³ L/c³, N s/m
};

template <class T>
FilmForceOf<T> film(const PinkusSternlicht& law, const T& eps, const T& w_n, const T& w_t) {
  using std::abs, std::sqrt;
  const T q = (1 - eps) * (1 + eps), s = sqrt(q), two = 2 + eps * eps;
  // ε |ε̇| k = s |w|/c, and (k + a)/(k + 3/2) = (s |w| + a ε |w_n|)/(s |w| + 3/2 ε |w_n|) with a = 3 while pressing, 0 while parting.
  const T speed = size_of(w_n, w_t);
  if (!(value_of(speed) > 0)) return {};
  const T squeeze = eps * abs(w_n);
  const double a = value_of(w_n) > 0 ? 3 : 0;
  const T share = (s * speed + a * squeeze) / (s * speed + 1.5 * squeeze);
  const T A = 6 / (two * q * s);
  return {-law.scale * A * (4 * eps * s * speed + two * std::numbers::pi * share * w_n),
          -law.scale * 12 * std::numbers::pi * share * w_t / (two * s)};
}

/// A long film has no ends.
inline double oil_flow(const PinkusSternlicht&, double, double, double) {
  return 0;
}

}  // namespace tappet
