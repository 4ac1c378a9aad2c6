// Hertz' contact of surfaces whose gap is curved differently in two directions: the patch is an ellipse.
//
//   gap before loading    h = x²/(2R′) + y²/(2R″),   R′ ≥ R″ > 0 the relative principal radii, R_e = √(R′R″)
//   patch                 semi-axes a along x and b along y, κ = a/b ≥ 1, eccentricity e² = 1 − 1/κ²
//
//   R′/R″ = κ² B/D                                      fixes κ; the load has no part in it
//   c = √(ab) = (3 F R_e/(4 E*))^(1/3) F₁,              F₁³ = (4/π) √(B D/κ)
//   δ = 3 F 𝐊/(2π E* a),   so that F = K δ^1.5,         K = (4/3) E* √R_e · (π √κ F₁/(2𝐊))^1.5
//   p₀ = 3F/(2π a b),      mean p = (2/3) p₀
//
//   𝐊(e), 𝐄(e)   complete elliptic integrals;  D = (𝐊 − 𝐄)/e² = R_D(0, 1/κ², 1)/3,  B = (𝐄 − 𝐊/κ²)/e² = 𝐊 − D: both are π/4 for the
//               circle, so nothing cancels there
//   E*          1/E* = σ_i + σ_j, Pa
//
// [Johnson 1985, section 4.2, equations 4.24 to 4.30; Carlson's R_D and R_F]. The first line is solved for ln κ by bracketing to rounding: there
// is no approximation. As R′ → ∞ the patch becomes a line of unbounded
// length, κ → ∞, and K grows without bound: what two parallel cylinders approach depends on how long they are.
#pragma once

namespace tappet {

struct EllipticContact {
  double aspect = 1;       ///< κ
  double mean_radius = 0;  ///< R_e, m
  double size = 1;         ///< F₁
  double stiffness = 1;    ///< K of the circle of radius R_e times this

  struct Patch {
    double a = 0, b = 0;        ///< semi-axes, m
    double peak = 0, mean = 0;  ///< pressures, Pa
  };
  /// Under a force F, N, with E*, Pa.
  Patch patch(double force, double modulus) const;
};

/// Of relative radii R′ and R″ in any order, both positive and finite, m.
EllipticContact elliptic_contact(double first, double second);

}  // namespace tappet
