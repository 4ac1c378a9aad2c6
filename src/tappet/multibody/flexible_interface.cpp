// Interfaces of flexible bodies: where they are, how they move, and what rows and forces against them are against their body.
#include <cmath>

#include "tappet/base/sine_cosine.hpp"
#include "tappet/multibody/flexible_faces.hpp"

namespace tappet {
namespace {

// Of a rotation vector θ with x = θ²:  exp(θ̃) = 1 + (1 − x b) θ̃ + a θ̃²,   L(θ) = 1 + a θ̃ + b θ̃²
//   a = (1 − cos θ)/θ² = Σ (−x)ⁿ/(2n+2)!,  b = (θ − sin θ)/θ³ = Σ (−x)ⁿ/(2n+3)!;   a′, b′ by x
struct TurnFactors {
  double a = 0.5, b = 1.0 / 6, da = -1.0 / 24, db = -1.0 / 120;
  explicit TurnFactors(double x) {
    if (x > 1) {
      const double theta = std::sqrt(x), s = std::sin(theta), c = std::cos(theta);
      a = (1 - c) / x;
      b = (theta - s) / (x * theta);
      da = (0.5 * s / theta - a) / x;
      db = (0.5 * (1 - c) / x - 1.5 * b) / x;
      return;
    }
    double term_a = 0.5, term_b = 1.0 / 6;
    a = b = da = db = 0;
    for (int n = 0; n < 10; ++n) {
      a += term_a, b += term_b;
      const double next_a = -term_a / ((2 * n + 3) * (2 * n + 4)),
                   next_b = -term_b / ((2 * n + 4) * (2 * n + 5));
      da += (n + 1) * next_a, db += (n + 1) * next_b;
      term_a = next_a * x, term_b = next_b * x;
    }
  }
};

using ModalPart = Eigen::Map<const Eigen::VectorXd>;

// x · column k of a symmetric matrix.
double along(const Eigen::MatrixXd& m, Eigen::Index k, const ModalPart& x) {
  const double* const column = m.data() + k * m.rows();
  double sum = 0;
  for (Eigen::Index l = 0; l < m.rows(); ++l) sum += column[l] * x[l];
  return sum;
}

// A displacement or rotation with its second-order part, from one product of each matrix with q: value and rate; rows first + (second
// q)ᵀ where they are asked for; and what rates alone give to the second rate, which takes a product with u.
struct Moved {
  Vec3 value = Vec3::Zero(), rate = Vec3::Zero(), bias = Vec3::Zero();
  Moved(const Eigen::MatrixXd& first, const std::array<Eigen::MatrixXd, 3>& second, const ModalPart& q,
        const ModalPart& u, Eigen::Matrix3Xd* rows = nullptr, bool with_bias = false) {
    if (first.size() == 0) {
      if (rows) rows->setZero();
      return;
    }
    for (int i = 0; i < 3; ++i) {
      const bool bends = second[i].size() > 0;
      for (Eigen::Index k = 0; k < first.cols(); ++k) {
        const double half = bends ? 0.5 * along(second[i], k, q) : 0, linear = first(i, k);
        value[i] += (linear + half) * q[k];
        rate[i] += (linear + 2 * half) * u[k];
        if (rows) (*rows)(i, k) = linear + 2 * half;
        if (with_bias && bends) bias[i] += along(second[i], k, u) * u[k];
      }
    }
  }
};

Mat3 exponential(const Vec3& theta, const TurnFactors& f, double x) {
  Mat3 skew;
  skew << 0, -theta.z(), theta.y(), theta.z(), 0, -theta.x(), -theta.y(), theta.x(), 0;
  return Mat3::Identity() + (1 - x * f.b) * skew + f.a * (skew * skew);
}

Vec3 turned_rate(const Vec3& theta, const TurnFactors& f, const Vec3& rate) {
  const Vec3 once = theta.cross(rate);
  return rate + f.a * once + f.b * theta.cross(once);
}

}  // namespace

CarriedInstant::CarriedInstant(const FlexibleBody& body) {
  translation.setZero(3, body.modes);
  rotation.setZero(3, body.modes);
}

int carried_frames(const FlexibleBodies& flexible) {
  return flexible.carried;
}

void resize(Kinematics& kinematics, Dimension dimension, int bodies, const FlexibleBodies& flexible) {
  resize(kinematics, dimension, bodies + flexible.carried);
  kinematics.modal_q.assign(flexible.modes, 0.0);
  kinematics.modal_u.assign(flexible.modes, 0.0);
  kinematics.feet.assign(flexible.feet, {});
  if (!flexible.bodies.empty()) kinematics.flexible = &flexible;
}

namespace {

// On the faces, between their nodes.
void place_on_faces(const FlexibleBody& body, const FlexibleInterface& at, SpatialFrame& out, Kinematics& k) {
  const SpatialFrame& f = k.spatial[body.body];
  FaceFoot& foot = k.feet[at.foot] = find_foot(body, *at.faces, k);
  out.r.setZero(), out.v.setZero();
  for (int i = 0; i < 3; ++i) {
    const SpatialFrame& node = k.spatial[body.interface + at.faces->triangles[foot.face][i]];
    out.r += foot.weight[i] * node.r, out.v += foot.weight[i] * node.v;
  }
  out.R = f.R, out.w = f.w, out.w_body = f.w_body;
}

// A point that the frame's axes carry without turning of its own.
void carry_point(const SpatialFrame& f, const Vec3& rate, CarriedInstant& out) {
  const Vec3& w = f.w_body;
  out.rotation.setZero();
  out.Q.setIdentity();
  out.drift_v = f.R * (w.cross(w.cross(out.d)) + 2 * w.cross(rate));
  out.drift_w.setZero();
}

}  // namespace

void place_carried(Kinematics& k) {
  for (const FlexibleBody& body : k.flexible->bodies) {
    const ModalPart q(k.modal_q.data() + body.first, body.modes),
        u(k.modal_u.data() + body.first, body.modes);
    for (std::size_t n = 0; n < body.interfaces.size(); ++n) {
      const FlexibleInterface& at = body.interfaces[n];
      const int frame = body.interface + static_cast<int>(n);
      if (at.faces) {
        place_on_faces(body, at, k.spatial[frame], k);
        continue;
      }
      const Moved d(at.translation, at.shift, q, u), theta(at.rotation, at.turn, q, u);
      if (k.dimension == Dimension::planar) {
        const PlanarFrame& f = k.planar[body.body];
        PlanarFrame& out = k.planar[frame];
        const Vec2 arm = (at.position + d.value).head<2>();
        out.r = f.point(arm);
        const double angle = f.theta + at.angle + theta.value.z();
        if (angle != out.theta) sine_cosine(angle, out.s, out.c);
        out.theta = angle;
        out.v = f.v + f.turn(f.w * perpendicular(arm) + d.rate.head<2>());
        out.w = f.w + theta.rate.z();
      } else {
        const SpatialFrame& f = k.spatial[body.body];
        SpatialFrame& out = k.spatial[frame];
        const Vec3 arm = at.position + d.value;
        out.r = f.r + f.R * arm;
        out.v = f.v + f.R * (f.w_body.cross(arm) + d.rate);
        if (at.of_surface()) {
          out.R = f.R, out.w = f.w, out.w_body = f.w_body;
          continue;
        }
        const double x = theta.value.squaredNorm();
        const TurnFactors factors(x);
        const Mat3 Q = exponential(theta.value, factors, x) * at.orientation;
        const Vec3 w = f.w_body + turned_rate(theta.value, factors, theta.rate);
        out.R = f.R * Q;
        out.w = f.R * w;
        out.w_body = Q.transpose() * w;
      }
    }
  }
}

void evaluate_carried(const FlexibleBody& body, const FlexibleInterface& at, const Kinematics& k,
                      CarriedInstant& out) {
  const ModalPart q(k.modal_q.data() + body.first, body.modes), u(k.modal_u.data() + body.first, body.modes);
  if (at.faces) {
    const FaceFoot& foot = k.feet[at.foot];
    out.d.setZero();
    out.translation.setZero();
    for (int i = 0; i < 3; ++i) {
      const FlexibleInterface& node = body.interfaces[at.faces->triangles[foot.face][i]];
      out.d += foot.weight[i] * node.position;
      out.translation += foot.weight[i] * node.translation;
    }
    out.d += out.translation * q;
    return carry_point(k.spatial[body.body], out.translation * u, out);
  }
  const Moved d(at.translation, at.shift, q, u, &out.translation, true),
      theta(at.rotation, at.turn, q, u, &out.rotation, true);
  out.d = at.position + d.value;
  if (k.dimension == Dimension::planar) {
    const PlanarFrame& f = k.planar[body.body];
    const Vec2 drift = f.turn(-f.w * f.w * out.d.head<2>() + 2 * f.w * perpendicular(Vec2(d.rate.head<2>())) +
                              Vec2(d.bias.head<2>()));
    out.drift_v = Vec3(drift.x(), drift.y(), 0);
    out.drift_w = Vec3(0, 0, theta.bias.z());
    return;
  }
  const SpatialFrame& f = k.spatial[body.body];
  const Vec3& w = f.w_body;
  const double x = theta.value.squaredNorm();
  const TurnFactors factors(x);
  out.Q = exponential(theta.value, factors, x) * at.orientation;
  for (int n = 0; n < body.modes; ++n) {
    const Vec3 column = out.rotation.col(n);
    out.rotation.col(n) = turned_rate(theta.value, factors, column);
  }
  out.drift_v = f.R * (w.cross(w.cross(out.d)) + 2 * w.cross(d.rate) + d.bias);
  // L̇ θ̇, θ̇ × θ̇ being 0.
  const Vec3 once = theta.value.cross(theta.rate);
  const double growth = 2 * theta.value.dot(theta.rate);
  const Vec3 of_L = growth * (factors.da * once + factors.db * theta.value.cross(once)) +
                    factors.b * theta.rate.cross(once);
  out.drift_w = out.Q.transpose() * (w.cross(turned_rate(theta.value, factors, theta.rate)) + of_L +
                                     turned_rate(theta.value, factors, theta.bias));
}

void add_carried_rows(const CarriedInstant& at, const Kinematics& k, int body, int rows, const double* J_I,
                      double* J) {
  const int m = static_cast<int>(at.translation.cols());
  if (k.dimension == Dimension::planar) {
    const PlanarFrame& f = k.planar[body];
    const Vec2 arm = f.turn(perpendicular(Vec2(at.d.head<2>())));
    for (int r = 0; r < rows; ++r, J_I += 3, J += 3 + m) {
      J[0] += J_I[0], J[1] += J_I[1];
      J[2] += J_I[0] * arm.x() + J_I[1] * arm.y() + J_I[2];
      const double x = f.c * J_I[0] + f.s * J_I[1], y = -f.s * J_I[0] + f.c * J_I[1];
      for (int n = 0; n < m; ++n)
        J[3 + n] += x * at.translation(0, n) + y * at.translation(1, n) + J_I[2] * at.rotation(2, n);
    }
    return;
  }
  const SpatialFrame& f = k.spatial[body];
  for (int r = 0; r < rows; ++r, J_I += 6, J += 6 + m) {
    const Vec3 linear(J_I[0], J_I[1], J_I[2]), angular(J_I[3], J_I[4], J_I[5]);
    const Vec3 push = f.R.transpose() * linear, couple = at.Q * angular;
    const Vec3 turning = at.d.cross(push) + couple;
    for (int i = 0; i < 3; ++i) J[i] += linear[i], J[3 + i] += turning[i];
    for (int n = 0; n < m; ++n) J[6 + n] += push.dot(at.translation.col(n)) + couple.dot(at.rotation.col(n));
  }
}

double drift_along(const CarriedInstant& at, Dimension dimension, const double* J_I) {
  if (dimension == Dimension::planar)
    return J_I[0] * at.drift_v.x() + J_I[1] * at.drift_v.y() + J_I[2] * at.drift_w.z();
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += J_I[i] * at.drift_v[i] + J_I[3 + i] * at.drift_w[i];
  return sum;
}

void add_carried_force(const CarriedInstant& at, const Kinematics& k, int body, const double* f_I,
                       double* f_rigid, double* f_q) {
  const int m = static_cast<int>(at.translation.cols());
  // A force on an interface is a row: virtual work is f_I A δu. Rigid and elastic parts stand apart here.
  if (k.dimension == Dimension::planar) {
    const PlanarFrame& f = k.planar[body];
    const Vec2 arm = f.turn(perpendicular(Vec2(at.d.head<2>())));
    f_rigid[0] += f_I[0], f_rigid[1] += f_I[1];
    f_rigid[2] += f_I[0] * arm.x() + f_I[1] * arm.y() + f_I[2];
    const double x = f.c * f_I[0] + f.s * f_I[1], y = -f.s * f_I[0] + f.c * f_I[1];
    for (int n = 0; n < m; ++n)
      f_q[n] += x * at.translation(0, n) + y * at.translation(1, n) + f_I[2] * at.rotation(2, n);
    return;
  }
  const SpatialFrame& f = k.spatial[body];
  const Vec3 force(f_I[0], f_I[1], f_I[2]), push = f.R.transpose() * force,
                                            couple = at.Q * Vec3(f_I[3], f_I[4], f_I[5]);
  const Vec3 turning = at.d.cross(push) + couple;
  for (int i = 0; i < 3; ++i) f_rigid[i] += force[i], f_rigid[3 + i] += turning[i];
  for (int n = 0; n < m; ++n) f_q[n] += push.dot(at.translation.col(n)) + couple.dot(at.rotation.col(n));
}

void carried_velocity(const CarriedInstant& at, const Kinematics& k, int body, const double* u_rigid,
                      const double* u_q, double* u_I) {
  const int m = static_cast<int>(at.translation.cols());
  Vec3 moving = Vec3::Zero(), spin = Vec3::Zero();
  for (int n = 0; n < m; ++n) moving += u_q[n] * at.translation.col(n), spin += u_q[n] * at.rotation.col(n);
  if (k.dimension == Dimension::planar) {
    const PlanarFrame& f = k.planar[body];
    const Vec2 local = u_rigid[2] * perpendicular(Vec2(at.d.head<2>())) + Vec2(moving.head<2>());
    const Vec2 v = f.turn(local);
    u_I[0] = u_rigid[0] + v.x(), u_I[1] = u_rigid[1] + v.y(), u_I[2] = u_rigid[2] + spin.z();
    return;
  }
  const SpatialFrame& f = k.spatial[body];
  const Vec3 w(u_rigid[3], u_rigid[4], u_rigid[5]);
  const Vec3 v = f.R * (w.cross(at.d) + moving), turned = at.Q.transpose() * (w + spin);
  for (int i = 0; i < 3; ++i) u_I[i] = u_rigid[i] + v[i], u_I[3 + i] = turned[i];
}

}  // namespace tappet
