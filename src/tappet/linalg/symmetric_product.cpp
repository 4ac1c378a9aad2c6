#include "tappet/linalg/symmetric_product.hpp"

#include <algorithm>

#include "tappet/linalg/wide.hpp"

namespace tappet {

namespace {

constexpr int most_rows = 2 * lanes;
using Four = double __attribute__((vector_size(8 * lanes)));

/// A block row of the matrix. Multiplied: y_i += factor Σ_j B_ij x_j with all of its columns, and y_j +=
/// factor B_ijᵀ x_i for those left of the diagonal, four at a time. As a form: returns z_iᵀ (2 Σ_j B_ij z_j +
/// B_ii z_i), with j left of the diagonal. What is read beyond the last row belongs to the next column; it
/// meets zeros, or is not stored.
template <int rows, bool multiplies, bool forms>
TAPPET_INLINE double block_row(const double* value, const int* column, int left, int first, double factor,
                               const double* x, double* y, const double* z) {
  constexpr int V = (rows + lanes - 1) / lanes;
  Four direct[V] = {}, own[V] = {}, formed[V] = {}, four;
  if (multiplies)
    for (int i = 0; i < rows; ++i) own[i / lanes][i % lanes] = factor * x[first + i];
  for (int k = 0; k < left; k += lanes, column += lanes) {
    Four across[lanes] = {};
    for (int c = 0; c < lanes; ++c, value += rows)
      for (int v = 0; v < V; ++v) {
        __builtin_memcpy(&four, value + lanes * v, sizeof four);
        if (multiplies) direct[v] += four * x[column[c]], across[c] += four * own[v];
        if (forms) formed[v] += four * z[column[c]];
      }
    if (!multiplies) continue;
    // Each column's four lanes are added together: two and two.
    const Four s01 = __builtin_shufflevector(across[0], across[1], 0, 4, 2, 6) +
                     __builtin_shufflevector(across[0], across[1], 1, 5, 3, 7),
               s23 = __builtin_shufflevector(across[2], across[3], 0, 4, 2, 6) +
                     __builtin_shufflevector(across[2], across[3], 1, 5, 3, 7);
    four = __builtin_shufflevector(s01, s23, 0, 1, 4, 5) + __builtin_shufflevector(s01, s23, 2, 3, 6, 7);
    for (int c = 0; c < lanes; ++c) y[column[c]] += four[c];
  }
  for (int v = 0; v < V; ++v) formed[v] += formed[v];
  for (int c = 0; c < rows; ++c, value += rows)
    for (int v = 0; v < V; ++v) {
      __builtin_memcpy(&four, value + lanes * v, sizeof four);
      if (multiplies) direct[v] += four * x[first + c];
      if (forms) formed[v] += four * z[first + c];
    }
  if (multiplies)
    for (int i = 0; i < rows; ++i) y[first + i] += factor * direct[i / lanes][i % lanes];
  double sum = 0;
  if (forms)
    for (int i = 0; i < rows; ++i) sum += z[first + i] * formed[i / lanes][i % lanes];
  return sum;
}

}  // namespace

SymmetricProduct::SymmetricProduct(const SymmetricCsr& a) {
  const auto left_of = [&](int i) { return a.row_ptr[i + 1] - a.row_ptr[i] - 1; };
  // Has row j the columns of row i, and those from i to j?
  const auto continues = [&](int i, int j) {
    if (left_of(j) != left_of(i) + j - i) return false;
    const auto *from = a.col.data() + a.row_ptr[i], *other = a.col.data() + a.row_ptr[j];
    if (!std::equal(from, from + left_of(i), other)) return false;
    for (int k = i; k < j; ++k)
      if (other[left_of(i) + k - i] != k) return false;
    return true;
  };
  for (int i = 0, count; i < a.rows(); i += count) {
    for (count = 1; count < most_rows && i + count < a.rows() && continues(i, i + count);) ++count;
    const int left = left_of(i), filled = (left + lanes - 1) / lanes * lanes;
    groups_.push_back({i, count, filled, columns_.size(), values_.size()});
    for (int k = 0; k < filled; ++k) {
      columns_.push_back(k < left ? a.col[a.row_ptr[i] + k] : i);
      for (int r = 0; r < count; ++r) values_.push_back(k < left ? a.value[a.row_ptr[i + r] + k] : 0);
    }
    for (int c = 0; c < count; ++c)
      for (int r = 0; r < count; ++r)
        values_.push_back(a.value[a.row_ptr[i + std::max(r, c)] + left + std::min(r, c)]);
  }
  values_.insert(values_.end(), most_rows, 0.0);
}

template <bool multiplies, bool forms>
TAPPET_INLINE double SymmetricProduct::visit(double factor, const double* x, double* y,
                                             const double* z) const {
  double sum = 0;
  for (const Group& g : groups_) {
    const double* value = values_.data() + g.value;
    const int* column = columns_.data() + g.column;
    const auto with = [&]<int rows>() __attribute__((always_inline)) {
      sum += block_row<rows, multiplies, forms>(value, column, g.left, g.first, factor, x, y, z);
    };
    switch (g.rows) {
      case 1:
        with.template operator()<1>();
        break;
      case 2:
        with.template operator()<2>();
        break;
      case 3:
        with.template operator()<3>();
        break;
      case 4:
        with.template operator()<4>();
        break;
      case 5:
        with.template operator()<5>();
        break;
      case 6:
        with.template operator()<6>();
        break;
      case 7:
        with.template operator()<7>();
        break;
      case 8:
        with.template operator()<8>();
        break;
    }
  }
  return sum;
}

TAPPET_WIDE void SymmetricProduct::multiply_add(double factor, const double* x, double* y) const {
  visit<true, false>(factor, x, y, nullptr);
}

TAPPET_WIDE double SymmetricProduct::form(const double* x) const {
  return visit<false, true>(0, nullptr, nullptr, x);
}

TAPPET_WIDE double SymmetricProduct::multiply_add_and_form(double factor, const double* x, double* y,
                                                           const double* z) const {
  return visit<true, true>(factor, x, y, z);
}

}  // namespace tappet
