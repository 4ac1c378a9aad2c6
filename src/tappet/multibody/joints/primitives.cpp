// Primitives: single conditions between directions and points of two bodies, of which other joints are made.
//
//   in-plane        Φ = n·d                         the second body's point stays in a plane of the first (normal n); space
//   perpendicular   Φ = a_i·a_j                     a direction of each body stay square; space
//   parallel        Φ = (b₁·a_j, b₂·a_j)            directions stay parallel; space
//
// d = r_Pj − r_Pi; n, a_i, b₁, b₂ fixed in the first body, b perpendicular to a_i; a_j in the second. Where directions are not what is
// wanted at the start, assembly turns them. [Haug1989]
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"

namespace tappet::joints::primitives {
namespace {

class InPlane final : public Constraint {
 public:
  Vec3 pi, pj, normal;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    no_offset_along(fi, SpatialPoint(fi, pi), fi.R * normal, fj, SpatialPoint(fj, pj), out, 0);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

class Perpendicular final : public Constraint {
 public:
  Vec3 axis_i, axis_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    perpendicular_axes(fi, fi.R * axis_i, fj, fj.R * axis_j, out, 0);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override { return k.spatial[bodies[1]].r; }
};

class Parallel final : public Constraint {
 public:
  Vec3 b1, b2, axis_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const Vec3 a = fj.R * axis_j;
    perpendicular_axes(fi, fi.R * b1, fj, a, out, 0);
    perpendicular_axes(fi, fi.R * b2, fj, a, out, 1);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override { return k.spatial[bodies[1]].r; }
};

Joint joint_of(std::unique_ptr<Constraint> constraint) {
  Joint joint;
  joint.constraint = std::move(constraint);
  return joint;
}

/// The angle between the directions at the start, rad.
double angle_between(const JointInput& in, const Vec3& axis_i, const Vec3& axis_j) {
  const double cosine = (in.start.spatial[in.i].R * axis_i).dot(in.start.spatial[in.j].R * axis_j);
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}

Joint make_in_plane(const InPlaneParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<InPlane>(in, 1);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  c->normal = in.axes3().first;
  return joint_of(std::move(c));
}

Joint make_perpendicular(const PerpendicularParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<Perpendicular>(in, 1);
  std::tie(c->axis_i, c->axis_j) = in.axes3();
  const double angle = angle_between(in, c->axis_i, c->axis_j) * 57.29577951308232;
  if (angle < 30 || angle > 150)
    in.diagnostics.error(
        in.origin.where("axes"),
        fmt::format("the axes of perpendicular joint '{}' stand at {:.4g} deg to each other; 30 to 150 deg "
                    "is corrected by assembly",
                    in.name(), angle));
  return joint_of(std::move(c));
}

Joint make_parallel(const ParallelParameters&, const Origin&, const JointInput& in) {
  auto c = make_constraint<Parallel>(in, 2);
  const auto [axis_i, axis_j] = in.axes3();
  const double angle = angle_between(in, axis_i, axis_j) * 57.29577951308232;
  if (angle > 60 && angle < 120)
    in.diagnostics.error(
        in.origin.where("axes"),
        fmt::format("the axes of parallel joint '{}' stand at {:.4g} deg to each other; up to 60 deg is "
                    "corrected by assembly",
                    in.name(), angle));
  c->b1 = any_perpendicular(axis_i);
  c->b2 = axis_i.cross(c->b1);
  c->axis_j = axis_j;
  return joint_of(std::move(c));
}

Parameter directions() {
  Parameter p =
      axes_parameter("a direction on the first body and one on the second, each in its coordinates");
  p.required = true;
  return p;
}

const Registration<JointType> in_plane{{
    .name = "in-plane",
    .equation = "n·(r_Pj − r_Pi) = 0",
    .citation = "Haug1989",
    .table = spatial_only(table_of<InPlaneParameters>(
        "an in-plane joint", "The second body's point stays in a plane of the first",
        {{&InPlaneParameters::bodies, bodies_parameter()},
         {&InPlaneParameters::points, points_parameter()},
         {&InPlaneParameters::axis,
          axis_parameter("the plane's normal, in the first body's coordinates", true)}})),
    .make = made_from<make_in_plane>,
}};

const Registration<JointType> perpendicular{{
    .name = "perpendicular",
    .equation = "a_i·a_j = 0",
    .citation = "Haug1989",
    .table = spatial_only(table_of<PerpendicularParameters>(
        "a perpendicular joint", "A direction of each body stay at a right angle",
        {{&PerpendicularParameters::bodies, bodies_parameter()},
         {&PerpendicularParameters::axes, directions()}})),
    .make = made_from<make_perpendicular>,
}};

const Registration<JointType> parallel{{
    .name = "parallel",
    .equation = "b₁·a_j = 0, b₂·a_j = 0",
    .citation = "Haug1989",
    .table = spatial_only(table_of<ParallelParameters>(
        "a parallel joint", "A direction of each body stay parallel",
        {{&ParallelParameters::bodies, bodies_parameter()}, {&ParallelParameters::axes, directions()}})),
    .make = made_from<make_parallel>,
}};

}  // namespace
}  // namespace tappet::joints::primitives
