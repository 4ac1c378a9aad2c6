// Contacts of structures under force laws: nodes on a surface, nodes and corners on faces, balls on faces. Each node obeys the
// law by itself, with its own penetration.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "tappet/multibody/passing_forces.hpp"
#include "tappet/structures/structure_contacts.hpp"

namespace tappet {

class NodeField {
 public:
  struct Place {
    int slot = 0, entry = 0;
    double gap = 0, length_scale = 1;
    double radius[2] = {0, 0};  ///< nodes have none
    const NodeTouch* node = nullptr;
  };
  NodeField(const Model& model, const StructureSystem& system);

  template <class Visit>
  void each_place(const Kinematics& k, Visit&& visit) {
    contacts_.find(k.t, k.t, k.t, k.elastic_q, reach_, {&k}, found_, true);
    for (const NodeTouch& node : found_)
      visit(Place{.slot = contacts_.point(node.contact, node.number),
                  .entry = node.contact,
                  .gap = node.gap,
                  .length_scale = contacts_.edge(),
                  .node = &node});
  }
  Touch touch(const Place& place, const Kinematics& k) const;
  void push(const Place& place, const Touch& touch, const Vec3& force, const Kinematics& k, ForceSum& sum);
  /// Nodes do not roll.
  static double resist(const Place&, const Touch&, double, const Kinematics&, ForceSum&) { return 0; }
  const std::string& label(int entry) const { return model_.structure_contacts[entry].name; }
  ContactLoad load(const Place& place, const Touch&, const Vec3& force) const {
    return load_of(model_, *place.node, force);
  }
  double mobility(const Place& place, const Touch& touch) const;

  int entries() const { return static_cast<int>(model_.structure_contacts.size()); }
  int first_entry() const { return model_.first_structure_contact(); }
  const std::shared_ptr<const NormalLaw>& normal_law(int entry, const std::array<double, 2>&) const {
    return model_.structure_contacts[entry].normal_law;
  }
  const FrictionLaw& friction_law(int entry) const { return *model_.structure_contacts[entry].friction_law; }

  void look_around(const Kinematics&, double way) { reach_ = 2 * way; }
  void looked_after(const Kinematics& k) { contacts_.find(k.t, k.t, k.t, k.elastic_q, reach_, {&k}, found_); }
  double fastest(const Kinematics& k, const double* u) const;

  ContactId name(int slot) const;
  int reopen(const ContactId& id) const;
  int entry(int slot) const { return contacts_.contact_of(slot); }
  void forget() {}
  int capacity() const { return contacts_.points(); }

  /// No forces yet.
  void clear();
  /// Forces of push() since then on the unknowns.
  const std::vector<double>& forces() const { return forces_; }
  /// The same on the nodes of a structure, 3 per node; the nodes of a face share theirs.
  std::vector<double> node_forces(int structure) const;

  StructureContacts& contacts() { return contacts_; }
  const StructureContacts& contacts() const { return contacts_; }

 private:
  const Model& model_;
  const StructureSystem& system_;
  StructureContacts contacts_;
  double reach_ = 0;
  std::vector<NodeTouch> found_;
  std::vector<double> forces_;
  std::vector<std::pair<NodeTouch, Vec3>> pushed_;
};

using NodeForces = PassingForces<NodeField>;

}  // namespace tappet
