// Contacts that come and go, under force laws (method smooth): places of groups, nodes of structures.
//
// A contact begins to act at the end of the first step in which its surfaces have met. It then remembers the speed of approach,
// as its law needs, until they have parted. So that a contact begins at next to no penetration, steps end there: who steps asks
// time_to_touch() before and first_penetration() after, and takes a step that went too deep again.
// Error of the beginning at depth d: the energy that the law stores there, (d/δ_max)^(n+1) of the impact's. [Flores2006,
// section 5]
//
//   contacts.look_around(k, way);   // before a step in which no surface goes further than `way`
//   contacts.apply(k, sum);
//   contacts.follow(motion, peaks);  // after it: the largest forces and penetrations inside it
//   contacts.settle(t, k, parted);   // contacts that have met begin, contacts that have parted end
#pragma once

#include <span>
#include <vector>

#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/contact_state.hpp"
#include "tappet/multibody/surface_contact.hpp"

namespace tappet {

/// A touch from beginning to end.
struct PassingTouch {
  int entry = 0;                             ///< ContactId::entry
  double start = 0, end = 0;                 ///< s
  double impact_rate = 0, parting_rate = 0;  ///< m/s
  double requested = 0;                      ///< restitution asked of the law
  double max_penetration = 0, peak_force = 0;
  double impulse = 0;  ///< N s, by the trapezoidal rule over the steps
};

/// A contact at the present instant, for who asks from outside.
struct ContactLoad {
  ContactId id;
  int bodies[2] = {0, 0};  ///< of the mechanism, the ground after the last; −1: a structure
  int structures[2] = {-1, -1};
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< m; towards the second
  Vec3 force = Vec3::Zero();                         ///< on the second, N
  double gap = 0;                                    ///< m
};

/// The last step, as it was taken.
class StepMotion {
 public:
  virtual ~StepMotion() = default;
  virtual double from() const = 0;
  virtual double to() const = 0;
  /// Within it. Good until the next call.
  virtual const Kinematics& at(double t) = 0;
};

class PassingContacts {
 public:
  virtual ~PassingContacts() = default;

  virtual void look_around(const Kinematics& k, double way) = 0;
  /// No surface moves faster, m/s; u like the bodies' velocities.
  virtual double fastest(const Kinematics& k, const double* u) const = 0;
  /// Adds the forces of touching contacts, and their powers.
  virtual void apply(const Kinematics& k, ForceSum& sum) = 0;
  /// What each entry did at the last apply().
  const std::vector<ContactSum>& sums() const { return sums_; }
  /// What touches at the frames k, contact by contact.
  virtual void loads(const Kinematics& k, std::vector<ContactLoad>& out) = 0;

  /// The deepest penetration among contacts that do not touch yet, as a part of what is allowed there, and how fast it grows.
  struct Depth {
    double part = 0, depth = 0, rate = 0, allowed = 0;
  };
  virtual Depth first_penetration(const Kinematics& k) = 0;
  /// Time until the next contact is as deep as half of what is allowed, going on as now; infinite if none approaches.
  virtual double time_to_touch(const Kinematics& k) = 0;
  /// At the run's first instant: contacts that are closed begin.
  virtual void start(double t, const Kinematics& k) = 0;
  /// Before settle(), of the same step: takes note of the largest forces and penetrations inside it. Instants at which the force or the
  /// penetration of a place, or the force of all places of an entry, is largest or sets in go to `peaks`.
  virtual void follow(StepMotion& motion, std::vector<double>& peaks) = 0;
  /// True when a contact has begun. Ended ones are appended to `parted`.
  virtual bool settle(double t, const Kinematics& k, std::vector<PassingTouch>& parted) = 0;
  /// The time in which the briefest of the touches that began last is over, were it elastic; infinite: at rest.
  double shortest_touch() const { return shortest_; }
  double deepest_start() const { return deepest_start_; }

  /// The largest error of a touching gap relative to the penetration that its touch reaches, when everything moves with the
  /// error itself as its velocity.
  virtual double relative_gap_error(const Kinematics& k, double floor) = 0;

  /// Appends what touching contacts remember, ascending by name.
  virtual void touching(std::vector<PassingContact>& out) const = 0;
  /// Goes on from that; contacts of other families are left alone.
  virtual void restore(std::span<const PassingContact> touching, double deepest_start) = 0;

 protected:
  std::vector<ContactSum> sums_;
  double shortest_ = 0, deepest_start_ = 0;
};

}  // namespace tappet
