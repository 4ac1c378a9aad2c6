#include "tappet/results/rigid_fit.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tappet::rigid_fit_test {
namespace {

std::vector<double> displaced(const std::vector<double>& nodes, const Mat3& R, const Vec3& shift) {
  std::vector<double> out;
  for (std::size_t i = 0; i < nodes.size(); i += 3) {
    const Vec3 x(nodes[i], nodes[i + 1], nodes[i + 2]), d = R * x + shift - x;
    out.insert(out.end(), {d.x(), d.y(), d.z()});
  }
  return out;
}

const std::vector<double> corners = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0.5, 1, 2, 0.5};
const std::vector<double> line = {0, 0, 0, 0.5, 0, 0, 1, 0, 0};

// A motion that is rigid leaves nothing, however far it turns.
TEST(RigidFit, FindsARotationByAnyAngle) {
  for (const double angle : {0.0, 1e-3, 1.0, 3.1, -2.5}) {
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    const auto d = displaced(corners, R, Vec3(3, -1, 2));
    const RigidFit fit = rigid_fit(corners, d, R);
    EXPECT_LT((fit.R - R).norm(), 1e-12) << angle;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      const Vec3 x(corners[i], corners[i + 1], corners[i + 2]), moved(d[i], d[i + 1], d[i + 2]);
      EXPECT_LT((fit.at(x) - moved).norm(), 1e-12);
      EXPECT_LT(fit.left(x, moved).norm(), 1e-12);
    }
  }
}

// A stretch by s about the middle is what is left, in the axes before the turn.
TEST(RigidFit, LeavesWhatIsNotRigid) {
  const Mat3 R = Eigen::AngleAxisd(2, Vec3::UnitZ()).toRotationMatrix();
  auto stretched = line;
  for (double& x : stretched) x *= 1.01;
  auto d = displaced(stretched, R, Vec3::Zero());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] += stretched[i] - line[i];
  const RigidFit fit = rigid_fit(line, d, R);
  EXPECT_LT((fit.left(Vec3(1, 0, 0), Vec3(d[6], d[7], d[8])) - Vec3(0.005, 0, 0)).norm(), 1e-12);
}

// Nodes on a line turn about it as they did before.
TEST(RigidFit, KeepsTheTurnAboutALine) {
  const Mat3 about = Eigen::AngleAxisd(0.7, Vec3::UnitX()).toRotationMatrix(),
             turn = Eigen::AngleAxisd(1e-3, Vec3::UnitZ()).toRotationMatrix();
  const RigidFit fit = rigid_fit(line, displaced(line, turn, Vec3::Zero()), turn * about);
  EXPECT_LT((fit.R - turn * about).norm(), 1e-9);
  EXPECT_GT(fit.R.determinant(), 0.99);
}

}  // namespace
}  // namespace tappet::rigid_fit_test
