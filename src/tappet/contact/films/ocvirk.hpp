// Ocvirk: the film of a short bearing, in which oil escapes to the ends and hardly flows around.
//
//   p = 6 μ (w·u) (L²/4 − z²)/h³,      F = −(μ R L³/c³) [I_cc I_cs; I_cs I_ss] (w_n, w_t)
//   I_cc = ∫ cos²ϑ/H³ dϑ,  I_cs = ∫ cos ϑ sin ϑ/H³ dϑ,  I_ss = ∫ sin²ϑ/H³ dϑ      over the arc that bears
//
// With Sommerfeld's angle ψ, cos ψ = (cos ϑ − ε)/H, sin ψ = s sin ϑ/H, these are elementary:
//
//   I_cc = q^(−5/2) [(ε² + ½) ψ + 2 ε sin ψ + ½ sin ψ cos ψ],   I_cs = q^(−2) [−ε cos ψ − ½ cos²ψ],
//   I_ss = q^(−3/2) [½ ψ − ½ sin ψ cos ψ]
//
// Two films, which are not the same law:
//   half-sommerfeld  the arc is the half circle on the side where turning makes pressure, whatever ε̇ does (Ocvirk's own):
//                      F_n = −(μRL³/c²) [ε² |ω_eff|/q² + π (1 + 2ε²) ε̇/(2 q^(5/2))]
//                      F_t = +(μRL³/c²) [π ε ω_eff/(4 q^(3/2)) + 2 ε ε̇ sgn(ω_eff)/q²]
//                    The tangential force jumps by 4 ε ε̇/q² where ω_eff changes sign; at ω_eff = 0 it is the mean of both sides.
//   reynolds         the arc is where p ≥ 0, the half circle around w: exact for the short film, and continuous.
//
// Good for L/D ≤ ¼ at moderate eccentricity: at ε = 0.5 the load is 6 % high for L/D = ¼ and 20 % for ½.
// [Ocvirk 1952; Booker 1965]
#pragma once

#include "tappet/contact/film_law.hpp"

namespace tappet {

struct OcvirkParameters {
  Viscosity viscosity;             ///< of the oil
  double temperature = not_given;  ///< of it, K, where that is a table
  std::string film = "reynolds";   ///< or half-sommerfeld
};

struct Ocvirk {
  double scale = 0;   ///< μ R L³/c³, N s/m
  double area = 0;    ///< R L, m²
  bool half = false;  ///< the fixed half circle
};

template <class T>
FilmForceOf<T> half_film(const Ocvirk& law, const T& eps, const T& w_n, const T& w_t) {
  using std::abs, std::sqrt;
  const T q = (1 - eps) * (1 + eps), s = sqrt(q);
  const T cc = std::numbers::pi * (eps * eps + 0.5) / (q * q * s), cs = 2 * eps / (q * q),
          ss = 0.5 * std::numbers::pi / (q * s);
  const double side = value_of(w_t) > 0 ? 1 : value_of(w_t) < 0 ? -1 : 0;
  return {-law.scale * (cc * w_n + cs * abs(w_t)), -law.scale * (cs * side * w_n + ss * w_t)};
}

template <class T>
FilmForceOf<T> film(const Ocvirk& law, const T& eps, const T& w_n, const T& w_t) {
  if (law.half) return half_film(law, eps, w_n, w_t);
  using std::sqrt;
  const T speed = size_of(w_n, w_t);
  if (!(value_of(speed) > 0)) return {};
  // The arc's ends are at right angles to w, whose direction is γ: sin and cos of ψ there.
  const T cg = w_n / speed, sg = w_t / speed, q = (1 - eps) * (1 + eps), s = sqrt(q);
  const T before = 1 - eps * sg, after = 1 + eps * sg;
  const T S1 = -s * cg / before, C1 = (sg - eps) / before, S2 = s * cg / after, C2 = -(sg + eps) / after;
  // From almost 2π while pressing to a short arc while parting.
  const T up = 2 * eps * s * cg, right = 1 - eps * eps * (1 + cg * cg);
  const T arc = value_of(cg) < 0 ? angle_of<T>(-up, -right) : std::numbers::pi + angle_of<T>(up, right);
  const T bulge = 0.5 * (S2 * C2 - S1 * C1);
  const T cc = ((eps * eps + 0.5) * arc + 2 * eps * (S2 - S1) + bulge) / (q * q * s),
          cs = -(C2 - C1) * (eps + 0.5 * (C1 + C2)) / (q * q), ss = (0.5 * arc - bulge) / (q * s);
  return {-law.scale * (cc * w_n + cs * w_t), -law.scale * (cs * w_n + ss * w_t)};
}

inline double oil_flow(const Ocvirk& law, double, double w_n, double w_t) {
  return 2 * law.area * (law.half ? std::abs(w_t) : std::hypot(w_n, w_t));
}

}  // namespace tappet
