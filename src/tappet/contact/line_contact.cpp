#include "tappet/contact/line_contact.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/special_functions/lambert_w.hpp>
#include <fmt/format.h>

namespace tappet {
namespace {

// u ≥ 1 with u e^(1−u) = x, for 0 < x ≤ 1.
double solve_u(double x) {
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

}  // namespace

LineContactLaw::LineContactLaw(double a, double b, std::string name, NormalTraits traits)
    : a_(a), b_(b), scale_(a * b), name_(std::move(name)) {
  traits_ = std::move(traits);
  traits_.max_depth = scale_;
}

NormalOutput LineContactLaw::contact(const NormalInput& in) const {
  if (!(in.depth <= scale_))
    throw LawDomainError(
        fmt::format("law {} has no force at penetration {:.6g} m: it ends at {:.6g} m, where the force is "
                    "{:.6g} N; choose another law for loads like this",
                    name_, in.depth, scale_, b_));
  const double u = solve_u(in.depth / scale_);
  const double force = in.depth / (a_ * u);
  return {
      .force = force, .d_depth = 1 / (a_ * (u - 1)), .stored_energy = a_ * force * force * (2 * u - 1) / 4};
}

Table line_contact_table(const std::string& name, const std::string& help) {
  return {.name = name,
          .help = help,
          .parameters = {{.name = "compliance",
                          .kind = Kind::choice,
                          .help = "plane-strain: (1 − ν²)/(πE); flores-2006: (1 − ν²)/E, as printed there",
                          .fallback = "plane-strain",
                          .choices = {"plane-strain", "flores-2006"}}}};
}

std::unique_ptr<NormalLaw> make_line_contact(const Object& object, const ContactPair& pair,
                                             Diagnostics& diagnostics, double (*load)(const LineContact&)) {
  // Everything that is missing is said, not only the first.
  const int errors = diagnostics.error_count();
  const auto refuse = [&](const std::string& what) {
    diagnostics.error(object.pos, fmt::format("law {}: {}", object.type, what));
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
  if (diagnostics.error_count() > errors) return nullptr;

  double sigma = compliance(*pair.material[0]) + compliance(*pair.material[1]);
  if (object.text("compliance") == "plane-strain") sigma /= std::numbers::pi;
  const LineContact line{.compliance = sigma,
                         .length = pair.length,
                         .curvature = curvature,
                         .radius_difference = std::abs(pair.radius[0] + pair.radius[1])};
  const double a = sigma / pair.length, b = load(line);
  if (!std::isfinite(b)) {
    refuse("both surfaces must be cylinders: the law has no limit for a plane");
    return nullptr;
  }
  NormalTraits traits{.requested_restitution = 1, .predicted_restitution = 1};
  traits.notes.push_back(fmt::format("{}: valid up to a penetration of {:.4g} m", object.type, a * b));
  return std::make_unique<LineContactLaw>(a, b, object.type, std::move(traits));
}

}  // namespace tappet
