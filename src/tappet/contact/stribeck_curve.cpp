#include "tappet/contact/stribeck_curve.hpp"

#include <cmath>

namespace tappet {

StribeckPoint stribeck_point(const FilmLaw& film, const RoughJournal& rough, double boundary, double load,
                             double speed) {
  const FilmBearing& b = film.bearing();
  const double omega = speed / b.radius;
  struct Borne {
    double force, film, moment;
  };
  const auto borne = [&](double eps) {
    const double e = eps * b.clearance;
    const FilmOutput out = film.evaluate({.e = {e, 0}, .w = {0, -0.5 * omega * e}, .spin = omega});
    const double push = rough.at(b.clearance - e).force;
    return Borne{std::hypot(out.force[0] - push, out.force[1] - boundary * push),
                 std::hypot(out.force[0], out.force[1]),
                 out.couple + 0.5 * e * out.force[1] + boundary * push * b.radius};
  };
  double low = 0, high = 1;
  while (borne(high).force < load && high < 2) high += 0.01;
  for (int n = 0; n < 200; ++n) {
    const double middle = 0.5 * (low + high);
    (borne(middle).force < load ? low : high) = middle;
  }
  const Borne there = borne(high);
  return {speed, high, there.film / load, there.moment / (b.radius * load)};
}

}  // namespace tappet
