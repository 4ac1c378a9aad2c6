#include "tappet/geometry/broad_phase.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/allocations.hpp"

namespace tappet::broad_phase_test {
namespace {

class Crowd {
 public:
  explicit Crowd(int n) : side_(std::cbrt(40.0 * n)), at_(n), v_(n), number_(n, -1) {
    for (int i = 0; i < n; ++i) at_[i] = side_ / 2 * vector(), v_[i] = 0.1 * vector();
  }

  Bounds box(int i) const { return {at_[i] - Vec3::Ones(), at_[i] + Vec3::Ones()}; }
  void insert(int i) { number_[i] = tree.insert(box(i)); }
  void remove(int i) {
    tree.remove(number_[i]);
    number_[i] = -1;
  }
  void step() {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      for (int k = 0; k < 3; ++k)
        if (std::abs(at_[i][k] + v_[i][k]) > side_ / 2) v_[i][k] = -v_[i][k];
      at_[i] += v_[i];
      if (number_[i] >= 0) tree.move(number_[i], box(static_cast<int>(i)));
    }
  }
  std::vector<std::pair<int, int>> expected() const {
    std::vector<std::pair<int, int>> out;
    for (std::size_t i = 0; i < at_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (number_[i] >= 0 && number_[j] >= 0 && box(i).overlaps(box(j)))
          out.emplace_back(std::minmax(number_[i], number_[j]));
    std::sort(out.begin(), out.end());
    return out;
  }
  BroadPhase tree;

 private:
  double side_;
  std::mt19937 engine_{11};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::vector<Vec3> at_, v_;
  std::vector<int> number_;

  Vec3 vector() { return {uniform_(engine_), uniform_(engine_), uniform_(engine_)}; }
};

std::vector<std::pair<int, int>> listed(BroadPhase& tree) {
  const auto pairs = tree.pairs();
  return {pairs.begin(), pairs.end()};
}

TEST(BroadPhase, FindsThePairsThatAllAgainstAllFinds) {
  Crowd crowd(150);
  for (int i = 0; i < 100; ++i) crowd.insert(i);
  for (int step = 0; step < 200; ++step) {
    if (step % 20 == 5) crowd.remove(step / 2);
    if (step % 20 == 15) crowd.insert(100 + step / 10);
    crowd.step();
    ASSERT_EQ(listed(crowd.tree), crowd.expected()) << "step " << step;
  }
  EXPECT_EQ(crowd.tree.size(), 100);
}

TEST(BroadPhase, UnboundedShapesMeetAllFiniteOnes) {
  BroadPhase tree;
  const Vec3 far = Vec3::Constant(std::numeric_limits<double>::infinity());
  const Bounds small{Vec3::Zero(), Vec3::Ones()}, away{5 * Vec3::Ones(), 6 * Vec3::Ones()};
  EXPECT_EQ(tree.insert(small), 0);
  EXPECT_EQ(tree.insert({-far, far}), 1);
  EXPECT_EQ(tree.insert({-far, far}), 2);
  EXPECT_EQ(tree.insert(away), 3);
  EXPECT_EQ(listed(tree), (std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  tree.remove(1);
  EXPECT_EQ(listed(tree), (std::vector<std::pair<int, int>>{{0, 2}, {2, 3}}));
  EXPECT_EQ(tree.insert(small), 1);
  EXPECT_EQ(listed(tree), (std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
}

TEST(BroadPhase, IsBalancedAndAllocatesNothingOnceItHasItsSize) {
  Crowd crowd(2000);
  for (int i = 0; i < 2000; ++i) crowd.insert(i);
  for (int step = 0; step < 100; ++step) crowd.step(), crowd.tree.pairs();
  const long before = testing::allocations();
  for (int step = 0; step < 20; ++step) crowd.step(), crowd.tree.pairs();
  EXPECT_LE(testing::allocations() - before, 2) << "lists may still grow by a record crowd";
  EXPECT_LE(crowd.tree.height(), 1.5 * std::log2(2000) + 2);

  // In order along a line, the worst for a tree that does not balance itself.
  BroadPhase line;
  for (int i = 0; i < 4096; ++i) line.insert({Vec3(3 * i, 0, 0), Vec3(3 * i + 1, 1, 0)});
  EXPECT_LE(line.height(), 1.5 * 12 + 2);
}

}  // namespace
}  // namespace tappet::broad_phase_test
