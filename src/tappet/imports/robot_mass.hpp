// Masses and inertias as robots' descriptions give them: put together, judged and repaired.
// Private to imports/.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace tappet {

/// Of one link, or of all links that fixed joints hold together.
struct RobotMass {
  double mass = 0;                                    ///< kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, kg m²
};

/// As seen from axes in which its own are at `place`.
RobotMass placed(const RobotMass& m, const Eigen::Isometry3d& place);
/// Of both together: masses add up, inertias about the common centre (Steiner).
RobotMass together(const RobotMass& a, const RobotMass& b);

/// Why no body can have this inertia: "its principal moments are …"; "" when one can.
std::string fault_of(const RobotMass& m);

/// The moments that are too small for the largest one, raised as far as a body needs. Without any, the moments of a
/// ball of the density of water.
RobotMass repaired(const RobotMass& m);
/// A sentence about that: "link 'lens': its principal moments …, but …; they are taken as …".
std::string said_of_repair(const std::string& owner, const std::string& fault, const RobotMass& repaired);
/// A solid of density 1 around the origin: "sphere" {radius}, "box" and "ellipsoid" {half of each side}, "cylinder" and "capsule"
/// {radius, half of the length} along z.
RobotMass solid_of(const std::string& type, const std::vector<double>& half_sizes);
/// Of what has a size and no mass, kg/m³.
inline constexpr double water_density = 1000;
/// A ball of the density of water around the origin.
RobotMass water_ball(double mass);

}  // namespace tappet
