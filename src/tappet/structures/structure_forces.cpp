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

namespace {

double stored(const StructureForce& f, double elongation) {
  return f.by_expression ? 0 : 0.5 * f.stiffness * elongation * elongation;
}

/// Where an end of a force is; `q`: of the structures. The frames may be missing where there are no bodies.
Vec3 place(const StructureForce::End& end, const StructureSystem& system, int ground, const double* q,
           const Kinematics* k) {
  if (end.structure >= 0) return system.position(end.structure, end.node, q);
  return end.body == ground ? end.point : k->spatial[end.body].point(end.point);
}

}  // namespace

void StructureForces::aim(int i, const double* q, const Kinematics* k, StructureCompliance& compliance,
                          StructureCompliance::Row& row, Eigen::Ref<Eigen::VectorXd> body) const {
  const StructureForce& f = law(i);
  const int ground = model_.mechanism.ground();
  Vec3 x[2];
  for (int side = 0; side < 2; ++side) x[side] = place(f.ends[side], system_, ground, q, k);
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
  for (int i = 0; i < count(); ++i) sum += stored(law(i), elongation(i, q, bodies));
  return sum;
}

double StructureForces::potential(const double* q, const Kinematics& k) const {
  double sum = 0;
  const int ground = model_.mechanism.ground();
  for (const StructureForce& f : model_.structure_forces) {
    const Vec3 d = place(f.ends[1], system_, ground, q, &k) - place(f.ends[0], system_, ground, q, &k);
    sum += stored(f, d.norm() - f.length);
  }
  return sum;
}

void StructureForces::apply(const double* q, const double* u, const Kinematics& k, double* forces,
                            ForceSum& sum) const {
  const int ground = model_.mechanism.ground();
  for (const StructureForce& f : model_.structure_forces) {
    Vec3 x[2], v[2];
    for (int side = 0; side < 2; ++side) {
      const StructureForce::End& end = f.ends[side];
      x[side] = place(end, system_, ground, q, &k);
      if (end.structure >= 0) {
        v[side] = system_.velocity(end.structure, end.node, u);
      } else {
        const SpatialFrame& frame = k.spatial[end.body];
        v[side] = frame.v + frame.w.cross(x[side] - frame.r);
      }
    }
    const double distance = (x[1] - x[0]).norm();
    if (distance == 0) continue;  // no direction, no force
    const Vec3 e = (x[1] - x[0]) / distance;
    const double at[3] = {distance - f.length, e.dot(v[1] - v[0]), k.t};
    const double pull = f.by_expression ? f.force(at, k.inputs) : f.stiffness * at[0] + f.damping * at[1];
    if (f.by_expression)
      sum.powers.input -= pull * at[1];
    else
      sum.powers.damping += f.damping * at[1] * at[1];
    for (int side = 0; side < 2; ++side) {
      const StructureForce::End& end = f.ends[side];
      const Vec3 force = (side ? -pull : pull) * e;
      if (end.structure < 0) {
        sum.add(k.spatial[end.body], end.body, x[side], force);
        continue;
      }
      for (int d = 0; d < 3; ++d)
        if (const int i = system_.unknown(end.structure, end.node, d); i >= 0) forces[i] += force[d];
    }
  }
}

}  // namespace tappet
