// What every solver asks of a problem's matrix, whichever of the three forms it has.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp {

int rows(const Matrix& m);

/// w = M z + q. `inner` is working memory (the product Gᵀ z of the Gram form).
void multiply(const Matrix& m, const Eigen::VectorXd& z, const Eigen::VectorXd& q, Eigen::VectorXd& w,
              Eigen::VectorXd& inner);
/// y = Mᵀ x.
void multiply_transposed(const Matrix& m, const Eigen::VectorXd& x, Eigen::VectorXd& y,
                         Eigen::VectorXd& inner);

/// What one unit of z_i does to w: the largest |M_ji| of column i; of a Gram matrix its diagonal, which is
/// that up to lever arms and costs nothing. 1 for a column of zeros. Complementarity compares w_i with this
/// times z_i.
void column_scale(const Matrix& m, Eigen::VectorXd& scale);

/// out = M as a dense matrix.
void to_dense(const Matrix& m, Eigen::MatrixXd& out);

/// The square blocks on the diagonal, one after the other, column-major. `block_start` says where rows are
/// split (its last entry is the number of rows); in the sparse forms these are the block rows of the matrix.
void diagonal_blocks(const Matrix& m, const std::vector<int>& block_start, std::vector<double>& blocks);

/// Where the rows are split: as the sparse forms are; a dense matrix after every `dimension` rows.
void block_starts(const Matrix& m, int dimension, std::vector<int>& start);

/// Symmetric, up to this share of entries that face each other (and a hundredth of it of the largest)? A Gram matrix
/// always is.
bool is_symmetric(const Matrix& m, double tolerance = 1e-12);

}  // namespace tappet::lcp
