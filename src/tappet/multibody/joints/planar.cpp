// Planar joint: a point of the second body stays in a plane of the first, and their normals stay parallel.
//
//   Φ = (a_i·d, b₁·a_j, b₂·a_j)      (3 rows)
//
// a_i, a_j: the normals; b₁, b₂ fixed in the first body perpendicular to a_i. [Nikravesh1988]
#include "tappet/multibody/joint.hpp"

namespace tappet::joints::planar {
namespace {

class PlanarJoint final : public Constraint {
 public:
  Vec3 pi, pj, axis_i, b1, b2, axis_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Vec3 a = fj.R * axis_j;
    no_offset_along(fi, SpatialPoint(fi, pi), fi.R * axis_i, fj, SpatialPoint(fj, pj), out, 0);
    perpendicular_axes(fi, fi.R * b1, fj, a, out, 1);
    perpendicular_axes(fi, fi.R * b2, fj, a, out, 2);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const PlanarJointParameters& p, const Origin&, const JointInput& in) {
  auto c = make_constraint<PlanarJoint>(in, 3);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  std::tie(c->axis_i, c->axis_j) = in.axes3();
  c->b1 = any_perpendicular(c->axis_i);
  c->b2 = c->axis_i.cross(c->b1);
  Joint joint;
  joint.angle = spatial_angle(in.i, in.j, c->axis_i, c->axis_j, p.zero);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "planar",
    .equation = "a_i·d = 0, b₁·a_j = 0, b₂·a_j = 0",
    .citation = "Nikravesh1988",
    .table = spatial_only(table_of<PlanarJointParameters>(
        "a planar joint", "A plate on a table: two displacements and one angle free",
        {{&PlanarJointParameters::bodies, bodies_parameter()},
         {&PlanarJointParameters::points, points_parameter()},
         {&PlanarJointParameters::axis,
          axis_parameter("the plane's normal, in the first body's coordinates", false)},
         {&PlanarJointParameters::axes, axes_parameter("the normal on each body, instead of `axis`")},
         {&PlanarJointParameters::zero, zero_parameter("rad")}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::planar
