#include "tappet/structures/structure_forces.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace tappet {

bool StructureForces::on_bodies() const {
  for (const StructureForce& f : model_.structure_forces)
    for (const StructureForce::End& end : f.ends)
      if (end.structure < 0 && end.body != model_.mechanism.ground()) return true;
  return false;
}

void StructureForces::aim(int i, const double* q, const Kinematics* k, StructureCompliance& compliance,
                          StructureCompliance::Row& row, Eigen::Ref<Eigen::VectorXd> body) const {
  const StructureForce& f = law(i);
  const int ground = model_.mechanism.ground();
  Vec3 x[2];
  for (int side = 0; side < 2; ++side) {
    const StructureForce::End& end = f.ends[side];
    x[side] = end.structure >= 0   ? system_.position(end.structure, end.node, q)
              : end.body == ground ? end.point
                                   : k->spatial[end.body].point(end.point);
  }
  row.count = 0;
  body.setZero();
  const double distance = (x[1] - x[0]).norm();
  if (distance == 0) return;  // no direction, no force
  const Vec3 e = (x[1] - x[0]) / distance;
  for (int side = 0; side < 2; ++side) {
    const StructureForce::End& end = f.ends[side];
    const double sign = side ? 1 : -1;
    if (end.structure >= 0) {
      for (int d = 0; d < 3; ++d) {
        const int unknown = system_.unknown(end.structure, end.node, d);
        if (unknown >= 0 && e[d] != 0) compliance.add(row, unknown, sign * e[d]);
      }
    } else if (end.body != ground) {
      const SpatialFrame& frame = k->spatial[end.body];
      body.segment<3>(6 * end.body) += sign * e;
      if (model_.mechanism.bodies[end.body].has_inertia)
        body.segment<3>(6 * end.body + 3) += sign * (frame.R.transpose() * (x[side] - frame.r).cross(e));
    }
  }
}

double StructureForces::elongation(int i, const double* q, const double* bodies) const {
  const StructureForce& f = law(i);
  Vec3 x[2];
  for (int side = 0; side < 2; ++side) {
    const StructureForce::End& end = f.ends[side];
    if (end.structure >= 0) {
      x[side] = system_.position(end.structure, end.node, q);
    } else if (end.body == model_.mechanism.ground()) {
      x[side] = end.point;
    } else {
      const double* own = bodies + 7 * end.body;
      x[side] = Vec3(own[0], own[1], own[2]) + rotation_of(own + 3) * end.point;
    }
  }
  return (x[1] - x[0]).norm() - f.length;
}

double StructureForces::potential(const double* q, const double* bodies) const {
  double sum = 0;
  for (int i = 0; i < count(); ++i) {
    if (law(i).by_expression) continue;
    const double x = elongation(i, q, bodies);
    sum += 0.5 * law(i).stiffness * x * x;
  }
  return sum;
}

}  // namespace tappet
