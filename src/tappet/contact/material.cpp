#include "tappet/contact/material.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/base/sections.hpp"
#include "tappet/contact/elliptic_contact.hpp"

namespace tappet {

namespace {

const Table& material_table() {
  static const Table table = table_of<MaterialParameters>(
      "a material", "Elastic constants and density of what bodies are made of",
      {{&MaterialParameters::young,
        {.name = "young", .unit = "Pa", .help = "Young's modulus E", .required = true, .range = positive()}},
       {&MaterialParameters::poisson,
        {.name = "poisson",
         .help = "Poisson's ratio ν",
         .required = true,
         .range = {.low = -1, .high = 0.5, .low_open = true}}},
       {&MaterialParameters::density,
        {.name = "density",
         .unit = "kg/m^3",
         .help = "mass density ρ; needed for Love's limit on the impact speed",
         .range = positive()}}});
  return table;
}

const bool materials_registered = (register_table("materials", &material_table()), true);

double or_zero(double x) {
  return std::isnan(x) ? 0 : x;
}

}  // namespace

Material make_material(const AnyParameters& parameters) {
  const auto& p = parameters.as<MaterialParameters>();
  return {.name = parameters.origin.name,
          .young = or_zero(p.young),
          .poisson = or_zero(p.poisson),
          .density = or_zero(p.density)};
}

double compliance(const Material& material) {
  return (1 - material.poisson * material.poisson) / material.young;
}

double wave_speed(const Material& material) {
  return material.density > 0 && material.young > 0 ? std::sqrt(material.young / material.density) : 0;
}

bool has_ellipse(const ContactPair& pair) {
  return !std::isnan(pair.relative_radius[0]) && !std::isnan(pair.relative_radius[1]);
}

double relative_curvature(const ContactPair& pair) {
  if (has_ellipse(pair)) return 1 / (std::sqrt(pair.relative_radius[0]) * std::sqrt(pair.relative_radius[1]));
  return 1 / pair.radius[0] + 1 / pair.radius[1];
}

std::optional<double> hertz_stiffness(const ContactPair& pair, std::string& missing) {
  for (int k : {0, 1}) {
    const char* which = k == 0 ? "first" : "second";
    if (!pair.material[k] || !(pair.material[k]->young > 0)) {
      missing = std::string("no material with Young's modulus is named for the ") + which + " surface";
      return {};
    }
    if (!has_ellipse(pair) && (std::isnan(pair.radius[k]) || pair.radius[k] == 0)) {
      missing = std::string("the radius of curvature of the ") + which + " surface is not known";
      return {};
    }
  }
  if (has_ellipse(pair)) {
    const auto [large, small] = pair.relative_radius;
    if (std::isinf(large) || std::isinf(small)) {
      missing =
          "the surfaces touch along a line, whose approach depends on the size of the bodies and not on "
          "their curvature alone";
      return {};
    }
    if (!(large > 0) || !(small > 0)) {
      missing = "one surface is concave there, and closer around the other than that is curved";
      return {};
    }
    const double circle = 4 / (3 * (compliance(*pair.material[0]) + compliance(*pair.material[1]))) *
                          std::sqrt(1 / relative_curvature(pair));
    return circle * elliptic_contact(large, small).stiffness;
  }
  const double curvature = relative_curvature(pair);
  if (!(curvature > 0)) {
    missing = curvature == 0 ? "flat surfaces have no radius of curvature"
                             : "the convex radius must be smaller than the concave one around it";
    return {};
  }
  const double sigma = compliance(*pair.material[0]) + compliance(*pair.material[1]);
  return 4 / (3 * sigma * std::sqrt(curvature));
}

double love_limit(const ContactPair& pair) {
  double speed = 0;
  for (const auto& material : pair.material)
    if (material) speed = std::max(speed, wave_speed(*material));
  return speed > 0 ? 1e-5 * speed : std::numeric_limits<double>::infinity();
}

double love_ratio(const ContactPair& pair, double impact_rate) {
  return impact_rate / love_limit(pair);
}

}  // namespace tappet
