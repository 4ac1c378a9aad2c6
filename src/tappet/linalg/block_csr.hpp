// A block-sparse matrix: rows and columns are grouped, and only the non-zero blocks of a block row are kept.
//
// Built by appending block rows; clearing keeps the memory, so a matrix of the same pattern is rebuilt every
// time step without an allocation:
//
//   A.clear();
//   A.add_columns(6);            // one group of columns a body
//   A.add_row(3);                // one group of rows per contact
//   A.add_block(0) = ...;        // its non-zero blocks, in ascending order of columns
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace tappet {

struct BlockCsr {
  std::vector<int> row_start{0};    ///< first scalar row of each block row, then the number of rows
  std::vector<int> col_start{0};    ///< first scalar column of each block column, then the number of columns
  std::vector<int> row_ptr{0};      ///< blocks of block row i are [row_ptr[i], row_ptr[i + 1])
  std::vector<int> col;             ///< block column of each block
  std::vector<int> value_start{0};  ///< first value of each block, then the number of values
  std::vector<double> value;        ///< the blocks one after the other, each row-major

  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int rows() const { return row_start.back(); }
  int cols() const { return col_start.back(); }
  int block_rows() const { return static_cast<int>(row_start.size()) - 1; }
  int block_cols() const { return static_cast<int>(col_start.size()) - 1; }
  int row_size(int i) const { return row_start[i + 1] - row_start[i]; }
  int col_size(int j) const { return col_start[j + 1] - col_start[j]; }

  /// Empties the matrix and keeps its memory.
  void clear();
  void add_columns(int size);
  void add_row(int size);
  /// Appends a zero block to the last block row; `column` must come after those already there.
  /// The map is valid until the next block is added.
  Eigen::Map<Block> add_block(int column);

  Eigen::Map<const Block> block(int i, int k) const {
    assert(k >= row_ptr[i] && k < row_ptr[i + 1]);
    return {value.data() + value_start[k], row_size(i), col_size(col[k])};
  }

  Eigen::MatrixXd dense() const;
};

/// y += A x.
void multiply_add(const BlockCsr& a, const double* x, double* y);
/// y += Aᵀ x.
void multiply_transposed_add(const BlockCsr& a, const double* x, double* y);

/// The block-sparse product A Aᵀ: block (i, j) is there when block rows i and j share a block column.
BlockCsr gram(const BlockCsr& a);

/// The block-sparse matrix with groups of rows and columns of these sizes and every block present.
BlockCsr block_csr(const Eigen::MatrixXd& dense, std::span<const int> row_sizes,
                   std::span<const int> col_sizes);

/// Calls f with the block as a map of fixed size for the sizes that carry the weight of large problems (3×3,
/// 3×6 and their planar and scalar kin) and of dynamic size for all others, so that the inner loops are
/// unrolled.
template <class F>
void with_block(const double* data, int rows, int cols, F&& f) {
  using Eigen::Map;
  using Eigen::Matrix;
  using Eigen::RowMajor;
  if (rows == 3 && cols == 6) {
    f(Map<const Matrix<double, 3, 6, RowMajor>>(data));
  } else if (rows == 3 && cols == 3) {
    f(Map<const Matrix<double, 3, 3, RowMajor>>(data));
  } else if (rows == 2 && cols == 3) {
    f(Map<const Matrix<double, 2, 3, RowMajor>>(data));
  } else if (rows == 2 && cols == 2) {
    f(Map<const Matrix<double, 2, 2, RowMajor>>(data));
  } else if (rows == 1 && cols == 6) {
    f(Map<const Matrix<double, 1, 6, RowMajor>>(data));
  } else if (rows == 1 && cols == 3) {
    f(Map<const Matrix<double, 1, 3, RowMajor>>(data));
  } else if (rows == 1 && cols == 1) {
    f(Map<const Matrix<double, 1, 1>>(data));
  } else {
    f(Map<const BlockCsr::Block>(data, rows, cols));
  }
}

}  // namespace tappet
