// Cylindrical joint: the second body slides along and turns about an axis of the first.
//
//   Φ = (b₁·a_j, b₂·a_j, b₁·d, b₂·d)      (4 rows)
//
// d = r_Pj − r_Pi; b₁, b₂ fixed in the first body perpendicular to its axis. Free: angle and displacement. [Nikravesh1988]
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet::joints::cylindrical {
namespace {

class Cylindrical final : public Constraint {
 public:
  Vec3 pi, pj, b1, b2, axis_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    const Vec3 a = fj.R * axis_j, w1 = fi.R * b1, w2 = fi.R * b2;
    no_offset_along(fi, Pi, w1, fj, Pj, out, 0);
    no_offset_along(fi, Pi, w2, fj, Pj, out, 1);
    perpendicular_axes(fi, w1, fj, a, out, 2);
    perpendicular_axes(fi, w2, fj, a, out, 3);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const CylindricalParameters& p, const Origin&, const JointInput& in) {
  auto c = make_constraint<Cylindrical>(in, 4);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const auto [axis_i, axis_j] = in.axes3();
  c->b1 = any_perpendicular(axis_i);
  c->b2 = axis_i.cross(c->b1);
  c->axis_j = axis_j;
  Joint joint;
  joint.axis = axis_i;
  joint.angle = spatial_angle(in.i, in.j, axis_i, axis_j, p.zero);
  joint.displacement = spatial_displacement(in.i, in.j, c->pi, c->pj, axis_i, p.zero_displacement);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "cylindrical",
    .equation = "b₁·d = 0, b₂·d = 0, b₁·a_j = 0, b₂·a_j = 0",
    .citation = "Nikravesh1988",
    .table = spatial_only(table_of<CylindricalParameters>(
        "a cylindrical joint", "A shaft in a sleeve: one angle and one displacement free",
        {{&CylindricalParameters::bodies, bodies_parameter()},
         {&CylindricalParameters::points, points_parameter()},
         {&CylindricalParameters::axis, axis_parameter("the axis, in the first body's coordinates", false)},
         {&CylindricalParameters::axes, axes_parameter("the axis on each body, instead of `axis`")},
         {&CylindricalParameters::zero, zero_parameter("rad")},
         {&CylindricalParameters::zero_displacement, zero_parameter("m", "zero_displacement")},
         {&CylindricalParameters::limits, angle_limits_parameter()},
         {&CylindricalParameters::limits_displacement, displacement_limits_parameter("limits_displacement")},
         {&CylindricalParameters::friction, sleeve_friction_parameter()}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::cylindrical
