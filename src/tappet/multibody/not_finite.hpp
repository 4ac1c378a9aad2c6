// Who gives a number that is not one. Asked only where a run fails, so that nothing is checked element by element before.
#pragma once

#include <string>

#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// The first motion, applied force or contact whose value at these frames is not a finite number, with its formula and the
/// arguments of it; "": none of them, or the frames themselves are not finite.
std::string not_finite_cause(const Mechanism& mechanism, const Kinematics& k);

/// What component i of (q, u, z) is: "the angular velocity of body 'crank'".
std::string component_name(const Mechanism& mechanism, int i);

}  // namespace tappet
