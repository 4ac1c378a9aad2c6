// Many surfaces that may touch each other: which of them are near is found as they move.
//
// The places of the mechanism's groups (surface_contact.hpp) come and go. Two surfaces whose boxes overlap are near, and each
// candidate place of theirs has a slot, the same as long as they stay near: what belongs to a place (the impulse of the last
// step, the episode of touching) is kept by slot. Boxes are made larger by the way that the surfaces may go until they are
// looked at again.
//
//   field.update(k, u, time);                       // who is near
//   field.each_place(k, [&](const Place& p) {...}); // where they face each other, in an order that depends on the poses alone
#pragma once

#include <span>
#include <vector>

#include "tappet/contact/contact_id.hpp"
#include "tappet/geometry/broad_phase.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

class ContactField {
 public:
  struct Place {
    int slot = 0, group = 0;
    int bodies[2] = {0, 0};
    double length_scale = 1;
    const Proximity* proximity = nullptr;  ///< its gap is finite
  };
  explicit ContactField(const Mechanism& mechanism);

  bool empty() const { return mechanism_.groups.empty(); }

  /// Looks again for surfaces that are near: those that may meet within `time` when the bodies, at the frames k, move with
  /// velocities u (like those of the state).
  void update(const Kinematics& k, const double* u, double time);
  /// The same for surfaces that each go no further than `way`.
  void update(const Kinematics& k, double way);

  /// Calls visit(place) for every place of near surfaces that faces something.
  template <class Visit>
  void each_place(const Kinematics& k, Visit&& visit) {
    place_bodies(k);
    for (const Meeting& meeting : near_) {
      if (meeting.pool < 0) continue;
      const Near& near = pool_[meeting.pool];
      const std::span<const Proximity> places = look(near);
      for (int c = 0; c < static_cast<int>(places.size()); ++c)
        if (places[c].gap < HUGE_VAL)
          visit(Place{
              near.slot + c, near.group, {near.bodies[0], near.bodies[1]}, near.length_scale, &places[c]});
    }
  }
  /// The gaps of slots in use at other frames, infinite where a place faces nothing. Slots of the same surfaces follow each
  /// other.
  void gaps(std::span<const int> slots, const Kinematics& k, double* out);

  /// Finds how far each surface goes, at most, while the bodies, at the frames k, move with velocities u for some time; way() is
  /// then what both surfaces of a slot go: no gap of theirs changes by more.
  void measure_ways(const Kinematics& k, const double* u, double time);
  double way(int slot) const {
    const Near& near = pool_[owner_[slot]];
    return way_[near.first] + way_[near.second];
  }

  int group(int slot) const { return pool_[owner_[slot]].group; }
  /// What a slot's number stands for.
  ContactId name(int slot) const;
  /// The slot of a place that was in use when a run was interrupted: its surfaces count as near until the next update.
  int reopen(const ContactId& place);
  /// As if nothing had ever been near.
  void forget();
  /// One more than the largest slot there ever was.
  int capacity() const { return static_cast<int>(owner_.size()); }
  /// How far from its body's centre the largest surface extends, m.
  double reach() const;
  /// Surfaces of all groups.
  int surfaces() const { return static_cast<int>(surface_of_box_.size()); }

 private:
  /// Two surfaces of a group, in the group's order.
  struct Near {
    Pair geometry;
    int first = 0, second = 0, group = 0;
    int bodies[2] = {0, 0};
    int slot = 0;  ///< of its first candidate; those of the others follow
    double length_scale = 1;
  };
  /// Two surfaces whose boxes overlap, first < second.
  struct Meeting {
    int first = 0, second = 0;
    int pool = -1;  ///< −1: they are in no group together
  };
  int open(int first, int second);
  int group_of(int first, int second) const;
  double way_of(const Kinematics& k, const double* u, int surface, double time) const;
  void move(const Kinematics& k, int box, double way);
  void find_near();
  void place_bodies(const Kinematics& k);
  std::span<const Proximity> look(const Near& near);

  const Mechanism& mechanism_;
  BroadPhase boxes_;
  std::vector<int> surface_of_box_;
  std::vector<double> reach_;  // one per surface: how far from its body's centre it extends
  std::vector<double> way_;    // one per surface; measure_ways()
  std::vector<std::vector<char>> in_first_, in_second_;  // one per group and surface
  std::vector<Meeting> near_, next_;                     // ascending; update()
  std::vector<Near> pool_;
  std::vector<int> owner_;              // one per slot: its place in the pool
  std::vector<std::vector<int>> free_;  // by number of candidates: places in the pool that are not used
  std::vector<int> closed_;             // closed by the last update: free when the next one is over
  std::vector<Pose> poses_;             // of the bodies and the ground; place_bodies()
  std::vector<Proximity> places_;       // of the surfaces that were looked at last
};

}  // namespace tappet
