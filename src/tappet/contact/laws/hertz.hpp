// Hertz: elastic contact of curved surfaces.
//
//   F = K δⁿ,      K = 4/(3(σ_i + σ_j)) · √R,   1/R = 1/R_i + 1/R_j,   σ = (1 − ν²)/E
//
// and with two relative radii R′ > R″ that of the ellipse (elliptic_contact.hpp).
//
//   K       stiffness, N/m^n; the formula gives N/m^1.5
//   n       exponent, 3/2 for circular and elliptic contacts
//   R_i, R_j  radii of curvature, m: convex positive, concave negative, plane infinite
//   E, ν    Young's modulus, Pa, and Poisson's ratio of each surface
//   δ       penetration, m;  F on the second surface along the normal, away from the first
//
//   U = K δⁿ⁺¹/(n + 1);   P = 0
//
// [Flores 2006, equations 2 to 5; Flores & Ambrósio 2004, equations 23 and 24; Flores 2022, equation 2]. The
// two papers' K agree: 2004 writes π(h_i + h_j) for σ_i + σ_j and takes the sign of the concave radius out.
// A free impact of mass m at speed v: δ_max = (5 m v²/(4K))^(2/5), duration 2.943275184324705 δ_max/v (n =
// 3/2).
#pragma once

#include <vector>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"

namespace tappet {

struct HertzParameters {
  double stiffness = not_given;    ///< K, N/m^n; absent: by the formula
  double exponent = 1.5;           ///< n
  std::vector<double> radii = {};  ///< R′, R″ of the gap, m; none: from the shapes
};

struct Hertz {
  PowerLaw elastic;
};

template <class T>
NormalOutputOf<T> force(const Hertz& law, const NormalInputOf<T>& in) {
  const auto elastic = law.elastic.at(in.depth);
  return {.force = elastic.force, .d_depth = elastic.slope, .stored_energy = elastic.energy};
}

}  // namespace tappet
