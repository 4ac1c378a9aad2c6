#include "tappet/structures/structure_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tappet/nonsmooth/thresholds.hpp"

namespace tappet {

Mat3 NodeTouch::axes() const {
  const Mat3 tangents = fem::shell_axes(normal);
  Mat3 out;
  out << normal, tangents.col(0), tangents.col(1);
  return out;
}

void NodeTouch::share(int structure, const Vec3& force, std::vector<double>& out) const {
  for (int k = 0; k < count; ++k)
    for (int d = 0; d < 3; ++d)
      if (structures[k] == structure) out[3 * nodes[k] + d] += weight[k] * force[d];
}

ContactLoad load_of(const Model& model, const NodeTouch& touch, const Vec3& force) {
  const StructureContact& contact = model.structure_contacts[touch.contact];
  ContactLoad out;
  out.id = {.entry = model.first_structure_contact() + touch.contact, .first = touch.number};
  out.bodies[0] = contact.other >= 0 ? -1 : contact.body;
  out.bodies[1] = contact.structure >= 0 && touch.body_side < 0 ? -1 : contact.body;
  out.structures[0] = contact.other;
  out.structures[1] = out.bodies[1] < 0 ? contact.structure : -1;
  out.point = touch.at, out.normal = touch.normal, out.gap = touch.gap;
  out.force = force;
  return out;
}

int StructureContacts::contact_of(int point) const {
  return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), point) - first_.begin()) - 1;
}

namespace {

/// Shortest distance of two nodes of an element.
double shortest_edge(const fem::Structure& s) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const fem::Element& e : s.elements)
    for (int i = 0; i < e.count; ++i)
      for (int j = 0; j < i; ++j)
        shortest = std::min(shortest, (s.mesh.nodes[s.element_nodes[e.first + i]] -
                                       s.mesh.nodes[s.element_nodes[e.first + j]])
                                          .squaredNorm());
  return std::sqrt(shortest);
}

/// Half of the shortest edge of the faces at each of these nodes, which lie between them; 0 where there is none.
std::vector<double> half_edges(const fem::Mesh& mesh, const std::vector<int>& nodes) {
  std::vector<double> shortest(mesh.nodes.size(), 0.0), out;
  for (const fem::Face& f : fem::surface_faces(mesh, nodes))
    for (int k = 0; k < f.count(); ++k) {
      const int a = f.nodes[k], b = f.nodes[(k + 1) % f.count()];
      const double half = 0.5 * (mesh.nodes[a] - mesh.nodes[b]).norm();
      for (int n : {a, b}) shortest[n] = shortest[n] > 0 ? std::min(shortest[n], half) : half;
    }
  for (int n : nodes) out.push_back(shortest[n]);
  return out;
}

}  // namespace

StructureContacts::StructureContacts(const Model& model, const StructureSystem& system)
    : model_(model), system_(system) {
  edge_ = std::numeric_limits<double>::infinity();
  for (int s = 0; s < system.count(); ++s) {
    length_ = std::max(length_, fem::extent(system.body(s).structure.mesh));
    edge_ = std::min(edge_, shortest_edge(system.body(s).structure));
  }
  if (!(edge_ < length_)) edge_ = length_;  // springs and masses alone have none
  faces_.resize(model.structure_contacts.size());
  for (std::size_t c = 0; c < model.structure_contacts.size(); ++c) {
    const StructureContact& contact = model.structure_contacts[c];
    first_.push_back(first_.back() + static_cast<int>(contact.nodes.size() + contact.points.size()));
    smallest_.push_back(std::numeric_limits<double>::infinity());
    const bool on_faces = !contact.surface || contact.structure < 0;
    pairs_.push_back(on_faces ? nullptr : std::make_unique<Pair>(*contact.surface, node_));
    if (contact.other < 0) continue;
    Faces& f = faces_[c];
    f.surface = std::make_unique<FaceSurface>(system, contact.other, contact.face_nodes);
    const std::size_t count = on_faces ? contact.nodes.size() : contact.points.size();
    f.of_node.assign(count, -1);
    f.side.assign(count, 0);
    f.held.assign(count, 0);
    f.overhang.assign(count, 0);
    if (on_faces && contact.structure >= 0)
      f.overhang = half_edges(system.body(contact.structure).structure.mesh, contact.nodes);
  }
}

// Nodes of another structure, or a rigid body's corners.
void StructureContacts::find_on_faces(int c, const double* q, double reach, const Bodies& bodies, bool tried,
                                      std::vector<NodeTouch>& out) {
  const StructureContact& contact = model_.structure_contacts[c];
  Faces& f = faces_[c];
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  const bool corners = !contact.points.empty();
  const Pose carrier = corners ? pose_of(*bodies.k, contact.body) : Pose{};
  const Vec3 centre = corners ? carrier.r : system_.body(contact.structure).centre;
  const std::vector<Vec3>& mesh =
      system_.body(corners ? contact.other : contact.structure).structure.mesh.nodes;
  for (int k = 0; k < static_cast<int>(f.of_node.size()); ++k) {
    const Vec3 x =
        corners ? carrier.point(contact.points[k]) : system_.position(contact.structure, contact.nodes[k], q);
    // From its own face on; among all of them when it is over none.
    const int before = f.of_node[k];
    double side = f.side[k];
    const FaceSurface::Foot foot = f.surface->nearest(x, q, before, anywhere);
    const bool rim = foot.face >= 0 && f.surface->on_rim(foot);
    bool held = f.held[k];
    const auto keep = [&](int face) {
      if (!tried) f.of_node[k] = face, f.side[k] = side, f.held[k] = held;
    };
    if (foot.face < 0) {
      keep(-1);
      continue;
    }
    // Neither faces of its own nor those of the surface are passed by more than half.
    const double overhang = std::min(f.overhang[k], 0.5 * f.surface->size(foot.face));
    if (foot.distance > overhang) held = false;
    if (!held && f.surface->beside(foot, x, side, before < 0)) {
      // What is far from the rim may come back on the other side.
      if (foot.distance > reach) side = 0;
      keep(-1);
      continue;
    }
    NodeTouch touch;
    touch.at = foot.at, touch.normal = f.surface->normal(foot, q);
    double gap =
        corners ? touch.normal.dot(x - touch.at)
                : f.surface->gap(foot, mesh[contact.nodes[k]],
                                 system_.velocity(contact.structure, contact.nodes[k], q), touch.normal, q);
    if (side == 0) {
      // What begins on the surface belongs where its body is.
      const Vec3 inside = centre - touch.at;
      side = (std::abs(gap) > 1e-9 * length_ ? gap : touch.normal.dot(inside)) < 0 ? -1 : 1;
    }
    if (side < 0) touch.normal = -touch.normal, gap = -gap;
    // Outside an edge that is meant, it is that edge which would be touched; a rim is none.
    if (!rim && gap > 0 && gap < 0.85 * foot.distance && foot.distance > 1e-9 * f.surface->size(foot.face))
      gap = foot.distance, touch.normal = (x - touch.at) / foot.distance;
    if (gap <= thresholds::closed * f.surface->size(foot.face)) held = overhang > 0;
    keep(foot.face);
    touch.gap = gap;
    smallest_[c] = std::min(smallest_[c], gap);
    if (gap > reach) continue;
    touch.contact = c;
    if (corners) {
      touch.number = static_cast<int>(contact.nodes.size()) + k;
      touch.body = contact.body, touch.body_side = 1;
    } else {
      touch.number = k;
      touch.structures[0] = contact.structure, touch.nodes[0] = contact.nodes[k], touch.weight[0] = 1;
      touch.count = 1;
    }
    put_face(contact, foot, touch);
    out.push_back(touch);
  }
}

// The nodes of a face share −1.
void StructureContacts::put_face(const StructureContact& c, const FaceSurface::Foot& foot,
                                 NodeTouch& touch) const {
  const fem::Face& f = faces_[touch.contact].surface->faces()[foot.face];
  for (int i = 0; i < f.count(); ++i, ++touch.count) {
    touch.structures[touch.count] = c.other;
    touch.nodes[touch.count] = f.nodes[i];
    touch.weight[touch.count] = -foot.weight[i];
  }
}

void StructureContacts::find_ball(int c, const double* q, double reach, const Bodies& bodies, bool tried,
                                  std::vector<NodeTouch>& out) {
  const StructureContact& contact = model_.structure_contacts[c];
  Faces& f = faces_[c];
  const auto& ball = static_cast<const Sphere&>(*contact.surface);
  const Vec3 x = pose_of(*bodies.k, contact.body).point(ball.centre);
  FaceSurface::Foot foot = f.surface->nearest(x, q, -1, ball.R + reach + length_);
  if (foot.face < 0) {
    if (!tried) f.side[0] = 0;
    return;
  }
  NodeTouch touch;
  const double height = foot.flat.dot(x - foot.at), side = height < 0 ? -1 : 1;
  const bool edge = std::abs(height) < 0.999 * foot.distance;  // the nearest point is on one
  if (!f.surface->smooth(x, q, foot, touch.normal))
    touch.normal = foot.distance > 0 ? Vec3((x - foot.at) / foot.distance) : foot.flat;
  touch.at = foot.at;
  touch.gap = foot.distance - ball.R;
  // Beyond the edges it goes round, and so it may far away; near a face a centre that has gone through it is
  // still on the side where it was.
  const double known = edge || touch.gap > reach || f.side[0] == 0 ? side : f.side[0];
  if (!tried) f.side[0] = known;
  if (side != known) touch.normal = -touch.normal, touch.gap = -foot.distance - ball.R;
  smallest_[c] = std::min(smallest_[c], touch.gap);
  if (touch.gap > reach) return;
  touch.contact = c;
  touch.body = contact.body, touch.body_side = 1;
  put_face(contact, foot, touch);
  out.push_back(touch);
}

double StructureContacts::fastest(double t, const double* q, const double* u, const double* change,
                                  const Bodies& bodies) const {
  double most = 0;
  const auto largest = [&](int s, const std::vector<int>& nodes) {
    double speed = 0;
    for (int n : nodes) {
      const Vec3 v = system_.velocity(s, n, u);
      speed = std::max({speed, v.squaredNorm(), (v + system_.velocity(s, n, change)).squaredNorm()});
    }
    return std::sqrt(speed);
  };
  for (const StructureContact& c : model_.structure_contacts) {
    double speed = std::abs(c.lift.jet(t).d1);
    if (c.structure >= 0) speed += largest(c.structure, c.nodes);
    if (c.other >= 0) speed += largest(c.other, c.face_nodes);
    if (c.surface && c.body != model_.mechanism.ground()) {
      // A body's surface: where the nodes are, or anywhere on the ball.
      const SpatialFrame& f = bodies.k->spatial[c.body];
      double fast = 0;
      for (const double* all : {bodies.u, bodies.free}) {
        const double* own = all + 6 * c.body;
        const Vec3 v(own[0], own[1], own[2]), w = f.R * Vec3(own[3], own[4], own[5]);
        if (c.structure < 0) {
          const auto& ball = static_cast<const Sphere&>(*c.surface);
          fast = std::max(fast, v.norm() + w.norm() * (ball.centre.norm() + ball.R));
          continue;
        }
        for (int n : c.nodes)
          fast = std::max(fast, (v + w.cross(system_.position(c.structure, n, q) - f.r)).norm());
        for (const Vec3& p : c.points) fast = std::max(fast, (v + w.cross(f.R * p)).norm());
      }
      speed += fast;
    }
    most = std::max(most, speed);
  }
  return most;
}

void StructureContacts::store_faces(std::vector<int>& faces, std::vector<int>& sides) const {
  faces.clear(), sides.clear();
  for (const Faces& f : faces_) {
    faces.insert(faces.end(), f.of_node.begin(), f.of_node.end());
    for (std::size_t k = 0; k < f.side.size(); ++k)
      sides.push_back(static_cast<int>(f.side[k]) * (f.held[k] ? 2 : 1));
  }
}

void StructureContacts::restore_faces(const std::vector<int>& faces, const std::vector<int>& sides) {
  std::size_t nodes = 0, at = 0;
  for (const Faces& f : faces_) nodes += f.side.size();
  if (faces.size() != nodes || sides.size() != nodes)
    throw std::invalid_argument("there are faces for another number of nodes");
  for (Faces& f : faces_)
    for (std::size_t k = 0; k < f.side.size(); ++k, ++at) {
      f.of_node[k] = faces[at], f.held[k] = std::abs(sides[at]) > 1;
      f.side[k] = sides[at] > 0 ? 1 : sides[at] < 0 ? -1 : 0;
    }
}

void StructureContacts::find(double t, double t_begin, double t_end, const double* q, double reach,
                             const Bodies& bodies, std::vector<NodeTouch>& out, bool tried) {
  out.clear();
  for (int c = 0; c < static_cast<int>(model_.structure_contacts.size()); ++c) {
    const StructureContact& contact = model_.structure_contacts[c];
    smallest_[c] = std::numeric_limits<double>::infinity();
    if (contact.structure < 0) {
      find_ball(c, q, reach, bodies, tried, out);
      continue;
    }
    if (contact.other >= 0) find_on_faces(c, q, reach, bodies, tried, out);
    if (!contact.surface) continue;
    const double lift = contact.lift(t), lift_before = contact.lift.jet(t_begin).d1,
                 lift_after = contact.lift.jet(t_end).d1;
    const bool moves = contact.body != model_.mechanism.ground();
    const Pose carrier = moves ? pose_of(*bodies.k, contact.body) : Pose{};
    for (int k = 0; k < static_cast<int>(contact.nodes.size()); ++k) {
      Pose pose;
      pose.r = system_.position(contact.structure, contact.nodes[k], q);
      const Proximity p = pairs_[c]->evaluate(carrier, pose, 0);
      const double gap = p.gap - lift;
      smallest_[c] = std::min(smallest_[c], gap);
      if (!(gap <= reach) || p.normal.isZero(0)) continue;
      NodeTouch touch;
      touch.contact = c;
      touch.number = k;
      touch.gap = gap;
      touch.normal = p.normal;
      touch.at = pose.r;
      touch.body = moves ? contact.body : -1;
      touch.lift_before = lift_before, touch.lift_after = lift_after;
      touch.structures[0] = contact.structure, touch.nodes[0] = contact.nodes[k], touch.weight[0] = 1;
      touch.count = 1;
      out.push_back(touch);
    }
  }
}

}  // namespace tappet
