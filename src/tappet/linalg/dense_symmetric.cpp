#include "tappet/linalg/dense_symmetric.hpp"

#include "tappet/linalg/wide.hpp"

namespace tappet {

namespace {

constexpr int columns = 4;
using Four = double __attribute__((vector_size(8 * lanes)));

}  // namespace

TAPPET_WIDE void add_symmetric_product(const double* a, std::ptrdiff_t n, const double* x, double* y) {
  std::ptrdiff_t j = 0;
  for (; j + columns <= n; j += columns) {
    const double* column[columns];
    for (int c = 0; c < columns; ++c) column[c] = a + (j + c) * n;
    // The triangle on the diagonal, then four rows at a time, for both halves.
    double sum[columns] = {};
    for (int c = 0; c < columns; ++c) {
      sum[c] += column[c][j + c] * x[j + c];
      for (int r = c + 1; r < columns; ++r) {
        sum[r] += column[c][j + r] * x[j + c];
        sum[c] += column[c][j + r] * x[j + r];
      }
    }
    Four sums[columns] = {};
    std::ptrdiff_t i = j + columns;
    for (; i + lanes <= n; i += lanes) {
      Four xi, yi, entry;
      __builtin_memcpy(&xi, x + i, sizeof xi);
      __builtin_memcpy(&yi, y + i, sizeof yi);
      for (int c = 0; c < columns; ++c) {
        __builtin_memcpy(&entry, column[c] + i, sizeof entry);
        yi += entry * x[j + c];
        sums[c] += entry * xi;
      }
      __builtin_memcpy(y + i, &yi, sizeof yi);
    }
    for (; i < n; ++i)
      for (int c = 0; c < columns; ++c) {
        y[i] += column[c][i] * x[j + c];
        sum[c] += column[c][i] * x[i];
      }
    for (int c = 0; c < columns; ++c)
      y[j + c] += sum[c] + ((sums[c][0] + sums[c][1]) + (sums[c][2] + sums[c][3]));
  }
  for (; j < n; ++j) {
    y[j] += a[j * n + j] * x[j];
    for (std::ptrdiff_t i = j + 1; i < n; ++i) {
      y[i] += a[j * n + i] * x[j];
      y[j] += a[j * n + i] * x[i];
    }
  }
}

}  // namespace tappet
