// The small loops of ConstraintSystem: blocks J, G = J W and Jᵀ of one joint (rows) and one body (width 3 or 6). Private to it.
#pragma once

#include <algorithm>
#include <type_traits>

#include "tappet/base/vectors.hpp"
#include "tappet/linalg/small_blocks.hpp"
#include "tappet/linalg/wide.hpp"

namespace tappet {

// Calls f with the number of rows as a compile-time constant where it is that of a usual joint (and its motion), so that the
// loops below unroll and run along registers.
template <int width, class F>
[[gnu::always_inline]] inline void with_rows(int rows, F&& f) {
  if (rows == width - 1) return f(std::integral_constant<int, width - 1>{});
  if (width == 3 && rows == 1) return f(std::integral_constant<int, 1>{});
  f(rows);
}

// S += G Jᵀ: G of the left rows, rows × width; Jᵀ of the right ones, width × cols. Of a diagonal block the lower triangle counts.
template <int width, class Rows, class Cols>
TAPPET_INLINE void add_product(double* __restrict s, const double* __restrict G, Rows rows,
                               const double* __restrict JT, Cols cols, bool diagonal) {
  const auto columns = [&](auto many, int j, int first) __attribute__((always_inline)) {
    using Row = RegisterRow<many()>;
    for (int i = first; i < rows; ++i) {
      Row row(s + i * cols + j);
      for (int k = 0; k < width; ++k) row.add(G[i * width + k], Row(JT + k * cols + j));
      row.store(s + i * cols + j);
    }
  };
  if (diagonal)
    by_lower_columns(
        cols, [&](auto many, int j) __attribute__((always_inline)) { columns(many, j, j); });
  else
    by_columns(
        cols, [&](auto many, int j) __attribute__((always_inline)) { columns(many, j, 0); });
}

// G = J W for one body.
template <int width, class Rows>
[[gnu::always_inline]] inline void weigh(const double* __restrict J, Rows rows, double linear,
                                         const Mat3& angular, double* __restrict G) {
  constexpr int shifts = width == 3 ? 2 : 3;
  for (int r = 0; r < rows; ++r, J += width, G += width) {
    for (int i = 0; i < shifts; ++i) G[i] = linear * J[i];
    if constexpr (width == 3)
      G[2] = angular(2, 2) * J[2];
    else
      for (int i = 0; i < 3; ++i)
        G[3 + i] = angular(i, 0) * J[3] + angular(i, 1) * J[4] + angular(i, 2) * J[5];
  }
}

template <int width, class Rows>
[[gnu::always_inline]] inline void transpose(const double* __restrict J, Rows rows, double* __restrict JT) {
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < width; ++k) JT[k * rows + r] = J[r * width + k];
}

// x += Jᵀ λ for the rows of one node.
template <int width, class Rows>
[[gnu::always_inline]] inline void add_transposed(const double* __restrict J, Rows rows,
                                                  const double* __restrict lambda, double* __restrict x) {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < width; ++i) x[i] += J[r * width + i] * lambda[r];
}

template <int width>
[[gnu::always_inline]] inline double row_product(const double* __restrict a, const double* __restrict b) {
  double sum = a[0] * b[0];
  for (int i = 1; i < width; ++i) sum += a[i] * b[i];
  return sum;
}

// y −= J x for the rows of one node.
template <int width, class Rows>
[[gnu::always_inline]] inline void subtract_times(const double* __restrict J, Rows rows,
                                                  const double* __restrict x, double* __restrict y) {
  for (int r = 0; r < rows; ++r) y[r] -= row_product<width>(J + r * width, x);
}

// A joint alone: λ in place of its right-hand side without f, and x = W (f + Jᵀ λ) of the body that it holds. `factor`: L, then P⁻¹,
// of S = L P Lᵀ. `f` may be null.
template <int width, class Rows>
[[gnu::always_inline]] inline void solve_alone(Rows rows, const double* G, const double* factor,
                                               double linear, const Mat3& angular, const double* f, double* x,
                                               double* lambda) {
  if (f) {
    subtract_times<width>(G, rows, f, lambda);
    weigh<width>(f, std::integral_constant<int, 1>{}, linear, angular, x);
  } else {
    std::fill(x, x + width, 0.0);
  }
  const double* const inverse = factor + rows * rows;
  solve_lower(rows, factor, lambda);
  for (int c = 0; c < rows; ++c) lambda[c] *= inverse[c];
  solve_upper(rows, factor, lambda);
  add_transposed<width>(G, rows, lambda, x);
}

}  // namespace tappet
