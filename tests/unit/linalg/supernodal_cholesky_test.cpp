#include "tappet/linalg/supernodal_cholesky.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tappet::supernodal_cholesky_test {
namespace {

/// A random matrix on a grid, diagonally dominant: positive definite. Blocks of `size` rows per point.
SymmetricCsr grid(int nx, int ny, int size) {
  std::vector<std::vector<int>> items;
  for (int j = 0; j < ny - 1; ++j)
    for (int i = 0; i < nx - 1; ++i) {
      std::vector<int> rows;
      for (int p : {i + nx * j, i + 1 + nx * j, i + nx * (j + 1), i + 1 + nx * (j + 1)})
        for (int d = 0; d < size; ++d) rows.push_back(size * p + d);
      items.push_back(rows);
    }
  SymmetricCsr a = assembled_pattern(nx * ny * size, items);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> sum(a.rows(), 0.0);
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1] - 1; ++k) {
      a.value[k] = uniform(random);
      sum[i] += std::abs(a.value[k]), sum[a.col[k]] += std::abs(a.value[k]);
    }
  for (int i = 0; i < a.rows(); ++i) a.value[a.row_ptr[i + 1] - 1] = sum[i] + 0.1;
  return a;
}

TEST(SupernodalCholesky, SolvesWhatMultiplicationMade) {
  for (const auto& [nx, ny, size] : {std::tuple{1, 1, 1}, std::tuple{2, 2, 3}, std::tuple{17, 9, 1},
                                     std::tuple{30, 25, 3}, std::tuple{40, 2, 6}}) {
    const SymmetricCsr a = grid(nx, ny, size);
    SupernodalCholesky factor;
    factor.analyse(a);
    ASSERT_EQ(factor.factor(a), -1);
    Eigen::MatrixXd x = Eigen::MatrixXd::Random(a.rows(), 3), b = Eigen::MatrixXd::Zero(a.rows(), 3);
    for (int c = 0; c < 3; ++c) multiply_add(a, 1, x.col(c).data(), b.col(c).data());
    Eigen::VectorXd one = b.col(1);
    factor.solve(one.data());
    EXPECT_LT((one - x.col(1)).cwiseAbs().maxCoeff(), 1e-11);
    factor.solve(b);
    EXPECT_LT((b - x).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// A solution that pauses shows what it would give, and takes more on the right, in a few rows.
TEST(SupernodalCholesky, PausesBetweenForwardAndBackward) {
  const SymmetricCsr a = grid(30, 25, 3);
  const std::vector<int> few = {4, 5, 1200, 2000};
  for (const bool at_the_end : {false, true}) {
    SupernodalCholesky factor;
    factor.analyse(a, at_the_end ? few : std::vector<int>{});
    ASSERT_EQ(factor.factor(a), -1);
    factor.watch(few);
    EXPECT_LT(factor.watched_size(), factor.factor_size() / (at_the_end ? 4 : 2));
    const Eigen::VectorXd b = Eigen::VectorXd::Random(a.rows());
    Eigen::VectorXd more = Eigen::VectorXd::Zero(a.rows()), first = b, both = b;
    for (int i : few) more[i] = 1 + 0.001 * i, both[i] += more[i];
    factor.solve(first.data());
    factor.solve(both.data());

    Eigen::VectorXd seen = Eigen::VectorXd::Zero(a.rows()), x = seen;
    factor.begin(b.data());
    factor.peek(seen.data());
    for (int i : few) EXPECT_NEAR(seen[i], first[i], 1e-13);
    EXPECT_EQ(seen[0], 0);
    factor.add(more.data());
    factor.peek(seen.data());
    for (int i : few) EXPECT_NEAR(seen[i], both[i], 1e-13);
    factor.finish(x.data());
    EXPECT_LT((x - both).cwiseAbs().maxCoeff(), 1e-13);
  }
}

// Parts of the inverse against the dense one: rows in any order, few and many, at the end of the elimination
// or not.
TEST(SupernodalCholesky, InverseAmongRows) {
  const SymmetricCsr a = grid(16, 12, 3);
  const int n = a.rows();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, j);
    multiply_add(a, 1, unit.data(), dense.col(j).data());
  }
  const Eigen::MatrixXd inverse = dense.inverse();
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), std::mt19937(5));
  const std::vector<int> one = {17}, few = {300, 4, 5, 571, 120, 119}, many(all.begin(), all.begin() + n / 3);
  for (const auto& rows : {one, few, many, all})
    for (const bool at_the_end : {false, true}) {
      SupernodalCholesky factor;
      factor.analyse(a, at_the_end ? rows : std::vector<int>{});
      ASSERT_EQ(factor.factor(a), -1);
      const Eigen::MatrixXd part = factor.inverse_among(rows);
      const int count = static_cast<int>(rows.size()), first = count / 3;
      const Eigen::MatrixXd columns = factor.inverse_columns(rows, first);
      ASSERT_EQ(columns.cols(), count - first);
      double worst = 0;
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
          EXPECT_EQ(part(i, j), part(j, i));
          worst = std::max(worst, std::abs(part(i, j) - inverse(rows[i], rows[j])));
          if (j >= first)
            worst = std::max(worst, std::abs(columns(i, j - first) - inverse(rows[i], rows[j])));
        }
      EXPECT_LT(worst, 1e-13) << count << " rows";
    }
}

TEST(SupernodalCholesky, NamesTheRowOfASingularMatrix) {
  SymmetricCsr a = grid(6, 5, 2);
  SupernodalCholesky factor;
  factor.analyse(a);
  // A row that couples with nothing and has no stiffness.
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (i == 7 || a.col[k] == 7) a.value[k] = 0;
  EXPECT_EQ(factor.factor(a), 7);
}

TEST(SymmetricCsr, FindsEntries) {
  const SymmetricCsr a = assembled_pattern(4, {{0, 2}, {2, 3}});
  EXPECT_EQ(a.find(0, 2), a.find(2, 0));
  EXPECT_GE(a.find(3, 2), 0);
  EXPECT_EQ(a.find(0, 3), -1);
  EXPECT_GE(a.find(1, 1), 0);
}

}  // namespace
}  // namespace tappet::supernodal_cholesky_test
