#include "tappet/stepping/structure_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Dense>

namespace tappet {

namespace {

/// The point p₀ + r (p₁ − p₀) + s (p₂ − p₀) on the edges of a triangle that is nearest to x.
void nearest_edge(const Vec3* p, const Vec3& x, double& r, double& s) {
  double best = std::numeric_limits<double>::infinity();
  const double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3 edge = p[next] - p[k];
    const double along = std::clamp(edge.dot(x - p[k]) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (x - p[k] - along * edge).squaredNorm();
    if (distance >= best) continue;
    best = distance;
    r = corner[k][0] + along * (corner[next][0] - corner[k][0]);
    s = corner[k][1] + along * (corner[next][1] - corner[k][1]);
  }
}

}  // namespace

StructureContacts::StructureContacts(const Model& model, const StructureSystem& system)
    : model_(model), system_(system) {
  for (int s = 0; s < system.count(); ++s)
    length_ = std::max(length_, fem::extent(system.body(s).structure.mesh));
  faces_.resize(model.structure_contacts.size());
  for (std::size_t c = 0; c < model.structure_contacts.size(); ++c) {
    const StructureContact& contact = model.structure_contacts[c];
    first_.push_back(first_.back() + static_cast<int>(contact.nodes.size()));
    smallest_.push_back(std::numeric_limits<double>::infinity());
    const bool on_faces = !contact.surface || contact.structure < 0;
    pairs_.push_back(on_faces ? nullptr : std::make_unique<Pair>(*contact.surface, node_));
    if (!on_faces) continue;
    Faces& f = faces_[c];
    f.all = fem::surface_faces(system.body(contact.other).structure.mesh, contact.face_nodes);
    std::map<int, std::vector<int>> at_node;
    for (int i = 0; i < static_cast<int>(f.all.size()); ++i)
      for (int k = 0; k < f.all[i].count(); ++k) at_node[f.all[i].nodes[k]].push_back(i);
    f.neighbours.resize(f.all.size());
    for (const auto& [node, list] : at_node)
      for (int i : list) f.neighbours[i].insert(f.neighbours[i].end(), list.begin(), list.end());
    for (const fem::Face& face : f.all) {
      double size = 0;
      const std::vector<Vec3>& x = system.body(contact.other).structure.mesh.nodes;
      for (int k = 1; k < face.count(); ++k)
        size = std::max(size, (x[face.nodes[k]] - x[face.nodes[0]]).norm());
      f.size.push_back(size);
    }
    f.of_node.assign(contact.nodes.size(), -1);
    f.side.assign(contact.nodes.size(), 0);
  }
}

// The nearest point of a face to x; true when it lies inside (a little beyond the edges counts). The face's
// own coordinates stay within ±limit: 1 keeps the point on the face.
bool StructureContacts::foot(const StructureContact& c, const fem::Face& f, const Vec3& x, const double* q,
                             double limit, double* weight, Vec3& at, Vec3& normal) const {
  Vec3 p[4];
  const int n = f.count();
  for (int k = 0; k < n; ++k) p[k] = system_.position(c.other, f.nodes[k], q);
  const double inside = 1 + 1e-6;
  if (n == 3) {
    const Vec3 a = p[1] - p[0], b = p[2] - p[0];
    const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), ax = a.dot(x - p[0]), bx = b.dot(x - p[0]),
                 det = aa * bb - ab * ab;
    double r = (bb * ax - ab * bx) / det, s = (aa * bx - ab * ax) / det;
    if (limit == 1 && (r < 0 || s < 0 || r + s > 1)) nearest_edge(p, x, r, s);
    weight[0] = 1 - r - s, weight[1] = r, weight[2] = s;
    at = p[0] + r * a + s * b;
    normal = a.cross(b).normalized();
    return r >= 1 - inside && s >= 1 - inside && r + s <= inside;
  }
  double xi = 0, eta = 0;
  Vec3 t1, t2;
  for (int pass = 0; pass < 20; ++pass) {
    weight[0] = (1 - xi) * (1 - eta) / 4, weight[1] = (1 + xi) * (1 - eta) / 4,
    weight[2] = (1 + xi) * (1 + eta) / 4, weight[3] = (1 - xi) * (1 + eta) / 4;
    at = weight[0] * p[0] + weight[1] * p[1] + weight[2] * p[2] + weight[3] * p[3];
    t1 = ((1 - eta) * (p[1] - p[0]) + (1 + eta) * (p[2] - p[3])) / 4;
    t2 = ((1 - xi) * (p[3] - p[0]) + (1 + xi) * (p[2] - p[1])) / 4;
    const Vec3 d = x - at, twist = (p[0] - p[1] + p[2] - p[3]) / 4;
    const double m12 = t1.dot(t2) - d.dot(twist), m11 = t1.dot(t1), m22 = t2.dot(t2),
                 det = m11 * m22 - m12 * m12;
    const double r1 = d.dot(t1), r2 = d.dot(t2), dx = (m22 * r1 - m12 * r2) / det,
                 dy = (m11 * r2 - m12 * r1) / det;
    const double xi_before = xi, eta_before = eta;
    xi = std::clamp(xi + dx, -limit, limit), eta = std::clamp(eta + dy, -limit, limit);
    if (std::abs(xi - xi_before) + std::abs(eta - eta_before) < 1e-13) break;
  }
  normal = t1.cross(t2).normalized();
  return std::abs(xi) <= inside && std::abs(eta) <= inside;
}

void StructureContacts::find_on_faces(int c, const double* q, double reach, std::vector<NodeTouch>& out) {
  const StructureContact& contact = model_.structure_contacts[c];
  Faces& f = faces_[c];
  for (int k = 0; k < static_cast<int>(contact.nodes.size()); ++k) {
    const Vec3 x = system_.position(contact.structure, contact.nodes[k], q);
    NodeTouch touch;
    double best = std::numeric_limits<double>::infinity(), weight[4] = {}, found_weight[4] = {};
    int face = -1;
    Vec3 at, normal;
    const auto attempt = [&](int i) {
      if (!foot(contact, f.all[i], x, q, 3, weight, at, normal)) return;
      const double distance = (x - at).norm();
      if (distance >= best) return;
      best = distance, face = i;
      touch.at = at, touch.normal = normal;
      std::copy(weight, weight + 4, found_weight);
    };
    // Its own face and those around it; all of them when it is over none.
    if (f.of_node[k] >= 0)
      for (int i : f.neighbours[f.of_node[k]]) attempt(i);
    if (face < 0)
      for (int i = 0; i < static_cast<int>(f.all.size()); ++i) attempt(i);
    f.of_node[k] = face;
    if (face < 0) continue;  // beside the surface
    double gap = touch.normal.dot(x - touch.at);
    if (f.side[k] == 0) {
      // A node that begins on the surface belongs where its structure is.
      const Vec3 inside = system_.body(contact.structure).centre - touch.at;
      f.side[k] = (std::abs(gap) > 1e-9 * length_ ? gap : touch.normal.dot(inside)) < 0 ? -1 : 1;
    }
    if (f.side[k] < 0) touch.normal = -touch.normal, gap = -gap;
    touch.gap = gap;
    smallest_[c] = std::min(smallest_[c], gap);
    if (gap > reach) continue;
    touch.contact = c;
    touch.number = k;
    touch.structures[0] = contact.structure, touch.nodes[0] = contact.nodes[k], touch.weight[0] = 1;
    touch.count = 1;
    put_face(contact, f.all[face], found_weight, touch);
    out.push_back(touch);
  }
}

// The nodes of a face share −1.
void StructureContacts::put_face(const StructureContact& c, const fem::Face& f, const double* weight,
                                 NodeTouch& touch) const {
  for (int i = 0; i < f.count(); ++i, ++touch.count) {
    touch.structures[touch.count] = c.other;
    touch.nodes[touch.count] = f.nodes[i];
    touch.weight[touch.count] = -weight[i];
  }
}

void StructureContacts::find_ball(int c, const double* q, double reach, const Bodies& bodies,
                                  std::vector<NodeTouch>& out) {
  const StructureContact& contact = model_.structure_contacts[c];
  Faces& f = faces_[c];
  const auto& ball = static_cast<const Sphere&>(*contact.surface);
  const Vec3 x = pose_of(*bodies.k, contact.body).point(ball.centre);
  NodeTouch touch;
  double best = std::numeric_limits<double>::infinity(), weight[4] = {}, found_weight[4] = {}, side = 1;
  int face = -1;
  bool edge = false;  // the nearest point is on one
  Vec3 at, normal;
  for (int i = 0; i < static_cast<int>(f.all.size()); ++i) {
    const double far = (x - system_.position(contact.other, f.all[i].nodes[0], q)).norm();
    if (far - 2 * f.size[i] > std::min(best, ball.R + reach)) continue;
    foot(contact, f.all[i], x, q, 1, weight, at, normal);
    const double distance = (x - at).norm();
    if (distance >= best) continue;
    best = distance, face = i;
    side = normal.dot(x - at) < 0 ? -1 : 1;
    edge = std::abs(normal.dot(x - at)) < 0.999 * distance;
    touch.at = at, touch.normal = distance > 0 ? Vec3((x - at) / distance) : normal;
    std::copy(weight, weight + 4, found_weight);
  }
  touch.gap = best - ball.R;
  // Beyond the edges it goes round, and so it may far away; near a face a centre that has gone through it is
  // still on the side where it was.
  const bool round = face < 0 || edge || touch.gap > reach;
  if (round || f.side[0] == 0) f.side[0] = face < 0 ? 0 : side;
  if (face < 0) return;
  if (side != f.side[0]) touch.normal = -touch.normal, touch.gap = -best - ball.R;
  smallest_[c] = std::min(smallest_[c], touch.gap);
  if (touch.gap > reach) return;
  touch.contact = c;
  touch.body = contact.body, touch.body_side = 1;
  put_face(contact, f.all[face], found_weight, touch);
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
      }
      speed += fast;
    }
    most = std::max(most, speed);
  }
  return most;
}

std::vector<double> StructureContacts::memory() const {
  std::vector<double> out;
  for (const Faces& f : faces_)
    for (std::size_t k = 0; k < f.side.size(); ++k)
      out.insert(out.end(), {f.side[k], static_cast<double>(f.of_node[k])});
  return out;
}

void StructureContacts::restore_memory(const double* c) {
  for (Faces& f : faces_)
    for (std::size_t k = 0; k < f.side.size(); ++k) f.side[k] = *c++, f.of_node[k] = static_cast<int>(*c++);
}

void StructureContacts::find(double t, double t_begin, double t_end, const double* q, double reach,
                             const Bodies& bodies, std::vector<NodeTouch>& out) {
  out.clear();
  for (int c = 0; c < static_cast<int>(model_.structure_contacts.size()); ++c) {
    const StructureContact& contact = model_.structure_contacts[c];
    smallest_[c] = std::numeric_limits<double>::infinity();
    if (contact.structure < 0) {
      find_ball(c, q, reach, bodies, out);
      continue;
    }
    if (!contact.surface) {
      find_on_faces(c, q, reach, out);
      continue;
    }
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
