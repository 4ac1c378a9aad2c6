#include "tappet/linalg/dense_product.hpp"

#include <algorithm>

#include "tappet/linalg/wide.hpp"

namespace tappet {

namespace {

constexpr int tile_rows = 8, tile_columns = 6;
/// Rows, inner numbers and columns of what is packed at a time: A's part stays in the second cache.
constexpr int block_rows = 128, block_inner = 256, block_columns = 1536;
using Four = double __attribute__((vector_size(8 * lanes)));

/// Strips of `width` rows, or columns, one after the other, filled up with zeros.
void pack(const double* from, std::ptrdiff_t across, std::ptrdiff_t along, int count, int k, int width,
          double* to) {
  for (int begin = 0; begin < count; begin += width) {
    const int own = std::min(width, count - begin);
    const double* strip = from + begin * across;
    if (own < width) std::fill(to, to + static_cast<std::ptrdiff_t>(width) * k, 0.0);
    if (across == 1) {
      for (int l = 0; l < k; ++l)
        for (int i = 0; i < own; ++i) to[l * width + i] = strip[l * along + i];
    } else {
      for (int i = 0; i < own; ++i)
        for (int l = 0; l < k; ++l) to[l * width + i] = strip[i * across + l * along];
    }
    to += static_cast<std::ptrdiff_t>(width) * k;
  }
}

/// sum = A B of one strip each.
TAPPET_INLINE void tile(const double* a, const double* b, int k, Four (&sum)[tile_columns][2]) {
  Four s[tile_columns][2] = {};
  for (int l = 0; l < k; ++l, a += tile_rows, b += tile_columns) {
    Four upper, lower;
    __builtin_memcpy(&upper, a, sizeof upper);
    __builtin_memcpy(&lower, a + lanes, sizeof lower);
#pragma GCC unroll 6
    for (int j = 0; j < tile_columns; ++j) {
      s[j][0] += upper * b[j];
      s[j][1] += lower * b[j];
    }
  }
  for (int j = 0; j < tile_columns; ++j) sum[j][0] = s[j][0], sum[j][1] = s[j][1];
}

struct Tile {
  int row, column;  // of the block's first number in the result
  int rows, columns;
};

/// C += factor · A B of packed blocks; `c` is the first number of the block.
TAPPET_WIDE void add_block(double factor, const double* a, const double* b, int k, const Tile& at, double* c,
                           std::ptrdiff_t stride, bool lower) {
  for (int j = 0; j < at.columns; j += tile_columns) {
    const int columns = std::min(tile_columns, at.columns - j);
    for (int i = 0; i < at.rows; i += tile_rows) {
      if (lower && at.row + i + tile_rows <= at.column + j) continue;
      const int rows = std::min(tile_rows, at.rows - i);
      Four sum[tile_columns][2];
      tile(a + static_cast<std::ptrdiff_t>(i) * k, b + static_cast<std::ptrdiff_t>(j) * k, k, sum);
      double* to = c + i + j * stride;
      if (rows == tile_rows) {
        for (int jj = 0; jj < columns; ++jj, to += stride)
          for (int half = 0; half < 2; ++half) {
            Four old;
            __builtin_memcpy(&old, to + lanes * half, sizeof old);
            old += factor * sum[jj][half];
            __builtin_memcpy(to + lanes * half, &old, sizeof old);
          }
      } else {
        for (int jj = 0; jj < columns; ++jj, to += stride)
          for (int ii = 0; ii < rows; ++ii) to[ii] += factor * sum[jj][ii / lanes][ii % lanes];
      }
    }
  }
}

std::size_t strips(int count, int width, int k) {
  return static_cast<std::size_t>((count + width - 1) / width * width) * static_cast<std::size_t>(k);
}

}  // namespace

void DenseProduct::add(double factor, const DenseView& a, const DenseView& b, int m, int n, int k, double* c,
                       std::ptrdiff_t stride, Triangle part) {
  const bool lower = part == Triangle::lower;
  for (int j = 0; j < n; j += block_columns) {
    const int columns = std::min(block_columns, n - j);
    for (int l = 0; l < k; l += block_inner) {
      const int inner = std::min(block_inner, k - l);
      if (const auto size = strips(columns, tile_columns, inner); b_.size() < size) b_.resize(size);
      pack(b.data + l * b.row + j * b.column, b.column, b.row, columns, inner, tile_columns, b_.data());
      // Blocks that lie above the diagonal as a whole are left out.
      const int first = lower ? j / block_rows * block_rows : 0;
      for (int i = first; i < m; i += block_rows) {
        const int rows = std::min(block_rows, m - i);
        if (const auto size = strips(rows, tile_rows, inner); a_.size() < size) a_.resize(size);
        pack(a.data + i * a.row + l * a.column, a.row, a.column, rows, inner, tile_rows, a_.data());
        add_block(factor, a_.data(), b_.data(), inner, {i, j, rows, columns}, c + i + j * stride, stride,
                  lower);
      }
    }
  }
}

}  // namespace tappet
