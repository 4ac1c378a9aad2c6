#include "tappet/lcp/near_rows.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::lcp::near_rows_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What couples contacts on a line fades by a factor a contact.
MatrixXd fading(int contacts, int dimension, double factor) {
  const int n = contacts * dimension;
  MatrixXd w(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w(i, j) = std::pow(factor, std::abs(i / dimension - j / dimension)) * (i == j ? 2 : 1);
  return 1e-3 * w;
}

VectorXd product(const NearRows& near, const VectorXd& r, int dimension) {
  VectorXd padded = VectorXd::Zero(4 * near.contacts()), u = padded, out(near.contacts() * dimension);
  for (int c = 0; c < near.contacts(); ++c)
    padded.segment(4 * c, dimension) = r.segment(dimension * c, dimension);
  for (int c = 0; c < near.contacts(); ++c) {
    near.add_row(c, padded.data(), u.data() + 4 * c);
    out.segment(dimension * c, dimension) = u.segment(4 * c, dimension);
  }
  return out;
}

// What is left out is small beside the diagonal; what fades quickly is left out for the most part.
TEST(NearRows, LeavesOutWhatIsSmall) {
  for (const int dimension : {2, 3}) {
    const MatrixXd w = fading(100, dimension, 0.3);
    NearRows near;
    near.build(w, dimension);
    EXPECT_LT(near.density(), 0.25);
    const VectorXd r = VectorXd::Random(w.rows()), difference = product(near, r, dimension) - w * r;
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 0.02 * w(0, 0));
    EXPECT_GT(difference.cwiseAbs().maxCoeff(), 0);
  }
}

// Without fading nothing is left out but digits.
TEST(NearRows, KeepsAllWhereNothingFades) {
  const MatrixXd w = fading(50, 3, 0.99);
  NearRows near;
  near.build(w, 3);
  EXPECT_EQ(near.density(), 1);
  const VectorXd r = VectorXd::Random(w.rows());
  EXPECT_LT((product(near, r, 3) - w * r).cwiseAbs().maxCoeff(), 1e-6 * (w * r).cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace tappet::lcp::near_rows_test
