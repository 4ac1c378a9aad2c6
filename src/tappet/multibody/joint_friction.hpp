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
//   cross    universal        v = r a·ω          two pins, each about its own axis a of the cross, which has no mass: both carry F and M
//   ball     spherical        v = R ω_swing      R: ball radius; a vector across the stud, which the second body has: F alone presses
//                             v = r_s a·ω        besides, the twist about the stud's axis a; r_s: twist radius, R where it is not given
//
// ω: angular velocity of the second body against the first. About one axis, across the stud or along it, the ball's couple is μ N R, which is
// Adams' for all; where it swings and twists at once both parts act, and the couple is up to √2 of that.
//
// What has no arm does not press. A couple M_b that is carried by two places a distance L apart presses with M_b/L at each: b = L/2.
// These are the effects that Adams' FRICTION statement knows. In the plane F_a = M_a = 0, and a pin has no M_b.
// The preload may be an expression, which makes a brake or a clutch of the joint.
//
// N depends on the reaction, and the reaction on F_t: multibody/bearings.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/multibody/limits.hpp"

namespace tappet {

/// The key `friction` of joints: a friction law and where it acts.
Parameter pin_friction_parameter();
Parameter slide_friction_parameter();
Parameter sleeve_friction_parameter();
Parameter ball_friction_parameter();

/// The joint's friction as a contact JOINT.friction, or two, .friction.first and .second of a cross, .swing and .twist of a ball; none
/// after an error. Which constraint loads it is not known yet.
std::vector<std::unique_ptr<ContactPoint>> make_joint_friction(const StopInput& in, const Joint& joint,
                                                               const AnyParameters& friction,
                                                               std::vector<std::string>& notes);

/// What presses besides the reaction, N: the constant `preload` of the contact, or its expression.
double preload_of(const ContactPoint& bearing, const Kinematics& k);
/// The same law as the non-smooth methods take it.
RigidLaw rigid_friction(const std::shared_ptr<const FrictionLaw>& law);

}  // namespace tappet
