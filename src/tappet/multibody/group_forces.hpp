// Contacts of groups under force laws (method smooth): many places that come and go.
//
// A place begins to act at the end of the first step in which its surfaces have met. It then remembers the speed of approach,
// as its law needs, until they have parted. So that a place begins at next to no penetration, steps end there: who steps asks
// time_to_touch() before and first_penetration() after, and takes a step that went too deep again.
// Error of the beginning at depth d: the energy that the law stores there, (d/δ_max)^(n+1) of the impact's. [Flores2006,
// section 5]
//
//   forces.look_around(k, way);   // before a step in which no surface goes further than `way`
//   forces.apply(k, sum, groups);
//   forces.settle(t, k, parted);  // after it: places that have met begin, places that have parted end
#pragma once

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tappet/multibody/contact_field.hpp"
#include "tappet/multibody/contact_state.hpp"

namespace tappet {

/// A touch of two surfaces of a group from beginning to end.
struct GroupTouch {
  int group = 0;
  double start = 0, end = 0;                 ///< s
  double impact_rate = 0, parting_rate = 0;  ///< m/s
  double requested = 0;                      ///< restitution asked of the law
  double max_penetration = 0, peak_force = 0;
  double impulse = 0;  ///< N s, by the trapezoidal rule over the steps
};

/// A place that touches now, and the force on its second body.
struct GroupLoad {
  ContactId id;
  int bodies[2] = {0, 0};
  Touch touch;
  Vec3 force = Vec3::Zero();  ///< N
};

class GroupForces {
 public:
  explicit GroupForces(const Mechanism& mechanism);

  void look_around(const Kinematics& k, double way);
  /// Adds the forces of touching places, and their powers; what each group does goes to `out`.
  void apply(const Kinematics& k, ForceSum& sum, std::vector<ContactSum>& out);

  /// What touches at the frames k, place by place.
  void loads(const Kinematics& k, std::vector<GroupLoad>& out);

  /// The deepest penetration among places that do not touch yet, as a part of what is allowed there, and how fast it grows.
  struct Depth {
    double part = 0, depth = 0, rate = 0, allowed = 0;
  };
  Depth first_penetration(const Kinematics& k);
  /// Time until the next place is as deep as half of what is allowed, going on as now; infinite if none approaches.
  double time_to_touch(const Kinematics& k);
  /// True when a place has begun. Ended ones are appended to `parted`.
  bool settle(double t, const Kinematics& k, std::vector<GroupTouch>& parted);
  /// The time in which the briefest of the touches that began last is over, were it elastic; infinite: at rest.
  double shortest_touch() const { return shortest_; }
  double deepest_start() const { return deepest_start_; }
  /// How far from its body's centre the largest surface extends, m.
  double reach() const { return field_.reach(); }

  /// The largest error of a touching gap relative to the penetration that its touch reaches, when the frames move with the
  /// error itself as their velocity.
  double relative_gap_error(const Kinematics& k, double floor);

  /// What touching places remember, ascending by name.
  void touching(std::vector<GroupContact>& out) const;
  /// Goes on from that.
  void restore(const std::vector<GroupContact>& touching, double deepest_start);

 private:
  struct Memory {
    bool touching = false;
    double impact_rate = 0, start = 0, max_penetration = 0, peak_force = 0, depth_scale = 0;
    double impulse = 0, force = 0, time = 0;  ///< so far, and force at the time of the last step
    std::array<double, 2> radius{};
    std::shared_ptr<const NormalLaw> law = nullptr;
  };
  struct Force {
    NormalOutput law;
    double normal = 0;     ///< N
    Vec3 friction, total;  ///< on the second body, N
  };
  /// The normal law of a place; LawDomainError with its group's name where there is no force.
  NormalOutput press(const ContactField::Place& place, const Memory& memory, const Touch& touch,
                     double t) const;
  Force force(const ContactField::Place& place, const Memory& memory, const Touch& touch, double t) const;
  void begin(const ContactField::Place& place, const Touch& touch, double t, Memory& memory);
  std::shared_ptr<const NormalLaw> law(int group, double first, double second);
  Memory& memory_of(int slot);
  double allowed(const ContactField::Place& place) const;

  const Mechanism& mechanism_;
  ContactField field_;
  std::vector<Memory> memory_;  // one per slot
  std::vector<char> seen_;      // one per slot; settle()
  std::map<std::pair<int, std::pair<double, double>>, std::shared_ptr<const NormalLaw>> laws_;
  std::vector<std::pair<ContactId, int>> gone_;  // names and slots; settle()
  double shortest_ = 0, deepest_start_ = 0;
};

}  // namespace tappet
