// Flexible bodies: their elastic coordinates as they were given, where their interfaces and named points are, in world axes, and
// their stress.
#include <algorithm>

#include "tappet/fem/flexible_fields.hpp"
#include "tappet/model/signals.hpp"

namespace tappet::signals::flexible {
namespace {

double coordinate(SignalContext& c, const SignalDefinition& s) {
  const FlexibleBody& body = c.model.mechanism.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> q(c.k.modal_q.data() + body.first, body.modes);
  return body.given.row(s.component).dot(q);
}
double rate(SignalContext& c, const SignalDefinition& s) {
  const FlexibleBody& body = c.model.mechanism.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> u(c.k.modal_u.data() + body.first, body.modes);
  return body.given.row(s.component).dot(u);
}
double acceleration(SignalContext& c, const SignalDefinition& s) {
  const Mechanism& m = c.model.mechanism;
  const FlexibleBody& body = m.flexible.bodies[s.index];
  const Eigen::Map<const Eigen::VectorXd> a(c.w->a.data() + m.u_size() - m.flexible.modes + body.first,
                                            body.modes);
  return body.given.row(s.component).dot(a);
}

// Interfaces, by their frames.
double planar_position(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].r[s.component];
}
double planar_angle(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].theta;
}
double planar_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].v[s.component];
}
double planar_omega(SignalContext& c, const SignalDefinition& s) {
  return c.k.planar[s.index].w;
}
double spatial_position(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].r[s.component];
}
double spatial_velocity(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].v[s.component];
}
double spatial_omega(SignalContext& c, const SignalDefinition& s) {
  return c.k.spatial[s.index].w[s.component];
}

// Points of the mesh.
const FlexibleBody& body_of(const SignalContext& c, const SignalDefinition& s) {
  return c.model.mechanism.flexible.bodies[s.index];
}
int node(const SignalContext& c, const SignalDefinition& s) {
  return body_of(c, s).mesh->points[s.part].node;
}
double point_position(SignalContext& c, const SignalDefinition& s) {
  return fem::node_motion(body_of(c, s), c.k, node(c, s)).position[s.component];
}
double point_velocity(SignalContext& c, const SignalDefinition& s) {
  return fem::node_motion(body_of(c, s), c.k, node(c, s)).velocity[s.component];
}

// Stress of elements, worked out once per instant.
const std::vector<double>& stress(SignalContext& c, const SignalDefinition& s) {
  if (c.stress_of != s.index) c.stress = fem::flexible_stress(body_of(c, s), c.k), c.stress_of = s.index;
  return c.stress;
}
double largest_von_mises(SignalContext& c, const SignalDefinition& s) {
  double out = 0;
  const std::vector<double>& all = stress(c, s);
  for (std::size_t e = 0; e < all.size(); e += fem::stress_numbers) out = std::max(out, all[e]);
  return out;
}
// Component 0: the largest, 2: the smallest of all elements.
double extreme_principal(SignalContext& c, const SignalDefinition& s) {
  double out = 0;
  const std::vector<double>& all = stress(c, s);
  for (std::size_t e = 0; e < all.size(); e += fem::stress_numbers) {
    const double now = fem::principal_stresses(all.data() + e + 1)[s.component];
    out = e == 0 ? now : s.component == 0 ? std::max(out, now) : std::min(out, now);
  }
  return out;
}
// The mean of the elements that share the node. Component 0: von Mises; 1 and 3: of their largest and smallest principal stress.
double point_stress(SignalContext& c, const SignalDefinition& s) {
  const fem::Structure& structure = body_of(c, s).mesh->structure;
  const std::vector<double>& all = stress(c, s);
  double sum = 0;
  int count = 0;
  for (std::size_t e = 0; e < structure.elements.size(); ++e) {
    const auto nodes = structure.nodes_of(structure.elements[e]);
    if (std::find(nodes.begin(), nodes.end(), node(c, s)) == nodes.end()) continue;
    const double* of = all.data() + fem::stress_numbers * e;
    sum += s.component == 0 ? of[0] : fem::principal_stresses(of + 1)[s.component - 1];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

void offer_mesh(const Mechanism& m, int f, std::vector<SignalDefinition>& out) {
  const FlexibleBody& body = m.flexible.bodies[f];
  const int axes = m.dimension == Dimension::planar ? 2 : 3;
  for (int p = 0; p < static_cast<int>(body.mesh->points.size()); ++p) {
    const std::string n = body.name + "." + body.mesh->points[p].name + ".";
    for (int i = 0; i < axes; ++i) out.push_back({n + axis_names[i], "m", false, f, i, p, point_position});
    for (int i = 0; i < axes; ++i)
      out.push_back({n + "v" + axis_names[i], "m/s", false, f, i, p, point_velocity});
    out.push_back({n + "stress", "Pa", false, f, 0, p, point_stress, true});
    out.push_back({n + "stress_high", "Pa", false, f, 1, p, point_stress, true});
    out.push_back({n + "stress_low", "Pa", false, f, 3, p, point_stress, true});
  }
  const std::string n = body.name + ".stress.";
  out.push_back({n + "max", "Pa", false, f, 0, 0, largest_von_mises, true});
  out.push_back({n + "high", "Pa", false, f, 0, 0, extreme_principal, true});
  out.push_back({n + "low", "Pa", false, f, 2, 0, extreme_principal, true});
}

void offer_interface(const Mechanism& m, int frame, std::vector<SignalDefinition>& out) {
  const bool planar = m.dimension == Dimension::planar;
  const std::string n = m.frame_name(frame) + ".";
  const int axes = planar ? 2 : 3;
  for (int i = 0; i < axes; ++i)
    out.push_back({n + axis_names[i], "m", false, frame, i, 0, planar ? planar_position : spatial_position});
  if (planar) out.push_back({n + "angle", "rad", false, frame, 0, 0, planar_angle});
  for (int i = 0; i < axes; ++i)
    out.push_back(
        {n + "v" + axis_names[i], "m/s", false, frame, i, 0, planar ? planar_velocity : spatial_velocity});
  if (planar)
    out.push_back({n + "omega", "rad/s", false, frame, 0, 0, planar_omega});
  else
    for (int i = 0; i < 3; ++i)
      out.push_back({n + "w" + axis_names[i], "rad/s", false, frame, i, 0, spatial_omega});
}

void offer(const Model& model, std::vector<SignalDefinition>& out) {
  const Mechanism& m = model.mechanism;
  for (int f = 0; f < static_cast<int>(m.flexible.bodies.size()); ++f) {
    const FlexibleBody& body = m.flexible.bodies[f];
    for (int k = 0; k < body.given.rows(); ++k) {
      const std::string number = std::to_string(k + 1);
      out.push_back({body.name + ".q" + number, body.unit, false, f, k, 0, coordinate});
      out.push_back({body.name + ".qd" + number, body.unit, false, f, k, 0, rate});
      out.push_back({body.name + ".qdd" + number, body.unit, true, f, k, 0, acceleration});
    }
  }
  for (int frame = m.body_count(); frame < m.ground(); ++frame)
    if (!m.flexible.interface(frame).of_surface()) offer_interface(m, frame, out);
  for (int f = 0; f < static_cast<int>(m.flexible.bodies.size()); ++f)
    if (m.flexible.bodies[f].mesh) offer_mesh(m, f, out);
}

const Registration<SignalProvider> registered{{.name = "flexible bodies", .order = 15, .offer = offer}};

}  // namespace
}  // namespace tappet::signals::flexible
