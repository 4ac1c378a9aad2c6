#include "tappet/lcp/friction_lcp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd& dense_matrix(Matrix& m) {
  if (!std::holds_alternative<MatrixXd>(m)) m = MatrixXd();
  return std::get<MatrixXd>(m);
}

/// W's rows and columns in the order (equalities, normals, tangents of the first direction, of the second).
void by_direction(const ConeProblem& problem, MatrixXd& w, VectorXd& b) {
  MatrixXd original;
  to_dense(problem.W, original);
  const int e = problem.equalities, d = problem.dimension, contacts = problem.contacts();
  std::vector<int> from(problem.size());
  for (int i = 0; i < e; ++i) from[i] = i;
  for (int k = 0; k < d; ++k)
    for (int c = 0; c < contacts; ++c) from[e + k * contacts + c] = problem.row(c) + k;
  w.resize(problem.size(), problem.size());
  b.resize(problem.size());
  for (int j = 0; j < problem.size(); ++j) {
    b[j] = problem.b[from[j]];
    for (int i = 0; i < problem.size(); ++i) w(i, j) = original(from[i], from[j]);
  }
}

double angle(int facet, int facets) {
  return 2 * M_PI * facet / facets;
}

}  // namespace

double friction_row_factor(double w_nn, double w_tt) {
  const double larger = std::max(w_nn, w_tt);
  return larger > 0 ? larger : 1;
}

void planar_friction_lcp(const MatrixXd& w_nn, const MatrixXd& w_nt, const MatrixXd& w_tt, const VectorXd& mu,
                         const VectorXd& b_n, const VectorXd& b_t, Lcp& out) {
  const int n = static_cast<int>(mu.size());
  MatrixXd& m = dense_matrix(out.M);
  m.setZero(3 * n, 3 * n);
  // P_t = P_R − μ P_n in the velocities.
  m.block(0, 0, n, n) = w_nn - w_nt * mu.asDiagonal();
  m.block(0, n, n, n) = w_nt;
  m.block(n, 0, n, n) = w_nt.transpose() - w_tt * mu.asDiagonal();
  m.block(n, n, n, n) = w_tt;
  for (int i = 0; i < n; ++i) {
    const double factor = friction_row_factor(w_nn(i, i), w_tt(i, i));
    m(n + i, 2 * n + i) = 1;
    m(2 * n + i, i) = 2 * mu[i] * factor;
    m(2 * n + i, n + i) = -factor;
  }
  out.q.setZero(3 * n);
  out.q.head(n) = b_n;
  out.q.segment(n, n) = b_t;
}

FrictionLayout friction_mlcp(const ConeProblem& problem, int facets, Mlcp& out) {
  const int e = problem.equalities, n = problem.contacts(), d = problem.dimension;
  FrictionLayout layout{e, n, d, d == 2 ? 0 : facets};
  assert(d == 2 || facets >= 3);
  const int per_contact = d == 2 ? 1 : facets;

  // r = T z turns impulses of the polygon, or (P_n, P_R), into (λ, P_n, P_t); velocities go back by S.
  MatrixXd w;
  VectorXd b;
  by_direction(problem, w, b);
  const int impulses = e + n + per_contact * n;
  MatrixXd to_r = MatrixXd::Zero(problem.size(), impulses), to_w = MatrixXd::Zero(impulses, problem.size());
  to_r.topLeftCorner(e + n, e + n).setIdentity();
  to_w.topLeftCorner(e + n, e + n).setIdentity();
  for (int c = 0; c < n; ++c)
    for (int k = 0; k < per_contact; ++k) {
      const int z = e + n + k * n + c;
      if (d == 2) {
        to_r(e + n + c, e + c) = -problem.mu[c];
        to_r(e + n + c, z) = to_w(z, e + n + c) = 1;
      } else {
        to_r(e + n + c, z) = to_w(z, e + n + c) = std::cos(angle(k, facets));
        to_r(e + 2 * n + c, z) = to_w(z, e + 2 * n + c) = std::sin(angle(k, facets));
      }
    }

  const int size = impulses + n;
  MatrixXd& m = dense_matrix(out.M);
  m.setZero(size, size);
  m.topLeftCorner(impulses, impulses) = to_w * w * to_r;
  for (int c = 0; c < n; ++c) {
    // The multiplier in each friction row, and the bound on friction in its own.
    double mean = 0;
    for (int k = 1; k < d; ++k) mean += w(e + k * n + c, e + k * n + c) / (d - 1);
    const double factor = friction_row_factor(w(e + c, e + c), mean);
    const int last = impulses + c;
    m(last, e + c) = (d == 2 ? 2 : 1) * problem.mu[c] * factor;
    for (int k = 0; k < per_contact; ++k) {
      m(e + n + k * n + c, last) = 1;
      m(last, e + n + k * n + c) = -factor;
    }
  }
  out.equalities = e;
  out.unit = problem.unit;
  out.q.setZero(size);
  out.q.head(impulses) = to_w * b;
  return layout;
}

void friction_impulses(const ConeProblem& problem, const FrictionLayout& layout, const VectorXd& z,
                       VectorXd& r) {
  const int e = layout.equalities, n = layout.contacts;
  r.setZero(problem.size());
  r.head(e) = z.head(e);
  for (int c = 0; c < n; ++c) {
    const int row = problem.row(c);
    r[row] = z[e + c];
    if (layout.dimension == 2) r[row + 1] = z[e + n + c] - problem.mu[c] * r[row];
    for (int k = 0; k < layout.facets; ++k) {
      const double beta = z[e + n + k * n + c];
      r[row + 1] += beta * std::cos(angle(k, layout.facets));
      r[row + 2] += beta * std::sin(angle(k, layout.facets));
    }
  }
}

}  // namespace tappet::lcp
