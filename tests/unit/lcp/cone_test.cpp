#include "tappet/lcp/cone.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::cone_test {
namespace {

using Eigen::Vector3d;

// The nearest point p of a closed convex cone to x is the one with p ∈ K, x − p in the polar cone, and p ⟂ x
// − p.
TEST(Cone, ProjectionIsTheNearestPoint) {
  stored::Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double mu = random.uniform(0, 2);
    const Vector3d x = random.vector(3);
    Vector3d p = x;
    project_on_cone<3>(mu, p.data());
    const Vector3d rest = x - p;
    EXPECT_LE(p.tail<2>().norm(), mu * p[0] + 1e-14);
    EXPECT_LE(mu * rest.tail<2>().norm(), -rest[0] + 1e-14);
    EXPECT_NEAR(p.dot(rest), 0, 1e-14);
  }
}

TEST(Cone, WithoutFrictionItIsAHalfLine) {
  for (double n : {-2.0, 0.0, 3.0})
    for (double t : {1.0, 0.0}) {
      double x[3] = {n, t, -t};
      project_on_cone<3>(0, x);
      EXPECT_EQ(x[0], std::max(0.0, n));
      EXPECT_EQ(x[1], 0);
      EXPECT_EQ(x[2], 0);
    }
}

TEST(Cone, ThePlaneIsTheSpaceWithOneTangent) {
  stored::Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const double mu = random.uniform(0, 2);
    double flat[2] = {random.normal(), random.normal()}, full[3] = {flat[0], flat[1], 0};
    project_on_cone<2>(mu, flat);
    project_on_cone<3>(mu, full);
    EXPECT_NEAR(flat[0], full[0], 1e-15);
    EXPECT_NEAR(flat[1], full[1], 1e-15);
  }
}

}  // namespace
}  // namespace tappet::lcp::cone_test
