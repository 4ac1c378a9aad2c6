// From an oil film to dry contact without a jump, in one of two ways.
//
// greenwood-tripp: the film goes on, and the summits of rough surfaces bear more and more of the load (contact/rough_journal.hpp).
//
// flores:
//
//   x = (|e| − c)/e_t,   X = 0 for x ≤ 0,   3x² − 2x³ in between,   1 for x ≥ 1
//   F = (1 − X) F_film + X F_dry
//
//   c     radial clearance;  δ = |e| − c the dry contact's penetration
//   e_t   `tolerance`, over which the surfaces' roughness takes over from the oil, m
//
// [Flores et al. 2006] have X = x; the cubic has no corners. Both parts take energy in every motion, and so does their sum. What a
// dry law F_el(δ) + F_d stores is then ∫ X F_el dδ, which is not X times what it stores alone: the ledger needs the integral.
//
// So that the film has a force where |e| ≥ c, it is taken at a gap of at least h_* (`least_film`): h itself from 2 h_* on, and below that
// h_* (1 + 2 s³ − s⁴) with s = h/(2 h_*), twice continuously differentiable, h_* from h = 0 on. The direction of e and w stay.
#pragma once

#include <memory>

#include "tappet/contact/film_law.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct FloresBlendParameters {
  double tolerance = not_given;   ///< e_t, m; absent: a tenth of the clearance
  double least_film = not_given;  ///< h_*, m; absent: a hundredth of the clearance
};
struct GreenwoodTrippParameters {
  double roughness = not_given;      ///< σ, m
  double density = not_given;        ///< η, 1/m²
  double tip_radius = not_given;     ///< β, m
  double modulus = not_given;        ///< E*, Pa; absent: of the joint's materials
  double coefficient = 0;            ///< μ_a
  double friction_velocity = 0.001;  ///< v₀, m/s
  double least_film = not_given;     ///< h_*, m; absent: σ
};

/// X and its slope.
template <class T>
T blend_share(const T& x) {
  if (!(value_of(x) > 0)) return T(0);
  if (!(value_of(x) < 1)) return T(1);
  return x * x * (3 - 2 * x);
}

/// Of the gap h: never less than the least one.
template <class T>
T kept_film(const T& h, double least) {
  const T s = h / (2 * least);
  if (!(value_of(s) > 0)) return T(least);
  if (!(value_of(s) < 1)) return h;
  return least * (1 + s * s * s * (2 - s));
}

/// The film's part; an infinite tolerance: it does not fade.
std::unique_ptr<FilmLaw> fading_film(std::unique_ptr<FilmLaw> film, double tolerance, double least_film);
/// The dry part.
std::shared_ptr<const NormalLaw> growing_contact(std::shared_ptr<const NormalLaw> dry, double tolerance);

/// The mapping `mixed: {law: NAME, ...}` of a clearance with a lubricant; also registered as the family "mixed".
const Family& mixed_film_family();

}  // namespace tappet
