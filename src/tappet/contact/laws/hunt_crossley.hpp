// Hunt–Crossley: Hertz' spring with a damper that grows with the penetration.
//
//   F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾),      h = 3(1 − c_r)/2
//
//   K     stiffness, N/m^n, by Hertz when absent
//   n     exponent
//   c_r   coefficient of restitution asked for
//   δ     penetration, m;  δ̇ its rate, > 0 approaching;  δ̇⁽⁻⁾ > 0 the rate at first touch, m/s
//   F     on the second surface along the normal, away from the first, N
//
// [Hunt & Crossley 1975; Flores 2022, equation 3]. What happens at rest, when F would pull, U and P:
// hysteretic.hpp. The restitution that is realised follows from h alone (restitution.hpp): 0.909 for c_r =
// 0.9, 0.663 for 0.5, and never below 0.49.
#pragma once

#include <vector>

#include "tappet/contact/hysteretic.hpp"

namespace tappet {

struct HuntCrossleyParameters {
  double stiffness = not_given;    ///< K, N/m^n; absent: Hertz'
  double exponent = 1.5;           ///< n
  double restitution = not_given;  ///< c_r
  double rest_velocity = 1e-4;     ///< v_rest, m/s (hysteretic.hpp)
  std::vector<double> radii = {};  ///< R′, R″ of the gap, m; none: from the shapes
};

}  // namespace tappet
