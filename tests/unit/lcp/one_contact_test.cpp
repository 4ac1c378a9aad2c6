#include "tappet/lcp/one_contact.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tappet/lcp/residual.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::one_contact_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Solutions are judged by the shared residual, over masses, friction and couplings of all sizes.
template <int D>
void check_random_contacts(std::uint64_t seed) {
  stored::Random random(seed);
  int open = 0, stick = 0, slip = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const MatrixXd a = std::pow(10, random.uniform(-3, 3)) * random.matrix(D, D + 1);
    ConeProblem problem;
    problem.dimension = D;
    problem.W = MatrixXd(a * a.transpose());
    problem.b = random.vector(D);
    problem.mu = VectorXd::Constant(1, trial % 10 == 0 ? 0 : std::pow(10, random.uniform(-2, 0.5)));

    OneContact<D> contact;
    contact.prepare(std::get<MatrixXd>(problem.W).data(), problem.mu[0]);
    VectorXd r(D);
    contact.solve(problem.b.data(), r.data());
    ASSERT_LT(residual(problem, r), 1e-10) << "trial " << trial;
    const double friction = r.tail(D - 1).norm(), limit = problem.mu[0] * r[0];
    r[0] == 0 ? ++open : friction < limit*(1 - 1e-9) ? ++stick : ++slip;
  }
  for (int count : {open, stick, slip}) EXPECT_GT(count, 200);
}

TEST(OneContact, SolvesCoulombsLawInThePlane) {
  check_random_contacts<2>(5);
}
TEST(OneContact, SolvesCoulombsLawInSpace) {
  check_random_contacts<3>(6);
}

// A lever that friction jams: friction presses the contact together faster than the normal part parts it, μ‖W_nt‖ > W_nn. It slides
// where the bodies hardly approach, and the normal part does not follow from so small an approach.
TEST(OneContact, SlidesWhereFrictionJams) {
  stored::Random random(7);
  int jammed = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const MatrixXd a = random.matrix(3, 5);
    ConeProblem problem;
    problem.dimension = 3;
    const MatrixXd w = a * a.transpose();
    problem.W = w;
    problem.mu = VectorXd::Constant(1, 0.8);
    if (!(problem.mu[0] * w.block(0, 1, 1, 2).norm() > 1.1 * w(0, 0))) continue;
    ++jammed;
    problem.b = random.vector(3);
    problem.b[0] = -std::pow(10, random.uniform(-15, -6));
    OneContact<3> contact;
    contact.prepare(w.data(), problem.mu[0]);
    VectorXd r(3);
    contact.solve(problem.b.data(), r.data());
    ASSERT_LT(residual(problem, r), 1e-9) << "trial " << trial << ", approach " << problem.b[0];
  }
  EXPECT_GT(jammed, 500);
}

// A block of 2 kg pressed down at 1 m/s and pushed along at 3 m/s: friction takes μ of the normal impulse.
TEST(OneContact, SlidingBlock) {
  const double w[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, b[3] = {-1, 0, 3};
  OneContact<3> contact;
  contact.prepare(w, 0.25);
  double r[3];
  contact.solve(b, r);
  EXPECT_DOUBLE_EQ(r[0], 2);
  EXPECT_DOUBLE_EQ(r[1], 0);
  EXPECT_DOUBLE_EQ(r[2], -0.5);
}

TEST(OneContact, AContactOfTwoFixedBodiesCarriesNothing) {
  const double w[9] = {}, b[3] = {-1, 0, 0};
  OneContact<3> contact;
  contact.prepare(w, 0.25);
  double r[3] = {1, 1, 1};
  contact.solve(b, r);
  for (double x : r) EXPECT_EQ(x, 0);
}

}  // namespace
}  // namespace tappet::lcp::one_contact_test
