#include "tappet/linalg/block_csr.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"

namespace tappet::block_csr_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Three block rows on three block columns; the second row has one block only.
void build(BlockCsr& a) {
  a.clear();
  for (int size : {6, 3, 1}) a.add_columns(size);
  int value = 0;
  const auto fill = [&](int column) {
    auto block = a.add_block(column);
    for (int j = 0; j < block.cols(); ++j)
      for (int i = 0; i < block.rows(); ++i) block(i, j) = ++value % 7 - 3;
  };
  a.add_row(3), fill(0), fill(2);
  a.add_row(2), fill(1);
  a.add_row(1), fill(0), fill(1);
}

TEST(BlockCsr, ProductsAreThoseOfTheDenseMatrix) {
  BlockCsr a;
  build(a);
  const MatrixXd dense = a.dense();
  ASSERT_EQ(dense.rows(), 6);
  ASSERT_EQ(dense.cols(), 10);
  EXPECT_EQ(dense.block(3, 0, 2, 6).norm(), 0);
  const VectorXd x = VectorXd::LinSpaced(10, -1, 2), y = VectorXd::LinSpaced(6, 1, 3);
  VectorXd ax = VectorXd::Ones(6), aty = VectorXd::Ones(10);
  multiply_add(a, x.data(), ax.data());
  multiply_transposed_add(a, y.data(), aty.data());
  EXPECT_NEAR((ax - VectorXd::Ones(6) - dense * x).norm(), 0, 1e-13);
  EXPECT_NEAR((aty - VectorXd::Ones(10) - dense.transpose() * y).norm(), 0, 1e-13);
  EXPECT_NEAR((gram(a).dense() - dense * dense.transpose()).norm(), 0, 1e-12);
}

TEST(BlockCsr, RebuildingAllocatesNothing) {
  BlockCsr a;
  build(a);
  const long before = testing::allocations();
  build(a);
  EXPECT_EQ(testing::allocations(), before);
}

TEST(BlockCsr, FromDense) {
  const MatrixXd dense = MatrixXd::Random(5, 4);
  const int rows[] = {2, 3}, cols[] = {1, 3};
  EXPECT_EQ((block_csr(dense, rows, cols).dense() - dense).norm(), 0);
}

}  // namespace
}  // namespace tappet::block_csr_test
