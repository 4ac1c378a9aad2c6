#include "tappet/structures/spiders.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace tappet {
namespace {

Mat3 cross_matrix(const Vec3& a) {
  return Mat3{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

Vec3 rotation_vector(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

/// φ̇ = J⁻¹ ω.
Mat3 inverse_jacobian(const Vec3& phi) {
  const double angle = phi.norm(), half = angle / 2;
  const double c = angle < 1e-4 ? 1.0 / 12 : (1 - half / std::tan(half)) / (angle * angle);
  const Mat3 X = cross_matrix(phi);
  return Mat3::Identity() - 0.5 * X + c * X * X;
}

}  // namespace

Spiders::Spiders(const Model& model, const double* bodies, const StructureSystem& system,
                 StructureCompliance& compliance)
    : system_(system) {
  for (int b = 0; b < model.mechanism.body_count(); ++b) {
    const double* q = bodies + 7 * b;
    start_.push_back({rotation_of(q + 3), Vec3(q[0], q[1], q[2])});
  }
  for (int s = 0; s < static_cast<int>(model.spiders.size()); ++s) {
    const Spider& spider = model.spiders[s];
    const fem::Structure& structure = system.body(spider.structure).structure;
    const int begin = rows();
    for (int n : spider.nodes) {
      if (structure.node_unknowns[n] == 0) continue;
      Leg leg{.spider = s, .structure = spider.structure, .node = n, .body = spider.body};
      leg.arm = start_[spider.body].local(structure.mesh.nodes[n]);
      leg.turns = spider.turns && structure.node_unknowns[n] == 6;
      leg.free = structure.turns;
      leg.linear = !leg.free && spider.turns && (leg.turns || spider.nodes.size() > 1);
      leg.first = rows();
      for (int d = 0; d < (leg.turns ? 6 : 3); ++d) {
        StructureCompliance::Row row;
        if (const int k = system.unknown(spider.structure, n, d); k >= 0) compliance.add(row, k, 1);
        rows_.push_back(row);
      }
      legs_.push_back(leg);
    }
    ranges_.emplace_back(begin, rows() - begin);
  }
}

void Spiders::body_rows(const Kinematics& k, Eigen::Ref<Eigen::MatrixXd> out) const {
  out.setZero();
  for (const Leg& leg : legs_) {
    const SpatialFrame& f = k.spatial[leg.body];
    const Pose& start = start_[leg.body];
    // φ̇ from the body's own angular velocity; exact places turn with ω itself.
    const Mat3 rate = inverse_jacobian(rotation_vector(f.R * start.R.transpose())) * f.R;
    const Mat3& turn = leg.linear ? rate : f.R;
    const Vec3 arm = (leg.linear ? start.R : f.R) * leg.arm;
    for (int d = 0; d < 3; ++d) {
      out.block<3, 1>(6 * leg.body, leg.first + d) = -Vec3::Unit(d);
      out.block<3, 1>(6 * leg.body + 3, leg.first + d) = -(turn.transpose() * arm.cross(Vec3::Unit(d)));
      if (!leg.turns) continue;
      // Of a node that turns in its own axes.
      const Mat3 own =
          leg.free ? Mat3(system_.turning(leg.structure).rotation(leg.node).transpose() * f.R) : rate;
      out.block<3, 1>(6 * leg.body + 3, leg.first + 3 + d) = -own.row(d).transpose();
    }
  }
}

void Spiders::gaps(const double* q, const double* bodies, Eigen::VectorXd& out) const {
  out.resize(rows());
  for (const Leg& leg : legs_) {
    const double* own = bodies + 7 * leg.body;
    const Pose& start = start_[leg.body];
    const Mat3 R = rotation_of(own + 3);
    const Vec3 phi = rotation_vector(R * start.R.transpose()), arm = start.R * leg.arm;
    out.segment<3>(leg.first) = system_.position(leg.structure, leg.node, q) - Vec3(own[0], own[1], own[2]) -
                                (leg.linear ? Vec3(arm + phi.cross(arm)) : Vec3(R * leg.arm));
    if (!leg.turns) continue;
    if (leg.free) {
      const Mat3& node = system_.turning(leg.structure).rotation(leg.node);
      out.segment<3>(leg.first + 3) = rotation_vector((R * start.R.transpose()).transpose() * node);
      continue;
    }
    for (int d = 0; d < 3; ++d) {
      const int at = system_.unknown(leg.structure, leg.node, 3 + d);
      out[leg.first + 3 + d] = (at < 0 ? 0 : q[at]) - phi[d];
    }
  }
}

Spiders::Mismatch Spiders::mismatch(const double* u, const double* bodies, const Kinematics& k) const {
  Mismatch out;
  // What should rest where others move is not still to the last figure.
  double fastest = 0, worst = 1e-9;
  for (const Leg& leg : legs_)
    fastest = std::max(fastest, system_.velocity(leg.structure, leg.node, u).norm());
  for (const Leg& leg : legs_) {
    const SpatialFrame& f = k.spatial[leg.body];
    const double* own = bodies + 6 * leg.body;
    const Vec3 node = system_.velocity(leg.structure, leg.node, u),
               body = Vec3(own[0], own[1], own[2]) + f.R * Vec3(own[3], own[4], own[5]).cross(leg.arm);
    const double off = (node - body).norm() / std::max({node.norm(), body.norm(), 1e-6, 1e-3 * fastest});
    if (off > worst) worst = off, out = {leg.spider, node, body};
  }
  return out;
}

}  // namespace tappet
