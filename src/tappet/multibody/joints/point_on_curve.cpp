// Point on curve: a point of the second body stays on a curve of the first, a pin in a groove or a follower on its pitch curve; plane.
//
//   Φ = n·(p − c(s*))          s*: the place of the curve nearest to p, n: its normal there, to the left of the way it goes
//
// p: the second body's point in the first body's coordinates. Φ is the signed distance, whose gradient is n and whose second derivative is
// −κ/(1 − κ Φ) t tᵀ with the tangent t and the curvature κ, so that
//
//   Φ̇ = n·ṗ,      Φ̈ = n·p̈ − κ/(1 − κ Φ) (t·ṗ)²
//
// The curve is the cubic spline through the given points, over the sum of their distances; a closed one returns to its first point with the
// same direction and curvature, an open one ends without curvature and goes on straight. [Haug1989]
#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"

namespace tappet::joints::point_on_curve {
namespace {

/// A cubic spline through points, with two derivatives.
class Curve {
 public:
  Curve(std::vector<Vec2> points, bool closed) : points_(std::move(points)), closed_(closed) {
    if (closed_) points_.push_back(points_.front());
    const std::size_t n = points_.size();
    s_.assign(n, 0.0);
    for (std::size_t i = 1; i < n; ++i) s_[i] = s_[i - 1] + (points_[i] - points_[i - 1]).norm();
    bend_.assign(n, Vec2::Zero());
    find_bends();
  }

  struct Place {
    Vec2 at, slope, bend;  // c, c', c''
  };
  double end() const { return s_.back(); }
  Place at(double s) const {
    if (closed_)
      s -= end() * std::floor(s / end());
    else if (s < 0 || s > end())
      return straight_on(s);
    std::size_t i = std::upper_bound(s_.begin(), s_.end(), s) - s_.begin();
    i = std::clamp<std::size_t>(i, 1, s_.size() - 1) - 1;
    const double h = s_[i + 1] - s_[i], b = (s - s_[i]) / h, a = 1 - b;
    Place out;
    out.at = a * points_[i] + b * points_[i + 1] +
             h * h / 6 * ((a * a * a - a) * bend_[i] + (b * b * b - b) * bend_[i + 1]);
    out.slope = (points_[i + 1] - points_[i]) / h +
                h / 6 * ((3 * b * b - 1) * bend_[i + 1] - (3 * a * a - 1) * bend_[i]);
    out.bend = a * bend_[i] + b * bend_[i + 1];
    return out;
  }

  /// The s nearest to p: from the nearest of places between the points, by Newton's method.
  double nearest(const Vec2& p) const {
    constexpr int per_piece = 8, most = 30;
    const int pieces = per_piece * static_cast<int>(s_.size() - 1);
    double best = 0, least = HUGE_VAL;
    for (int k = 0; k <= pieces; ++k) {
      const double s = end() * k / pieces, distance = (at(s).at - p).squaredNorm();
      if (distance < least) least = distance, best = s;
    }
    const double apart = end() / pieces;
    double s = best;
    for (int n = 0; n < most; ++n) {
      const Place c = at(s);
      const Vec2 d = c.at - p;
      const double slope = d.dot(c.slope), rise = c.slope.squaredNorm() + d.dot(c.bend);
      // Where the distance is not convex, a step of the gradient's.
      const double step = -slope / (rise > 0.1 * c.slope.squaredNorm() ? rise : c.slope.squaredNorm());
      s += std::clamp(step, -apart, apart);
      if (std::abs(step) <= 1e-15 * end()) break;
    }
    return s;
  }

 private:
  Place straight_on(double s) const {
    const double border = s < 0 ? 0 : end();
    const Place last = at(border);
    return {last.at + (s - border) * last.slope, last.slope, Vec2::Zero()};
  }

  // Second derivatives at the points, by elimination; of a closed curve around its seam, by elimination of the dense matrix.
  void find_bends() {
    const int n = static_cast<int>(points_.size()) - 1;  // pieces
    const auto h = [&](int i) { return s_[i + 1] - s_[i]; };
    const auto turn = [&](int before, int at) -> Vec2 {
      return 6 *
             ((points_[at + 1] - points_[at]) / h(at) - (points_[before + 1] - points_[before]) / h(before));
    };
    const int unknowns = closed_ ? n : n - 1;
    if (unknowns < 1) return;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(unknowns, unknowns);
    Eigen::MatrixXd right(unknowns, 2);
    for (int r = 0; r < unknowns; ++r) {
      const int at = closed_ ? r : r + 1, before = (at + n - 1) % n;
      A(r, r) = 2 * (h(before) + h(at));
      const auto put = [&](int column, double value) {
        if (closed_)
          A(r, (column + n) % n) += value;
        else if (column >= 1 && column < n)
          A(r, column - 1) += value;
      };
      put(at - 1, h(before));
      put(at + 1, h(at));
      right.row(r) = turn(before, at).transpose();
    }
    const Eigen::MatrixXd bends = A.partialPivLu().solve(right);
    for (int r = 0; r < unknowns; ++r) bend_[closed_ ? r : r + 1] = bends.row(r).transpose();
    if (closed_) bend_.back() = bend_.front();
  }

  std::vector<Vec2> points_;
  bool closed_;
  std::vector<double> s_;
  std::vector<Vec2> bend_;
};

class PointOnCurve final : public Constraint {
 public:
  Vec2 point;
  std::shared_ptr<const Curve> curve;
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const PlanarPoint Pj(fj, point);
    const auto back = [&](const Vec2& a) {
      return Vec2(fi.c * a.x() + fi.s * a.y(), -fi.s * a.x() + fi.c * a.y());
    };
    const Vec2 p = back(Pj.r - fi.r);
    const Curve::Place c = curve->at(curve->nearest(p));
    const double speed = c.slope.norm();
    const Vec2 t = c.slope / speed, n = tappet::perpendicular(t);
    // As on the tangent line, and what the curve turns away from it.
    on_line(fi, PlanarPoint(fi, c.at), n, fj, Pj, out);
    const double curvature = n.dot(c.bend) / (speed * speed);
    const double along = t.dot(back(Pj.v - fi.v - fi.w * tappet::perpendicular(Pj.r - fi.r)));
    out.gamma[0] += curvature / (1 - curvature * out.phi[0]) * along * along;
  }
  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    const Vec2 p = k.planar[bodies[1]].point(point);
    return Vec3(p.x(), p.y(), 0);
  }
};

Joint make(const PointOnCurveParameters& p, const Origin& o, const JointInput& in) {
  std::vector<Vec2> points;
  for (const Vec3& at : p.curve) points.push_back(at.head<2>());
  const std::size_t least = p.closed ? 3 : 2;
  if (points.size() < least) {
    in.diagnostics.error(o.where("curve"),
                         fmt::format("the curve of joint '{}' has {} points; at least {} are needed",
                                     in.name(), points.size(), least));
    return {};
  }
  for (std::size_t i = 0; i + (p.closed ? 0 : 1) < points.size(); ++i)
    if ((points[(i + 1) % points.size()] - points[i]).norm() == 0) {
      in.diagnostics.error(
          o.where("curve"),
          fmt::format("points {} and {} of the curve of joint '{}' are the same{}", i + 1,
                      (i + 1) % points.size() + 1, in.name(),
                      i + 1 == points.size() ? "; a closed curve returns to its first point by itself" : ""));
      return {};
    }
  auto c = make_constraint<PointOnCurve>(in, 1);
  c->point = p.point.head<2>();
  c->curve = std::make_shared<Curve>(std::move(points), p.closed);
  Joint joint;
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "point-on-curve",
    .equation = "n·(p − c(s*)) = 0, s* nearest to p",
    .citation = "Haug1989",
    .table = planar_only(table_of<PointOnCurveParameters>(
        "a point-on-curve joint", "A point of the second body stays on a curve of the first",
        {{&PointOnCurveParameters::bodies, bodies_parameter()},
         {&PointOnCurveParameters::point,
          {.name = "point",
           .kind = Kind::vector,
           .unit = "m",
           .help = "in the second body's coordinates",
           .required = true}},
         {&PointOnCurveParameters::curve,
          {.name = "curve",
           .kind = Kind::points,
           .unit = "m",
           .help = "points that the curve goes through, in the first body's coordinates",
           .required = true,
           .count = 0}},
         {&PointOnCurveParameters::closed,
          {.name = "closed",
           .kind = Kind::boolean,
           .help = "does it return to its first point",
           .fallback = "false"}}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::point_on_curve
