// Films as a user would write them, for the tests of the contact room.
#pragma once

#include "tappet/contact/film_law.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test {

/// R 10 mm, L 10 mm (L/D = ½), c 0.1 mm.
inline FilmBearing film_bearing(double ratio = 0.5) {
  return {.radius = 10e-3, .length = ratio * 20e-3, .clearance = 0.1e-3};
}

inline std::unique_ptr<FilmLaw> try_film_law(const std::string& yaml, const FilmBearing& bearing,
                                             std::string& why) {
  Diagnostics diagnostics;
  const Object object = read(yaml, film_law_family(), diagnostics);
  std::unique_ptr<FilmLaw> law;
  if (!diagnostics.has_errors()) law = make_film_law(object.parameters(), bearing, diagnostics);
  why = messages(diagnostics);
  return law;
}

inline std::unique_ptr<FilmLaw> film_law(const std::string& yaml,
                                         const FilmBearing& bearing = film_bearing()) {
  std::string why;
  auto law = try_film_law(yaml, bearing, why);
  if (!law) throw std::runtime_error(yaml + ": " + why);
  return law;
}

/// Force along and across e in units of μ R L³/c³ · (velocity), for e along x and this w in units of its own.
inline std::array<double, 2> short_film_force(const FilmLaw& law, double eps, double w_n, double w_t) {
  const FilmBearing& b = law.bearing();
  const double c = b.clearance, unit = b.viscosity * b.radius * b.length * b.length * b.length / (c * c * c);
  const FilmOutput out = law.evaluate({.e = {eps * c, 0}, .w = {w_n, w_t}});
  return {out.force[0] / unit, out.force[1] / unit};
}
/// The same in units of μ R³ L/c³.
inline std::array<double, 2> long_film_force(const FilmLaw& law, double eps, double w_n, double w_t) {
  const FilmBearing& b = law.bearing();
  const double slenderness = b.length / b.radius;
  const auto [n, t] = short_film_force(law, eps, w_n, w_t);
  return {n * slenderness * slenderness, t * slenderness * slenderness};
}

}  // namespace tappet::test
