// A block-sparse matrix: rows and columns are grouped, and only the non-zero blocks of a block row are kept.
//
// Built by appending block rows; clearing keeps the memory, so a matrix of the same pattern is rebuilt every
// time step without an allocation:
//
//   A.clear();
//   A.add_columns(6);            // one group of columns a body
//   A.add_row(3);                // one group of rows a contact
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
  std::vector<double> value;        ///< the blocks one after the other, each column-major

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
  Eigen::Map<Eigen::MatrixXd> add_block(int column);

  Eigen::Map<const Eigen::MatrixXd> block(int i, int k) const {
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

/// y += A x and y += Aᵀ x of one block, column-major. Plain loops of fixed length for the sizes that carry the weight of large
/// problems (contacts and normals of bodies in space and in the plane): on a pile of 1,000 spheres five times as fast as
/// products of Eigen's maps, which are not inlined here.
template <int R, int C>
inline void add_product(const double* a, const double* x, double* y) {
  double sum[R] = {};
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < R; ++r) sum[r] += a[R * c + r] * x[c];
  for (int r = 0; r < R; ++r) y[r] += sum[r];
}
template <int R, int C>
inline void add_transposed_product(const double* a, const double* x, double* y) {
  double in[R];
  for (int r = 0; r < R; ++r) in[r] = x[r];
  for (int c = 0; c < C; ++c) {
    double sum = 0;
    for (int r = 0; r < R; ++r) sum += a[R * c + r] * in[r];
    y[c] += sum;
  }
}
[[gnu::always_inline]] inline void add_product(const double* a, int rows, int cols, const double* x, double* y) {
  if (rows == 3 && cols == 6) return add_product<3, 6>(a, x, y);
  if (rows == 1 && cols == 6) return add_product<1, 6>(a, x, y);
  if (rows == 3 && cols == 3) return add_product<3, 3>(a, x, y);
  if (rows == 2 && cols == 3) return add_product<2, 3>(a, x, y);
  if (rows == 1 && cols == 3) return add_product<1, 3>(a, x, y);
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) y[r] += a[rows * c + r] * x[c];
}
[[gnu::always_inline]] inline void add_transposed_product(const double* a, int rows, int cols, const double* x, double* y) {
  if (rows == 3 && cols == 6) return add_transposed_product<3, 6>(a, x, y);
  if (rows == 1 && cols == 6) return add_transposed_product<1, 6>(a, x, y);
  if (rows == 3 && cols == 3) return add_transposed_product<3, 3>(a, x, y);
  if (rows == 2 && cols == 3) return add_transposed_product<2, 3>(a, x, y);
  if (rows == 1 && cols == 3) return add_transposed_product<1, 3>(a, x, y);
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) y[c] += a[rows * c + r] * x[r];
}

/// Calls f with the block as a map of fixed size for the sizes that carry the weight of large problems (3×3,
/// 3×6 and their planar and scalar kin) and of dynamic size for all others, so that the inner loops are
/// unrolled.
template <class F>
void with_block(const double* data, int rows, int cols, F&& f) {
  using Eigen::Map;
  using Eigen::Matrix;
  if (rows == 3 && cols == 6) {
    f(Map<const Matrix<double, 3, 6>>(data));
  } else if (rows == 3 && cols == 3) {
    f(Map<const Matrix<double, 3, 3>>(data));
  } else if (rows == 2 && cols == 3) {
    f(Map<const Matrix<double, 2, 3>>(data));
  } else if (rows == 2 && cols == 2) {
    f(Map<const Matrix<double, 2, 2>>(data));
  } else if (rows == 1 && cols == 6) {
    f(Map<const Matrix<double, 1, 6>>(data));
  } else if (rows == 1 && cols == 3) {
    f(Map<const Matrix<double, 1, 3>>(data));
  } else if (rows == 1 && cols == 1) {
    f(Map<const Matrix<double, 1, 1>>(data));
  } else {
    f(Map<const Eigen::MatrixXd>(data, rows, cols));
  }
}

}  // namespace tappet
