// What two touching surfaces are made of and how they are curved: all that a contact law may derive its
// coefficients from.
//
//   compliance      σ = (1 − ν²)/E                     1/Pa
//   wave speed      c = √(E/ρ)                         m/s
//   Love's limit    δ̇⁽⁻⁾ ≤ 1e-5 · max(c_i, c_j)        m/s     [Flores 2006, after equation 9; Love 1944]
//
// Radii are signed: convex positive, concave negative (a bearing seen from its journal), a plane is infinite.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "tappet/base/parameters.hpp"

namespace tappet {

struct Material {
  std::string name;
  double young = 0;    ///< E, Pa; 0: not known
  double poisson = 0;  ///< ν
  double density = 0;  ///< ρ, kg/m³; 0: not known
};

struct MaterialParameters {
  double young = not_given;    ///< E, Pa
  double poisson = not_given;  ///< ν
  double density = not_given;  ///< ρ, kg/m³; absent: not known
};
Material make_material(const AnyParameters& parameters);

/// σ = (1 − ν²)/E, 1/Pa.
double compliance(const Material& material);
/// √(E/ρ), m/s; 0 when E or ρ is not known.
double wave_speed(const Material& material);

/// The two surfaces of a contact, first and second in the order of the pair. NaN: not known.
struct ContactPair {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr double plane = std::numeric_limits<double>::infinity();

  std::array<double, 2> radius{unknown, unknown};  ///< m, signed as above
  /// R′ ≥ R″ of the gap between both, m, where its curvature is known in all directions or given: the patch is an ellipse
  /// (elliptic_contact.hpp). Infinite: a line. NaN: `radius` says all.
  std::array<double, 2> relative_radius{unknown, unknown};
  double length = unknown;                               ///< m, of a contact along a line (cylinders)
  std::array<std::optional<Material>, 2> material = {};  ///< absent: the user named none
};

/// 1/R_i + 1/R_j, of an ellipse 1/√(R′R″), 1/m; NaN when a radius is not known, ≤ 0 when the surfaces conform.
double relative_curvature(const ContactPair& pair);

/// The gap's two radii are known.
bool has_ellipse(const ContactPair& pair);

/// Hertz' stiffness K = 4/(3(σ_i + σ_j)) · (1/R_i + 1/R_j)^(−1/2), N/m^1.5 [Flores 2006, equations 3 to 5], or that of the ellipse.
/// When it cannot be had, returns nothing and says in `missing` what is missing, as "no material is named for
/// ...".
std::optional<double> hertz_stiffness(const ContactPair& pair, std::string& missing);

/// 1e-5 times the larger wave speed, m/s; infinite when no wave speed is known.
double love_limit(const ContactPair& pair);
/// Impact speed over Love's limit: above 1 the law is used beyond its theory. 0 when the limit is not known.
double love_ratio(const ContactPair& pair, double impact_rate);

}  // namespace tappet
