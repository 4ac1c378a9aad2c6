// The oil between a flat pad and a flat wall, as long as the pad and taken as infinitely wide: a slider bearing.
//
//   x ∈ [−a, a]   along the pad;  h(x) = h₀ + s x the gap, s its slope;  B the width, μ the viscosity
//   U             speed of the wall against the pad, along x;  ∂h/∂t = V + W x
//
//   (h³ p′)′ = 12 μ (½ U s + V + W x),   p(±a) = 0
//   h³ p′ = 12 μ (½ U h + V x + ½ W x² + C),   C = −∫ (½ U h + V x + ½ W x²)/h³ / ∫ 1/h³
//
//   F = B ∫ p dx = −B ∫ x p′ dx,   M = B ∫ x p dx = −½ B ∫ (x² − a²) p′ dx           on the pad, away from the wall
//   τ on the pad = −½ h p′ + μ U/h:  T = B ∫ τ dx along x,   the wall gets B ∫ (−½ h p′ − μ U/h) dx
//
// For V = W = 0 these are Reynolds' closed forms of the inclined pad; with K = (h₂ − h₁)/h₁, h₁ the smaller gap,
//   F = 6 μ U (2a)² B/(K² h₁²) [ln(1 + K) − 2 K/(K + 2)]
// and for s = U = W = 0 the squeeze film −8 μ V a³ B/h₀³. With h = h_− (h_+/h_−)^τ all integrands are smooth in τ, whatever the slope, and
// Gauss' rule in cells gives them to rounding without the differences in which closed forms lose their digits at small slope.
//
// `film: reynolds` (default) bears where p > 0 alone, which takes no less energy than it should: ∫ p⁺ (…) = −∫ h³ p⁺′²/12 μ. `full` pulls as well.
// [Reynolds 1886; Hamrock 2004]
#pragma once

#include <string>

#include "tappet/contact/viscosity.hpp"

namespace tappet {

struct PadFilmParameters {
  Viscosity viscosity;
  double temperature = not_given;  ///< K
  double width = not_given;        ///< B, m
  std::string film = "reynolds";   ///< or full
};

/// The mapping `lubricant: {...}` of a translational joint's clearance.
const Table& pad_film_table();

struct PadFilm {
  double viscosity = 0, half_length = 0, width = 0;  ///< μ, a, B
  bool full = false;

  struct Motion {
    double start = 0, end = 0;      ///< gaps at x = −a and a, m
    double slide = 0;               ///< U, m/s
    double approach = 0, turn = 0;  ///< V, m/s; W, 1/s
  };
  struct Push {
    double force = 0, moment = 0;    ///< F, N; M about x = 0, N m
    double drag = 0, wall_drag = 0;  ///< along x, on the pad and on the wall, N
    double loss = 0;                 ///< −(what all these do), W
  };
  /// Throws LawDomainError where a gap is none. Allocates nothing.
  Push evaluate(const Motion& motion) const;
};

}  // namespace tappet
