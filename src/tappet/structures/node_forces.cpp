#include "tappet/structures/node_forces.hpp"

#include <algorithm>
#include <stdexcept>

namespace tappet {

NodeField::NodeField(const Model& model, const StructureSystem& system)
    : model_(model), system_(system), contacts_(model, system) {
  clear();
}

void NodeField::clear() {
  forces_.assign(system_.size(), 0.0);
  pushed_.clear();
}

Touch NodeField::touch(const Place& place, const Kinematics& k) const {
  const NodeTouch& node = *place.node;
  Touch out;
  out.gap = node.gap, out.normal = node.normal, out.at = node.at;
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < node.count; ++i)
    v += node.weight[i] * system_.velocity(node.structures[i], node.nodes[i], k.elastic_u);
  if (node.body >= 0) {
    const SpatialFrame& f = k.spatial[node.body];
    v += node.body_side * (f.v + f.w.cross(node.at - f.r));
  }
  const double opening = v.dot(node.normal);
  out.rate = opening - node.lift_before;
  out.slip = v - opening * node.normal;
  return out;
}

void NodeField::push(const Place& place, const Touch&, const Vec3& force, const Kinematics& k,
                     ForceSum& sum) {
  const NodeTouch& node = *place.node;
  for (int i = 0; i < node.count; ++i)
    for (int d = 0; d < 3; ++d)
      if (const int at = system_.unknown(node.structures[i], node.nodes[i], d); at >= 0)
        forces_[at] += node.weight[i] * force[d];
  if (node.body >= 0) sum.add(k.spatial[node.body], node.body, node.at, node.body_side * force);
  // A ground that moves does work.
  sum.powers.input += force.dot(node.normal) * node.lift_before;
  pushed_.emplace_back(node, force);
}

double NodeField::mobility(const Place& place, const Touch& touch) const {
  const NodeTouch& node = *place.node;
  double out = 0;
  for (int i = 0; i < node.count; ++i)
    for (int d = 0; d < 3; ++d) {
      const double along = node.weight[i] * touch.normal[d];
      if (const int at = system_.unknown(node.structures[i], node.nodes[i], d); at >= 0)
        out += along * along / system_.mass_at(at);
    }
  if (node.body >= 0) out += model_.mechanism.inverse_mass.linear[node.body];
  return out;
}

double NodeField::fastest(const Kinematics& k, const double* u) const {
  const std::vector<double> none(system_.size(), 0.0);
  return contacts_.fastest(k.t, k.elastic_q, k.elastic_u, none.data(), {&k, u, u});
}

ContactId NodeField::name(int slot) const {
  const int contact = contacts_.contact_of(slot);
  return {.entry = first_entry() + contact, .first = slot - contacts_.point(contact, 0)};
}

int NodeField::reopen(const ContactId& id) const {
  const int contact = id.entry - first_entry(), slot = contacts_.point(contact, id.first);
  if (id.first < 0 || slot >= contacts_.point(contact + 1, 0))
    throw std::invalid_argument("a node touched that no contact has");
  return slot;
}

std::vector<double> NodeField::node_forces(int structure) const {
  std::vector<double> out(3 * system_.body(structure).structure.mesh.nodes.size(), 0.0);
  for (const auto& [node, force] : pushed_) node.share(structure, force, out);
  return out;
}

}  // namespace tappet
