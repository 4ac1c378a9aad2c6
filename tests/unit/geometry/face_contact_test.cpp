#include "tappet/geometry/face_contact.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "unit/geometry/random_shapes.hpp"

namespace tappet::face_contact_test {
namespace {

std::vector<Proximity> touching(const Shape& first, const Pose& p, const Shape& second, const Pose& q) {
  const Pair pair(first, second);
  std::vector<Proximity> all(pair.candidates()), out;
  pair.evaluate(p, q, all);
  for (const Proximity& one : all)
    if (one.gap < 0) out.push_back(one);
  return out;
}

Pose turned(double yaw, const Vec3& at) {
  return {Eigen::AngleAxisd(yaw, Vec3::UnitZ()).toRotationMatrix(), at};
}

/// A box of sides a on top of one of sides b, at x and turned: four contacts whose places surround `around`.
void expect_four(const Vec3& a, const Vec3& b, double x, double yaw) {
  const Box top(a, {}), bottom(b, {});
  const double depth = 1e-4;
  const Pose p, q = turned(yaw, {x, 0, b.z() / 2 + a.z() / 2 - depth});
  const auto contacts = touching(bottom, p, top, q);
  ASSERT_EQ(contacts.size(), 4u) << x << " " << yaw;
  Vec3 sum = Vec3::Zero();
  for (const Proximity& one : contacts) {
    EXPECT_NEAR(one.gap, -depth, 1e-12);
    EXPECT_LT((one.normal - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(one.on_first.z(), b.z() / 2, 1e-9);
    sum += one.on_first / 4;
  }
  // The middle of the overlap.
  const double left = std::max(-b.x() / 2, x - a.x() / 2), right = std::min(b.x() / 2, x + a.x() / 2);
  if (yaw == 0) {
    EXPECT_NEAR(sum.x(), (left + right) / 2, 1e-9);
    EXPECT_NEAR(sum.y(), 0, 1e-9);
  }
}

TEST(FaceContact, BoxesOnBoxesTouchAtFourPlaces) {
  const Vec3 cube = Vec3::Ones(), large(2, 2, 1), plank(4, 0.5, 0.2);
  for (double yaw : {0.0, 1e-7, 0.3}) {
    expect_four(cube, cube, 0, yaw);
    expect_four(cube, large, 0.2, yaw);
    expect_four(large, cube, 0.2, yaw);
    expect_four(cube, large, 0.8, yaw);  // over the edge
    expect_four(plank, cube, 0.1, yaw);  // over both edges
    expect_four(cube, cube, 1e-9, yaw);
  }
}

// The sum of forces that grow with depth does not jump as a box slides over the edge of another and turns.
TEST(FaceContact, ForcesAreContinuousAsABoxSlides) {
  const Box top(Vec3(1, 0.8, 0.6), {}), bottom(Vec3(3, 3, 1), {});
  const auto force = [&](double s) {
    double sum = 0;
    Pose q = turned(0.2 + 0.1 * s, {0.5 + s, 0.1, 0.8 - 1e-3});
    q.R = q.R * Eigen::AngleAxisd(2e-4, Vec3::UnitX()).toRotationMatrix();
    for (const Proximity& one : touching(bottom, {}, top, q)) sum -= one.gap;
    return sum;
  };
  for (double s = 0; s < 1; s += 1e-3) EXPECT_NEAR(force(s + 1e-3), force(s), 2e-4) << s;
}

TEST(FaceContact, CapsuleLiesOnBothEndsAndOverEdges) {
  const Box table(Vec3(2, 2, 1), {});
  const Capsule rod(Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 0.1), bar(Vec3(-3, 0, 0), Vec3(3, 0, 0), 0.1);
  const auto at = [](double x) { return Pose{Mat3::Identity(), Vec3(x, 0, 0.6 - 1e-3)}; };
  for (const auto& [contacts, left, right] : {std::tuple{touching(table, {}, rod, at(0)), -0.5, 0.5},
                                              std::tuple{touching(table, {}, rod, at(0.8)), 0.3, 1.0},
                                              std::tuple{touching(table, {}, bar, at(0)), -1.0, 1.0}}) {
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_NEAR(contacts[0].gap, -1e-3, 1e-12);
    EXPECT_NEAR(contacts[1].gap, -1e-3, 1e-12);
    EXPECT_NEAR(std::min(contacts[0].on_first.x(), contacts[1].on_first.x()), left, 1e-9);
    EXPECT_NEAR(std::max(contacts[0].on_first.x(), contacts[1].on_first.x()), right, 1e-9);
  }
}

}  // namespace
}  // namespace tappet::face_contact_test
