#include "tappet/multibody/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/base/sine_cosine.hpp"
#include "tappet/multibody/signal_feed.hpp"

namespace tappet {

// What flexible bodies carry; theirs, in flexible_interface.cpp, whose header needs this one's.
int carried_frames(const FlexibleBodies& flexible);
void place_carried(Kinematics& k);

void resize(Kinematics& kinematics, Dimension dimension, int bodies) {
  kinematics.dimension = dimension;
  kinematics.planar.assign(dimension == Dimension::planar ? bodies + 1 : 0, PlanarFrame{});
  kinematics.spatial.assign(dimension == Dimension::spatial ? bodies + 1 : 0, SpatialFrame{});
  kinematics.flexible = nullptr;
}

namespace {

// Row by row, as numbers: what is computed from it next need not wait until a matrix has been written to memory.
[[gnu::always_inline]] inline void rotation(const double* e, double (&R)[3][3]) {
  const double w = e[0], x = e[1], y = e[2], z = e[3];
  // Divided by the squared length, so that a quaternion between two projections still gives a rotation.
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  R[0][0] = 1 - s * (y * y + z * z), R[0][1] = s * (x * y - w * z), R[0][2] = s * (x * z + w * y);
  R[1][0] = s * (x * y + w * z), R[1][1] = 1 - s * (x * x + z * z), R[1][2] = s * (y * z - w * x);
  R[2][0] = s * (x * z - w * y), R[2][1] = s * (y * z + w * x), R[2][2] = 1 - s * (x * x + y * y);
}

}  // namespace

Mat3 rotation_of(const double* e) {
  double R[3][3];
  rotation(e, R);
  return Mat3{{R[0][0], R[0][1], R[0][2]}, {R[1][0], R[1][1], R[1][2]}, {R[2][0], R[2][1], R[2][2]}};
}

namespace {

int rigid_frames(const Kinematics& kinematics, std::size_t frames) {
  return static_cast<int>(frames) - 1 - (kinematics.flexible ? carried_frames(*kinematics.flexible) : 0);
}

}  // namespace

void update_kinematics(Kinematics& kinematics, double t, const double* q, const double* u, const double* z) {
  const double* const first = q;
  kinematics.t = t;
  kinematics.z = z;
  if (kinematics.dimension == Dimension::planar) {
    const int bodies = rigid_frames(kinematics, kinematics.planar.size());
    for (int b = 0; b < bodies; ++b, q += 3, u += 3) {
      PlanarFrame& f = kinematics.planar[b];
      f.r = pair(q[0], q[1]);
      // Both at once, and not for sliders that never turn: sine and cosine of three angles were a sixth of a slider-crank's
      // right-hand side.
      if (q[2] != f.theta) sine_cosine(q[2], f.s, f.c);
      f.theta = q[2];
      f.v = pair(u[0], u[1]);
      f.w = u[2];
    }
  } else {
    const int bodies = rigid_frames(kinematics, kinematics.spatial.size());
    for (int b = 0; b < bodies; ++b, q += 7, u += 6) {
      SpatialFrame& f = kinematics.spatial[b];
      f.r = {q[0], q[1], q[2]};
      f.v = {u[0], u[1], u[2]};
      f.w_body = {u[3], u[4], u[5]};
      double R[3][3];
      rotation(q + 3, R);
      for (int i = 0; i < 3; ++i) {
        f.w[i] = R[i][0] * u[3] + R[i][1] * u[4] + R[i][2] * u[5];
        for (int j = 0; j < 3; ++j) f.R(i, j) = R[i][j];
      }
    }
  }
  if (kinematics.flexible) {
    // Elastic coordinates follow those of all bodies.
    std::copy_n(q, kinematics.modal_q.size(), kinematics.modal_q.begin());
    std::copy_n(u, kinematics.modal_u.size(), kinematics.modal_u.begin());
    place_carried(kinematics);
  }
  if (kinematics.feed) kinematics.feed->fill(kinematics, first);
}

void position_rates(Dimension dimension, int bodies, const double* q, const double* u, double* qdot) {
  if (dimension == Dimension::planar) {
    for (int i = 0; i < 3 * bodies; ++i) qdot[i] = u[i];
    return;
  }
  for (int b = 0; b < bodies; ++b, q += 7, u += 6, qdot += 7) {
    for (int i = 0; i < 3; ++i) qdot[i] = u[i];
    const double *e = q + 3, *w = u + 3;
    qdot[3] = 0.5 * (-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]);
    qdot[4] = 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
    qdot[5] = 0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]);
    qdot[6] = 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  }
}

void displace(Dimension dimension, int bodies, double* q, const double* d) {
  if (dimension == Dimension::planar) {
    for (int i = 0; i < 3 * bodies; ++i) q[i] += d[i];
    return;
  }
  for (int b = 0; b < bodies; ++b, q += 7, d += 6) {
    for (int i = 0; i < 3; ++i) q[i] += d[i];
    const double angle = std::sqrt(d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
    // cos(φ/2) and sin(φ/2)/φ, by their series where the quotient would lose digits.
    const bool small = angle <= 1e-4;
    const double half = small ? 0.5 - angle * angle / 48 : std::sin(0.5 * angle) / angle;
    const double p0 = small ? 1 - angle * angle / 8 : std::cos(0.5 * angle), p1 = half * d[3],
                 p2 = half * d[4], p3 = half * d[5];
    double* e = q + 3;
    const double w = e[0] * p0 - e[1] * p1 - e[2] * p2 - e[3] * p3;
    const double x = e[0] * p1 + e[1] * p0 + e[2] * p3 - e[3] * p2;
    const double y = e[0] * p2 - e[1] * p3 + e[2] * p0 + e[3] * p1;
    const double zz = e[0] * p3 + e[1] * p2 - e[2] * p1 + e[3] * p0;
    const double length = std::sqrt(w * w + x * x + y * y + zz * zz);
    e[0] = w / length, e[1] = x / length, e[2] = y / length, e[3] = zz / length;
  }
}

}  // namespace tappet
