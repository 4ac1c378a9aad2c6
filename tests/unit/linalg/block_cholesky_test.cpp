#include "tappet/linalg/block_cholesky.hpp"

#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace tappet::block_cholesky_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Writes the blocks of a dense symmetric matrix into their slots.
void fill(BlockCholesky& cholesky, const BlockPattern& pattern, const MatrixXd& A) {
  cholesky.set_zero();
  auto put = [&](int i, int j) {
    const BlockCholesky::Slot slot = cholesky.slot(i, j);
    for (int r = 0; r < pattern.size[i]; ++r)
      for (int c = 0; c < pattern.size[j]; ++c)
        cholesky.values()[slot.offset + (slot.transposed ? c * slot.stride + r : r * slot.stride + c)] =
            A(cholesky.first_row(i) + r, cholesky.first_row(j) + c);
  };
  for (int i = 0; i < static_cast<int>(pattern.size.size()); ++i) put(i, i);
  for (auto [i, j] : pattern.couples) put(i, j);
}

struct Problem {
  BlockPattern pattern;
  MatrixXd A;
};

// A random graph of blocks of 1 to 8 rows; A = B Bᵀ on the pattern of pairs.
Problem random_problem(unsigned seed, int blocks, int extra) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Problem out;
  std::vector<int> first;
  int rows = 0;
  for (int i = 0; i < blocks; ++i) {
    first.push_back(rows);
    out.pattern.size.push_back(1 + static_cast<int>(engine() % 8));
    out.pattern.sign.push_back(1);
    rows += out.pattern.size[i];
  }
  for (int i = 1; i < blocks; ++i) out.pattern.couples.emplace_back(i, static_cast<int>(engine() % i));
  for (int n = 0; n < extra; ++n) {
    const int i = static_cast<int>(engine() % blocks), j = static_cast<int>(engine() % blocks);
    if (i != j) out.pattern.couples.emplace_back(i, j);
  }
  out.A = MatrixXd::Zero(rows, rows);
  for (auto [i, j] : out.pattern.couples) {
    const MatrixXd B =
        MatrixXd::NullaryExpr(out.pattern.size[i], out.pattern.size[j], [&] { return uniform(engine); });
    out.A.block(first[i], first[j], B.rows(), B.cols()) = B;
    out.A.block(first[j], first[i], B.cols(), B.rows()) = B.transpose();
  }
  // Diagonally dominant, so definite.
  for (int r = 0; r < rows; ++r) out.A(r, r) = 1 + out.A.row(r).cwiseAbs().sum();
  return out;
}

TEST(BlockCholesky, SolvesRandomGraphs) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Problem p = random_problem(seed, 3 + static_cast<int>(seed) % 20, static_cast<int>(seed) % 7);
    BlockCholesky cholesky;
    cholesky.analyse(p.pattern);
    fill(cholesky, p.pattern, p.A);
    EXPECT_EQ(cholesky.factor(1e-12), 0);
    VectorXd x = VectorXd::LinSpaced(p.A.rows(), -1, 1);
    const VectorXd expected = p.A.llt().solve(x);
    cholesky.solve(x.data());
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-12) << "seed " << seed;
  }
}

// [S J; Jᵀ −M] with S definite or not: quasi-definite systems of hubs.
TEST(BlockCholesky, SolvesQuasiDefiniteSystems) {
  // Blocks 0 and 1: constraints; 2: a hub. Block 1 has no freedom of its own and must wait for the hub.
  BlockPattern pattern{{2, 2, 3}, {1, 1, -1}, {{0, 1}, {0, 2}, {1, 2}}, {{1, 2}}};
  MatrixXd A = MatrixXd::Zero(7, 7);
  A.block<2, 2>(0, 0) << 3, 1, 1, 2;
  MatrixXd J(4, 3);
  J << 1, 0, 0.3, 0, 1, -0.2, 0.5, 0.1, 1, 0.2, 1, 0.4;
  A.block<4, 3>(0, 4) = J;
  A.block<3, 4>(4, 0) = J.transpose();
  A.block<3, 3>(4, 4) = -Eigen::Vector3d(2, 3, 4).asDiagonal().toDenseMatrix();
  BlockCholesky cholesky;
  cholesky.analyse(pattern);
  fill(cholesky, pattern, A);
  EXPECT_EQ(cholesky.factor(1e-12), 0);
  VectorXd x = VectorXd::LinSpaced(7, 1, 3);
  const VectorXd expected = A.fullPivLu().solve(x);
  cholesky.solve(x.data());
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// Rows that repeat others are dropped, also when they become visible only through a hub.
TEST(BlockCholesky, DropsDependentRows) {
  BlockPattern pattern{{2, 2, 2}, {1, 1, -1}, {{0, 2}, {1, 2}}, {{0, 2}, {1, 2}}};
  MatrixXd A = MatrixXd::Zero(6, 6);
  Eigen::Matrix2d J;
  J << 1, 0.3, -0.2, 0.9;
  A.block<2, 2>(0, 4) = J;
  A.block<2, 2>(2, 4) = -J;
  A.block<2, 2>(4, 0) = J.transpose();
  A.block<2, 2>(4, 2) = -J.transpose();
  A.block<2, 2>(4, 4) << -3, 0, 0, -0.7;
  BlockCholesky cholesky;
  cholesky.analyse(pattern);
  fill(cholesky, pattern, A);
  EXPECT_EQ(cholesky.factor(1e-12), 2);
  VectorXd x(6);
  x << 1, 2, -1, -2, 0.5, 0.25;
  const VectorXd b = x;
  cholesky.solve(x.data());
  EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace tappet::block_cholesky_test
