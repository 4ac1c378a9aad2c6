#include "tappet/lcp/near_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tappet/linalg/wide.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Four = double __attribute__((vector_size(32)));
using FourSingle = float __attribute__((vector_size(16)));

constexpr std::array<double, 4> thresholds = {1e-3, 1e-4, 1e-5, 0};
constexpr double allowed = 0.02;

template <int D>
TAPPET_INLINE void sum_blocks(const float* value, const int* column, int count, double scale, const double* r,
                              double* u) {
  Four sum[D] = {};
  for (int k = 0; k < count; ++k, value += 4 * D) {
    Four x;
    __builtin_memcpy(&x, r + column[k], sizeof x);
    for (int d = 0; d < D; ++d) {
      FourSingle single;
      __builtin_memcpy(&single, value + 4 * d, sizeof single);
      sum[d] += __builtin_convertvector(single, Four) * x;
    }
  }
  for (int d = 0; d < D; ++d) u[d] += scale * ((sum[d][0] + sum[d][1]) + (sum[d][2] + sum[d][3]));
}

TAPPET_WIDE void sum_row(int dimension, const float* value, const int* column, int count, double scale,
                         const double* r, double* u) {
  if (dimension == 3)
    sum_blocks<3>(value, column, count, scale, r, u);
  else
    sum_blocks<2>(value, column, count, scale, r, u);
}

}  // namespace

void NearRows::build(const MatrixXd& w, int dimension) {
  dimension_ = dimension;
  const int n = static_cast<int>(w.rows()), contacts = n / dimension;
  VectorXd root = w.diagonal().cwiseMax(0).cwiseSqrt();
  scale_ = std::max(w.diagonal().maxCoeff(), 1e-300);
  const VectorXd inverse = root.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });

  // How near each pair of contacts is: the class of its largest entry, the first threshold that it is above.
  nearness_.resize(static_cast<std::size_t>(contacts) * static_cast<std::size_t>(contacts));
  MatrixXd dropped = MatrixXd::Zero(static_cast<int>(thresholds.size()), n);  // row sums, over the diagonal
  for (int j = 0; j < contacts; ++j)
    for (int i = 0; i < contacts; ++i) {
      double largest = 0, sums[3] = {};
      for (int b = 0; b < dimension; ++b)
        for (int a = 0; a < dimension; ++a) {
          const double size = std::abs(w(dimension * i + a, dimension * j + b));
          largest = std::max(largest, size * inverse[dimension * i + a] * inverse[dimension * j + b]);
          sums[b] += size;
        }
      int nearest = 0;
      while (nearest + 1 < static_cast<int>(thresholds.size()) && !(largest > thresholds[nearest])) ++nearest;
      nearness_[static_cast<std::size_t>(j) * static_cast<std::size_t>(contacts) +
                static_cast<std::size_t>(i)] = static_cast<char>(i == j ? 0 : nearest);
      for (int level = 0; i != j && level < nearest; ++level)
        for (int b = 0; b < dimension; ++b) dropped(level, dimension * j + b) += sums[b];
    }
  int level = 0;
  while ((dropped.row(level).transpose().array() > allowed * w.diagonal().array()).any()) ++level;

  // By symmetry column j is row j.
  start_.assign(1, 0);
  column_.clear();
  value_.clear();
  for (int j = 0; j < contacts; ++j) {
    const char* near = nearness_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(contacts);
    for (int i = 0; i < contacts; ++i) {
      if (near[i] > level) continue;
      column_.push_back(4 * i);
      for (int b = 0; b < dimension; ++b)
        for (int a = 0; a < 4; ++a)
          value_.push_back(
              a < dimension ? static_cast<float>(w(dimension * i + a, dimension * j + b) / scale_) : 0.0F);
    }
    start_.push_back(static_cast<int>(column_.size()));
  }
}

double NearRows::density() const {
  const double n = contacts();
  return n > 0 ? static_cast<double>(column_.size()) / (n * n) : 1;
}

void NearRows::add_row(int i, const double* r, double* u) const {
  const std::size_t first = static_cast<std::size_t>(start_[i]);
  sum_row(dimension_, value_.data() + 4 * static_cast<std::size_t>(dimension_) * first,
          column_.data() + first, start_[i + 1] - start_[i], scale_, r, u);
}

}  // namespace tappet::lcp
