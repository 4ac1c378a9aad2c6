// The oil between a ball and its socket, flooded all around: a film that presses, pulls and shears.
//
//   e, n        ball's centre against the socket's, n = e/|e|;  c radial clearance, ε = |e|/c;  R of the socket;  μ viscosity
//   ϑ           angle from n: the gap is h = c H, H = 1 − ε cos ϑ
//   w           ė − ½ (ω_j + ω_b) × e, the velocity that the pressure knows;  Δω = ω_j − ω_b, the only one that the shear knows
//
// Reynolds' equation ∇·(h³/12μ ∇p) = −w·u splits into the parts of w. Along n it has a closed form:
//
//   p = (3 μ R² w_n/(c³ ε)) (1/H² − const),   F_n = −6π (μ R⁴/c³) J(ε) w_n
//   J = ∫ sin³ϑ/H³ dϑ = (1/ε³) [2 ε/(1 − ε²) − ln((1 + ε)/(1 − ε))] = 4/3 + 8/5 ε² + 12/7 ε⁴ + …
//
// Across n p = P(ϑ) cos φ, (1/sin ϑ)(sin ϑ H³ P′)′ − H³ P/sin²ϑ = −12 (μ R²/c³) w_t sin ϑ, which has none. It is solved once, as
// a function of ε alone:
//
//   F_t = −8π (μ R⁴/c³) G(ε) w_t,   G(0) = 1
//
// Shear turns against Δω:  M = −(π μ R⁴/c) [2 (S₀ − S₂) Δω_n + (S₀ + S₂) Δω_t],  S₀ = ∫ dx/(1 − ε x) = ln((1 + ε)/(1 − ε))/ε,
// S₂ = ∫ x² dx/(1 − ε x) = (S₀ − 2)/ε²; in the middle M = −(8π/3)(μ R⁴/c) Δω. What it pushes the centre by is smaller by c/R and left out.
// The film does not rupture: a socket that is flooded and closed around its ball holds it while it parts as well. −F·w ≥ 0 and −M·Δω ≥ 0.
// [Pinkus & Sternlicht 1961; Flores & Lankarani 2010]
#pragma once

#include <memory>

#include "tappet/base/vectors.hpp"
#include "tappet/contact/viscosity.hpp"

namespace tappet {

struct BallFilmParameters {
  Viscosity viscosity;
  double temperature = not_given;  ///< K
};

/// The mapping `lubricant: {...}` of a spherical joint's clearance.
const Table& ball_film_table();

class BallFilm {
 public:
  BallFilm(double viscosity, double radius, double clearance);

  struct Push {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< on the ball
    double pressure_loss = 0, shear_loss = 0;          ///< W
  };
  /// Throws LawDomainError at ε ≥ 1. Allocates nothing.
  Push evaluate(const Vec3& e, const Vec3& w, const Vec3& spin) const;

  double clearance() const { return clearance_; }

 private:
  double clearance_, push_, shear_;  // c; μ R⁴/c³, μ R⁴/c
};

/// J and G.
double ball_squeeze(double eps);
double ball_sweep(double eps);
/// G by finite elements, `cells` along ϑ: what ball_sweep() interpolates.
double solved_ball_sweep(double eps, int cells);

}  // namespace tappet
