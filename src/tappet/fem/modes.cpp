#include "tappet/fem/modes.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include "tappet/linalg/supernodal_cholesky.hpp"

namespace tappet::fem {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd times(const SymmetricCsr& a, const MatrixXd& x) {
  MatrixXd y = MatrixXd::Zero(x.rows(), x.cols());
  for (int j = 0; j < x.cols(); ++j) multiply_add(a, 1, x.col(j).data(), y.col(j).data());
  return y;
}

/// Adds the columns of x to the first `have` of V, M-orthogonal to these and to each other; what vanishes is dropped. Two
/// rounds: the second takes away what rounding left of the first. MV = M V is kept in step.
int add_columns(const SymmetricCsr& M, MatrixXd x, MatrixXd& V, MatrixXd& MV, int have) {
  const auto old = V.leftCols(have), m_old = MV.leftCols(have);
  VectorXd before = x.cwiseProduct(times(M, x)).colwise().sum().cwiseMax(0).cwiseSqrt();
  int added = 0;
  for (int round = 0; round < 2; ++round) {
    x -= old * (m_old.transpose() * x);
    added = 0;
    for (int j = 0; j < x.cols() && have + added < V.cols(); ++j) {
      const auto fresh = V.middleCols(have, added), m_fresh = MV.middleCols(have, added);
      VectorXd v = x.col(j);
      v -= fresh * (m_fresh.transpose() * v);
      VectorXd mv = VectorXd::Zero(v.size());
      multiply_add(M, 1, v.data(), mv.data());
      const double norm = std::sqrt(std::max(v.dot(mv), 0.0));
      if (!(norm > 1e-12 * before[j])) continue;
      V.col(have + added) = v / norm;
      MV.col(have + added) = mv / norm;
      ++added;
    }
    x = V.middleCols(have, added);
    before.setOnes(added);
  }
  return have + added;
}

}  // namespace

Modes lowest_modes(const SymmetricCsr& K, const SymmetricCsr& M, int count, double tolerance) {
  const int n = K.rows();
  count = std::min(count, n);
  Modes out;
  if (count <= 0) return out;

  // A shift well below the first elastic mode: Rayleigh's quotient of the static response to a random load
  // shows where that is.
  SupernodalCholesky factor;
  factor.analyse(K);
  SymmetricCsr A = K;
  double trace_k = 0, trace_m = 0;
  for (int i = 0; i < n; ++i)
    trace_k += K.value[K.row_ptr[i + 1] - 1], trace_m += M.value[M.row_ptr[i + 1] - 1];
  if (!(trace_m > 0)) throw std::runtime_error("the structure has no mass");
  double shift = 1e-8 * trace_k / trace_m;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto refactor = [&] {
    for (std::size_t k = 0; k < A.value.size(); ++k) A.value[k] = K.value[k] + shift * M.value[k];
    if (factor.factor(A, 1e-14) >= 0)
      throw std::runtime_error("stiffness and mass are not positive definite together");
  };
  for (int pass = 0; pass < 3; ++pass) {
    refactor();
    // Elastic ω² seen from this shift: power iteration, with what moves rigidly taken out by its size.
    MatrixXd x(n, 8);
    for (int j = 0; j < x.cols(); ++j)
      for (int i = 0; i < n; ++i) x(i, j) = uniform(random);
    for (int k = 0; k < 3; ++k) {
      x = times(M, x);
      factor.solve(x);
      for (int j = 0; j < x.cols(); ++j) x.col(j).normalize();
    }
    const MatrixXd k = x.transpose() * times(K, x), m = x.transpose() * times(M, x);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> small(
        k, m + 1e-14 * m.trace() * MatrixXd::Identity(8, 8));
    const double lowest_elastic = small.eigenvalues()[7];
    if (lowest_elastic > 0.05 * shift && lowest_elastic < 1e4 * shift) break;
    shift = std::max(0.1 * lowest_elastic, 1e-13 * trace_k / trace_m);
    if (pass == 2) refactor();
  }

  const int block = std::min(n, 6);
  const int most = std::min(n, std::max(8 * count + 80, 120));
  MatrixXd V(n, most), MV(n, most);
  MatrixXd start(n, block);
  for (int j = 0; j < block; ++j)
    for (int i = 0; i < n; ++i) start(i, j) = uniform(random);
  start = times(M, start);
  factor.solve(start);
  int have = add_columns(M, start, V, MV, 0), done = 0;
  MatrixXd T = MatrixXd::Zero(most, most);  // Vᵀ M (K − σM)⁻¹ M V
  for (;;) {
    // The operator on the newest columns, and the projection's new part.
    const int width = have - done;
    MatrixXd W = MV.middleCols(done, width);
    factor.solve(W);
    out.solutions += width;
    T.block(0, done, have, width) = MV.leftCols(have).transpose() * W;
    T.block(done, 0, width, have) = T.block(0, done, have, width).transpose().eval();
    const int before = have;
    const MatrixXd rest = W - V.leftCols(have) * T.block(0, done, have, width);
    done = have;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> small(
        0.5 * (T.topLeftCorner(done, done) + T.topLeftCorner(done, done).transpose()));
    // Residuals of the wanted ones: only the newest columns leave the space.
    const int wanted = std::min(count, done);
    double worst = 0;
    const MatrixXd m_rest = times(M, rest);
    const MatrixXd gram = rest.transpose() * m_rest;
    for (int k = 0; k < wanted; ++k) {
      const auto y = small.eigenvectors().col(done - 1 - k).tail(width);
      const double theta = small.eigenvalues()[done - 1 - k];
      worst = std::max(worst, std::sqrt(std::max(0.0, y.dot(gram * y))) / std::abs(theta));
    }
    const bool enough = done >= count && worst < tolerance;
    if (!enough) have = add_columns(M, rest, V, MV, have);
    if (enough || have == before) {
      out.residual = worst;
      out.shapes.resize(n, wanted);
      for (int k = 0; k < wanted; ++k) {
        out.omega2.push_back(1 / small.eigenvalues()[done - 1 - k] - shift);
        out.shapes.col(k) = V.leftCols(done) * small.eigenvectors().col(done - 1 - k);
      }
      return out;
    }
  }
}

}  // namespace tappet::fem
