#include "tappet/linalg/symmetric_csr.hpp"

#include <algorithm>

namespace tappet {

int SymmetricCsr::find(int i, int j) const {
  if (i < j) std::swap(i, j);
  const auto begin = col.begin() + row_ptr[i], end = col.begin() + row_ptr[i + 1];
  const auto at = std::lower_bound(begin, end, j);
  return at != end && *at == j ? static_cast<int>(at - col.begin()) : -1;
}

void SymmetricCsr::set_zero() {
  std::fill(value.begin(), value.end(), 0.0);
}

SymmetricCsr assembled_pattern(int rows, const std::vector<std::vector<int>>& items) {
  // Which items touch each row; then row by row.
  std::vector<std::vector<int>> of_row(rows);
  for (int n = 0; n < static_cast<int>(items.size()); ++n)
    for (int i : items[n]) of_row[i].push_back(n);
  SymmetricCsr out;
  std::vector<int> last(rows, -1), list;
  for (int i = 0; i < rows; ++i) {
    list.assign(1, i);
    last[i] = i;
    for (int n : of_row[i])
      for (int j : items[n])
        if (j < i && last[j] != i) last[j] = i, list.push_back(j);
    std::sort(list.begin(), list.end());
    out.col.insert(out.col.end(), list.begin(), list.end());
    out.row_ptr.push_back(static_cast<int>(out.col.size()));
  }
  out.value.assign(out.col.size(), 0.0);
  return out;
}

void multiply_add(const SymmetricCsr& a, double factor, const double* x, double* y) {
  const int n = a.rows();
  const int* col = a.col.data();
  const double* value = a.value.data();
  for (int i = 0; i < n; ++i) {
    const int end = a.row_ptr[i + 1] - 1;  // of the diagonal
    const double xi = factor * x[i];
    double sum = 0;
    for (int k = a.row_ptr[i]; k < end; ++k) {
      sum += value[k] * x[col[k]];
      y[col[k]] += value[k] * xi;
    }
    y[i] += factor * sum + value[end] * xi;
  }
}

}  // namespace tappet
