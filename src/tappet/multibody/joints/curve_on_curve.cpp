// Curve on curve: a curve of each body touch each other always, at a place that moves along both; a cam and its follower that a spring or a
// groove keeps together, or rollers that never part. Plane.
//
//   Φ = n·d,   d = c_j(σ) − c_i(s)          n: normal of the first curve at s, to the left of the way it goes (world axes)
//   t_i × t_j = 0,   t_i·d = 0              say where: common tangent t
//
// With the curvatures κ_i, κ_j towards n, the relative turning Δω = ω_j − ω_i and the velocity v_t along t of the second body's material
// point against the first's, the place moves along the curves by
//
//   ṡ = (Δω − κ_j v_t)/(κ_i − κ_j),     σ̇ = ṡ − v_t          by arc length, along t
//
// and, at Φ = 0 with r the centres' arms, s_i and s_j, to the place,
//
//   Φ̇ = n·(v_Pj − v_Pi),     Φ̈ = n·(a_Pj − a_Pi) + ω_j σ̇ − ω_i ṡ − Ω v_t,     Ω = κ_i ṡ + ω_i
//
// where a_P are accelerations of material points. s and σ are auxiliary variables of the state, brought to the place by Newton's method, which
// begins from them: nothing is searched but at the start. Curves that touch with the same curvature do not say where. [Haug1989]
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/spline_curve.hpp"

namespace tappet::joints::curve_on_curve {
namespace {

// Curvatures that differ by less than this part of the larger are the same.
constexpr double same_curvature = 1e-9;

Vec2 turned_back(const PlanarFrame& f, const Vec2& a) {
  return {f.c * a.x() + f.s * a.y(), -f.s * a.x() + f.c * a.y()};
}

class CurveOnCurve final : public Constraint {
 public:
  std::shared_ptr<const SplineCurve> curves[2];

  int aux_count() const override { return 2; }
  void start_aux(const Kinematics& k, double* z) const override {
    find_nearest(k, z);
    settle(k, z);
  }
  void aux_rates(const Kinematics& k, double* zdot) const override {
    const Contact c = contact(k);
    const double rates[2] = {c.along[0] / c.speed[0], c.sense * c.along[1] / c.speed[1]};
    // What rounding and long steps take it off the place fades as the place goes on.
    for (int n = 0; n < 2; ++n)
      zdot[n] = rates[n] +
                std::abs(rates[n]) * curves[n]->pieces() / curves[n]->end() * (c.s[n] - k.z[aux_offset + n]);
  }

  void evaluate(const Kinematics& k, const ConstraintRows& out) const override {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const Contact c = contact(k);
    out.phi[0] = c.normal.dot(c.place[1] - c.place[0]);
    out.phi_t[0] = 0;
    const Vec2 si = c.place[0] - fi.r, sj = c.place[1] - fj.r;
    out.gamma[0] = c.normal.dot(fj.w * fj.w * sj - fi.w * fi.w * si) - fj.w * c.along[1] + fi.w * c.along[0] +
                   (c.bend[0] * c.along[0] + fi.w) * c.slip;
    put(out.J[0], 0, -c.normal, -cross(si, c.normal));
    put(out.J[1], 0, c.normal, cross(sj, c.normal));
  }

  std::optional<Vec3> reaction_point(const Kinematics& k) const override {
    if (!k.z) return std::nullopt;
    double s[2] = {k.z[aux_offset], k.z[aux_offset + 1]};
    settle(k, s);
    const Vec2 p = k.planar[bodies[1]].point(curves[1]->at(s[1]).at.head<2>());
    return Vec3(p.x(), p.y(), 0);
  }

 private:
  struct Contact {
    double s[2];             // parameters of the splines
    Vec2 place[2], normal;   // world
    double speed[2], sense;  // |c′|; the second curve goes along t (1) or against it
    double bend[2];          // κ towards n, 1/m
    double along[2], slip;   // ṡ, σ̇, v_t, m/s
  };

  // The second curve as the first body sees it.
  SplineCurve::Place second(const Kinematics& k, double s) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    const SplineCurve::Place own = curves[1]->at(s);
    const auto turn = [&](const Vec3& a) {
      const Vec2 out = turned_back(fi, fj.turn(a.head<2>()));
      return Vec3(out.x(), out.y(), 0);
    };
    const Vec2 at = turned_back(fi, fj.point(own.at.head<2>()) - fi.r);
    return {Vec3(at.x(), at.y(), 0), turn(own.slope), turn(own.bend)};
  }

  // From s on to where tangents are common; false: there is no such place.
  bool settle(const Kinematics& k, double* s) const {
    constexpr int most = 60;
    for (int n = 0; n < most; ++n) {
      const SplineCurve::Place a = curves[0]->at(s[0]), b = second(k, s[1]);
      const Vec2 d = (b.at - a.at).head<2>(), ta = a.slope.head<2>(), tb = b.slope.head<2>(),
                 ka = a.bend.head<2>(), kb = b.bend.head<2>();
      Eigen::Matrix2d J;
      J << cross(ka, tb), cross(ta, kb), ka.dot(d) - ta.squaredNorm(), ta.dot(tb);
      const Vec2 fault(cross(ta, tb), ta.dot(d));
      const Vec2 step = J.partialPivLu().solve(-fault);
      if (!step.allFinite()) return false;
      double size = 0;
      for (int c = 0; c < 2; ++c) {
        const double apart = curves[c]->end() / curves[c]->pieces();
        s[c] += std::clamp(step[c], -apart, apart);
        size = std::max(size, std::abs(step[c]) / curves[c]->end());
      }
      if (size <= 1e-14) return true;
      // Rounding lets it come no nearer.
      if (n > 8 && size <= 1e-11) return true;
    }
    return false;
  }

  Contact contact(const Kinematics& k) const {
    const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
    Contact out;
    for (int n = 0; n < 2; ++n) out.s[n] = k.z[aux_offset + n];
    const bool settled = settle(k, out.s);
    const SplineCurve::Place a = curves[0]->at(out.s[0]), b = curves[1]->at(out.s[1]);
    out.speed[0] = a.slope.norm(), out.speed[1] = b.slope.norm();
    const Vec2 t = fi.turn(a.slope.head<2>()) / out.speed[0];
    out.normal = perpendicular(t);
    out.sense = t.dot(fj.turn(b.slope.head<2>())) < 0 ? -1 : 1;
    out.place[0] = fi.point(a.at.head<2>()), out.place[1] = fj.point(b.at.head<2>());
    out.bend[0] = out.normal.dot(fi.turn(a.bend.head<2>())) / (out.speed[0] * out.speed[0]);
    out.bend[1] = out.normal.dot(fj.turn(b.bend.head<2>())) / (out.speed[1] * out.speed[1]);
    const double apart = out.bend[0] - out.bend[1];
    if (!settled || std::abs(apart) <= same_curvature * std::abs(out.bend[0]))
      throw SimulationError(
          k.t,
          fmt::format("the curves of joint '{}' {}", name,
                      settled ? fmt::format("have the same curvature of {:.4g} 1/m where they touch, which "
                                            "does not say at which place they do",
                                            out.bend[0])
                              : "have no common tangent near the place where they touched last"));
    const auto velocity = [&](const PlanarFrame& f, const Vec2& at) {
      return Vec2(f.v + f.w * perpendicular(at - f.r));
    };
    out.slip = t.dot(velocity(fj, out.place[1]) - velocity(fi, out.place[0]));
    out.along[0] = (fj.w - fi.w - out.bend[1] * out.slip) / apart;
    out.along[1] = out.along[0] - out.slip;
    return out;
  }

  // The nearest of many places of both.
  void find_nearest(const Kinematics& k, double* s) const {
    constexpr int per_piece = 4;
    const int first = per_piece * curves[0]->pieces(), other = per_piece * curves[1]->pieces();
    std::vector<Vec3> places;
    for (int n = 0; n <= other; ++n) places.push_back(second(k, curves[1]->end() * n / other).at);
    double least = HUGE_VAL;
    for (int n = 0; n <= first; ++n) {
      const double at = curves[0]->end() * n / first;
      const Vec3 p = curves[0]->at(at).at;
      for (int m = 0; m <= other; ++m)
        if (const double distance = (places[m] - p).squaredNorm(); distance < least)
          least = distance, s[0] = at, s[1] = curves[1]->end() * m / other;
    }
  }
};

Joint make(const CurveOnCurveParameters& p, const Origin& o, const JointInput& in) {
  const bool first = check_curve(p.curve, p.closed, o, "curve", in.diagnostics);
  if (!check_curve(p.second_curve, p.second_closed, o, "second_curve", in.diagnostics) || !first) return {};
  auto c = make_constraint<CurveOnCurve>(in, 1);
  c->curves[0] = std::make_shared<SplineCurve>(p.curve, p.closed);
  c->curves[1] = std::make_shared<SplineCurve>(p.second_curve, p.second_closed);
  Joint joint;
  joint.constraint = std::move(c);
  return joint;
}

const Registration<JointType> registered{{
    .name = "curve-on-curve",
    .equation = "n·(c_j(σ) − c_i(s)) = 0 where the curves have a common tangent",
    .citation = "Haug1989",
    .table = planar_only(table_of<CurveOnCurveParameters>(
        "a curve-on-curve joint",
        "A curve of each body always touch, as a cam and a follower that is held to it",
        {{&CurveOnCurveParameters::bodies, bodies_parameter()},
         {&CurveOnCurveParameters::curve, curve_parameter("curve", "first")},
         {&CurveOnCurveParameters::closed, closed_parameter("closed")},
         {&CurveOnCurveParameters::second_curve, curve_parameter("second_curve", "second")},
         {&CurveOnCurveParameters::second_closed, closed_parameter("second_closed")}})),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::joints::curve_on_curve
