// The polygon engine converges to the closed forms: gaps with the square of the edge length, which is the
// mesh's tolerance; forces that jump from triangle to triangle jump by less as the triangles shrink.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_placements.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet::polygon_engine_test {
namespace {

const Plane floor_plane(Vec3::Zero(), Vec3::UnitZ());

double least_gap(const Pair& pair, const Pose& p, const Pose& q) {
  double out = std::numeric_limits<double>::infinity();
  for (int c = 0; c < pair.candidates(); ++c) out = std::min(out, pair.evaluate(p, q, c).gap);
  return out;
}

/// Largest error over the same random turns for each n, and the order from the first to the last.
void expect_order(double least, const std::vector<int>& refinements, double coarse_bound,
                  const std::function<double(int n, testing::RandomPlacements& random)>& worst) {
  std::vector<double> error;
  for (const int n : refinements) {
    testing::RandomPlacements random(11);
    error.push_back(worst(n, random));
  }
  EXPECT_LT(error.front(), coarse_bound);
  const double order =
      std::log2(error.front() / error.back()) / std::log2(double(refinements.back()) / refinements.front());
  EXPECT_GT(order, least) << "from " << error.front() << " to " << error.back();
}

TEST(PolygonEngine, BallOnPlane) {
  expect_order(1.8, {8, 16, 32}, 0.03, [](int n, testing::RandomPlacements& random) {
    const Mesh ball(ball_mesh(n));
    const Pair pair(floor_plane, ball);
    double error = 0;
    for (int i = 0; i < 200; ++i)
      error = std::max(error, std::abs(least_gap(pair, {}, {random.rotation(), Vec3(0, 0, 0.99)}) + 0.01));
    return error;
  });
}

TEST(PolygonEngine, BallOnBall) {
  expect_order(1.8, {6, 12, 24}, 0.1, [](int n, testing::RandomPlacements& random) {
    const Mesh a(ball_mesh(n)), b(ball_mesh(n));
    const Pair pair(a, b);
    double error = 0;
    for (int i = 0; i < 200; ++i) {
      const Pose p{random.rotation(), Vec3::Zero()}, q{random.rotation(), 1.97 * random.direction()};
      error = std::max(error, std::abs(least_gap(pair, p, q) + 0.03));
    }
    return error;
  });
}

TEST(PolygonEngine, CrossedCylinders) {
  expect_order(1.8, {6, 12, 24}, 0.1, [](int n, testing::RandomPlacements& random) {
    const Mesh a(cylinder_mesh(1, 2, n)), b(cylinder_mesh(1, 2, n));
    const Pair pair(a, b);
    double error = 0;
    for (int i = 0; i < 100; ++i) {
      // Axes along y and z, each turned about itself, the way between them along x.
      const Pose p{Eigen::AngleAxisd(random.number(), Vec3::UnitZ()).toRotationMatrix(), Vec3::Zero()};
      const Mat3 R = (Eigen::AngleAxisd(-1.5 - 0.05 * random.number(), Vec3::UnitX()) *
                      Eigen::AngleAxisd(random.number(), Vec3::UnitZ()))
                         .toRotationMatrix();
      const Pose q{R, Vec3(1.97, 0.3 * random.number(), 0.3 * random.number())};
      error = std::max(error, std::abs(pair.evaluate(p, q, pair.candidates() - 1).gap + 0.03));
    }
    return error;
  });
}

TEST(PolygonEngine, ExactBallOnAMeshedOne) {
  expect_order(1.8, {8, 16, 32}, 0.03, [](int n, testing::RandomPlacements& random) {
    const Mesh mesh(ball_mesh(n));
    const Sphere ball(Vec3::Zero(), 0.5);
    const Pair pair(mesh, ball);
    double error = 0;
    for (int i = 0; i < 300; ++i)
      error = std::max(error, std::abs(least_gap(pair, {random.rotation(), Vec3::Zero()},
                                                 {Mat3::Identity(), 1.48 * random.direction()}) +
                                       0.02));
    return error;
  });
}

// Flat faces, straight edges and circles are what they are in any mesh.
TEST(PolygonEngine, BoxAndCylinderOnPlaneAreExact) {
  const Vec3 half(1, 0.7, 0.4);
  constexpr double R = 0.5, length = 0.8;
  const Mesh box(box_mesh(half)), cylinder(cylinder_mesh(R, length, 8));
  const Pair of_box(floor_plane, box), of_cylinder(floor_plane, cylinder);
  testing::RandomPlacements random(5);
  for (int i = 0; i < 1000; ++i) {
    const Pose q{random.rotation(), Vec3(0, 0, 1)};
    ASSERT_NEAR(least_gap(of_box, {}, q), 1 - q.R.row(2).cwiseAbs().dot(half.transpose()), 1e-14);
    const double c = std::abs(q.R(2, 2)), s = std::sqrt(1 - c * c);
    ASSERT_NEAR(least_gap(of_cylinder, {}, q), 1 - length * c - R * s, 1e-12);
  }
}

/// Hertz's force of unit stiffness, over all candidates.
Vec3 force(const Pair& pair, const Pose& q) {
  Vec3 out = Vec3::Zero();
  for (int c = 0; c < pair.candidates(); ++c) {
    const Proximity x = pair.evaluate({}, q, c);
    if (x.gap < 0) out += std::pow(-x.gap, 1.5) * x.normal;
  }
  return out;
}

/// The largest change of force between neighbouring places of a path, over the largest force.
double largest_jump(const Pair& pair, int steps, const std::function<Pose(double)>& path) {
  double jump = 0, most = 0;
  Vec3 before = force(pair, path(0));
  for (int i = 1; i <= steps; ++i) {
    const Vec3 now = force(pair, path(double(i) / steps));
    jump = std::max(jump, (now - before).norm());
    most = std::max(most, now.norm());
    before = now;
  }
  return jump / most;
}

// A ball that slides over a plate of many triangles does not notice them.
TEST(PolygonEngine, ForceDoesNotJumpOnAPlate) {
  TriangleMesh plate;
  constexpr int n = 8;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) plate.vertices.push_back(Vec3(4.0 * i / n - 2, 4.0 * j / n - 2, side - 1));
  const auto at = [&](int side, int i, int j) { return (side * (n + 1) + i) * (n + 1) + j; };
  const auto quad = [&](int a, int b, int c, int d) {
    plate.triangles.push_back({a, b, c});
    plate.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      quad(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
      quad(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
    }
    quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
    quad(at(0, i + 1, n), at(0, i, n), at(1, i, n), at(1, i + 1, n));
    quad(at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1));
    quad(at(0, n, i), at(0, n, i + 1), at(1, n, i + 1), at(1, n, i));
  }
  ASSERT_FALSE(find_faults(plate).any()) << find_faults(plate).text();
  const Mesh table(plate), ball(ball_mesh(10));
  const Sphere round(Vec3::Zero(), 1);
  const auto path = [](double s) { return Pose{Mat3::Identity(), Vec3(-1 + 2 * s, -0.7 + 1.1 * s, 0.97)}; };
  EXPECT_LT(largest_jump(Pair(table, ball), 300, path), 1e-9);
  EXPECT_LT(largest_jump(Pair(table, round), 300, path), 1e-9);
}

// Over a cylinder's triangles the depth is continuous and the normal turns at once by the angle between two
// of them, at most: the jump of the force shrinks with the edge.
TEST(PolygonEngine, ForceJumpsOnACylinderShrinkWithTheEdge) {
  std::vector<double> jumps;
  for (const int n : {6, 12, 24}) {
    const double angle = 2 * std::numbers::pi / (4 * n);
    const Mesh cylinder(cylinder_mesh(1, 1, n)), ball(ball_mesh(n));
    const auto path = [&](double s) {
      const double a = 0.3 + 2.2 * angle * s;
      return Pose{Mat3::Identity(), 1.95 * Vec3(std::cos(a), std::sin(a), 0.05 * s)};
    };
    const Pair pair(cylinder, ball);
    jumps.push_back(largest_jump(pair, 400, path));
    EXPECT_LT(jumps.back(), 2 * angle) << n;
    // A ball that is no mesh turns steadily around every edge.
    const Sphere round(Vec3::Zero(), 1);
    EXPECT_LT(largest_jump(Pair(cylinder, round), 400, path), 0.1 * angle) << n;
  }
  EXPECT_GT(std::log2(jumps.front() / jumps.back()) / 2, 0.7) << jumps.front() << " to " << jumps.back();
}

}  // namespace
}  // namespace tappet::polygon_engine_test
