#include "tappet/contact/line_contact.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/special_functions/lambert_w.hpp>
#include <fmt/format.h>

namespace tappet {

double line_contact_root(double x) {
  // Below this −W₋₁ would lose its argument to underflow; u is then ln(1/x) to the last bit but few, and
  // polished below.
  constexpr double tiny = 1e-290;
  double u = x > tiny ? -boost::math::lambert_wm1(-x / std::numbers::e)
                      : 1 - std::log(x) + std::log(1 - std::log(x));
  // Newton on g(u) = u − 1 − ln u + ln x, g' = 1 − 1/u; near u = 1 W₋₁ is as good as the argument allows.
  const int steps = x > tiny ? 1 : 4;
  for (int k = 0; k < steps && u > 1.001; ++k) u -= (u - 1 - std::log(u) + std::log(x)) / (1 - 1 / u);
  return u;
}

void refuse_depth(const LineLaw& law, double depth) {
  throw LawDomainError(
      fmt::format("law {} has no force at penetration {:.6g} m: it ends at {:.6g} m, where the force is "
                  "{:.6g} N; choose another law for loads like this",
                  law.name, depth, law.max_depth(), law.b));
}

Parameter compliance_parameter() {
  return {.name = "compliance",
          .kind = Kind::choice,
          .help = "plane-strain: (1 − ν²)/(πE); flores-2006: (1 − ν²)/E, as printed there",
          .fallback = "plane-strain",
          .choices = {"plane-strain", "flores-2006"}};
}

std::optional<LineContact> find_line_contact(const ContactPair& pair, bool plane_strain, const Origin& origin,
                                             Diagnostics& diagnostics) {
  // Everything that is missing is said, not only the first.
  const int errors = diagnostics.error_count();
  const auto refuse = [&](const std::string& what) {
    diagnostics.error(origin.pos, fmt::format("law {}: {}", origin.type, what));
  };
  for (int k : {0, 1}) {
    const char* which = k == 0 ? "first" : "second";
    if (!pair.material[k] || !(pair.material[k]->young > 0))
      refuse(fmt::format("no material with Young's modulus is named for the {} surface", which));
    if (std::isnan(pair.radius[k]) || pair.radius[k] == 0)
      refuse(fmt::format("the radius of the {} surface is not known", which));
  }
  if (!(pair.length > 0))
    refuse("the length of the line of contact is not known ('length' of the cylinders)");
  const double curvature = relative_curvature(pair);
  if (curvature <= 0) refuse("the convex cylinder must be smaller than the concave one around it");
  if (diagnostics.error_count() > errors) return {};

  const double sigma = compliance(*pair.material[0]) + compliance(*pair.material[1]);
  return LineContact{.compliance = plane_strain ? sigma / std::numbers::pi : sigma,
                     .length = pair.length,
                     .curvature = curvature,
                     .radius_difference = std::abs(pair.radius[0] + pair.radius[1])};
}

std::unique_ptr<NormalLaw> make_line_law(const LineContact& line, double b, const Origin& origin,
                                         Diagnostics& diagnostics) {
  if (!std::isfinite(b)) {
    diagnostics.error(origin.pos,
                      fmt::format("law {}: both surfaces must be cylinders: the law has no limit for a plane",
                                  origin.type));
    return nullptr;
  }
  const LineLaw law{line.compliance / line.length, b, origin.type};
  NormalTraits traits{.requested_restitution = 1, .predicted_restitution = 1, .max_depth = law.max_depth()};
  traits.notes.push_back(
      fmt::format("{}: valid up to a penetration of {:.4g} m", origin.type, law.max_depth()));
  return std::make_unique<ForceLaw<LineLaw>>(law, std::move(traits));
}

}  // namespace tappet
