#include "tappet/linalg/block_lu.hpp"

#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tappet::block_lu_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Random graphs of blocks of 1 to 6 rows, values not symmetric, diagonal dominant enough for pivots inside
// blocks.
TEST(BlockLu, SolvesRandomGraphs) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<int> sizes, first{0};
    for (int i = 0; i < 12; ++i) {
      sizes.push_back(1 + static_cast<int>(engine() % 6));
      first.push_back(first.back() + sizes.back());
    }
    std::vector<std::pair<int, int>> coupled;
    for (int k = 0; k < 18; ++k) {
      const int i = static_cast<int>(engine() % 12), j = static_cast<int>(engine() % 12);
      if (i != j) coupled.emplace_back(i, j);
    }

    BlockLu lu;
    lu.analyse(sizes, coupled);
    lu.set_zero();
    MatrixXd dense = MatrixXd::Zero(first.back(), first.back());
    const auto add = [&](int i, int j) {
      const MatrixXd block = MatrixXd::NullaryExpr(sizes[i], sizes[j], [&] { return uniform(engine); });
      lu.add(i, j, block);
      dense.block(first[i], first[j], sizes[i], sizes[j]) += block;
    };
    for (int i = 0; i < 12; ++i) add(i, i);
    for (auto [i, j] : coupled) add(i, j), add(j, i);
    lu.add_to_diagonal(20);
    dense.diagonal().array() += 20;

    ASSERT_TRUE(lu.factor());
    const VectorXd expected = VectorXd::NullaryExpr(first.back(), [&] { return uniform(engine); });
    VectorXd x = dense * expected;
    lu.solve(x);
    EXPECT_NEAR((x - expected).norm(), 0, 1e-12);
  }
}

TEST(BlockLu, ReportsASingularMatrix) {
  BlockLu lu;
  const int sizes[] = {2, 2};
  lu.analyse(sizes, {});
  lu.set_zero();
  lu.add(0, 0, MatrixXd::Identity(2, 2));
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace tappet::block_lu_test
