// Finite: the film of a bearing of any length, from a table of solutions of Reynolds' equation with cavitation.
//
//   ∇·(h³/12μ ∇p) = −w·u where p > 0,   0 ≤ p ⟂ r ≥ 0,   F = −(12 μ R⁴/c³) e^A [w + b ẑ×w]
//
// A and b are interpolated (lubrication/film_table.hpp) over ε and the direction of w; the table is made once per L/D and kept.
// `supply: none` is a film that is periodic around the bearing: continuous, also through e = 0, and the law for motion in general.
// `supply: widest-gap` keeps the oil at the pressure around where the gap is widest, as tables of bearings that turn steadily assume;
// its force jumps at e = 0.
// [Reynolds 1886; Butenschoen 1976]
#pragma once

#include "tappet/contact/film_law.hpp"
#include "tappet/lubrication/film_table.hpp"

namespace tappet {

struct FiniteFilmParameters {
  Viscosity viscosity;             ///< of the oil
  double temperature = not_given;  ///< of it, K, where that is a table
  std::string supply = "none";     ///< or widest-gap
  double table_tolerance = 0.005;  ///< of the table, over the force
};

struct FiniteFilm {
  double scale = 0;   ///< 12 μ R⁴/c³, N s/m
  double square = 0;  ///< R², m²
  std::shared_ptr<const lubrication::FilmTable> table;
};

template <class T>
FilmForceOf<T> film(const FiniteFilm& law, const T& eps, const T& w_n, const T& w_t) {
  const T speed = size_of(w_n, w_t);
  if (!(value_of(speed) > 0)) return {};
  const auto [along, across] = law.table->at<T>(eps, w_n / speed, w_t / speed);
  const T force = -law.scale * along;
  return {force * (w_n - across * w_t), force * (w_t + across * w_n)};
}

inline double oil_flow(const FiniteFilm& law, double eps, double w_n, double w_t) {
  const double speed = std::hypot(w_n, w_t);
  return speed > 0 ? law.square * speed * law.table->flow(eps, w_n / speed) : 0;
}

}  // namespace tappet
