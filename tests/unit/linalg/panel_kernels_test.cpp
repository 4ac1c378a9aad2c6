#include "tappet/linalg/panel_kernels.hpp"

#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace tappet::panel_kernels_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// All remainders of width and rows by four, against dense algebra.
TEST(PanelKernels, ForwardAndBackwardSolveWithTheTriangle) {
  for (int w = 1; w <= 13; ++w)
    for (int below = 0; below <= 9; ++below) {
      const int rows = w + below;
      MatrixXd L = MatrixXd::Random(rows, rows);
      L.diagonal().array() += 5;
      const MatrixXd head = L.topLeftCorner(w, w).triangularView<Eigen::Lower>(),
                     tail = L.bottomLeftCorner(below, w);
      std::vector<double> packed(packed_size(rows, w));
      MatrixXd panel = L.leftCols(w);
      pack_panel(panel.data(), rows, w, packed.data());

      // The rows below stand elsewhere, in reverse.
      std::vector<int> list(below);
      for (int i = 0; i < below; ++i) list[i] = rows - 1 - i;
      const PanelPlace place{0, packed.size(), 0, 0, w, below};
      std::vector<double> work(panel_work(below));
      const VectorXd b = VectorXd::Random(rows);
      VectorXd x = b;
      forward_panels(&place, 1, packed.data(), list.data(), x.data(), work.data());
      const VectorXd y = head.triangularView<Eigen::Lower>().solve(b.head(w)), taken = tail * y;
      for (int i = 0; i < below; ++i) EXPECT_NEAR(x[rows - 1 - i], b[rows - 1 - i] - taken[i], 1e-13);

      backward_panels(&place, 1, packed.data(), list.data(), x.data(), work.data());
      const VectorXd known = x.tail(below).reverse();
      const VectorXd expected =
          head.triangularView<Eigen::Lower>().transpose().solve(y - tail.transpose() * known);
      EXPECT_LT((x.head(w) - expected).cwiseAbs().maxCoeff(), 1e-13)
          << w << " columns, " << below << " below";

      // The same by what is unpacked.
      unpack_panel(packed.data(), rows, w, panel.data());
      MatrixXd other = b.head(w);
      panel.topRows(w).triangularView<Eigen::UnitLower>().solveInPlace(other);
      EXPECT_LT((panel.bottomRows(below) * other - taken).norm(), 1e-13);
      apply_pivots(packed.data(), rows, w, other.data(), w, 1);
      other -= panel.bottomRows(below).transpose() * known;
      panel.topRows(w).triangularView<Eigen::UnitLower>().transpose().solveInPlace(other);
      EXPECT_LT((other - expected).cwiseAbs().maxCoeff(), 1e-13);
    }
}

}  // namespace
}  // namespace tappet::panel_kernels_test
