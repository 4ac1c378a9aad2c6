// Friction in ideal joints, from what presses there: the joint's reaction and a preload.
//
//   F_t = −μ(v) N v/|v|         any registered friction law
//   N = N₀ + |F_r| + (f/r) |F_a| + |M_b|/b + |M_a|/c
//
// F, M: force and torque of the joint on its second body at its point; r, a: across and along the axis; N₀: preload
//
//   pin      revolute         v = r φ̇            r: pin radius; f: friction arm, at which the axial force rubs; b: bending arm
//   slide    translational    v = ṡ              b: bending arm; c: torsion arm
//   sleeve   cylindrical      v = (r φ̇, ṡ)       a vector: friction opposes the sliding on the sleeve's surface; F_a = M_a = 0
//
// What has no arm does not press. A couple M_b that is carried by two places a distance L apart presses with M_b/L at each: b = L/2.
// These are the effects that Adams' FRICTION statement knows. In the plane F_a = M_a = 0, and a pin has no M_b.
//
// N depends on the reaction, and the reaction on F_t: multibody/bearings.hpp.
#pragma once

#include <memory>
#include <string>

#include "tappet/multibody/limits.hpp"

namespace tappet {

/// The key `friction` of joints: a friction law and where it acts.
Parameter pin_friction_parameter();
Parameter slide_friction_parameter();
Parameter sleeve_friction_parameter();

/// The joint's friction as a contact JOINT.friction; null after an error. `constraint`: not known yet, so the joint's number.
std::unique_ptr<ContactPoint> make_joint_friction(const StopInput& in, const Joint& joint,
                                                  const AnyParameters& friction,
                                                  std::vector<std::string>& notes);

}  // namespace tappet
