// Point on curve: a point of the second body stays on a curve of the first, a pin in a groove, a follower on its pitch curve, a bead on a wire.
//
//   plane   Φ = n·(p − c(s*))                     s*: the place of the curve nearest to p, n: its normal there, to the left of the way it goes
//   space   Φ = (b₁·(p − c(s*)), b₂·(p − c(s*)))   b₁, b₂: unit vectors across the curve there
//
// p: the second body's point in the first body's coordinates. In the plane Φ is the signed distance, whose gradient is n and whose second
// derivative is −κ/(1 − κ Φ) t tᵀ with the tangent t and the curvature κ, so that
//
//   Φ̇ = n·ṗ,      Φ̈ = n·p̈ − κ/(1 − κ Φ) (t·ṗ)²
//
// In space p runs along the curve as ṡ = t·ṗ/(1 − k·(p − c)) by arc length, with the curvature vector k; the rows are those of the tangent
// line, less b·k ṡ². The turning of b₁ and b₂ counts in proportion to Φ, which is 0.
//
// The curve is a spline (spline_curve.hpp). [Haug1989]
#include <cmath>

#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/spline_curve.hpp"

namespace tappet::joints::point_on_curve {
namespace {

class PlanarPointOnCurve final : public Constraint {
 public:
  Vec2 point;
  std::shared_ptr<const SplineCurve> curve;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pj(fj, point);
    const auto back = [&](const Vec2& a) {
      return Vec2(fi.c * a.x() + fi.s * a.y(), -fi.s * a.x() + fi.c * a.y());
    };
    const Vec2 p = back(Pj.r - fi.r);
    const SplineCurve::Place c = curve->at(curve->nearest({p.x(), p.y(), 0}));
    const double speed = c.slope.norm();
    const Vec2 t = c.slope.head<2>() / speed, n = tappet::perpendicular(t);
    // As on the tangent line, and what the curve turns away from it.
    on_line(fi, PlanarPoint(fi, c.at.head<2>()), n, fj, Pj, out);
    const double curvature = n.dot(c.bend.head<2>()) / (speed * speed);
    const double along = t.dot(back(Pj.v - fi.v - fi.w * tappet::perpendicular(Pj.r - fi.r)));
    out.gamma[0] += curvature / (1 - curvature * out.phi[0]) * along * along;
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(point);
    return Vec3(p.x(), p.y(), 0);
  }
};

class SpatialPointOnCurve final : public Constraint {
 public:
  Vec3 point;
  std::shared_ptr<const SplineCurve> curve;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
    const SpatialPoint Pj(fj, point);
    const Vec3 p = fi.R.transpose() * (Pj.r - fi.r);
    const SplineCurve::Place c = curve->at(curve->nearest(p));
    const double speed = c.slope.norm();
    const Vec3 t = c.slope / speed, bend = (c.bend - t.dot(c.bend) * t) / (speed * speed);
    const double along =
        t.dot(fi.R.transpose() * (Pj.v - fi.v - fi.w.cross(Pj.r - fi.r))) / (1 - bend.dot(p - c.at));
    const Vec3 b1 = any_perpendicular(t), b2 = t.cross(b1);
    const SpatialPoint Pi(fi, c.at);
    for (int r = 0; r < 2; ++r) {
      const Vec3& b = r == 0 ? b1 : b2;
      no_offset_along(fi, Pi, fi.R * b, fj, Pj, out, r);
      out.gamma[r] += b.dot(bend) * along * along;
    }
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    return k.spatial[bodies[1]].point(point);
  }
};

Joint make(const PointOnCurveParameters& p, const Origin& o, const JointInput& in) {
  if (!check_curve(p.curve, p.closed, o, "curve", in.diagnostics)) return {};
  const auto curve = std::make_shared<SplineCurve>(p.curve, p.closed);
  Joint joint;
  if (in.dimension == Dimension::planar) {
    auto c = make_constraint<PlanarPointOnCurve>(in, 1);
    c->point = p.point.head<2>();
    c->curve = curve;
    joint.constraint = std::move(c);
  } else {
    auto c = make_constraint<SpatialPointOnCurve>(in, 2);
    c->point = p.point;
    c->curve = curve;
    joint.constraint = std::move(c);
  }
  return joint;
}

const Registration<JointType> registered{{
    .name = "point-on-curve",
    .equation = "plane: n·(p − c(s*)) = 0\nspace: b₁·(p − c(s*)) = 0, b₂·(p − c(s*)) = 0, s* nearest to p",
    .citation = "Haug1989",
    .table = table_of<PointOnCurveParameters>(
        "a point-on-curve joint", "A point of the second body stays on a curve of the first",
        {{&PointOnCurveParameters::bodies, bodies_parameter()},
         {&PointOnCurveParameters::point,
          {.name = "point",
           .kind = Kind::vector,
           .unit = "m",
           .help = "in the second body's coordinates",
           .required = true}},
         {&PointOnCurveParameters::curve, curve_parameter("curve", "first")},
         {&PointOnCurveParameters::closed, closed_parameter("closed")}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::point_on_curve
