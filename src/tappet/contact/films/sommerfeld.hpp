// Sommerfeld: the film of a long bearing, in which oil flows around and none escapes to the ends.
//
//   full             the whole film, which pulls where its pressure is below that around [Sommerfeld 1904]:
//                      F_n = −(μR³L/c²) 12π ε̇/q^(3/2),    F_t = (μR³L/c²) 12π ε ω_eff/((2 + ε²) s)
//   half-sommerfeld  the half circle on which turning makes pressure (Gümbel's), half of the film that is squeezed, and what joins
//                    both by reciprocity, as half of a linear film's resistance is:
//                      F_n = −(μR³L/c²) [12 ε² |ω_eff|/((2 + ε²) q) + 6π ε̇/q^(3/2)]
//                      F_t = +(μR³L/c²) [6π ε ω_eff/((2 + ε²) s) + 24 ε ε̇ sgn(ω_eff)/((2 + ε²) q)]
//
// Steady turning is Gümbel's. The closed forms of pressing and of parting with p ≥ 0 may not be added to it in place of the half:
// at ε > 0.85 the sum gains energy in some motions. The joined form never does: 8 ε² ≤ π² (2 + ε²).
// Good for L/D ≥ 2. [Sommerfeld 1904; Guembel 1914]
#pragma once

#include "tappet/contact/film_law.hpp"

namespace tappet {

struct SommerfeldParameters {
  Viscosity viscosity;                   ///< of the oil
  double temperature = not_given;        ///< of it, K, where that is a table
  std::string film = "half-sommerfeld";  ///< or full
};

struct Sommerfeld {
  double scale = 0;  ///< μ R³ L/c³, N s/m
  bool half = true;
};

template <class T>
FilmForceOf<T> film(const Sommerfeld& law, const T& eps, const T& w_n, const T& w_t) {
  using std::abs, std::sqrt;
  const T q = (1 - eps) * (1 + eps), s = sqrt(q), two = 2 + eps * eps;
  // ε ω_eff = −2 w_t/c and ε̇ = w_n/c.
  const double whole = law.half ? 0.5 : 1;
  const T nn = 12 * std::numbers::pi * whole / (q * s), tt = 24 * std::numbers::pi * whole / (two * s);
  if (!law.half) return {-law.scale * nn * w_n, -law.scale * tt * w_t};
  const T nt = 24 * eps / (two * q);
  const double side = value_of(w_t) > 0 ? 1 : value_of(w_t) < 0 ? -1 : 0;
  return {-law.scale * (nn * w_n + nt * abs(w_t)), -law.scale * (nt * side * w_n + tt * w_t)};
}

/// A long film has no ends.
inline double oil_flow(const Sommerfeld&, double, double, double) {
  return 0;
}

}  // namespace tappet
