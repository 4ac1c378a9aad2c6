#include "tappet/linalg/panel_kernels.hpp"

#include <algorithm>

#include "tappet/linalg/wide.hpp"

namespace tappet {

namespace {

using Four = double __attribute__((vector_size(8 * lanes)));

/// Columns of the group that begins with column j.
int group_width(int w, int j) {
  return j == 0 && w % lanes != 0 ? w % lanes : lanes;
}

/// D⁻¹ of a lower triangle; both with `lanes` numbers per column.
void invert_triangle(const double* D, int n, double* out) {
  std::fill(out, out + lanes * n, 0.0);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = i == j;
      for (int k = j; k < i; ++k) sum -= D[lanes * k + i] * out[lanes * j + k];
      out[lanes * j + i] = sum / D[lanes * i + i];
    }
}

/// y −= L x for tiles of C columns; returns where they end.
template <int C>
TAPPET_INLINE const double* subtract(const double* l, int tiles, const double* x, double* y) {
  for (int t = 0; t < tiles; ++t, l += lanes * C, y += lanes) {
    Four sum = {}, column, four;
    for (int c = 0; c < C; ++c) {
      __builtin_memcpy(&column, l + lanes * c, sizeof column);
      sum += column * x[c];
    }
    __builtin_memcpy(&four, y, sizeof four);
    four -= sum;
    __builtin_memcpy(y, &four, sizeof four);
  }
  return l;
}

/// sum_c += L_cᵀ y lane by lane, the last tile first; `l` is where they end. Returns where they begin.
template <int C>
TAPPET_INLINE const double* collect(const double* l, int tiles, const double* y, Four* sum) {
  for (int t = tiles - 1; t >= 0; --t) {
    Four column, four;
    l -= lanes * C;
    __builtin_memcpy(&four, y + lanes * t, sizeof four);
    for (int c = 0; c < C; ++c) {
      __builtin_memcpy(&column, l + lanes * c, sizeof column);
      sum[c] += column * four;
    }
  }
  return l;
}

template <int C>
TAPPET_INLINE const double* forward_group(const double* l, int inner, int outer, double* head, double* rest) {
  double x[C];
  for (int c = 0; c < C; ++c) x[c] = head[c];
  l = subtract<C>(l + lanes * C, inner, x, head + C);
  return subtract<C>(l, outer, x, rest);
}

template <int C>
TAPPET_INLINE const double* backward_group(const double* l, int inner, int outer, double* head,
                                           const double* rest) {
  Four sum[lanes] = {}, x = {}, column;
  l = collect<C>(l, outer, rest, sum);
  l = collect<C>(l, inner, head + C, sum) - lanes * C;
  for (int c = 0; c < C; ++c) {
    __builtin_memcpy(&column, l + lanes * c, sizeof column);
    x += column * head[c];
  }
  // Each column's four lanes are added together: two and two.
  const Four s01 = __builtin_shufflevector(sum[0], sum[1], 0, 4, 2, 6) +
                   __builtin_shufflevector(sum[0], sum[1], 1, 5, 3, 7),
             s23 = __builtin_shufflevector(sum[2], sum[3], 0, 4, 2, 6) +
                   __builtin_shufflevector(sum[2], sum[3], 1, 5, 3, 7);
  x -= __builtin_shufflevector(s01, s23, 0, 1, 4, 5) + __builtin_shufflevector(s01, s23, 2, 3, 6, 7);
  __builtin_memcpy(head, &x, C * sizeof(double));
  return l;
}

}  // namespace

std::size_t packed_size(int rows, int w) {
  std::size_t tiles = 0;
  for (int j = 0, n; j < w; j += n) {
    n = group_width(w, j);
    tiles += static_cast<std::size_t>(n) * (1 + (rows - j - n + lanes - 1) / lanes);
  }
  return lanes * tiles;
}

void pack_panel(const double* panel, int rows, int w, double* packed) {
  for (int j = 0, n; j < w; j += n) {
    n = group_width(w, j);
    const auto entry = [&](int i, int c) {
      return panel[static_cast<std::size_t>(rows) * static_cast<std::size_t>(j + c) + j + i];
    };
    double D[lanes * lanes] = {}, inverse[lanes * lanes];
    for (int c = 0; c < n; ++c)
      for (int i = c; i < n; ++i) D[lanes * c + i] = entry(i, c);
    invert_triangle(D, n, inverse);
    for (int c = 0; c < n; ++c)
      for (int i = 0; i < lanes; ++i) {
        double sum = 0;
        for (int k = std::max(i, c); i < n && k < n; ++k)
          sum += inverse[lanes * i + k] * inverse[lanes * c + k];
        *packed++ = sum;
      }
    for (int row = n; row < rows - j; row += lanes)
      for (int c = 0; c < n; ++c)
        for (int i = row; i < row + lanes; ++i) {
          double sum = 0;
          for (int k = c; i < rows - j && k < n; ++k) sum += entry(i, k) * inverse[lanes * c + k];
          *packed++ = sum;
        }
  }
}

void unpack_panel(const double* packed, int rows, int w, double* panel) {
  for (int j = 0, n; j < w; j += n) {
    n = group_width(w, j);
    packed += lanes * n;
    for (int c = 0; c < n; ++c) {
      double* column = panel + static_cast<std::size_t>(rows) * static_cast<std::size_t>(j + c);
      std::fill(column, column + j + n, 0.0);
      column[j + c] = 1;
    }
    for (int row = j + n; row < rows; row += lanes)
      for (int c = 0; c < n; ++c, packed += lanes)
        std::copy(packed, packed + std::min(lanes, rows - row),
                  panel + static_cast<std::size_t>(rows) * static_cast<std::size_t>(j + c) + row);
  }
}

void apply_pivots(const double* packed, int rows, int w, double* x, std::size_t stride, int columns) {
  for (int j = 0, n; j < w; j += n) {
    n = group_width(w, j);
    for (int k = 0; k < columns; ++k) {
      double *own = x + stride * static_cast<std::size_t>(k) + j, y[lanes] = {};
      for (int c = 0; c < n; ++c)
        for (int i = 0; i < n; ++i) y[i] += packed[lanes * c + i] * own[c];
      std::copy(y, y + n, own);
    }
    packed += static_cast<std::size_t>(lanes * n) *
              static_cast<std::size_t>(1 + (rows - j - n + lanes - 1) / lanes);
  }
}

TAPPET_WIDE void forward_panels(const PanelPlace* panels, int count, const double* values, const int* below,
                                double* x, double* work) {
  for (const PanelPlace* p = panels; p != panels + count; ++p) {
    const int w = p->width, outer = (p->below_count + lanes - 1) / lanes;
    for (int t = 0; t < outer; ++t) __builtin_memset(work + lanes * t, 0, lanes * sizeof(double));
    const double* l = values + p->start;
    double* head = x + p->first;
    int inner = w / lanes;
    if (w % lanes == 1) l = forward_group<1>(l, inner, outer, head, work);
    if (w % lanes == 2) l = forward_group<2>(l, inner, outer, head, work);
    if (w % lanes == 3) l = forward_group<3>(l, inner, outer, head, work);
    for (head += w % lanes; inner > 0; head += lanes) l = forward_group<lanes>(l, --inner, outer, head, work);
    // What the panel takes from the rows below is added there at once.
    const int* row = below + p->below;
    for (int i = 0; i < p->below_count; ++i) x[row[i]] += work[i];
  }
}

TAPPET_WIDE void backward_panels(const PanelPlace* panels, int count, const double* values, const int* below,
                                 double* x, double* work) {
  for (const PanelPlace* p = panels + count; p-- != panels;) {
    const int w = p->width, outer = (p->below_count + lanes - 1) / lanes;
    const int* row = below + p->below;
    for (int t = 0; t < outer; ++t) __builtin_memset(work + lanes * t, 0, lanes * sizeof(double));
    for (int i = 0; i < p->below_count; ++i) work[i] = x[row[i]];
    const double* l = values + p->end;
    double* head = x + p->first + w;
    int inner = 0;
    for (; inner < w / lanes; ++inner) head -= lanes, l = backward_group<lanes>(l, inner, outer, head, work);
    head = x + p->first;
    if (w % lanes == 1) backward_group<1>(l, inner, outer, head, work);
    if (w % lanes == 2) backward_group<2>(l, inner, outer, head, work);
    if (w % lanes == 3) backward_group<3>(l, inner, outer, head, work);
  }
}

}  // namespace tappet
