// Point on line: a point of the second body stays on a line of the first; the bodies turn freely.
//
//   plane   Φ = n·d              (1 row)
//   space   Φ = (b₁·d, b₂·d)     (2 rows)
//
// n, b₁, b₂ fixed in the first body, perpendicular to the line. Free: the displacement a·d − zero, and turning. [Nikravesh1988]
#include "tappet/multibody/joint.hpp"

namespace tappet::joints::point_on_line {
namespace {

class PlanarPointOnLine final : public Constraint {
 public:
  Vec2 pi, pj, normal;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    on_line(fi, PlanarPoint(fi, pi), normal, fj, PlanarPoint(fj, pj), out, 0);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(pj);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialPointOnLine final : public Constraint {
 public:
  Vec3 pi, pj, b1, b2;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pi(fi, pi), Pj(fj, pj);
    no_offset_along(fi, Pi, fi.R * b1, fj, Pj, out, 0);
    no_offset_along(fi, Pi, fi.R * b2, fj, Pj, out, 1);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const PointOnLineParameters& p, const Origin&, const JointInput& in) {
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarPointOnLine>(in, 1);
    c->pi = in.point2(0);
    c->pj = in.point2(1);
    const Vec2 axis = in.axis2();
    c->normal = perpendicular(axis);
    joint.displacement = planar_displacement(in.i, in.j, c->pi, c->pj, axis, p.zero);
    joint.constraint = std::move(c);
    return joint;
  }
  auto c = make_constraint<SpatialPointOnLine>(in, 2);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  const Vec3 axis = in.axes3().first;
  c->b1 = any_perpendicular(axis);
  c->b2 = axis.cross(c->b1);
  joint.displacement = spatial_displacement(in.i, in.j, c->pi, c->pj, axis, p.zero);
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "point-on-line",
    .equation = "plane: n·d = 0\nspace: b₁·d = 0, b₂·d = 0",
    .citation = "Nikravesh1988",
    .table = table_of<PointOnLineParameters>(
        "a point-on-line joint", "A pin in a slot: a point slides along a line, the bodies turn freely",
        {{&PointOnLineParameters::bodies, bodies_parameter()},
         {&PointOnLineParameters::points, points_parameter()},
         {&PointOnLineParameters::axis,
          axis_parameter("the line's direction, in the first body's coordinates", true)},
         {&PointOnLineParameters::zero, zero_parameter("m")}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::point_on_line
