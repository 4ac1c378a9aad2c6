// Contacts of groups under force laws: many places of surfaces that come near each other and go.
#pragma once

#include "tappet/multibody/contact_field.hpp"
#include "tappet/multibody/passing_forces.hpp"

namespace tappet {

class GroupField {
 public:
  struct Place {
    int slot = 0, entry = 0;
    double gap = 0, length_scale = 1;
    const double* radius = nullptr;  ///< of curvature, two
    int bodies[2] = {0, 0};
    const Proximity* proximity = nullptr;
  };
  explicit GroupField(const Mechanism& mechanism) : mechanism_(mechanism), field_(mechanism) {}

  template <class Visit>
  void each_place(const Kinematics& k, Visit&& visit) {
    field_.each_place(k, [&](const ContactField::Place& place) {
      visit(Place{place.slot,
                  place.group,
                  place.proximity->gap,
                  place.length_scale,
                  place.proximity->radius,
                  {place.bodies[0], place.bodies[1]},
                  place.proximity});
    });
  }
  Touch touch(const Place& place, const Kinematics& k) const {
    return touch_at(*place.proximity, place.bodies[0], place.bodies[1], k);
  }
  void push(const Place& place, const Touch& touch, const Vec3& force, const Kinematics& k,
            ForceSum& sum) const {
    add_opposed(place.bodies, k, touch.at, force, sum);
  }
  double resist(const Place& place, const Touch& touch, double normal, const Kinematics& k,
                ForceSum& sum) const {
    const RollingResistance& resists = mechanism_.groups[place.entry].resists;
    if (!resists.any()) return 0;
    const Vec3 omega = relative_turning(place.bodies, k);
    const Vec3 couple = resisting_couple(resists, normal, touch.normal, omega);
    add_opposed_couple(place.bodies, k, couple, sum);
    return -couple.dot(omega);
  }
  ContactLoad load(const Place& place, const Touch& touch, const Vec3& force) const;
  const std::string& label(int entry) const { return mechanism_.groups[entry].name; }
  double mobility(const Place& place, const Touch& touch) const;

  int entries() const { return static_cast<int>(mechanism_.groups.size()); }
  int first_entry() const { return static_cast<int>(mechanism_.contacts.size()); }
  std::shared_ptr<const NormalLaw> normal_law(int entry, const std::array<double, 2>& radius) const {
    return mechanism_.groups[entry].normal_law(radius[0], radius[1]);
  }
  const FrictionLaw& friction_law(int entry) const { return *mechanism_.groups[entry].friction_law; }

  void look_around(const Kinematics& k, double way) { field_.update(k, way); }
  void looked_after(const Kinematics&) {}
  double fastest(const Kinematics& k, const double* u) const;

  ContactId name(int slot) const { return field_.name(slot); }
  int reopen(const ContactId& id) { return field_.reopen(id); }
  int entry(int slot) const { return field_.group(slot); }
  void forget() { field_.forget(); }
  int capacity() const { return field_.capacity(); }

 private:
  const Mechanism& mechanism_;
  ContactField field_;
};

using GroupForces = PassingForces<GroupField>;

}  // namespace tappet
