#include "tappet/lcp/patch_gmres.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <Eigen/LU>

#include "tappet/linalg/dense_symmetric.hpp"

namespace tappet::lcp {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A node of a face and two rings of its neighbours' nearest: more contacts take longer to invert than they save.
constexpr int largest_patch = 13;
/// Steps of GMRES; it is not begun again.
constexpr int most_steps = 60;

}  // namespace

void PatchGmres::look_at(const MatrixXd& w, int dimension, unsigned long matrix) {
  const int n = static_cast<int>(w.rows()) / dimension;
  if (matrix != 0 && matrix == matrix_ && static_cast<int>(contacts_.size()) == n * patch_) return;
  matrix_ = matrix;
  patch_ = std::min(n, largest_patch);
  contacts_.clear();
  std::vector<std::pair<double, int>> coupled(n);
  for (int i = 0; i < n; ++i) {
    // By the largest of the diagonal couplings, against those of the other contact itself.
    for (int j = 0; j < n; ++j) {
      double most = 0;
      for (int k = 0; k < dimension; ++k) {
        const int p = dimension * i + k, q = dimension * j + k;
        most = std::max(most, std::abs(w(q, p)) / std::sqrt(std::max(w(q, q), 1e-300)));
      }
      coupled[j] = {j == i ? -INFINITY : -most, j};
    }
    std::partial_sort(coupled.begin(), coupled.begin() + patch_, coupled.end());
    for (int k = 0; k < patch_; ++k) contacts_.push_back(coupled[k].second);
  }
}

template <int D>
bool PatchGmres::invert_patches(const MatrixXd& w, const std::vector<double>& a, const std::vector<double>& b,
                                const VectorXd& s) {
  using Block = Eigen::Matrix<double, D, D>;
  using Small =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, D * largest_patch, D * largest_patch>;
  const int n = static_cast<int>(w.rows()) / D, rows = D * patch_;
  inverse_.resize(static_cast<std::size_t>(n) * D * rows);
  Small equations(rows, rows);
  Eigen::Matrix<double, Eigen::Dynamic, D, 0, D * largest_patch, D> own(rows, D);
  for (int i = 0; i < n; ++i) {
    const int* patch = contacts_.data() + static_cast<std::ptrdiff_t>(i) * patch_;
    // Transposed: rows of the inverse are columns here.
    for (int p = 0; p < patch_; ++p) {
      const Map<const Block> bp(b.data() + patch[p] * D * D);
      for (int q = 0; q < patch_; ++q)
        equations.template block<D, D>(D * q, D * p) =
            (bp * w.template block<D, D>(D * patch[p], D * patch[q])).transpose();
      Block diagonal = Map<const Block>(a.data() + patch[p] * D * D).transpose();
      diagonal.diagonal() += s.template segment<D>(D * patch[p]);
      equations.template block<D, D>(D * p, D * p) += diagonal;
    }
    own.setZero();
    own.template topRows<D>().setIdentity();
    const Eigen::PartialPivLU<Eigen::Ref<Small>> lu(equations);
    own = lu.solve(own).eval();
    if (!own.allFinite()) return false;
    Map<Eigen::Matrix<double, D, Eigen::Dynamic>>(inverse_.data() + static_cast<std::ptrdiff_t>(i) * D * rows,
                                                  D, rows) = own.transpose();
  }
  return true;
}

template <int D>
void PatchGmres::precondition(const VectorXd& y, VectorXd& x) const {
  const int n = static_cast<int>(y.size()) / D;
  using Block = Eigen::Matrix<double, D, D>;
  x.resize(y.size());
  for (int i = 0; i < n; ++i) {
    const int* patch = contacts_.data() + static_cast<std::ptrdiff_t>(i) * patch_;
    const double* rows = inverse_.data() + static_cast<std::ptrdiff_t>(i) * D * D * patch_;
    Eigen::Matrix<double, D, 1> sum = Eigen::Matrix<double, D, 1>::Zero();
    for (int p = 0; p < patch_; ++p)
      sum += Map<const Block>(rows + D * D * p) * y.template segment<D>(D * patch[p]);
    x.template segment<D>(D * i) = sum;
  }
}

template <int D>
bool PatchGmres::solve(const MatrixXd& w, const std::vector<double>& a, const std::vector<double>& b,
                       const VectorXd& s, double tolerance, VectorXd& f, VectorXd& response) {
  using Block = Eigen::Matrix<double, D, D>;
  const int n = static_cast<int>(f.size()), contacts = n / D;
  if (!invert_patches<D>(w, a, b, s)) return false;
  basis_.resize(n, most_steps + 1), tried_.resize(n, most_steps), responses_.setZero(n, most_steps);
  hessenberg_.setZero(most_steps + 1, most_steps);
  VectorXd rhs = VectorXd::Zero(most_steps + 1), cosine(most_steps), sine(most_steps), x, next(n);
  const double size = f.norm();
  if (!(size > 0) || !std::isfinite(size)) return false;
  basis_.col(0) = f / size;
  rhs[0] = size;
  int steps = 0;
  while (steps < most_steps && std::abs(rhs[steps]) > tolerance * size) {
    const int k = steps++;
    precondition<D>(basis_.col(k), x);
    tried_.col(k) = x;
    add_symmetric_product(w.data(), n, x.data(), responses_.col(k).data());
    next = s.cwiseProduct(x);
    for (int c = 0; c < contacts; ++c)
      next.template segment<D>(D * c) +=
          Map<const Block>(a.data() + c * D * D) * x.template segment<D>(D * c) +
          Map<const Block>(b.data() + c * D * D) * responses_.col(k).template segment<D>(D * c);
    for (int j = 0; j <= k; ++j) {
      hessenberg_(j, k) = basis_.col(j).dot(next);
      next -= hessenberg_(j, k) * basis_.col(j);
    }
    hessenberg_(k + 1, k) = next.norm();
    if (hessenberg_(k + 1, k) > 0) basis_.col(k + 1) = next / hessenberg_(k + 1, k);
    // Givens rotations make the matrix triangular.
    for (int j = 0; j < k; ++j) {
      const double top = hessenberg_(j, k), below = hessenberg_(j + 1, k);
      hessenberg_(j, k) = cosine[j] * top + sine[j] * below;
      hessenberg_(j + 1, k) = cosine[j] * below - sine[j] * top;
    }
    const double length = std::hypot(hessenberg_(k, k), hessenberg_(k + 1, k));
    if (!(length > 0)) return false;
    cosine[k] = hessenberg_(k, k) / length, sine[k] = hessenberg_(k + 1, k) / length;
    hessenberg_(k, k) = length, hessenberg_(k + 1, k) = 0;
    rhs[k + 1] = -sine[k] * rhs[k], rhs[k] *= cosine[k];
  }
  const VectorXd y =
      hessenberg_.topLeftCorner(steps, steps).triangularView<Eigen::Upper>().solve(rhs.head(steps));
  f.noalias() = tried_.leftCols(steps) * y;
  response.noalias() = responses_.leftCols(steps) * y;
  return f.allFinite() && std::abs(rhs[steps]) <= tolerance * size;
}

template bool PatchGmres::solve<2>(const MatrixXd&, const std::vector<double>&, const std::vector<double>&,
                                   const VectorXd&, double, VectorXd&, VectorXd&);
template bool PatchGmres::solve<3>(const MatrixXd&, const std::vector<double>&, const std::vector<double>&,
                                   const VectorXd&, double, VectorXd&, VectorXd&);

}  // namespace tappet::lcp
