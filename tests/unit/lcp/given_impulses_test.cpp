#include "tappet/lcp/given_impulses.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::given_impulses_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Random contacts of random bodies, as a Gram matrix or multiplied out.
ConeProblem random_problem(int dimension, bool dense, std::mt19937& random) {
  std::normal_distribution<double> normal;
  ConeProblem out;
  out.dimension = dimension;
  const int contacts = 4, width = dimension == 2 ? 3 : 6;
  Gram gram;
  for (int b = 0; b < 3; ++b) gram.factor.add_columns(width);
  for (int c = 0; c < contacts; ++c) {
    gram.factor.add_row(dimension);
    for (int b : {c % 3, 2})
      if (b != 2 || c % 3 != 2)
        gram.factor.add_block(b) = MatrixXd::NullaryExpr(dimension, width, [&] { return normal(random); });
    if (c % 3 == 2)
      gram.factor.add_block(2) = MatrixXd::NullaryExpr(dimension, width, [&] { return normal(random); });
  }
  out.b = VectorXd::NullaryExpr(dimension * contacts, [&] { return normal(random); });
  out.mu = VectorXd::NullaryExpr(contacts, [&] { return 0.5 * std::abs(normal(random)); });
  if (dense) {
    MatrixXd w;
    to_dense(Matrix(gram), w);
    out.W = w;
  } else {
    out.W = gram;
  }
  return out;
}

// Signorini with a floor and Coulomb's law with the whole normal impulse, checked on the original.
TEST(GivenImpulses, HoldTheLawsOfTheOriginalContacts) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(0, 2);
  int above = 0, at = 0, sliding = 0, sticking = 0;
  for (int n = 0; n < 200; ++n) {
    const int d = 2 + n % 2;
    const ConeProblem original = random_problem(d, n % 4 < 2, random);
    VectorXd given = VectorXd::NullaryExpr(4, [&] { return some(random); });
    given[n % 4] = 0;
    GivenImpulses both;
    both.build(original, given);
    const auto solver = make_solver(std::string("auto"), {.tolerance = 1e-12});
    VectorXd parts, r, u, inner;
    both.split(given, VectorXd::Zero(original.size()), parts);
    if (solver->solve(both.problem, parts).status != Status::converged) continue;
    both.join(parts, r);
    multiply(original.W, r, original.b, u, inner);
    for (int c = 0; c < 4; ++c) {
      const auto rt = r.segment(d * c + 1, d - 1), ut = u.segment(d * c + 1, d - 1);
      const double rn = r[d * c], un = u[d * c], radius = original.mu[c] * rn;
      EXPECT_GE(un, -1e-9);
      EXPECT_GE(rn, given[c] - 1e-9);
      EXPECT_NEAR(std::min(un, rn - given[c]), 0, 1e-9);
      EXPECT_LE(rt.norm(), radius + 1e-9);
      if (ut.norm() > 1e-6) {
        EXPECT_NEAR((rt + radius * ut.normalized()).norm(), 0, 1e-6);
        ++sliding;
      } else {
        ++sticking;
      }
      if (given[c] > 0) ++(un > 1e-6 ? at : above);
    }
  }
  EXPECT_GT(std::min({above, at, sliding, sticking}), 50);
}

}  // namespace
}  // namespace tappet::lcp::given_impulses_test
