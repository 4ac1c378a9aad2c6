#include "tappet/linalg/symmetric_product.hpp"

#include <algorithm>
#include <utility>

#include "tappet/linalg/wide.hpp"

namespace tappet {

namespace {

constexpr int lanes = 4, most_rows = 2 * lanes;
using Four = double __attribute__((vector_size(8 * lanes)));

/// sum += column · x for V times four rows. What is read beyond the last row belongs to the next column.
template <int V>
TAPPET_INLINE void add_column(const double* value, double x, Four (&sum)[V]) {
  Four four;
  for (int v = 0; v < V; ++v) {
    __builtin_memcpy(&four, value + lanes * v, sizeof four);
    sum[v] += four * x;
  }
}

/// y += factor · rows of the matrix times x.
template <int V>
TAPPET_INLINE void multiply_rows(const double* value, const int* column, int columns, int rows, double factor,
                                 const double* x, double* y) {
  Four even[V] = {}, odd[V] = {};  // two sums, so that one need not wait for the other
  for (; columns >= 2; columns -= 2, column += 2, value += 2 * rows) {
    add_column<V>(value, x[column[0]], even);
    add_column<V>(value + rows, x[column[1]], odd);
  }
  if (columns) add_column<V>(value, x[column[0]], even);
  double sum[lanes * V];
  for (int v = 0; v < V; ++v) {
    even[v] += odd[v];
    __builtin_memcpy(sum + lanes * v, &even[v], sizeof even[v]);
  }
  for (int i = 0; i < rows; ++i) y[i] += factor * sum[i];
}

}  // namespace

SymmetricProduct::SymmetricProduct(const SymmetricCsr& a) {
  const int n = a.rows();
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  for (int i = 0; i < n; ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      rows[i].emplace_back(a.col[k], a.value[k]);
      if (a.col[k] != i) rows[a.col[k]].emplace_back(i, a.value[k]);
    }
  const auto same = [&](int i, int j) {
    return std::equal(rows[i].begin(), rows[i].end(), rows[j].begin(), rows[j].end(),
                      [](const auto& p, const auto& q) { return p.first == q.first; });
  };
  for (int i = 0, count; i < n; i += count) {
    for (count = 1; count < most_rows && i + count < n && same(i, i + count);) ++count;
    groups_.push_back({i, count, columns_.size(), values_.size()});
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      columns_.push_back(rows[i][k].first);
      for (int r = 0; r < count; ++r) values_.push_back(rows[i + r][k].second);
    }
  }
  groups_.push_back({n, 0, columns_.size(), values_.size()});
  values_.insert(values_.end(), most_rows, 0.0);
}

TAPPET_WIDE void SymmetricProduct::multiply_add(double factor, const double* x, double* y) const {
  for (std::size_t k = 0; k + 1 < groups_.size(); ++k) {
    const Group& g = groups_[k];
    const int columns = static_cast<int>(groups_[k + 1].column - g.column);
    if (g.rows <= lanes)
      multiply_rows<1>(values_.data() + g.value, columns_.data() + g.column, columns, g.rows, factor, x,
                       y + g.first);
    else
      multiply_rows<2>(values_.data() + g.value, columns_.data() + g.column, columns, g.rows, factor, x,
                       y + g.first);
  }
}

}  // namespace tappet
