#include "tappet/multibody/flexible_body.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace tappet {
namespace {

constexpr int rows_of_inertia[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

bool symmetric(const Eigen::MatrixXd& m) {
  return (m - m.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * std::max(m.cwiseAbs().maxCoeff(), 1e-300);
}

// T with Tᵀ M T = 1 and Tᵀ K T = diag(ω²), ascending; of each column the entry of largest magnitude is positive.
Eigen::MatrixXd normal_coordinates(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K,
                                   Eigen::VectorXd& squares) {
  if (!symmetric(M)) throw std::runtime_error("the mass matrix of its shapes is not symmetric");
  if (!symmetric(K)) throw std::runtime_error("its stiffness matrix is not symmetric");
  if (Eigen::LLT<Eigen::MatrixXd>(M).info() != Eigen::Success)
    throw std::runtime_error(
        "the mass matrix of its shapes, Sxx + Syy + Szz, is not positive definite: some combination of "
        "shapes "
        "has no mass");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (K + K.transpose()),
                                                                         0.5 * (M + M.transpose()));
  squares = solver.eigenvalues();
  const double largest = std::max(squares.maxCoeff(), 0.0);
  if (squares.minCoeff() < -1e-9 * largest)
    throw std::runtime_error("its stiffness matrix has a negative eigenvalue: it would fly apart by itself");
  squares = squares.cwiseMax(0.0);
  Eigen::MatrixXd T = solver.eigenvectors();
  for (Eigen::Index k = 0; k < T.cols(); ++k) {
    Eigen::Index at;
    T.col(k).cwiseAbs().maxCoeff(&at);
    if (T(at, k) < 0) T.col(k) *= -1;
  }
  return T;
}

Eigen::MatrixXd turned(const Eigen::MatrixXd& m, const Eigen::MatrixXd& T) {
  return T.transpose() * m * T;
}

// J(q) = tr(Y) 1 − Y, Y = Y⁰ + Σ q_k (X_k + X_kᵀ) + Σ q_k q_l S_kl + Y₂ + Y₂ᵀ, and x × u by its components.
void prepare_inertia(FlexibleBody& body, const FlexibleIntegrals& in, const Eigen::MatrixXd& T) {
  const int m = body.modes;
  std::array<std::array<Eigen::MatrixXd, 3>, 3> S;
  std::array<std::array<Eigen::VectorXd, 3>, 3> X;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S[i][j] = turned(in.S[i][j], T), X[i][j] = T.transpose() * in.X[i][j];
  body.stiffens = in.C[0].size() > 0;
  std::array<std::array<Eigen::MatrixXd, 3>, 3> X2;
  if (body.stiffens)
    for (int i = 0; i < 3; ++i) {
      body.C[i] = turned(in.C[i], T);
      for (int j = 0; j < 3; ++j) X2[i][j] = turned(in.X2[i][j], T);
    }
  const auto linear = [&](int i, int j) { return Eigen::VectorXd(X[i][j] + X[j][i]); };
  const auto quadratic = [&](int i, int j) {
    Eigen::MatrixXd out = 0.5 * (S[i][j] + S[i][j].transpose());
    if (body.stiffens) out += 0.5 * (X2[i][j] + X2[j][i]);
    return Eigen::MatrixXd(0.5 * (out + out.transpose()));
  };
  body.J1.resize(m, 6);
  for (int n = 0; n < 6; ++n) {
    const auto [i, j] = rows_of_inertia[n];
    if (i == j) {
      const int o = (i + 1) % 3, r = (i + 2) % 3;
      body.J1.col(n) = linear(o, o) + linear(r, r);
      body.J2[n] = quadratic(o, o) + quadratic(r, r);
    } else {
      body.J1.col(n) = -linear(i, j);
      body.J2[n] = -quadratic(i, j);
    }
  }
  body.a.resize(3, m);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    body.a.row(i) = (X[j][k] - X[k][j]).transpose();
    body.b[i] = S[j][k] - S[k][j];
    if (body.stiffens) body.E[i] = X2[j][k] - X2[k][j];
  }
}

}  // namespace

FlexibleIntegrals FlexibleIntegrals::zero(int m) {
  FlexibleIntegrals out;
  out.p = Eigen::MatrixXd::Zero(3, m);
  for (auto& row : out.X)
    for (auto& x : row) x = Eigen::VectorXd::Zero(m);
  for (auto& row : out.S)
    for (auto& s : row) s = Eigen::MatrixXd::Zero(m, m);
  out.stiffness = Eigen::MatrixXd::Zero(m, m);
  return out;
}

Eigen::MatrixXd FlexibleIntegrals::mass_matrix() const {
  Eigen::MatrixXd out = S[0][0] + S[1][1] + S[2][2];
  if (rotary.size() > 0) out += rotary;
  return out;
}

const FlexibleBody& FlexibleBodies::carrier(int frame) const {
  auto at = std::upper_bound(bodies.begin(), bodies.end(), frame,
                             [](int f, const FlexibleBody& b) { return f < b.interface; });
  return *(at - 1);
}

const FlexibleInterface& FlexibleBodies::interface(int frame) const {
  const FlexibleBody& body = carrier(frame);
  return body.interfaces[frame - body.interface];
}

void prepare(FlexibleBody& body, const FlexibleIntegrals& in) {
  const int m = body.modes = in.modes();
  const Eigen::MatrixXd T = normal_coordinates(in.mass_matrix(), in.stiffness, body.stiffness);
  body.given = body.given.size() > 0 ? Eigen::MatrixXd(body.given * T) : T;
  body.damping = in.damping.size() > 0 ? Eigen::VectorXd(turned(in.damping, T).diagonal())
                                       : Eigen::VectorXd(Eigen::VectorXd::Zero(m));
  if (in.damping.size() > 0) {
    const Eigen::MatrixXd all = turned(in.damping, T);
    const Eigen::MatrixXd beside = all - Eigen::MatrixXd(all.diagonal().asDiagonal());
    if (beside.cwiseAbs().maxCoeff() > 1e-8 * all.cwiseAbs().maxCoeff())
      throw std::runtime_error(
          "its damping matrix couples its modes; give damping per mode or as Rayleigh's, mass and stiffness");
    if (body.damping.minCoeff() < 0)
      throw std::runtime_error("its damping matrix would feed a mode with energy");
  }
  body.mass = in.mass;
  body.s = in.first;
  body.J0 = in.second.trace() * Mat3::Identity() - in.second;
  body.p = in.p * T;
  prepare_inertia(body, in, T);

  double largest = 0;
  for (FlexibleInterface& interface : body.interfaces) {
    interface.translation = (interface.translation * T).eval();
    interface.rotation = (interface.rotation * T).eval();
    for (auto* list : {&interface.shift, &interface.turn})
      for (Eigen::MatrixXd& each : *list)
        if (each.size() > 0) each = turned(each, T);
    if (m > 0) largest = std::max(largest, interface.translation.colwise().norm().maxCoeff());
  }
  body.amplitude = largest > 0 ? 1 / largest : std::sqrt(body.mass);
}

FlexibleInstant::FlexibleInstant(const FlexibleBody& body) {
  const int m = body.modes;
  rigid.setZero();
  B.setZero(6, m);
  h.setZero();
  hq.setZero(m);
  Jk.setZero(m, 6);
  cq.setZero(3, m);
  A.setZero(3, m);
  product.setZero(m);
}

namespace {

using ModalVector = Eigen::Map<const Eigen::VectorXd>;

ModalVector modal(const std::vector<double>& all, const FlexibleBody& body) {
  return ModalVector(all.data() + body.first, body.modes);
}

// c, c_q and A at q.
Vec3 shape_integrals(const FlexibleBody& body, const ModalVector& q, bool planar, FlexibleInstant& out) {
  Vec3 c = body.s;
  out.cq = body.p;
  out.A = body.a;
  for (int i = 0; i < 3; ++i) {
    if (planar ? i < 2 : true) {
      if (body.stiffens) {
        out.product.noalias() = body.C[i] * q;
        out.cq.row(i) += out.product.transpose();
        c[i] += 0.5 * q.dot(out.product);
      }
      c[i] += body.p.row(i).dot(q);
    }
    if (planar ? i == 2 : true) {
      out.product.noalias() = body.b[i] * q;
      out.A.row(i) -= out.product.transpose();
      if (body.stiffens) {
        out.product.noalias() = body.E[i] * q;
        out.A.row(i) += out.product.transpose();
      }
    }
  }
  return c;
}

// Component n of J(q), and its gradient.
double inertia(const FlexibleBody& body, const ModalVector& q, int n, FlexibleInstant& out) {
  const auto [i, j] = rows_of_inertia[n];
  out.product.noalias() = body.J2[n] * q;
  out.Jk.col(n) = body.J1.col(n) + 2 * out.product;
  return body.J0(i, j) + body.J1.col(n).dot(q) + q.dot(out.product);
}

void elastic_forces(const FlexibleBody& body, const ModalVector& q, const ModalVector& rates,
                    FlexibleInstant& out) {
  out.hq.array() -= body.stiffness.array() * q.array() + body.damping.array() * rates.array();
  out.loss = (body.damping.array() * rates.array().square()).sum();
}

void evaluate_planar(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity, bool elastic,
                     FlexibleInstant& out) {
  const PlanarFrame& f = k.planar[body.body];
  const ModalVector q = modal(k.modal_q, body), rates = modal(k.modal_u, body);
  const Vec2 c = shape_integrals(body, q, true, out).head<2>();
  const double J = inertia(body, q, 2, out), w = f.w;
  const Vec2 arm = f.turn(perpendicular(c));
  out.rigid(0, 0) = out.rigid(1, 1) = body.mass;
  out.rigid(0, 2) = out.rigid(2, 0) = arm.x();
  out.rigid(1, 2) = out.rigid(2, 1) = arm.y();
  out.rigid(2, 2) = J;
  out.B.row(0) = f.c * out.cq.row(0) - f.s * out.cq.row(1);
  out.B.row(1) = f.s * out.cq.row(0) + f.c * out.cq.row(1);
  out.B.row(2) = out.A.row(2);

  const Vec2 g(f.c * gravity.x() + f.s * gravity.y(), -f.s * gravity.x() + f.c * gravity.y());
  const Vec2 moving(out.cq.row(0).dot(rates), out.cq.row(1).dot(rates));
  Vec2 along = -w * w * c + 2 * w * perpendicular(moving);
  double turning = 0;
  if (body.stiffens) {
    for (int i = 0; i < 2; ++i) {
      out.product.noalias() = body.C[i] * rates;
      along[i] += rates.dot(out.product);
    }
    out.product.noalias() = body.E[2] * rates;
    turning = rates.dot(out.product);
  }
  const Vec2 push = f.turn(along);
  out.h.setZero();
  out.h[0] = -push.x(), out.h[1] = -push.y();
  out.h[2] = -w * out.Jk.col(2).dot(rates) - turning + cross(c, g);
  out.product.noalias() = body.b[2] * rates;
  out.hq = 0.5 * w * w * out.Jk.col(2) + 2 * w * out.product + g.x() * out.cq.row(0).transpose() +
           g.y() * out.cq.row(1).transpose();
  if (elastic) elastic_forces(body, q, rates, out);
}

Mat3 symmetric_matrix(const double (&n)[6]) {
  return Mat3{{n[0], n[3], n[4]}, {n[3], n[1], n[5]}, {n[4], n[5], n[2]}};
}

void evaluate_spatial(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity, bool elastic,
                      FlexibleInstant& out) {
  const SpatialFrame& f = k.spatial[body.body];
  const ModalVector q = modal(k.modal_q, body), rates = modal(k.modal_u, body);
  const Vec3 c = shape_integrals(body, q, false, out), w = f.w_body;
  double entries[6], change[6];
  for (int n = 0; n < 6; ++n) {
    entries[n] = inertia(body, q, n, out);
    change[n] = out.Jk.col(n).dot(rates);
  }
  const Mat3 J = symmetric_matrix(entries);
  Mat3 skew;
  skew << 0, -c.z(), c.y(), c.z(), 0, -c.x(), -c.y(), c.x(), 0;
  const Mat3 arm = -f.R * skew;
  out.rigid.setZero();
  out.rigid.diagonal().head<3>().setConstant(body.mass);
  out.rigid.topRightCorner<3, 3>() = arm;
  out.rigid.bottomLeftCorner<3, 3>() = arm.transpose();
  out.rigid.bottomRightCorner<3, 3>() = J;
  for (int n = 0; n < body.modes; ++n) {
    out.B.col(n).head<3>() = f.R * Vec3(out.cq.col(n));
    out.B.col(n).tail<3>() = out.A.col(n);
  }

  const Vec3 g = f.R.transpose() * gravity;
  Vec3 moving, spin;
  for (int i = 0; i < 3; ++i) moving[i] = out.cq.row(i).dot(rates), spin[i] = out.A.row(i).dot(rates);
  Vec3 along = w.cross(w.cross(c)) + 2 * w.cross(moving), turning = Vec3::Zero();
  if (body.stiffens)
    for (int i = 0; i < 3; ++i) {
      out.product.noalias() = body.C[i] * rates;
      along[i] += rates.dot(out.product);
      out.product.noalias() = body.E[i] * rates;
      turning[i] = rates.dot(out.product);
    }
  out.h.head<3>() = -f.R * along;
  out.h.tail<3>() =
      -w.cross(J * w - body.J0 * w + spin) - symmetric_matrix(change) * w - turning + c.cross(g);
  const double squares[6] = {0.5 * w.x() * w.x(), 0.5 * w.y() * w.y(), 0.5 * w.z() * w.z(),
                             w.x() * w.y(),       w.x() * w.z(),       w.y() * w.z()};
  out.hq.setZero();
  for (int n = 0; n < 6; ++n) out.hq += squares[n] * out.Jk.col(n);
  for (int i = 0; i < 3; ++i) {
    out.product.noalias() = body.b[i] * rates;
    out.hq += 2 * w[i] * out.product;
    out.hq += g[i] * out.cq.row(i).transpose();
  }
  if (elastic) elastic_forces(body, q, rates, out);
}

// Σ_kl x_k m_kl y_l, without room for a product.
double bilinear(const ModalVector& x, const Eigen::MatrixXd& m, const ModalVector& y) {
  double sum = 0;
  for (Eigen::Index l = 0; l < m.cols(); ++l) sum += y[l] * m.col(l).dot(x);
  return sum;
}

Vec3 centre_moment(const FlexibleBody& body, const ModalVector& q) {
  Vec3 c = body.s;
  for (int i = 0; i < 3; ++i) {
    c[i] += body.p.row(i).dot(q);
    if (body.stiffens) c[i] += 0.5 * bilinear(q, body.C[i], q);
  }
  return c;
}

}  // namespace

void evaluate_flexible(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity, bool elastic,
                       FlexibleInstant& out) {
  out.loss = 0;
  k.dimension == Dimension::planar ? evaluate_planar(body, k, gravity, elastic, out)
                                   : evaluate_spatial(body, k, gravity, elastic, out);
}

double flexible_kinetic_energy(const FlexibleBody& body, const Kinematics& k) {
  const bool planar = k.dimension == Dimension::planar;
  const ModalVector q = modal(k.modal_q, body), rates = modal(k.modal_u, body);
  Vec3 V, w;
  if (planar) {
    const PlanarFrame& f = k.planar[body.body];
    V = Vec3(f.c * f.v.x() + f.s * f.v.y(), -f.s * f.v.x() + f.c * f.v.y(), 0);
    w = Vec3(0, 0, f.w);
  } else {
    const SpatialFrame& f = k.spatial[body.body];
    V = f.R.transpose() * f.v;
    w = f.w_body;
  }
  const Vec3 c = centre_moment(body, q);
  Vec3 moving, spin;
  for (int i = 0; i < 3; ++i) {
    moving[i] = body.p.row(i).dot(rates);
    spin[i] = body.a.row(i).dot(rates) + bilinear(q, body.b[i], rates);
    if (!body.stiffens) continue;
    moving[i] += bilinear(q, body.C[i], rates);
    spin[i] += bilinear(q, body.E[i], rates);
  }
  double sum = V.dot(w.cross(c) + moving) + w.dot(spin) + 0.5 * rates.squaredNorm();
  const double squares[6] = {0.5 * w.x() * w.x(), 0.5 * w.y() * w.y(), 0.5 * w.z() * w.z(),
                             w.x() * w.y(),       w.x() * w.z(),       w.y() * w.z()};
  for (int n = 0; n < 6; ++n)
    if (squares[n] != 0) sum += squares[n] * (body.J1.col(n).dot(q) + bilinear(q, body.J2[n], q));
  return sum;
}

double flexible_potential_energy(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity) {
  const ModalVector q = modal(k.modal_q, body);
  const Vec3 c = centre_moment(body, q);
  const double stored = 0.5 * (body.stiffness.array() * q.array().square()).sum();
  if (k.dimension == Dimension::planar)
    return stored - gravity.head<2>().dot(k.planar[body.body].turn(c.head<2>()));
  return stored - gravity.dot(k.spatial[body.body].R * c);
}

}  // namespace tappet
