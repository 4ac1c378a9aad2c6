// The equations that joints are made of. Each writes one or more rows: Φ, J, γ.
//
// Symbols: a body's point P at r_P = r + s, s = R s′; its velocity v_P = v + ω × s; the part of its
// acceleration that velocities alone give is ω × (ω × s). d = r_Pj − r_Pi goes from the first body's point to
// the second's. [Nikravesh 1988, ch. 7; Haug 1989, ch. 9]
#pragma once

#include "tappet/multibody/constraint.hpp"

namespace tappet {

/// A point of a body in the plane, with what its rows need.
struct PlanarPoint {
  Vec2 s, r, v;
  PlanarPoint(const PlanarFrame& f, const Vec2& body)
      : s(f.turn(body)), r(f.r + s), v(f.v + f.w * pair(-s.y(), s.x())) {}
};

struct SpatialPoint {
  Vec3 s, r, v, a_v;  ///< a_v: acceleration from velocities alone
  SpatialPoint(const SpatialFrame& f, const Vec3& body) : s(f.R * body), r(f.r + s) {
    const Vec3 turning = f.w.cross(s);
    v = f.v + turning;
    a_v = f.w.cross(turning);
  }
};

/// One row of a planar body: coefficients of (ẋ, ẏ, θ̇).
inline void put(double* J, int row, double x, double y, double angular) {
  if (!J) return;
  J += 3 * row;
  J[0] = x, J[1] = y, J[2] = angular;
}
inline void put(double* J, int row, const Vec2& linear, double angular) {
  put(J, row, linear.x(), linear.y(), angular);
}

/// One row of a spatial body: coefficients of ẋ and of ω in world axes, turned into those of ω′.
inline void put(double* J, int row, const SpatialFrame& f, const Vec3& linear, const Vec3& angular_world) {
  if (!J) return;
  J += 6 * row;
  const Vec3 angular = f.R.transpose() * angular_world;
  J[0] = linear.x(), J[1] = linear.y(), J[2] = linear.z();
  J[3] = angular.x(), J[4] = angular.y(), J[5] = angular.z();
}

// ---- plane ----

/// Two rows: the points coincide. Φ = d.
inline void coincide(const PlanarFrame& fi, const PlanarPoint& pi, const PlanarFrame& fj,
                     const PlanarPoint& pj, const ConstraintRows& out, int row = 0) {
  const Vec2 d = pj.r - pi.r;
  const Vec2 gamma = fj.w * fj.w * pj.s - fi.w * fi.w * pi.s;
  for (int c = 0; c < 2; ++c) {
    out.phi[row + c] = d[c];
    out.phi_t[row + c] = 0;
    out.gamma[row + c] = gamma[c];
  }
  put(out.J[0], row, -1, 0, pi.s.y());
  put(out.J[0], row + 1, 0, -1, -pi.s.x());
  put(out.J[1], row, 1, 0, -pj.s.y());
  put(out.J[1], row + 1, 0, 1, pj.s.x());
}

/// One row: the second point stays on the line through the first whose normal n is fixed in the first body. Φ
/// = n·d.
inline void on_line(const PlanarFrame& fi, const PlanarPoint& pi, const Vec2& normal_body,
                    const PlanarFrame& fj, const PlanarPoint& pj, const ConstraintRows& out, int row = 0) {
  const Vec2 n = fi.turn(normal_body);
  const Vec2 d = pj.r - pi.r, d_dot = pj.v - pi.v;
  out.phi[row] = n.dot(d);
  out.phi_t[row] = 0;
  // Φ̈ = n̈·d + 2 ṅ·ḋ + n·d̈, with n̈ = −w² n (+ ẅ part in J), d̈ from velocities = −w_j² s_j + w_i² s_i.
  out.gamma[row] =
      fi.w * fi.w * n.dot(d) - 2 * fi.w * cross(n, d_dot) + n.dot(fj.w * fj.w * pj.s - fi.w * fi.w * pi.s);
  // n⟂·d = n × d, n·s⟂ = s × n
  put(out.J[0], row, -n, cross(n, d) - cross(pi.s, n));
  put(out.J[1], row, n, cross(pj.s, n));
}

/// One row: the points keep their distance. Φ = (d·d − length²)/(2 length), in metres.
inline void keep_distance(const PlanarFrame& fi, const PlanarPoint& pi, const PlanarFrame& fj,
                          const PlanarPoint& pj, double length, const ConstraintRows& out, int row) {
  const Vec2 d = pj.r - pi.r, d_dot = pj.v - pi.v, e = d / length;
  out.phi[row] = (d.squaredNorm() - length * length) / (2 * length);
  out.phi_t[row] = 0;
  out.gamma[row] = e.dot(fj.w * fj.w * pj.s - fi.w * fi.w * pi.s) - d_dot.squaredNorm() / length;
  put(out.J[0], row, -e, -cross(pi.s, e));
  put(out.J[1], row, e, cross(pj.s, e));
}

/// One row: the angle between the bodies is `angle`. Φ = θj − θi − angle.
inline void fixed_angle(const PlanarFrame& fi, const PlanarFrame& fj, double angle, const ConstraintRows& out,
                        int row) {
  out.phi[row] = fj.theta - fi.theta - angle;
  out.phi_t[row] = 0;
  out.gamma[row] = 0;
  put(out.J[0], row, Vec2::Zero(), -1);
  put(out.J[1], row, Vec2::Zero(), 1);
}

// ---- space ----

/// Three rows of a spatial body: its point at s from the centre moves along the axes of the world. `sign`: of that motion.
inline void put_point(double* J, int row, const SpatialFrame& f, const Vec3& s, double sign) {
  if (!J) return;
  J += 6 * row;
  // axis · (ω × s) = ω · (s × axis), turned into the axes of ω′: column b of R gives the coefficient of ω′_b.
  for (int b = 0; b < 3; ++b) {
    const Vec3 moment = sign * Vec3(f.R.col(b).cross(s));
    for (int c = 0; c < 3; ++c) J[6 * c + 3 + b] = moment[c];
  }
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i) J[6 * c + i] = c == i ? sign : 0;
}

/// Three rows: the points coincide. Φ = d.
inline void coincide(const SpatialFrame& fi, const SpatialPoint& pi, const SpatialFrame& fj,
                     const SpatialPoint& pj, const ConstraintRows& out, int row = 0) {
  const Vec3 d = pj.r - pi.r, gamma = pi.a_v - pj.a_v;
  for (int c = 0; c < 3; ++c) {
    out.phi[row + c] = d[c];
    out.phi_t[row + c] = 0;
    out.gamma[row + c] = gamma[c];
  }
  put_point(out.J[0], row, fi, pi.s, -1);
  put_point(out.J[1], row, fj, pj.s, 1);
}

/// One row: direction a of the first body stays perpendicular to direction b of the second (unit vectors in
/// world axes). Φ = a·b, the angle off square in rad for small ones.
inline void perpendicular_axes(const SpatialFrame& fi, const Vec3& a, const SpatialFrame& fj, const Vec3& b,
                               const ConstraintRows& out, int row) {
  const Vec3 ab = a.cross(b), relative = fi.w - fj.w;
  out.phi[row] = a.dot(b);
  out.phi_t[row] = 0;
  out.gamma[row] = -(fi.w.cross(a).cross(b) + a.cross(fj.w.cross(b))).dot(relative);
  put(out.J[0], row, fi, Vec3::Zero(), ab);
  put(out.J[1], row, fj, Vec3::Zero(), -ab);
}

/// One row: d has no component along direction a of the first body (world axes). Φ = a·d.
inline void no_offset_along(const SpatialFrame& fi, const SpatialPoint& pi, const Vec3& a,
                            const SpatialFrame& fj, const SpatialPoint& pj, const ConstraintRows& out,
                            int row) {
  const Vec3 d = pj.r - pi.r, d_dot = pj.v - pi.v, a_dot = fi.w.cross(a);
  out.phi[row] = a.dot(d);
  out.phi_t[row] = 0;
  out.gamma[row] = -(fi.w.cross(a_dot).dot(d) + 2 * a_dot.dot(d_dot) + a.dot(pj.a_v - pi.a_v));
  put(out.J[0], row, fi, -a, a.cross(d) - pi.s.cross(a));
  put(out.J[1], row, fj, a, pj.s.cross(a));
}

/// One row: the points keep their distance. Φ = (d·d − length²)/(2 length), in metres.
inline void keep_distance(const SpatialFrame& fi, const SpatialPoint& pi, const SpatialFrame& fj,
                          const SpatialPoint& pj, double length, const ConstraintRows& out, int row) {
  const Vec3 d = pj.r - pi.r, d_dot = pj.v - pi.v, e = d / length;
  out.phi[row] = (d.squaredNorm() - length * length) / (2 * length);
  out.phi_t[row] = 0;
  out.gamma[row] = -e.dot(pj.a_v - pi.a_v) - d_dot.squaredNorm() / length;
  put(out.J[0], row, fi, -e, -pi.s.cross(e));
  put(out.J[1], row, fj, e, pj.s.cross(e));
}

/// A unit vector perpendicular to the unit vector a; the same for the same a.
inline Vec3 any_perpendicular(const Vec3& a) {
  int smallest = 0;
  a.cwiseAbs().minCoeff(&smallest);
  return a.cross(Vec3::Unit(smallest)).normalized();
}

/// Three rows: the second body's axes keep their directions against the first's. `Ri`, `Rj`: world axes of
/// two triads, one fixed in each body, that coincide when Φ = 0.
inline void same_orientation(const SpatialFrame& fi, const Mat3& Ri, const SpatialFrame& fj, const Mat3& Rj,
                             const ConstraintRows& out, int row) {
  perpendicular_axes(fi, Ri.col(1), fj, Rj.col(2), out, row);
  perpendicular_axes(fi, Ri.col(2), fj, Rj.col(0), out, row + 1);
  perpendicular_axes(fi, Ri.col(0), fj, Rj.col(1), out, row + 2);
}

}  // namespace tappet
