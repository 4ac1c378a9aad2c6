// Flores et al.: Hertz' spring with hysteresis damping, for every restitution.
//
//   F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),      h = 8(1 − c_r)/(5 c_r)
//
//   K     stiffness, N/m^n, by Hertz when absent
//   n     exponent
//   c_r   coefficient of restitution asked for, > 0: h is infinite at 0
//   δ     penetration, m;  δ̇ its rate, > 0 approaching;  δ̇⁽⁻⁾ > 0 the rate at first touch, m/s
//   F     on the second surface along the normal, away from the first, N
//
// [Flores et al. 2011; Flores 2022, equation 5]. The realised restitution follows from h alone
// (restitution.hpp): 0.894 for c_r = 0.9, 0.470 for 0.5, 0.069 for 0.1. What happens at rest, when F would
// pull, U and P: hysteretic.hpp.
#pragma once

#include <vector>

#include "tappet/contact/hysteretic.hpp"

namespace tappet {

struct FloresParameters {
  double stiffness = not_given;    ///< K, N/m^n; absent: Hertz'
  double exponent = 1.5;           ///< n
  double restitution = not_given;  ///< c_r
  double rest_velocity = 1e-4;     ///< v_rest, m/s (hysteretic.hpp)
  std::vector<double> radii = {};  ///< R′, R″ of the gap, m; none: from the shapes
};

}  // namespace tappet
