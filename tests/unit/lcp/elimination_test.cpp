#include "tappet/lcp/elimination.hpp"

#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::elimination_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// w = M z + q with z expanded from the reduced unknowns: zero in the equalities, and what the reduced
/// problem says below.
void check(const MatrixXd& m, int equalities) {
  stored::Random random(51);
  const int n = static_cast<int>(m.rows());
  const VectorXd q = m * random.vector(n), reduced_z = random.vector(n - equalities);
  Elimination elimination;
  MatrixXd reduced_m;
  VectorXd reduced_q, z;
  elimination.reduce(m, q, equalities, reduced_m, reduced_q);
  elimination.expand(reduced_z, z);
  const VectorXd w = m * z + q;
  EXPECT_NEAR(w.head(equalities).norm(), 0, 1e-10 * m.norm());
  EXPECT_NEAR((w.tail(n - equalities) - reduced_m * reduced_z - reduced_q).norm(), 0, 1e-10 * m.norm());
}

TEST(Elimination, SchurComplement) {
  stored::Random random(52);
  const MatrixXd a = random.matrix(12, 15);
  check(a * a.transpose(), 4);
  check(a * a.transpose(), 0);
}

TEST(Elimination, RedundantEqualities) {
  stored::Random random(53);
  MatrixXd a = random.matrix(12, 15);
  a.row(2) = a.row(0) + a.row(1);
  check(a * a.transpose(), 4);
}

}  // namespace
}  // namespace tappet::lcp::elimination_test
