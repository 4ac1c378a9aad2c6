#include "tappet/run/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fem/body.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/model/method.hpp"
#include "tappet/multibody/contact_field.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet {
namespace {

/// Of a contact's length: nearer than this two surfaces touch, and what remains is rounding of what was written.
constexpr double touching = 1e-9;

struct Overlap {
  std::string contact;
  int places = 0;             ///< that overlap
  double depth = 0;           ///< of the deepest, m
  double force = 0;           ///< of all of them at rest, N
  double energy = 0;          ///< that they hold, J
  std::string no_force = {};  ///< why the law gives none so deep; "": it does
  std::string where = {};     ///< the deepest, of nodes of structures
  std::string beyond = {};    ///< of a stop, the sentence on it

  void add(double deep) {
    ++places;
    depth = std::max(depth, deep);
  }
  void add(const NormalLaw& law, double share, double deep) {
    add(deep);
    try {
      const NormalOutput n = law.evaluate({.depth = deep});
      force += share * n.force;
      // A law that stores nothing pushes all the same.
      energy += share * (n.stored_energy > 0 ? n.stored_energy : 0.5 * n.force * deep);
    } catch (const SimulationError& error) {
      no_force = error.what();
    }
  }
  std::string words() const {
    if (!beyond.empty()) return beyond;
    return fmt::format("contact '{}' overlaps by {:.4g} m at the start{}{}", contact, depth, where,
                       places > 1 ? fmt::format(" (the deepest of {} places)", places) : "");
  }
};

/// What the bodies' motion and weights amount to, J.
double own_energy(const Model& model, const Kinematics& k) {
  const Mechanism& m = model.mechanism;
  double mass = 0;
  for (const Body& body : m.bodies) mass += body.mass;
  double out = kinetic_energy(m, k) + mass * m.gravity.norm() * m.length;
  for (const auto& body : model.structures)
    out += body->mass *
           (0.5 * body->velocity.squaredNorm() + m.gravity.norm() * fem::extent(body->structure.mesh));
  return out;
}

void say(const Overlap& overlap, const RunSettings& settings, double energy, RunSummary& out) {
  switch (method_type(settings).treatment) {
    case ContactTreatment::events:
      out.warnings.push_back(overlap.words() +
                             ": method event-driven moves the bodies apart at once, by no force");
      return;
    case ContactTreatment::steps:
      out.warnings.push_back(overlap.words() +
                             ": method moreau takes them as touching, and moves them apart only as far as "
                             "contacts lose the energy that this takes");
      return;
    case ContactTreatment::forces:
      break;
  }
  if (!overlap.no_force.empty())
    out.warnings.push_back(
        fmt::format("{}, where its law has no force: {}", overlap.words(), overlap.no_force));
  else if (overlap.energy > most_overlap_energy * energy)
    out.warnings.push_back(fmt::format(
        "{}: its law pushes with {:.4g} N and holds {:.4g} J there, {} and throws the bodies apart; set them "
        "apart, or down to where their weight is carried",
        overlap.words(), overlap.force, overlap.energy,
        energy > 0 ? fmt::format("{:.3g} times the {:.3g} J that the bodies' motion and weights amount to,",
                                 overlap.energy / energy, energy)
                   : "in a model at rest without gravity,"));
  else
    out.notes.push_back(
        fmt::format("{}: its law pushes with {:.4g} N there", overlap.words(), overlap.force));
}

/// Faces of a structure between some of its nodes, where they are at the start.
class Skin {
 public:
  Skin(const fem::Mesh& mesh, const std::vector<int>& nodes)
      : triangles_(of(mesh, nodes)), tree_(triangles_) {}

  /// How far a point is from them, negative behind them; infinite where it is beside them.
  double distance(const Vec3& x) const {
    constexpr double along = 0.999;  // of the distance, along the normal: not at a rim
    const SurfacePoint at = tree_.nearest(x);
    if (at.triangle < 0) return HUGE_VAL;
    const double height = tree_.face_normal(at.triangle).dot(x - at.point);
    return at.distance < 0 && -height < -along * at.distance ? HUGE_VAL : at.distance;
  }
  bool closed() const { return find_faults(triangles_).closed(); }

 private:
  static TriangleMesh of(const fem::Mesh& mesh, const std::vector<int>& nodes) {
    TriangleMesh out;
    out.vertices = mesh.nodes;
    for (const fem::Face& face : fem::surface_faces(mesh, nodes))
      for (int k = 2; k < face.count(); ++k)
        out.triangles.push_back({face.nodes[0], face.nodes[k - 1], face.nodes[k]});
    return out;
  }
  TriangleMesh triangles_;
  SurfaceTree tree_;
};

/// How deep points are inside a structure, behind the faces that they may touch. What is behind the faces of a shell is on its other side.
class Inside {
 public:
  Inside(const StructureContact& contact, const fem::Mesh& mesh)
      : mesh_(mesh), faces_(mesh, contact.face_nodes) {}

  double distance(const Vec3& x) const { return faces_.distance(x); }
  /// 0 outside, m.
  double depth(const Vec3& x) {
    const double behind = -faces_.distance(x);
    if (!(behind > 0)) return 0;
    // All of its surface is asked only for what is behind a part of it.
    if (!whole_) {
      std::vector<int> all(mesh_.nodes.size());
      std::iota(all.begin(), all.end(), 0);
      whole_ = std::make_unique<Skin>(mesh_, all);
      solid_ = whole_->closed();
    }
    // Blocks of one width are flush at their sides.
    return solid_ && whole_->distance(x) < touching * fem::extent(mesh_) ? behind : 0;
  }

 private:
  const fem::Mesh& mesh_;
  Skin faces_;
  std::unique_ptr<Skin> whole_;
  bool solid_ = false;
};

/// Nodes, or corners of a body, of one contact that are inside what they may touch.
class StructureOverlap {
 public:
  StructureOverlap(const Model& model, const StructureContact& contact, const Kinematics& k)
      : model_(model), contact_(contact), k_(k), out{.contact = contact.name} {}

  void find(double t) {
    if (contact_.other >= 0) {
      Inside inside(contact_, mesh(contact_.other));
      if (contact_.structure < 0)
        ball(inside);
      else if (contact_.points.empty())
        for (const int n : contact_.nodes) node(n, inside.depth(mesh(contact_.structure).nodes[n]));
      for (const Vec3& p : contact_.points) {
        const Vec3 x = carrier().point(p);
        add(inside.depth(x), x, "a corner");
      }
    }
    if (contact_.structure < 0 || !contact_.surface) return;
    const Sphere point{Vec3::Zero(), 0};
    const Pair pair(*contact_.surface, point);
    const double lift = contact_.lift(t);
    for (const int n : contact_.nodes) {
      Pose pose;
      pose.r = mesh(contact_.structure).nodes[n];
      node(n, lift - pair.evaluate(carrier(), pose, 0).gap);
    }
  }

 private:
  const fem::Mesh& mesh(int structure) const { return model_.structures[structure]->structure.mesh; }
  Pose carrier() const {
    return contact_.body == model_.mechanism.ground() ? Pose{} : pose_of(k_, contact_.body);
  }
  void node(int n, double depth) {
    add(depth, mesh(contact_.structure).nodes[n],
        fmt::format("node {} of '{}'", mesh(contact_.structure).label_of_node(n),
                    model_.structures[contact_.structure]->structure.name));
  }
  void ball(Inside& inside) {
    const auto& ball = static_cast<const Sphere&>(*contact_.surface);
    const Vec3 x = carrier().point(ball.centre);
    const double behind = inside.depth(x), away = std::abs(inside.distance(x));
    add(behind > 0 ? ball.R + behind : ball.R - away, x, "the ball");
  }
  void add(double depth, const Vec3& x, const std::string& who) {
    const int structure = contact_.structure >= 0 ? contact_.structure : contact_.other;
    if (!(depth > touching * fem::extent(mesh(structure)))) return;
    if (depth > out.depth)
      out.where = fmt::format(", {} at [{:.4g}, {:.4g}, {:.4g}] m", who, x.x(), x.y(), x.z());
    if (contact_.normal_law)
      out.add(*contact_.normal_law, 1, depth);
    else
      out.add(depth);
  }

  const Model& model_;
  const StructureContact& contact_;
  const Kinematics& k_;

 public:
  Overlap out;
};

}  // namespace

void report_overlaps(const Model& model, const State& start, RunSummary& out) {
  const Mechanism& m = model.mechanism;
  if (m.contacts.empty() && m.groups.empty() && model.structure_contacts.empty()) return;
  std::vector<ContactState> states = start.contacts;
  Kinematics k;
  resize(k, m);
  k.contacts = states.data();
  const double* y = start.y.data();
  update_kinematics(k, start.t, y, y + m.q_size(), y + m.q_size() + m.u_size());
  const double energy = own_energy(model, k);

  for (const auto& contact : m.contacts) {
    const double depth = -contact->touch(k).gap;
    if (!(depth > touching * contact->length_scale)) continue;
    Overlap overlap{.contact = contact->name, .beyond = contact->beyond(depth)};
    if (contact->normal_law)
      overlap.add(*contact->normal_law, contact->share, depth);
    else
      overlap.add(depth);
    say(overlap, model.settings, energy, out);
  }

  for (const StructureContact& contact : model.structure_contacts) {
    StructureOverlap nodes(model, contact, k);
    nodes.find(start.t);
    if (nodes.out.places > 0) say(nodes.out, model.settings, energy, out);
  }

  if (m.groups.empty()) return;
  std::vector<Overlap> groups(m.groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].contact = m.groups[g].name;
  ContactField field(m);
  field.update(k, 0);
  field.each_place(k, [&](const ContactField::Place& place) {
    const Proximity& found = *place.proximity;
    if (!(-found.gap > touching * place.length_scale)) return;
    const ContactGroup& group = m.groups[place.group];
    if (group.rigid)
      groups[place.group].add(-found.gap);
    else
      groups[place.group].add(*group.normal_law(found.radius[0], found.radius[1]), 1, -found.gap);
  });
  for (const Overlap& overlap : groups)
    if (overlap.places > 0) say(overlap, model.settings, energy, out);
}

}  // namespace tappet
