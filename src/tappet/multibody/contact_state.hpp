// What contacts remember from step to step.
#pragma once

#include <array>

#include "tappet/base/vectors.hpp"
#include "tappet/contact/contact_id.hpp"
#include "tappet/contact/stick_slip.hpp"

namespace tappet {

class FieldVisitor;

/// What a contact remembers. Changes only at events, or after an accepted step; part of the state.
struct ContactState {
  bool touching = false;
  bool sliding = false;    ///< bristle friction: the bristle has let go
  int branch = 0;          ///< regularised friction: the branch of the law that holds (FrictionTraits::kinks)
  double impact_rate = 0;  ///< δ̇⁽⁻⁾, m/s
  double start = 0;        ///< time of first touch, s
  double max_penetration = 0;  ///< of this touch so far, m
  double peak_force = 0;       ///< N
  double impulse_start = 0;    ///< value of the impulse variable at first touch, N s
  double depth_scale = 0;  ///< penetration that this impact is expected to reach, m: the scale of its errors
  double depth_scale_high = 0;  ///< the largest of these so far
  StickSlip stick;
  Vec3 direction =
      Vec3::Zero();  ///< on the outer branches of regularised friction: unit vector of sliding, world axes
  Vec3 tangent = Vec3::Zero();  ///< space: the first tangent when the last step ended, in the first body's
                                ///< axes; friction that remembers a direction counts it from here
  /// Method event-driven: direction of the relative angular velocity across the normal, unit vector in world axes, and sign of that along
  /// it, where resistance to it slides; zero where it holds.
  Vec3 rolling = Vec3::Zero();
  double spinning = 0;

  bool operator==(const ContactState&) const = default;
};

void fields(FieldVisitor& v, ContactState& state);

/// What a contact that comes and goes remembers while it touches: force laws (passing_contacts.hpp).
struct PassingContact {
  ContactId id;
  double impact_rate = 0, start = 0, max_penetration = 0, peak_force = 0, depth_scale = 0;
  double impulse = 0, force = 0, time = 0;  ///< so far, and force at the time of the last step
  std::array<double, 2> radius{};           ///< of curvature where it began, m: its law is made from these

  bool operator==(const PassingContact&) const = default;
};

void fields(FieldVisitor& v, PassingContact& contact);

/// The impulse that a contact exerted in the last step, from which the next one seeks its own. N s; world axes, or of nodes of
/// structures the contact's own.
struct LastImpulse {
  ContactId id;
  Vec3 impulse = Vec3::Zero();
  bool stuck = false;          ///< static friction held it
  Vec3 couple = Vec3::Zero();  ///< of rolling and spinning resistance, N m s

  bool operator==(const LastImpulse&) const = default;
};

void fields(FieldVisitor& v, LastImpulse& impulse);

}  // namespace tappet
