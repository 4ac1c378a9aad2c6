// The polygon engine's gaps converge to the closed forms with the square of the edge length.
#include "support/random_placements.hpp"
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

const Plane floor_plane(Vec3::Zero(), Vec3::UnitZ());

double least_gap(const Pair& pair, const Pose& p, const Pose& q) {
  double out = std::numeric_limits<double>::infinity();
  for (int c = 0; c < pair.candidates(); ++c) out = std::min(out, pair.evaluate(p, q, c).gap);
  return out;
}

/// Largest error over the same random turns for each n, and the order between neighbours: at least two, but
/// for scatter.
void expect_second_order(
    const std::vector<int>& refinements, int turns, double coarse_bound,
    const std::function<double(int n, testing::RandomPlacements& random, int turns)>& worst) {
  double before = 0;
  for (const int n : refinements) {
    testing::RandomPlacements random(11);
    const double error = worst(n, random, turns);
    if (before == 0) {
      EXPECT_LT(error, coarse_bound);
    } else {
      EXPECT_GT(std::log2(before / error), 1.7) << n;
    }
    before = error;
  }
}

TEST(PolygonEngine, BallOnPlane) {
  expect_second_order({8, 16, 32}, 300, 0.03, [](int n, testing::RandomPlacements& random, int turns) {
    const Mesh ball(ball_mesh(n));
    const Pair pair(floor_plane, ball);
    double error = 0;
    for (int i = 0; i < turns; ++i)
      error = std::max(error, std::abs(least_gap(pair, {}, {random.rotation(), Vec3(0, 0, 0.99)}) + 0.01));
    return error;
  });
}

TEST(PolygonEngine, TiltedCylinderOnPlane) {
  constexpr double R = 0.5, half = 0.8;
  expect_second_order({8, 16, 32}, 100, 0.01, [](int n, testing::RandomPlacements& random, int turns) {
    const Mesh cylinder(cylinder_mesh(R, half, n));
    const Pair pair(floor_plane, cylinder);
    double error = 0;
    for (int i = 0; i < turns; ++i) {
      const Pose q{random.rotation(), Vec3(0, 0, 1.2)};
      const double c = std::abs(q.R(2, 2)), s = std::sqrt(1 - c * c);
      error = std::max(error, std::abs(least_gap(pair, {}, q) - (1.2 - half * c - R * s)));
    }
    return error;
  });
}

TEST(PolygonEngine, BallOnBall) {
  expect_second_order({6, 12, 24}, 40, 0.1, [](int n, testing::RandomPlacements& random, int turns) {
    const Mesh a(ball_mesh(n)), b(ball_mesh(n));
    const Pair pair(a, b);
    double error = 0;
    for (int i = 0; i < turns; ++i) {
      const Pose p{random.rotation(), Vec3::Zero()}, q{random.rotation(), 1.97 * random.direction()};
      error = std::max(error, std::abs(least_gap(pair, p, q) + 0.03));
    }
    return error;
  });
}

TEST(PolygonEngine, ExactBallOnAMeshedOne) {
  expect_second_order({8, 16, 32}, 300, 0.03, [](int n, testing::RandomPlacements& random, int turns) {
    const Mesh mesh(ball_mesh(n));
    const Sphere ball(Vec3::Zero(), 0.5);
    const Pair pair(mesh, ball);
    double error = 0;
    for (int i = 0; i < turns; ++i)
      error = std::max(error, std::abs(least_gap(pair, {random.rotation(), Vec3::Zero()},
                                                 {Mat3::Identity(), 1.48 * random.direction()}) +
                                       0.02));
    return error;
  });
}

// Flat faces and straight edges are what they are in any mesh.
TEST(PolygonEngine, BoxOnPlaneIsExact) {
  const Vec3 half(1, 0.7, 0.4);
  const Mesh box(box_mesh(half));
  const Pair pair(floor_plane, box);
  testing::RandomPlacements random(5);
  for (int i = 0; i < 1000; ++i) {
    const Pose q{random.rotation(), Vec3(0, 0, 1)};
    const double lowest = 1 - q.R.row(2).cwiseAbs().dot(half.transpose());
    ASSERT_NEAR(least_gap(pair, {}, q), lowest, 1e-14);
  }
}

}  // namespace
}  // namespace tappet
