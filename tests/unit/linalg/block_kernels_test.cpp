#include "tappet/linalg/block_kernels.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace tappet::block_kernels_test {
namespace {

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

// The sizes with loops of their own, and some without.
TEST(BlockKernels, ProductsOfEverySize) {
  for (int rows : {1, 2, 3, 4})
    for (int cols : {1, 2, 3, 6, 7}) {
      const Block a = Block::Random(rows, cols);
      const VectorXd x = VectorXd::Random(cols), y = VectorXd::Random(rows);
      VectorXd ax = y, aty = x;
      add_product(a.data(), rows, cols, x.data(), ax.data());
      add_transposed_product(a.data(), rows, cols, y.data(), aty.data());
      EXPECT_NEAR((ax - y - a * x).norm(), 0, 1e-14) << rows << " x " << cols;
      EXPECT_NEAR((aty - x - a.transpose() * y).norm(), 0, 1e-14) << rows << " x " << cols;
    }
}

}  // namespace
}  // namespace tappet::block_kernels_test
