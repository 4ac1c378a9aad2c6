#include "tappet/nonsmooth/load_sharing.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tappet::testing::load_sharing_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Four legs at (±1, ±1) without friction under 100 N at (x, y): S x = r of a plate of unit masses.
struct Plate {
  MatrixXd W = MatrixXd(3, 4);
  Plate() {
    const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; ++i) W.col(i) = Vector3d(1, at[i][1], -at[i][0]);
  }
  void load(double x, double y, LoadSharing& out) const {
    const Vector3d load(-100, -100 * y, 100 * x);
    out.set(W.transpose() * W, -W.transpose() * load, std::vector<LoadSharing::Member>(4), 2);
  }
};

TEST(LoadSharing, LeastForcesMayPullWhereTheSetStillCarries) {
  LoadSharing sharing;
  const Plate plate;
  plate.load(0.55, 0.55, sharing);
  EXPECT_NEAR(sharing.least().minCoeff(), -2.5, 1e-10);
  EXPECT_GT(sharing.margin(), 0);
  const VectorXd x = sharing.forces();
  EXPECT_GE(x.minCoeff(), -1e-10);
  EXPECT_NEAR(x.sum(), 100, 1e-9);
  EXPECT_NEAR(x[1] + x[2] - x[0] - x[3], 55, 1e-9);
  EXPECT_NEAR(x[2] + x[3] - x[0] - x[1], 55, 1e-9);
}

// The margin is zero where the load stands over the edge, and nowhere else.
TEST(LoadSharing, MarginVanishesAtTheEdge) {
  LoadSharing sharing;
  const Plate plate;
  for (double y : {-0.9, 0.0, 0.3, 0.999}) {
    for (double beyond : {-0.1, -1e-3, -1e-9, 1e-9, 1e-3, 0.1}) {
      plate.load(1 + beyond, y, sharing);
      EXPECT_EQ(sharing.margin() < 0, beyond > 0) << y << ' ' << beyond;
      plate.load(y, -1 - beyond, sharing);
      EXPECT_EQ(sharing.margin() < 0, beyond > 0) << y << ' ' << beyond;
    }
    plate.load(1, y, sharing);
    EXPECT_NEAR(sharing.margin(), 0, 1e-11);
  }
}

/// A block of 1 kg with corners at (±1, ±0.5, −0.25) under its weight of 98.1 N and a pull at its top.
void pull(double fx, double fy, LoadSharing& out) {
  MatrixXd W(6, 12);
  const Eigen::Vector3d axis[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  // Normals first, then the tangents of each corner.
  for (int a = 0; a < 3; ++a)
    for (int corner = 0; corner < 4; ++corner) {
      const Eigen::Vector3d at(corner < 2 ? -1 : 1, corner % 2 ? 0.5 : -0.5, -0.25);
      const int target = a == 0 ? corner : 4 + 2 * corner + a - 1;
      W.col(target) << axis[a], at.cross(axis[a]);
    }
  Eigen::Matrix<double, 6, 1> load;
  const Eigen::Vector3d force(fx, fy, 0);
  load << fx, fy, -98.1, Eigen::Vector3d(0, 0, 0.25).cross(force);
  std::vector<LoadSharing::Member> members(4);
  for (int i = 0; i < 4; ++i) members[i] = {4 + 2 * i, 0.3};
  out.set(W.transpose() * W, -W.transpose() * load, members, 2);
}

// Cones, not polygons: the block lets go at μ m g in every direction.
TEST(LoadSharing, ABlockLetsGoAtTheSameForceInEveryDirection) {
  LoadSharing sharing;
  for (double degrees : {0.0, 11.25, 30.0, 45.0, 77.0, 90.0, 200.0}) {
    const double a = degrees * M_PI / 180, limit = 0.3 * 98.1;
    for (double beyond : {-1e-2, -1e-8, 1e-8, 1e-2}) {
      pull((1 + beyond) * limit * std::cos(a), (1 + beyond) * limit * std::sin(a), sharing);
      EXPECT_EQ(sharing.margin() < 0, beyond > 0) << degrees << ' ' << beyond;
    }
    pull(0.97 * limit * std::cos(a), 0.97 * limit * std::sin(a), sharing);
    const VectorXd x = sharing.forces();
    for (int i = 0; i < 4; ++i) EXPECT_LE(x.segment(4 + 2 * i, 2).norm(), 0.3 * x[i] + 1e-9) << degrees;
  }
}

// Two walls that face each other hold whatever there is between them: nothing bounds how hard they clamp.
TEST(LoadSharing, ClampsWithoutLimit) {
  LoadSharing sharing;
  MatrixXd W(2, 4);  // normals along ±x, tangents along y
  W << 1, -1, 0, 0, 0, 0, 1, 1;
  Eigen::Vector2d load(0, -10);
  sharing.set(W.transpose() * W, -W.transpose() * load, {{2, 0.5}, {3, 0.5}}, 1);
  EXPECT_GT(sharing.margin(), 0);
  const VectorXd x = sharing.forces();
  for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(x[2 + i]), 0.5 * x[i] + 1e-9);
  EXPECT_NEAR(x[2] + x[3], 10, 1e-9);
}

}  // namespace
}  // namespace tappet::testing::load_sharing_test
