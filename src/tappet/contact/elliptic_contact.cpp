#include "tappet/contact/elliptic_contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/tools/roots.hpp>

namespace tappet {
namespace {

using std::numbers::pi;

struct Integrals {
  double K = pi / 2, B = pi / 4, D = pi / 4;
};

Integrals integrals(double aspect) {
  const double square = 1 / (aspect * aspect);
  Integrals out;
  out.K = boost::math::ellint_rf(0.0, square, 1.0);
  out.D = boost::math::ellint_rd(0.0, square, 1.0) / 3;
  out.B = out.K - out.D;
  return out;
}

// κ of R′/R″ ≥ 1. The left side of ln(κ² B/D) = ln(R′/R″) grows with κ; B/D falls from 1 to 0 like 1/ln κ, so that κ is between the root
// of the ratio and the ratio itself.
double aspect_of(double ratio) {
  const double target = std::log(ratio);
  if (!(target > 1e-15)) return 1;
  const auto off = [&](double log_aspect) {
    const Integrals of = integrals(std::exp(log_aspect));
    return 2 * log_aspect + std::log(of.B / of.D) - target;
  };
  std::uintmax_t most = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      off, 0.5 * target, target, boost::math::tools::eps_tolerance<double>(52), most);
  return std::exp(0.5 * (low + high));
}

}  // namespace

EllipticContact elliptic_contact(double first, double second) {
  EllipticContact out;
  out.mean_radius = std::sqrt(first) * std::sqrt(second);
  out.aspect = aspect_of(std::max(first, second) / std::min(first, second));
  const Integrals of = integrals(out.aspect);
  out.size = std::cbrt(4 / pi * std::sqrt(of.B * of.D / out.aspect));
  const double softer = pi * std::sqrt(out.aspect) * out.size / (2 * of.K);
  out.stiffness = softer * std::sqrt(softer);
  return out;
}

EllipticContact::Patch EllipticContact::patch(double force, double modulus) const {
  if (!(force > 0)) return {};
  const double c = std::cbrt(0.75 * force * mean_radius / modulus) * size, stretch = std::sqrt(aspect);
  const double mean = force / (pi * c * c);
  return {.a = c * stretch, .b = c / stretch, .peak = 1.5 * mean, .mean = mean};
}

}  // namespace tappet
