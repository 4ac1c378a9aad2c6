// One small symmetric block, row-major: A = L P Lᵀ in place and its solution, with rows that depend on others dropped.
//
//   L   unit lower triangular, below the diagonal;  P⁻¹ is kept apart, 0 for a row without a pivot of its own
//
// Sizes are numbers, or types that stand for a number (std::integral_constant): then the loops unroll.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "tappet/linalg/wide.hpp"

namespace tappet {

/// Calls f with the size as a compile-time constant where it is a usual one, so that the small loops unroll (a
/// planar slider-crank's factorisation and solution take half the time of loops with a running bound).
template <class F>
[[gnu::always_inline]] inline void with_size(int m, F&& f) {
  switch (m) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return f(m);
  }
}

/// What a pivot says about its row.
struct Pivots {
  double threshold;     ///< below this part of its reference it is none
  double smallest = 1;  ///< of those kept, against their references
  int dropped = 0;
};

/// N numbers that lie one behind the other in memory, kept in registers: what a loop writes number by number cannot be read
/// four at a time before it has reached the memory.
template <int N>
class RegisterRow {
 public:
  TAPPET_INLINE explicit RegisterRow(const double* x) {
    for (int i = 0; i < quads; ++i) std::memcpy(&four_[i], x + 4 * i, sizeof(Four));
    for (int i = 0; i < rest; ++i) one_[i] = x[4 * quads + i];
  }
  TAPPET_INLINE void store(double* x) const {
    for (int i = 0; i < quads; ++i) std::memcpy(x + 4 * i, &four_[i], sizeof(Four));
    for (int i = 0; i < rest; ++i) x[4 * quads + i] = one_[i];
  }
  TAPPET_INLINE RegisterRow& operator*=(double factor) {
    for (int i = 0; i < quads; ++i) four_[i] *= factor;
    for (int i = 0; i < rest; ++i) one_[i] *= factor;
    return *this;
  }
  /// this += factor · x
  TAPPET_INLINE void add(double factor, const RegisterRow& x) {
    for (int i = 0; i < quads; ++i) four_[i] += factor * x.four_[i];
    for (int i = 0; i < rest; ++i) one_[i] += factor * x.one_[i];
  }
  TAPPET_INLINE void subtract(double factor, const RegisterRow& x) {
    for (int i = 0; i < quads; ++i) four_[i] -= factor * x.four_[i];
    for (int i = 0; i < rest; ++i) one_[i] -= factor * x.one_[i];
  }

 private:
  using Four = double __attribute__((vector_size(32)));
  static constexpr int quads = N / 4, rest = N % 4;
  Four four_[quads > 0 ? quads : 1];
  double one_[rest > 0 ? rest : 1];
};

/// Calls f(width, first) for all n columns: at once where n is a compile-time constant, else four by four and one by one.
template <class N, class F>
TAPPET_INLINE void by_columns(N n, F&& f) {
  if constexpr (std::is_same_v<N, int>) {
    int j = 0;
    for (; j + 4 <= n; j += 4) f(std::integral_constant<int, 4>{}, j);
    for (; j < n; ++j) f(std::integral_constant<int, 1>{}, j);
  } else {
    f(n, 0);
  }
}

/// The same for a lower triangle, of which the rows from `first` on count: columns in fours.
template <class N, class F>
TAPPET_INLINE void by_lower_columns(N n, F&& f) {
  if constexpr (std::is_same_v<N, int>) {
    by_columns(n, f);
  } else {
    constexpr int size = n(), rest = size % 4;
    static_assert(size < 8);
    if constexpr (size >= 4) f(std::integral_constant<int, 4>{}, 0);
    if constexpr (rest > 0) f(std::integral_constant<int, rest>{}, size - rest);
  }
}

/// f(0) … f(n − 1), without a loop where n is a compile-time constant.
template <class N, class F>
TAPPET_INLINE void unrolled(N n, F&& f) {
  if constexpr (std::is_same_v<N, int>) {
    for (int i = 0; i < n; ++i) f(i);
  } else {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
      (f(i), ...);
    }
    (std::make_integer_sequence<int, n()>{});
  }
}

/// Factorises the lower triangle of A, m rows. `reference`: what the pivots are compared with.
template <class M>
TAPPET_INLINE void factor_triangle(M m, double* __restrict a, const double* __restrict reference,
                                   double* __restrict inverse, Pivots& pivots) {
  unrolled(
      m, [&](int c) __attribute__((always_inline)) {
        const double pivot = a[c * m + c];
        double p = 0;
        if (pivot > pivots.threshold * reference[c]) {
          if (pivot < pivots.smallest * reference[c]) pivots.smallest = pivot / reference[c];
          p = 1 / pivot;
        } else {
          ++pivots.dropped;
        }
        inverse[c] = p;
        // The products do not wait for the division.
        for (int r = c + 1; r < m; ++r)
          for (int k = c + 1; k <= r; ++k) a[r * m + k] -= (a[r * m + c] * a[k * m + c]) * p;
        for (int r = c + 1; r < m; ++r) a[r * m + c] *= p;
      });
}

/// sign·A, in registers where its size is known to the compiler.
template <class M>
TAPPET_INLINE void factor_block(M m, double sign, double* __restrict a, const double* __restrict reference,
                                double* __restrict inverse, Pivots& pivots) {
  const auto each = [&](auto&& f) __attribute__((always_inline)) {
    for (int r = 0; r < m; ++r)
      for (int k = 0; k <= r; ++k) f(r * m + k);
  };
  if constexpr (std::is_same_v<M, int>) {
    each([&](int i) { a[i] *= sign; });
    factor_triangle(m, a, reference, inverse, pivots);
  } else {
    double t[m() * m()];
    each([&](int i) __attribute__((always_inline)) { t[i] = sign * a[i]; });
    factor_triangle(m, t, reference, inverse, pivots);
    each([&](int i) __attribute__((always_inline)) { a[i] = t[i]; });
  }
}

/// x := L⁻¹ x
template <class M>
[[gnu::always_inline]] inline void solve_lower(M m, const double* __restrict l, double* __restrict x) {
  for (int c = 1; c < m; ++c)
    for (int k = 0; k < c; ++k) x[c] -= l[c * m + k] * x[k];
}

/// x := L⁻ᵀ x
template <class M>
[[gnu::always_inline]] inline void solve_upper(M m, const double* __restrict l, double* __restrict x) {
  for (int c = m - 2; c >= 0; --c)
    for (int r = c + 1; r < m; ++r) x[c] -= l[r * m + c] * x[r];
}

}  // namespace tappet
