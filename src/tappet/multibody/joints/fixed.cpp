// Fixed joint: the second body is welded to the first, in the relative orientation written in the file.
//
//   plane   Φ = (r_Pj − r_Pi, θ_j − θ_i − θ₀)                          (3 rows)
//   space   Φ = (r_Pj − r_Pi, three rows that keep the orientation)    (6 rows)   [Nikravesh1988]
#include "tappet/multibody/joint.hpp"

namespace tappet::joints::fixed {
namespace {

class PlanarFixed final : public Constraint {
 public:
  Vec2 pi, pj;
  double angle = 0;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    coincide(fi, PlanarPoint(fi, pi), fj, PlanarPoint(fj, pj), out);
    fixed_angle(fi, fj, angle, out, 2);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(pj);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialFixed final : public Constraint {
 public:
  Vec3 pi, pj;
  Mat3 triad_i = Mat3::Identity(), triad_j;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    coincide(fi, SpatialPoint(fi, pi), fj, SpatialPoint(fj, pj), out);
    same_orientation(fi, fi.R * triad_i, fj, fj.R * triad_j, out, 3);
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(pj);
  }
};

Joint make(const FixedParameters&, const Origin&, const JointInput& in) {
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarFixed>(in, 3);
    c->pi = in.point2(0);
    c->pj = in.point2(1);
    c->angle = in.start.planar[in.j].theta - in.start.planar[in.i].theta;
    joint.constraint = std::move(c);
    return joint;
  }
  auto c = make_constraint<SpatialFixed>(in, 6);
  c->pi = in.point3(0);
  c->pj = in.point3(1);
  c->triad_j = in.start.spatial[in.j].R.transpose() * in.start.spatial[in.i].R;
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "fixed",
    .equation = "r_Pj − r_Pi = 0, orientation kept",
    .citation = "Nikravesh1988",
    .table = table_of<FixedParameters>(
        "a fixed joint", "A weld: nothing is free",
        {{&FixedParameters::bodies, bodies_parameter()}, {&FixedParameters::points, points_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::fixed
