// Lankarani–Nikravesh: Hertz' spring with hysteresis damping, for impacts that lose little.
//
//   F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),      h = 3(1 − c_r²)/4
//
//   K     stiffness, N/m^n, by Hertz when absent
//   n     exponent
//   c_r   coefficient of restitution asked for
//   δ     penetration, m;  δ̇ its rate, > 0 approaching;  δ̇⁽⁻⁾ > 0 the rate at first touch, m/s
//   F     on the second surface along the normal, away from the first, N
//
// [Lankarani & Nikravesh 1990; Flores 2006, equations 6 to 9; Flores & Ambrósio 2004, equation 28; Flores
// 2022, equation 4]. h follows from balancing the energy of a nearly elastic impact, so that the realised
// restitution leaves c_r as c_r falls: 0.913 for 0.9, 0.725 for 0.5, and never below 0.66 (restitution.hpp).
// What happens at rest, when F would pull, U and P: hysteretic.hpp.
#pragma once

#include <vector>

#include "tappet/contact/hysteretic.hpp"

namespace tappet {

struct LankaraniNikraveshParameters {
  double stiffness = not_given;    ///< K, N/m^n; absent: Hertz'
  double exponent = 1.5;           ///< n
  double restitution = not_given;  ///< c_r
  double rest_velocity = 1e-4;     ///< v_rest, m/s (hysteretic.hpp)
  std::vector<double> radii = {};  ///< R′, R″ of the gap, m; none: from the shapes
};

}  // namespace tappet
