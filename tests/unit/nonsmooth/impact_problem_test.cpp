#include "tappet/nonsmooth/impact_problem.hpp"

#include <cmath>
#include <random>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace tappet::impact_problem_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A random rigid body against random planes that it touches: rows H over its velocities, 3 in the plane and 6 in space.
struct Body {
  MatrixXd H;
  VectorXd inverse_mass, u;
  std::vector<RigidLaw> laws;
  MatrixXd W() const { return H * inverse_mass.asDiagonal() * H.transpose(); }
  double energy(const VectorXd& v) const { return 0.5 * v.dot(v.cwiseQuotient(inverse_mass)); }
};

Body random_body(int d, int contacts, std::mt19937& random) {
  std::uniform_real_distribution<double> some(0, 1);
  std::normal_distribution<double> normal;
  const int width = d == 2 ? 3 : 6;
  Body out;
  out.H = MatrixXd::Zero(d * contacts, width);
  out.inverse_mass = VectorXd::Ones(width);
  for (int k = d; k < width; ++k) out.inverse_mass[k] = std::pow(10, 2.5 * some(random));
  for (int c = 0; c < contacts; ++c) {
    // Orthonormal axes, the normal first, and the arm to the contact.
    MatrixXd axes = MatrixXd::NullaryExpr(d, d, [&] { return normal(random); });
    for (int k = 0; k < d; ++k) {
      for (int l = 0; l < k; ++l) axes.row(k) -= axes.row(k).dot(axes.row(l)) * axes.row(l);
      axes.row(k).normalize();
    }
    const VectorXd arm = VectorXd::NullaryExpr(d, [&] { return 2 * some(random) - 1; });
    for (int k = 0; k < d; ++k) {
      const VectorXd axis = axes.row(k);
      out.H.block(d * c + k, 0, 1, d) = axis.transpose();
      if (d == 2)
        out.H(d * c + k, 2) = arm[0] * axis[1] - arm[1] * axis[0];
      else
        out.H.block<1, 3>(d * c + k, 3) = Eigen::Vector3d(arm).cross(Eigen::Vector3d(axis)).transpose();
    }
    const double friction = some(random) < 0.85 ? 2 * some(random) : 0;
    out.laws.push_back({.restitution = some(random),
                        .tangential_restitution = some(random) < 0.3 ? some(random) : 0,
                        .friction = friction,
                        .static_friction = friction});
  }
  out.u = VectorXd::NullaryExpr(width, [&] { return normal(random); });
  VectorXd rates = out.H * out.u;
  double least = 0;
  for (int c = 0; c < contacts; ++c) least = std::min(least, rates[d * c]);
  if (least >= 0) out.u = -out.u;
  return out;
}

// Energy never grows, friction stays in its disc, and nothing penetrates, whatever the coefficients: 1,000 bodies in the plane and in space,
// by each law.
TEST(ImpactProblem, RandomBodiesNeverGain) {
  std::mt19937 random(1);
  long scaled = 0, plastic = 0, stalled = 0;
  for (ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson})
    for (int n = 0; n < 1000; ++n) {
      const int d = 2 + n % 2, contacts = 1 + n % 3;
      const Body body = random_body(d, contacts, random);
      ImpactProblem problem(law, 0.5);
      for (const RigidLaw& each : body.laws) problem.contacts.push_back({.law = &each});
      problem.before = problem.unhindered = body.H * body.u;
      lcp::ConeProblem cone;
      cone.W = body.W();
      ContactSolver solver({.tolerance = 1e-13});
      VectorXd P = VectorXd::Zero(d * contacts);
      if (!problem.closes(d, 1)) continue;
      problem.solve(0, problem.before.lpNorm<Eigen::Infinity>(), cone, solver, P);
      const VectorXd u = body.u + body.inverse_mass.asDiagonal() * (body.H.transpose() * P),
                     after = body.H * u;
      const double before = body.energy(body.u), fastest = problem.before.lpNorm<Eigen::Infinity>();
      const bool solved = problem.statistics.stalled == 0;
      stalled += !solved;
      EXPECT_LE(body.energy(u), before * (1 + 1e-9)) << n;
      EXPECT_LT((after - problem.after()).lpNorm<Eigen::Infinity>(), 1e-9 * fastest) << n;
      for (int c = 0; c < contacts; ++c) {
        EXPECT_GE(P[d * c], -1e-12) << n;
        EXPECT_LE(P.segment(d * c + 1, d - 1).norm(), body.laws[c].friction * P[d * c] + 1e-11 * P.norm())
            << n;
        // What opens at first may be closed as fast.
        const double least = -std::max(0.0, problem.before[d * c]);
        EXPECT_GE(after[d * c], solved ? least - 1e-9 * fastest : -HUGE_VAL) << n;
      }
      scaled += problem.statistics.scaled, plastic += problem.statistics.plastic;
    }
  EXPECT_GT(scaled, 20);
  EXPECT_GT(plastic, 10);
  EXPECT_LT(stalled, 20);
}

// One ε for normal and tangent of all contacts, or none of friction: the law as it is.
TEST(ImpactProblem, ALawThatLosesIsUntouched) {
  std::mt19937 random(2);
  for (int n = 0; n < 300; ++n) {
    Body body = random_body(2 + n % 2, 1, random);
    body.laws[0].tangential_restitution = body.laws[0].restitution;
    if (n % 3 == 0) body.laws[0].friction = body.laws[0].static_friction = 0;
    ImpactProblem problem(ImpactLaw::newton, 0.5);
    problem.contacts.push_back({.law = &body.laws[0]});
    problem.before = problem.unhindered = body.H * body.u;
    lcp::ConeProblem cone;
    cone.W = body.W();
    ContactSolver solver({.tolerance = 1e-13});
    VectorXd P = VectorXd::Zero(problem.before.size());
    ASSERT_TRUE(problem.closes(2 + n % 2, 1));
    problem.solve(0, problem.before.lpNorm<Eigen::Infinity>(), cone, solver, P);
    EXPECT_EQ(problem.statistics.scaled, 0);
    EXPECT_NEAR(problem.after()[0], -body.laws[0].restitution * problem.before[0],
                1e-9 * problem.before.lpNorm<Eigen::Infinity>());
  }
}

TEST(ImpactLoss, FrictionNeverGains) {
  const double P[2] = {2, 1}, mean[2] = {-1, 0.5};
  const ImpactLoss loss = impact_loss(2, P, mean);
  EXPECT_EQ(loss.friction, 0);
  EXPECT_EQ(loss.normal, 1.5);
}

}  // namespace
}  // namespace tappet::impact_problem_test
