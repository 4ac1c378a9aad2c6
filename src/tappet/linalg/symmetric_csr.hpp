// Sparse symmetric matrices, stored by their lower triangle, row by row.
#pragma once

#include <vector>

namespace tappet {

struct SymmetricCsr {
  std::vector<int> row_ptr = {0};  ///< rows + 1
  std::vector<int> col;            ///< ascending in a row, the diagonal last
  std::vector<double> value;

  int rows() const { return static_cast<int>(row_ptr.size()) - 1; }
  /// Place of entry (i, j) in `value`, either order; −1: not in the pattern.
  int find(int i, int j) const;
  void set_zero();
};

/// The pattern of a matrix that is put together of small dense ones: each item is the list of rows that one
/// of them couples. Every row has its diagonal.
SymmetricCsr assembled_pattern(int rows, const std::vector<std::vector<int>>& items);

/// y += factor · A x.
void multiply_add(const SymmetricCsr& a, double factor, const double* x, double* y);

}  // namespace tappet
