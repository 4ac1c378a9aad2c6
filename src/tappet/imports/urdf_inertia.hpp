// Masses and inertias as robots' descriptions give them: put together, judged, and repaired where that is asked for.
// Private to imports/.
#pragma once

#include <string>

#include <Eigen/Geometry>

namespace tappet {

/// Of one link, or of all links that fixed joints hold together.
struct UrdfMass {
  double mass = 0;                                    ///< kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, kg m²
};

/// As seen from axes in which its own are at `place`.
UrdfMass placed(const UrdfMass& m, const Eigen::Isometry3d& place);
/// Of both together: masses add up, inertias about the common centre (Steiner).
UrdfMass together(const UrdfMass& a, const UrdfMass& b);

/// Why no body can have this inertia: "its principal moments are …"; "" when one can.
std::string fault_of(const UrdfMass& m);

/// The moments that are too small for the largest one, raised as far as a body needs. Without any, the moments of a
/// ball of the density of water.
UrdfMass repaired(const UrdfMass& m);
/// A ball of the density of water around the origin.
UrdfMass water_ball(double mass);

}  // namespace tappet
