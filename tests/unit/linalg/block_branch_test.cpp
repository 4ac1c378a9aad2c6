// Symmetric products with the inverse by forward solutions along branches, against a dense inverse.
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "tappet/linalg/block_cholesky.hpp"

namespace tappet::block_branch_test {
namespace {

using Eigen::MatrixXd;

constexpr int lanes = BlockCholesky::lanes;

/// A tree of blocks of 1 to 7 rows with a few loops. Every third block is negative definite.
struct Problem {
  explicit Problem(unsigned seed) : engine(seed) {
    const int blocks = 3 + static_cast<int>(seed) % 15;
    for (int i = 0; i < blocks; ++i) {
      first.push_back(rows);
      pattern.size.push_back(1 + static_cast<int>(engine() % 7));
      pattern.sign.push_back(i % 3 == 2 ? -1 : 1);
      rows += pattern.size[i];
    }
    for (int i = 1; i < blocks; ++i) pattern.couples.emplace_back(i, static_cast<int>(engine() % i));
    if (blocks > 5) pattern.couples.emplace_back(0, blocks - 1);
    A = MatrixXd::Zero(rows, rows);
    for (auto [i, j] : pattern.couples) {
      A.block(first[i], first[j], pattern.size[i], pattern.size[j]) =
          random(pattern.size[i], pattern.size[j]);
      A.block(first[j], first[i], pattern.size[j], pattern.size[i]) =
          A.block(first[i], first[j], pattern.size[i], pattern.size[j]).transpose();
    }
    for (int i = 0; i < blocks; ++i)
      for (int r = first[i]; r < first[i] + pattern.size[i]; ++r)
        A(r, r) = pattern.sign[i] * (1 + A.row(r).cwiseAbs().sum());
    cholesky.analyse(pattern);
    cholesky.set_zero();
    for (int i = 0; i < blocks; ++i) put(i, i);
    for (auto [i, j] : pattern.couples) put(i, j);
    EXPECT_EQ(cholesky.factor(1e-12), 0);
  }
  MatrixXd random(int rows, int cols) {
    return MatrixXd::NullaryExpr(rows, cols,
                                 [&] { return std::uniform_real_distribution<double>(-1, 1)(engine); });
  }
  void put(int i, int j) {
    const BlockCholesky::Slot slot = cholesky.slot(i, j);
    for (int r = 0; r < pattern.size[i]; ++r)
      for (int c = 0; c < pattern.size[j]; ++c)
        cholesky.values()[slot.offset + (slot.transposed ? c * slot.stride + r : r * slot.stride + c)] =
            A(first[i] + r, first[j] + c);
  }
  /// Right-hand sides in these blocks; the same, dense, is added to B.
  void fill(const std::vector<int>& blocks, BlockCholesky::Branch& branch, MatrixXd& B) {
    cholesky.grow(blocks, branch);
    B = MatrixXd::Zero(rows, lanes);
    for (const int i : blocks) {
      const MatrixXd values = random(pattern.size[i], lanes);
      double* y = cholesky.part(branch, i);
      for (int r = 0; r < pattern.size[i]; ++r)
        for (int k = 0; k < lanes; ++k) y[r * lanes + k] += values(r, k);
      B.middleRows(first[i], pattern.size[i]) += values;
    }
    cholesky.forward(branch);
  }

  std::mt19937 engine;
  BlockPattern pattern;
  std::vector<int> first;
  int rows = 0;
  MatrixXd A;
  BlockCholesky cholesky;
};

TEST(BlockBranch, ProductsAreThoseOfTheInverse) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Problem p(seed);
    const int blocks = static_cast<int>(p.pattern.size.size());
    const MatrixXd inverse = p.A.inverse();
    BlockCholesky::Branch a, b;
    // Branches are grown again: from other blocks, from the same, from one block named twice.
    for (int n = 0; n < 3; ++n) {
      MatrixXd B, C;
      p.fill({n % blocks, blocks - 1}, a, B);
      p.fill(n < 2 ? std::vector<int>{0} : std::vector<int>{1, 1}, b, C);
      double out[lanes * lanes];
      for (int i = 0; i < lanes * lanes; ++i) out[i] = i;
      p.cholesky.subtract_inner(a, b, out);
      const MatrixXd expected = B.transpose() * inverse * C;
      for (int r = 0; r < lanes; ++r)
        for (int c = 0; c < lanes; ++c)
          EXPECT_NEAR(out[r * lanes + c], r * lanes + c - expected(r, c), 1e-12) << "seed " << seed;
    }
  }
}

TEST(BlockBranch, ReachesNoMoreThanItsOwnBranch) {
  // Two chains of three blocks that meet in block 6: what begins in one of them does not come to the other.
  BlockPattern pattern{
      {2, 2, 2, 3, 3, 3, 4}, {1, 1, 1, 1, 1, 1, 1}, {{0, 1}, {1, 2}, {2, 6}, {3, 4}, {4, 5}, {5, 6}}, {}};
  for (int i = 0; i < 6; ++i) pattern.after.emplace_back(6, i);
  BlockCholesky cholesky;
  cholesky.analyse(pattern);
  BlockCholesky::Branch one, other, none;
  const std::vector<int> left{0}, right{4};
  cholesky.grow(left, one);
  cholesky.grow(right, other);
  cholesky.grow({}, none);
  EXPECT_LE(one.y.size(), (2u + 2 + 2 + 4) * lanes);
  EXPECT_LE(other.y.size(), (3u + 3 + 3 + 4) * lanes);
  int shared = 0;
  for (const auto& a : one.parts)
    for (const auto& b : other.parts) shared += a.step == b.step;
  EXPECT_EQ(shared, 1);
  EXPECT_TRUE(none.parts.empty());
}

// A row that repeats another has no pivot; it takes no part.
TEST(BlockBranch, DependentRowsTakeNoPart) {
  BlockPattern pattern{{2}, {1}, {}, {}};
  BlockCholesky cholesky;
  cholesky.analyse(pattern);
  cholesky.set_zero();
  for (int i = 0; i < 4; ++i) cholesky.values()[i] = 2;
  EXPECT_EQ(cholesky.factor(1e-12), 1);
  BlockCholesky::Branch branch;
  const std::vector<int> blocks{0};
  cholesky.grow(blocks, branch);
  double* y = cholesky.part(branch, 0);
  y[0] = y[lanes] = 3;  // in the range of A: x = (1.5, 0), bᵀ x = 4.5
  cholesky.forward(branch);
  double out[lanes * lanes] = {};
  cholesky.subtract_inner(branch, branch, out);
  EXPECT_NEAR(out[0], -4.5, 1e-14);
}

}  // namespace
}  // namespace tappet::block_branch_test
