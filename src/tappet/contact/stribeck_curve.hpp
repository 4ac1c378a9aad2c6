// Friction of an oiled joint under a fixed load over the speed of its journal: the Stribeck curve.
//
// The bearing stands, the journal turns with ω and rests where film and summits bear the load W together:
//   |F_film(ε, ω) − F_a n − μ_a F_a t| = W,      M = M_C + ½ e×F_film + μ_a F_a R,      μ = M/(R W)
// Boundary friction as ω → 0, μ = μ_a/√(1 + μ_a²); a least value where the summits part; Petrov's 2π μ R³ L ω/c as W → 0.
#pragma once

#include <vector>

#include "tappet/contact/film_law.hpp"
#include "tappet/contact/rough_journal.hpp"

namespace tappet {

struct StribeckPoint {
  double speed = 0;         ///< of sliding, ω R, m/s
  double eccentricity = 0;  ///< ε
  double film_share = 0;    ///< of the load that the film bears
  double coefficient = 0;   ///< μ
};

/// `film` has a force at every eccentricity (contact/mixed_film.hpp).
StribeckPoint stribeck_point(const FilmLaw& film, const RoughJournal& rough, double boundary, double load,
                             double speed);

}  // namespace tappet
