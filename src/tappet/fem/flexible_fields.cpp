#include "tappet/fem/flexible_fields.hpp"

#include <algorithm>
#include <iterator>

namespace tappet::fem {
namespace {

using Eigen::VectorXd;

struct Frame {
  Vec3 r = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();  ///< ω in the body's axes
  Mat3 R = Mat3::Identity();
};

Frame frame_of(const FlexibleBody& body, const Kinematics& k) {
  if (k.dimension == Dimension::spatial) {
    const SpatialFrame& f = k.spatial[body.body];
    return {f.r, f.v, f.w_body, f.R};
  }
  const PlanarFrame& f = k.planar[body.body];
  Frame out;
  out.r.head<2>() = f.r, out.v.head<2>() = f.v, out.w.z() = f.w;
  out.R << f.c, -f.s, 0, f.s, f.c, 0, 0, 0, 1;
  return out;
}

Eigen::Map<const VectorXd> coordinates(const FlexibleBody& body, const std::vector<double>& all) {
  return {all.data() + body.first, body.modes};
}

/// Translations of one node by coordinates.
Vec3 moved(const FlexibleMesh& mesh, int node, const Eigen::Map<const VectorXd>& q) {
  Vec3 out = Vec3::Zero();
  for (int d = 0; d < std::min(3, mesh.structure.node_unknowns[node]); ++d)
    out[d] = mesh.shapes.row(mesh.structure.first_unknown[node] + d).dot(q);
  return out;
}

NodeMotion motion_in(const Frame& f, const FlexibleBody& body, const Kinematics& k, int node) {
  const FlexibleMesh& mesh = *body.mesh;
  const Vec3 x = mesh.structure.mesh.nodes[node] + moved(mesh, node, coordinates(body, k.modal_q));
  return {f.r + f.R * x, f.v + f.R * (f.w.cross(x) + moved(mesh, node, coordinates(body, k.modal_u)))};
}

}  // namespace

FieldMesh field_mesh(const FlexibleBody& body) {
  FieldMesh out = field_mesh(body.mesh->structure);
  out.name = body.name;
  out.carried = true;
  return out;
}

NodeMotion node_motion(const FlexibleBody& body, const Kinematics& k, int node) {
  return motion_in(frame_of(body, k), body, k, node);
}

std::vector<double> flexible_stress(const FlexibleBody& body, const Kinematics& k) {
  const VectorXd all = body.mesh->shapes * coordinates(body, k.modal_q);
  return element_stress(body.mesh->structure, {all.data(), all.data() + all.size()});
}

void flexible_fields(const FlexibleBody& body, const Kinematics& k, Fields& out) {
  const Frame f = frame_of(body, k);
  const std::vector<Vec3>& nodes = body.mesh->structure.mesh.nodes;
  out.displacement.clear(), out.velocity.clear();
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    const NodeMotion at = motion_in(f, body, k, n);
    for (int d = 0; d < 3; ++d) {
      out.displacement.push_back(at.position[d] - nodes[n][d]);
      out.velocity.push_back(at.velocity[d]);
    }
  }
  out.contact_force.assign(3 * nodes.size(), 0.0);
  out.stress = flexible_stress(body, k);
  for (std::size_t e = 0; e < out.stress.size(); e += stress_numbers) {
    double* t = out.stress.data() + e + 1;
    Mat3 s;
    s << t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2];
    s = (f.R * s * f.R.transpose()).eval();
    const double turned[] = {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0)};
    std::copy(std::begin(turned), std::end(turned), t);
  }
}

}  // namespace tappet::fem
