#include "tappet/lcp/matrix.hpp"

#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::matrix_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One matrix in its three forms.
std::vector<Matrix> three_forms() {
  const BlockCsr factor = stored::random_graph(6, 10, 0.3, 10, 31).factor;
  return {Gram{factor}, gram(factor), gram(factor).dense()};
}

TEST(Matrix, FormsAgree) {
  const auto forms = three_forms();
  const MatrixXd dense = std::get<MatrixXd>(forms[2]);
  stored::Random random(32);
  const VectorXd x = random.vector(30), q = random.vector(30);
  std::vector<int> start;
  std::vector<double> blocks;
  for (const Matrix& m : forms) {
    EXPECT_EQ(rows(m), 30);
    EXPECT_TRUE(is_symmetric(m));
    VectorXd w, inner;
    multiply(m, x, q, w, inner);
    EXPECT_NEAR((w - dense * x - q).norm(), 0, 1e-12 * w.norm());
    multiply_transposed(m, x, w, inner);
    EXPECT_NEAR((w - dense.transpose() * x).norm(), 0, 1e-12 * w.norm());
    MatrixXd out;
    to_dense(m, out);
    EXPECT_NEAR((out - dense).norm(), 0, 1e-12 * dense.norm());

    block_starts(m, 3, start);
    ASSERT_EQ(start.size(), 11u);
    diagonal_blocks(m, start, blocks);
    for (int i = 0; i < 10; ++i) {
      const Eigen::Map<MatrixXd> block(blocks.data() + 9 * i, 3, 3);
      EXPECT_NEAR((block - dense.block(3 * i, 3 * i, 3, 3)).norm(), 0, 1e-13 * dense.norm());
    }
  }
}

TEST(Matrix, ColumnScaleIsTheLargestEntry) {
  VectorXd scale;
  column_scale(Matrix(MatrixXd((MatrixXd(2, 2) << 1, 0, -3, 0).finished())), scale);
  EXPECT_EQ(scale[0], 3);
  EXPECT_EQ(scale[1], 1) << "a column of zeros counts as 1";
}

TEST(Matrix, SeesWhatIsNotSymmetric) {
  MatrixXd m = std::get<MatrixXd>(three_forms()[2]);
  m(3, 7) += 1e-6 * m.norm();
  EXPECT_FALSE(is_symmetric(Matrix(m)));
  const std::vector<int> sizes(10, 3);
  EXPECT_FALSE(is_symmetric(Matrix(block_csr(m, sizes, sizes))));
}

}  // namespace
}  // namespace tappet::lcp::matrix_test
