// Newton's impact law: no force, only the relation between the normal velocities before and after an impact.
//
//   γ⁺ = −ε γ⁻
//
//   γ   relative normal velocity, m/s, > 0 separating; ⁻ before and ⁺ after the impact
//   ε   restitution
//
// [Flores 2022, equations 16 and 18]. What a contact has when no law is named: all that the non-smooth
// methods need. The smooth method needs a force law and says so.
#pragma once

#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct NewtonParameters {
  double restitution = not_given;  ///< ε
};

}  // namespace tappet
