#include "tappet/linalg/dense_product.hpp"

#include <tuple>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace tappet::dense_product_test {
namespace {

using Eigen::MatrixXd;

// Sizes around those of tiles and blocks, and parts of larger matrices.
TEST(DenseProduct, AddsProductsOfEverySize) {
  DenseProduct product;
  for (const auto& [m, n, k] :
       {std::tuple{1, 1, 1}, std::tuple{8, 6, 4}, std::tuple{9, 7, 5}, std::tuple{3, 50, 2},
        std::tuple{130, 13, 257}, std::tuple{40, 1540, 3}, std::tuple{5, 5, 0}, std::tuple{0, 3, 2}}) {
    const MatrixXd a = MatrixXd::Random(m + 2, k + 1), b = MatrixXd::Random(k + 3, n + 2),
                   start = MatrixXd::Random(m + 5, n + 1);
    const MatrixXd at = a.transpose(), bt = b.transpose();
    const MatrixXd expected = start.block(1, 1, m, n) - 0.5 * a.block(2, 1, m, k) * b.block(3, 2, k, n);
    for (const bool turn_a : {false, true})
      for (const bool turn_b : {false, true}) {
        MatrixXd c = start;
        product.add(-0.5,
                    turn_a ? transposed(at.data() + 1 + 2 * at.rows(), at.rows())
                           : plain(a.data() + 2 + a.rows(), a.rows()),
                    turn_b ? transposed(bt.data() + 2 + 3 * bt.rows(), bt.rows())
                           : plain(b.data() + 3 + 2 * b.rows(), b.rows()),
                    m, n, k, c.data() + 1 + c.rows(), c.rows());
        EXPECT_LT((c.block(1, 1, m, n) - expected).norm(), 1e-12 * (1 + m + n + k))
            << m << " x " << n << " x " << k;
        // Nothing else is touched.
        c.block(1, 1, m, n) = start.block(1, 1, m, n);
        EXPECT_EQ(c, start);
      }
  }
}

TEST(DenseProduct, LowerTriangleOfASquare) {
  DenseProduct product;
  for (const int n : {1, 7, 130, 300}) {
    const MatrixXd a = MatrixXd::Random(n, 20);
    MatrixXd c = MatrixXd::Zero(n, n);
    product.add(2, plain(a.data(), n), transposed(a.data(), n), n, n, 20, c.data(), n, Triangle::lower);
    const MatrixXd difference = (c - 2 * a * a.transpose()).triangularView<Eigen::Lower>();
    EXPECT_LT(difference.norm(), 1e-11);
  }
}

}  // namespace
}  // namespace tappet::dense_product_test
