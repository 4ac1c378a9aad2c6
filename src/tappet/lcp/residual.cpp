#include "tappet/lcp/residual.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "tappet/lcp/cone.hpp"
#include "tappet/lcp/matrix.hpp"
#include "tappet/linalg/dense_symmetric.hpp"

namespace tappet::lcp {

using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The unit as given, else the largest entry of q; a problem with q = 0 is solved by zero, whatever the unit.
double unit_of(double given, const VectorXd& q) {
  if (given > 0) return given;
  const double largest = q.size() > 0 ? q.lpNorm<Eigen::Infinity>() : 0;
  return largest > 0 ? largest : 1;
}

/// Its square.
template <int D>
double contact_error(double mu, double inverse_rho, const double* r, const double* u) {
  // x = r − ρ û, kept in the unit of u: everything is multiplied by 1/ρ.
  double x[D], target[D];
  for (int k = 0; k < D; ++k) target[k] = inverse_rho * r[k], x[k] = target[k] - u[k];
  x[0] -= mu * tangential_norm<D>(u);
  project_on_cone<D>(mu, x);
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += (target[k] - x[k]) * (target[k] - x[k]);
  return sum;
}

/// max(a, b) that does not lose a NaN.
double worse(double a, double b) {
  return b <= a ? a : (b > a ? b : infinity);
}

}  // namespace

void prepare(const MlcpView& problem, Measure& measure) {
  assert(rows(problem.M) == problem.size());
  measure.unit = unit_of(problem.unit, problem.q);
  column_scale(problem.M, measure.scale);
}

void prepare(const ConeProblem& problem, Measure& measure) {
  assert(rows(problem.W) == problem.size());
  assert(problem.size() == problem.equalities + problem.dimension * problem.contacts());
  measure.unit = unit_of(problem.unit, problem.b);

  // The diagonal of W, and of a contact's rows the largest.
  VectorXd& scale = measure.scale;
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&problem.W)) {
    scale = dense->diagonal();
  } else if (const auto* sparse = std::get_if<BlockCsr>(&problem.W)) {
    scale.setZero(sparse->rows());
    for (int i = 0; i < sparse->block_rows(); ++i)
      for (int k = sparse->row_ptr[i]; k < sparse->row_ptr[i + 1]; ++k)
        if (sparse->col[k] == i)
          scale.segment(sparse->row_start[i], sparse->row_size(i)) = sparse->block(i, k).diagonal();
  } else {
    column_scale(problem.W, scale);
  }
  for (int c = 0; c < problem.contacts(); ++c) {
    auto block = scale.segment(problem.row(c), problem.dimension);
    const double largest = block.maxCoeff();
    block.setConstant(largest > 0 ? largest : 1);
  }
}

double residual_of_w(const MlcpView& problem, const VectorXd& z, const Measure& measure) {
  double worst = 0;
  for (int i = 0; i < problem.equalities; ++i) worst = worse(worst, std::abs(measure.w[i]));
  for (int i = problem.equalities; i < problem.size(); ++i) {
    const double w = measure.w[i], cz = measure.scale[i] * z[i];
    worst = worse(worst, std::isnan(w + cz) ? infinity : std::abs(std::min(w, cz)));
  }
  return worst / measure.unit;
}

double residual_of_w(const ConeProblem& problem, const VectorXd& r, const Measure& measure) {
  double worst = 0;
  for (int i = 0; i < problem.equalities; ++i) worst = worse(worst, std::abs(measure.w[i]));
  double square = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const int row = problem.row(c);
    const double *rc = r.data() + row, *uc = measure.w.data() + row;
    square =
        worse(square, problem.dimension == 3 ? contact_error<3>(problem.mu[c], measure.scale[row], rc, uc)
                                             : contact_error<2>(problem.mu[c], measure.scale[row], rc, uc));
  }
  return worse(worst, std::sqrt(square)) / measure.unit;
}

double residual(const MlcpView& problem, const VectorXd& z, Measure& measure) {
  multiply(problem.M, z, problem.q, measure.w, measure.inner);
  return residual_of_w(problem, z, measure);
}

double residual(const ConeProblem& problem, const VectorXd& r, Measure& measure) {
  // A large dense matrix is read by halves.
  constexpr int large = 300;
  const auto* dense = std::get_if<Eigen::MatrixXd>(&problem.W);
  if (dense && dense->rows() > large && !r.isZero(0)) {
    measure.w = problem.b;
    add_symmetric_product(dense->data(), dense->rows(), r.data(), measure.w.data());
  } else {
    multiply(problem.W, r, problem.b, measure.w, measure.inner);
  }
  return residual_of_w(problem, r, measure);
}

double residual(const MlcpView& problem, const VectorXd& z) {
  Measure measure;
  prepare(problem, measure);
  return residual(problem, z, measure);
}

double residual(const ConeProblem& problem, const VectorXd& r) {
  Measure measure;
  prepare(problem, measure);
  return residual(problem, r, measure);
}

bool proves_infeasible(const MlcpView& problem, const VectorXd& y) {
  if (y.size() != problem.size() || !y.allFinite()) return false;
  const double size = y.lpNorm<Eigen::Infinity>();
  if (!(size > 0)) return false;

  VectorXd mty, inner, scale;
  multiply_transposed(problem.M, y, mty, inner);
  column_scale(problem.M, scale);
  const double tolerance = 1e-9 * size;
  for (int i = 0; i < problem.size(); ++i) {
    if (i < problem.equalities) {
      if (std::abs(mty[i]) > tolerance * scale[i]) return false;
    } else if (y[i] < -tolerance || mty[i] > tolerance * scale[i]) {
      return false;
    }
  }
  return problem.q.dot(y) < -1e-7 * size * problem.q.lpNorm<Eigen::Infinity>();
}

bool proves_infeasible(const ConeProblem& problem, const VectorXd& y) {
  if (y.size() != problem.size() || !y.allFinite()) return false;
  const double size = y.lpNorm<Eigen::Infinity>();
  if (!(size > 0)) return false;

  VectorXd wy, inner, scale;
  multiply_transposed(problem.W, y, wy, inner);
  column_scale(problem.W, scale);
  if (wy.lpNorm<Eigen::Infinity>() > 1e-9 * size * scale.maxCoeff()) return false;
  for (int c = 0; c < problem.contacts(); ++c) {
    const auto block = y.segment(problem.row(c), problem.dimension);
    if (block[0] < -1e-9 * size || block.tail(problem.dimension - 1).lpNorm<Eigen::Infinity>() > 0)
      return false;
  }
  return problem.b.dot(y) < -1e-7 * size * problem.b.lpNorm<Eigen::Infinity>();
}

}  // namespace tappet::lcp
