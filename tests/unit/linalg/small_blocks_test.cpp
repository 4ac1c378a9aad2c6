// Small blocks against Eigen's dense solution, with sizes known to the compiler and not.
#include "tappet/linalg/small_blocks.hpp"

#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace tappet::small_blocks_test {
namespace {

constexpr int largest = 9;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, largest, largest>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, largest, 1>;

template <class M>
void solves_like_eigen(M m) {
  const int rows = m;
  const RowMatrix random = RowMatrix::Random(rows, rows);
  const RowMatrix A = random * random.transpose() + 0.1 * RowMatrix::Identity(rows, rows);
  const Vector b = Vector::Random(rows), expected = A.ldlt().solve(b), diagonal = A.diagonal();
  double factors[largest * largest], inverse[largest], x[largest];
  for (int i = 0; i < rows; ++i) {
    x[i] = b[i];
    for (int j = 0; j < rows; ++j) factors[i * rows + j] = -A(i, j);  // a block of the other sign
  }
  Pivots pivots{1e-12};
  factor_block(m, -1, factors, diagonal.data(), inverse, pivots);
  solve_lower(m, factors, x);
  for (int i = 0; i < rows; ++i) x[i] *= inverse[i];
  solve_upper(m, factors, x);
  for (int i = 0; i < rows; ++i) EXPECT_NEAR(x[i], expected[i], 1e-11 * expected.norm()) << rows << " rows";
  EXPECT_EQ(pivots.dropped, 0);
  EXPECT_GT(pivots.smallest, 0);
  EXPECT_LE(pivots.smallest, 1);
}

TEST(SmallBlocksTest, SolvesLikeEigen) {
  for (int m = 1; m <= largest; ++m) {
    solves_like_eigen<int>(m);
    with_size(m, [](auto size) { solves_like_eigen(size); });
  }
}

TEST(SmallBlocksTest, DropsARowThatDependsOnOthers) {
  // The third row is the sum of the first two.
  double a[] = {2, 0, 0, 1, 3, 0, 3, 4, 7};
  const double diagonal[] = {2, 3, 7};
  double inverse[3];
  Pivots pivots{1e-12};
  factor_block(std::integral_constant<int, 3>{}, 1, a, diagonal, inverse, pivots);
  EXPECT_EQ(pivots.dropped, 1);
  EXPECT_EQ(inverse[2], 0);
}

TEST(SmallBlocksTest, RowsInRegistersAreThoseInMemory) {
  const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {7, 5, 3, 2, 1, -1, -3};
  double out[8] = {0, 0, 0, 0, 0, 0, 0, 99};
  RegisterRow<7> row(x);
  row.add(2, RegisterRow<7>(y));
  row *= 3;
  row.subtract(0.5, RegisterRow<7>(x));
  row.store(out);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(out[i], 3 * (x[i] + 2 * y[i]) - 0.5 * x[i]);
  EXPECT_EQ(out[7], 99);
}

TEST(SmallBlocksTest, ColumnsAreVisitedOnce) {
  const auto visited = [](auto n, bool lower) {
    std::vector<int> times(n, 0);
    const auto count = [&](auto width, int first) {
      for (int i = 0; i < width; ++i) ++times[first + i];
    };
    lower ? by_lower_columns(n, count) : by_columns(n, count);
    return times;
  };
  for (const bool lower : {false, true}) {
    for (int n = 1; n <= 11; ++n) EXPECT_EQ(visited(n, lower), std::vector<int>(n, 1));
    EXPECT_EQ(visited(std::integral_constant<int, 5>{}, lower), std::vector<int>(5, 1));
    EXPECT_EQ(visited(std::integral_constant<int, 3>{}, lower), std::vector<int>(3, 1));
  }
}

}  // namespace
}  // namespace tappet::small_blocks_test
