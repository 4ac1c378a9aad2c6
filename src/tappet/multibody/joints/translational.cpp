// Translational (prismatic) joint: the second body slides along an axis of the first and does not turn against it.
//
//   plane   Φ = (n·d, θ_j − θ_i − θ₀)                                   (2 rows)
//   space   Φ = (b₁·d, b₂·d, three rows that keep the orientation)      (5 rows)
//
// d = r_Pj − r_Pi; n, b₁, b₂ fixed in the first body, perpendicular to the axis. θ₀, or the relative orientation, is the one
// written in the file. Free: the displacement a·d − zero. [Nikravesh1988]
#include "tappet/multibody/clearance.hpp"
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/limits.hpp"

namespace tappet::joints::translational {
namespace {

class PlanarTranslational final : public Constraint {
 public:
  Vec2 pi, pj, normal;
  double angle = 0;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    on_line(fi, PlanarPoint(fi, pi), normal, fj, PlanarPoint(fj, pj), out, 0);
    fixed_angle(fi, fj, angle, out, 1);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(pj);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialTranslational final : public Constraint {
 public:
  Vec3 pi, pj, b1, b2;
  Mat3 triad_i, triad_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    no_offset_along(fi, Pi, fi.R * b1, fj, Pj, out, 0);
    no_offset_along(fi, Pi, fi.R * b2, fj, Pj, out, 1);
    same_orientation(fi, fi.R * triad_i, fj, fj.R * triad_j, out, 2);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const TranslationalParameters& p, const Origin&, const JointInput& in) {
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarTranslational>(in, 2);
    c->pi = in.point2(0);
    c->pj = in.point2(1);
    const Vec2 axis = in.axis2();
    c->normal = perpendicular(axis);
    c->angle = in.start.planar[in.j].theta - in.start.planar[in.i].theta;
    joint.axis << axis, 0;
    joint.displacement = planar_displacement(in.i, in.j, c->pi, c->pj, axis, p.zero);
    joint.constraint = std::move(c);
    return joint;
  }
  auto c = make_constraint<SpatialTranslational>(in, 5);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const Vec3 axis = in.axes3().first;
  c->b1 = any_perpendicular(axis);
  c->b2 = axis.cross(c->b1);
  // A triad along the joint, fixed in both bodies as they stand in the file.
  c->triad_i << axis, c->b1, c->b2;
  c->triad_j = in.start.spatial[in.j].R.transpose() * in.start.spatial[in.i].R * c->triad_i;
  joint.axis = axis;
  joint.displacement = spatial_displacement(in.i, in.j, c->pi, c->pj, axis, p.zero);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "translational",
    .equation = "plane: n·d = 0, θ_j − θ_i = θ₀\nspace: b₁·d = 0, b₂·d = 0, orientation kept",
    .citation = "Nikravesh1988",
    .table = table_of<TranslationalParameters>(
        "a translational joint", "A slide: one displacement free, no turning",
        {{&TranslationalParameters::bodies, bodies_parameter()},
         {&TranslationalParameters::points, points_parameter()},
         {&TranslationalParameters::axis,
          axis_parameter("the slide's direction, in the first body's coordinates", true)},
         {&TranslationalParameters::zero, zero_parameter("m")},
         {&TranslationalParameters::clearance, clearance_parameter(guide_clearance_family())},
         {&TranslationalParameters::limits, displacement_limits_parameter()},
         {&TranslationalParameters::friction, slide_friction_parameter()}}),
    .make = made_from<make>,
    .make_clearance = make_guide_clearance,
}};

}  // namespace
}  // namespace tappet::joints::translational
