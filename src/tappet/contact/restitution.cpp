#include "tappet/contact/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/tools/roots.hpp>

namespace tappet {
namespace {

// x − ln(1 + x) without cancellation near 0.
double phi(double x) {
  return -boost::math::log1pmx(x);
}

// The zero of f in [a, b], f(a) and f(b) of opposite sign, to the last bits.
template <class F>
double zero(F f, double a, double b) {
  const double fa = f(a), fb = f(b);
  if (fa == 0) return a;
  if (fb == 0) return b;
  std::uintmax_t iterations = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      f, a, b, fa, fb, boost::math::tools::eps_tolerance<double>(53), iterations);
  return 0.5 * (low + high);
}

}  // namespace

double realised_restitution(double hysteresis) {
  const double h = hysteresis;
  if (!(h > 0)) return 1;
  // φ(−x) grows from 0 to infinity as x = h e goes from 0 to 1, and φ(−h) > φ(h): the root lies below min(1,
  // h).
  const double target = phi(h);
  double high = std::min(h, 1 - std::numeric_limits<double>::epsilon());
  if (phi(-high) <= target) return high / h;
  return zero([&](double x) { return phi(-x) - target; }, 0.0, high) / h;
}

double hysteresis_for(double restitution) {
  const double e = restitution;
  if (e >= 1) return 0;
  // Between no damping and h e = 1, where no rebound is left.
  const auto excess = [&](double h) { return h == 0 ? 0.5 * (1 - e * e) : (phi(h) - phi(-h * e)) / (h * h); };
  return zero(excess, 0.0, (1 - std::numeric_limits<double>::epsilon()) / e);
}

}  // namespace tappet
