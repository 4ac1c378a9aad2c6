// Revolute joint: a point of each body coincides; in space their axes stay parallel too.
//
//   plane   Φ = r_Pj − r_Pi                                   (2 rows)
//   space   Φ = (r_Pj − r_Pi, b₁·a_j, b₂·a_j)                  (5 rows)
//
// a_j: axis fixed in the second body; b₁, b₂: unit vectors fixed in the first, perpendicular to its axis a_i and to each
// other. Free: the angle of the second body against the first about the axis, counter-clockwise positive, less `zero`.
// [Nikravesh1988; FloresAmbrosio2004]
#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet::joints::revolute {
namespace {

class PlanarRevolute final : public Constraint {
 public:
  Vec2 pi, pj;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    coincide(fi, PlanarPoint(fi, pi), fj, PlanarPoint(fj, pj), out);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(pj);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialRevolute final : public Constraint {
 public:
  Vec3 pi, pj, b1, b2, axis_j;
  // Flat: vectors that are handed over stay in registers.
  [[gnu::flatten]] void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    coincide(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), out);
    const Vec3 a = fj.R * axis_j;
    perpendicular_axes(fi, fi.R * b1, fj, a, out, 3);
    perpendicular_axes(fi, fi.R * b2, fj, a, out, 4);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const RevoluteParameters& p, const Origin&, const JointInput& in) {
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarRevolute>(in, 2);
    c->pi = in.point2(0);
    c->pj = in.point2(1);
    joint.constraint = std::move(c);
    joint.angle = planar_angle(in.i, in.j, p.zero);
    return joint;
  }
  auto c = make_constraint<SpatialRevolute>(in, 5);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const auto [axis_i, axis_j] = in.axes3();
  c->b1 = any_perpendicular(axis_i);
  c->b2 = axis_i.cross(c->b1);
  c->axis_j = axis_j;
  joint.axis = axis_i;
  joint.angle = spatial_angle(in.i, in.j, axis_i, axis_j, p.zero);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "revolute",
    .equation = "plane: r_Pj − r_Pi = 0\nspace: r_Pj − r_Pi = 0, b₁·a_j = 0, b₂·a_j = 0",
    .citation = "Nikravesh1988",
    .table = table_of<RevoluteParameters>(
        "a revolute joint", "A pin: one point in common, one angle free",
        {{&RevoluteParameters::bodies, bodies_parameter()},
         {&RevoluteParameters::points, points_parameter()},
         {&RevoluteParameters::axis,
          axis_parameter("space: the pin's direction, in the first body's coordinates", false)},
         {&RevoluteParameters::axes,
          axes_parameter("space: the pin's direction on each body, instead of `axis`")},
         {&RevoluteParameters::zero, zero_parameter("rad")},
         {&RevoluteParameters::clearance, clearance_parameter(journal_clearance_family())},
         {&RevoluteParameters::limits, angle_limits_parameter()},
         {&RevoluteParameters::friction, pin_friction_parameter()}}),
    .make = made_from<make>,
    .make_clearance = make_journal_clearance,
}};

}  // namespace
}  // namespace tappet::joints::revolute
