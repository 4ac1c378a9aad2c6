#include "tappet/linalg/block_csr.hpp"

#include <algorithm>

#include "tappet/linalg/block_kernels.hpp"

namespace tappet {

void BlockCsr::clear() {
  row_start.assign(1, 0);
  col_start.assign(1, 0);
  row_ptr.assign(1, 0);
  col.clear();
  value_start.assign(1, 0);
  value.clear();
}

void BlockCsr::add_columns(int size) {
  col_start.push_back(col_start.back() + size);
}

void BlockCsr::add_row(int size) {
  row_start.push_back(row_start.back() + size);
  row_ptr.push_back(row_ptr.back());
}

Eigen::Map<BlockCsr::Block> BlockCsr::add_block(int column) {
  assert(block_rows() > 0 && column >= 0 && column < block_cols());
  const int i = block_rows() - 1;
  assert(row_ptr[i] == row_ptr[i + 1] || col.back() < column);
  const int rows = row_size(i), cols = col_size(column), start = value_start.back();
  col.push_back(column);
  value_start.push_back(start + rows * cols);
  value.resize(start + rows * cols, 0.0);
  ++row_ptr.back();
  return {value.data() + start, rows, cols};
}

Eigen::MatrixXd BlockCsr::dense() const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows(), cols());
  for (int i = 0; i < block_rows(); ++i)
    for (int k = row_ptr[i]; k < row_ptr[i + 1]; ++k)
      out.block(row_start[i], col_start[col[k]], row_size(i), col_size(col[k])) = block(i, k);
  return out;
}

void multiply_add(const BlockCsr& a, const double* x, double* y) {
  for (int i = 0; i < a.block_rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      add_product(a.value.data() + a.value_start[k], a.row_size(i), a.col_size(a.col[k]),
                  x + a.col_start[a.col[k]], y + a.row_start[i]);
}

void multiply_transposed_add(const BlockCsr& a, const double* x, double* y) {
  for (int i = 0; i < a.block_rows(); ++i) {
    // Many contacts are open: nothing to add.
    const double *begin = x + a.row_start[i], *end = x + a.row_start[i + 1];
    if (std::all_of(begin, end, [](double each) { return each == 0; })) continue;
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      add_transposed_product(a.value.data() + a.value_start[k], a.row_size(i), a.col_size(a.col[k]), begin,
                             y + a.col_start[a.col[k]]);
  }
}

BlockCsr gram(const BlockCsr& a) {
  // For each block column, the block rows that touch it.
  std::vector<std::vector<int>> touching(a.block_cols());
  for (int i = 0; i < a.block_rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) touching[a.col[k]].push_back(i);

  BlockCsr out;
  for (int i = 0; i < a.block_rows(); ++i) out.add_columns(a.row_size(i));
  std::vector<int> neighbours;
  for (int i = 0; i < a.block_rows(); ++i) {
    // Row i of the product couples i with every row that shares a column with it.
    neighbours.clear();
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      neighbours.insert(neighbours.end(), touching[a.col[k]].begin(), touching[a.col[k]].end());
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());

    out.add_row(a.row_size(i));
    for (int j : neighbours) {
      auto block = out.add_block(j);
      // Both rows' blocks are sorted by column: walk them together.
      for (int k = a.row_ptr[i], l = a.row_ptr[j]; k < a.row_ptr[i + 1] && l < a.row_ptr[j + 1];) {
        if (a.col[k] < a.col[l]) {
          ++k;
        } else if (a.col[l] < a.col[k]) {
          ++l;
        } else {
          block += a.block(i, k++).lazyProduct(a.block(j, l++).transpose());
        }
      }
    }
  }
  return out;
}

BlockCsr block_csr(const Eigen::MatrixXd& dense, std::span<const int> row_sizes,
                   std::span<const int> col_sizes) {
  BlockCsr out;
  for (int size : col_sizes) out.add_columns(size);
  for (int size : row_sizes) {
    const int row = out.rows();
    out.add_row(size);
    for (int j = 0; j < out.block_cols(); ++j)
      out.add_block(j) = dense.block(row, out.col_start[j], size, out.col_size(j));
  }
  assert(out.rows() == dense.rows() && out.cols() == dense.cols());
  return out;
}

}  // namespace tappet
