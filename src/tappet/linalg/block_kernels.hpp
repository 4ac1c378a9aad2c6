// Products of one small block, row-major, with a vector: y += A x and y += Aᵀ x.
//
// The sizes that carry the weight of large problems (contacts and normals of bodies in space and in the plane) run along the
// rows two numbers at a time, with their sums in registers: on a pile of 1,000 spheres three times as fast as loops that a
// compiler must assume to overwrite their own input.
#pragma once

#include <cstring>

namespace tappet {

using Two = double __attribute__((vector_size(16)));

[[gnu::always_inline]] inline Two two(const double* x) {
  Two out;
  std::memcpy(&out, x, sizeof out);
  return out;
}

/// What the rows of A x have come to, in two lanes each.
template <int R>
struct RowSums {
  Two lane[R] = {};
  double operator[](int r) const { return lane[r][0] + lane[r][1]; }
};

/// sum += A x of an R × C block.
template <int R, int C>
[[gnu::always_inline]] inline void add_product(const double* a, const double* x, RowSums<R>& sum) {
  for (int c = 0; c + 1 < C; c += 2) {
    const Two xc = two(x + c);
    for (int r = 0; r < R; ++r) sum.lane[r] += two(a + C * r + c) * xc;
  }
  if constexpr (C % 2 == 1)
    for (int r = 0; r < R; ++r) sum.lane[r][0] += a[C * r + C - 1] * x[C - 1];
}

/// y += Aᵀ x of an R × C block.
template <int R, int C>
[[gnu::always_inline]] inline void add_transposed_product(const double* a, const double* x, double* y) {
  for (int c = 0; c + 1 < C; c += 2) {
    Two sum = two(y + c);
    for (int r = 0; r < R; ++r) sum += two(a + C * r + c) * x[r];
    std::memcpy(y + c, &sum, sizeof sum);
  }
  if constexpr (C % 2 == 1)
    for (int r = 0; r < R; ++r) y[C - 1] += a[C * r + C - 1] * x[r];
}

/// The products of the rows of A with each other, in two lanes each: those of row r with rows 0 to r begin at r(r + 1)/2.
template <int R, int C>
[[gnu::always_inline]] inline void add_square(const double* a, RowSums<R*(R + 1) / 2>& sum) {
  for (int c = 0; c + 1 < C; c += 2)
    for (int r = 0, at = 0; r < R; ++r)
      for (int other = 0; other <= r; ++other, ++at)
        sum.lane[at] += two(a + C * r + c) * two(a + C * other + c);
  if constexpr (C % 2 == 1)
    for (int r = 0, at = 0; r < R; ++r)
      for (int other = 0; other <= r; ++other, ++at)
        sum.lane[at][0] += a[C * r + C - 1] * a[C * other + C - 1];
}

/// The same for sizes known at run time.
template <int R, int C>
[[gnu::always_inline]] inline void add_product(const double* a, const double* x, double* y) {
  RowSums<R> sum;
  add_product<R, C>(a, x, sum);
  for (int r = 0; r < R; ++r) y[r] += sum[r];
}
[[gnu::always_inline]] inline void add_product(const double* a, int rows, int cols, const double* x,
                                               double* y) {
  if (rows == 3 && cols == 6) return add_product<3, 6>(a, x, y);
  if (rows == 1 && cols == 6) return add_product<1, 6>(a, x, y);
  if (rows == 3 && cols == 3) return add_product<3, 3>(a, x, y);
  if (rows == 2 && cols == 3) return add_product<2, 3>(a, x, y);
  if (rows == 1 && cols == 3) return add_product<1, 3>(a, x, y);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) y[r] += a[cols * r + c] * x[c];
}
[[gnu::always_inline]] inline void add_transposed_product(const double* a, int rows, int cols,
                                                          const double* x, double* y) {
  if (rows == 3 && cols == 6) return add_transposed_product<3, 6>(a, x, y);
  if (rows == 1 && cols == 6) return add_transposed_product<1, 6>(a, x, y);
  if (rows == 3 && cols == 3) return add_transposed_product<3, 3>(a, x, y);
  if (rows == 2 && cols == 3) return add_transposed_product<2, 3>(a, x, y);
  if (rows == 1 && cols == 3) return add_transposed_product<1, 3>(a, x, y);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) y[c] += a[cols * r + c] * x[r];
}

}  // namespace tappet
