// Stops of a joint's coordinate, and the play of teeth: contacts that act along coordinates of joints.
//
//   c = Σ w_k c_k − c₀          one coordinate of a joint by its arm (an angle) or by 1, or those that a gear or rack couples
//   gap = c − from,  to − c     m; the law's force F presses back:  Q = ± F ∂c/∂q
//
// An angle counts by the length of an arm, a, so that laws, speeds of impact and thresholds are those of a stop at that distance from the
// axis: the couple is a F. With the arm of 1 m a stiffness in N/m is one in N m/rad. It is a couple alone: the joint's reaction does not
// feel the stop. Angles in space are followed through whole turns by winding variables with ż = ċ.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tappet/multibody/clearance.hpp"

namespace tappet {

/// The keys `limits` and `limits_displacement` of a joint.
Parameter angle_limits_parameter();
Parameter displacement_limits_parameter(const std::string& name = "limits");
/// The keys `backlash` and `normal` of a gear or rack.
Parameter backlash_parameter(const std::string& help);
Parameter tooth_law_parameter();

/// What contacts of coordinates are built from.
struct StopInput {
  const JointInput& joint;
  const Materials& materials;
  bool rigid = false;  ///< for a non-smooth method
};

/// Contacts JOINT.from and JOINT.to, or with another word in between; errors go to the diagnostics.
Clearance make_limits(const StopInput& in, const AnyParameters& limits,
                      std::shared_ptr<const Coordinate> coordinate, const std::string& word);
/// The flanks of teeth that meet when Σ w c has gone half of the backlash either way from where it was at the start; `arm` makes it metres.
Clearance make_backlash(const StopInput& in, double backlash, double arm, const AnyParameters& normal,
                        const std::vector<std::pair<std::shared_ptr<const Coordinate>, double>>& combination);

}  // namespace tappet
