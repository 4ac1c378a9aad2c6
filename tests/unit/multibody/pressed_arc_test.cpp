// Where a pressed contact's penetration and force are largest inside a step, of motions in closed form.
#include "tappet/multibody/pressed_arc.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::pressed_arc_test {
namespace {

constexpr double k = 1e7, w = 3000, v = 2;

/// δ = v/w sin w(t − delay), under a spring of k and a damper of c.
Pressed at(double t, double c, double delay = 0) {
  const double depth = v / w * std::sin(w * (t - delay)), rate = v * std::cos(w * (t - delay));
  return {.known = true,
          .depth = depth,
          .rate = rate,
          .slope = 1,
          .force = k * depth + c * rate,
          .stiffness = k,
          .damping = c};
}

PressedArc arc(const NormalLaw& law, double a, double b, double c, double delay = 0) {
  return {at(a, c, delay), at(b, c, delay), b - a, law, v};
}

// The cubic through two values and slopes, h apart, errs by h⁴/384 of the fourth derivative at most: w⁴ v/w here, and its rate by h³ √3/216.
double off(double h) {
  return std::pow(w * h, 3) * std::sqrt(3.0) / 216 / w;
}

TEST(PressedArc, FindsTheDeepestPoint) {
  const auto law = normal_law("{law: hooke, stiffness: 1e7}");
  const double peak = M_PI / 2 / w;
  for (const double h : {4e-5, 1e-4, 3e-4}) {
    const double a = peak - 0.3 * h;
    EXPECT_NEAR(a + arc(*law, a, a + h, 0).deepest() * h, peak, off(h)) << h;
  }
  EXPECT_EQ(arc(*law, 0, 0.5 * peak, 0).deepest(), 0);
  EXPECT_EQ(arc(*law, 1.1 * peak, 1.5 * peak, 0).deepest(), 0);
}

// k sin wt + c w cos wt is largest at tan wt = k/(c w).
TEST(PressedArc, FindsTheLargestForceOfADamper) {
  const double c = 1000, peak = std::atan2(k, c * w) / w;
  const auto law = normal_law("{law: hooke, stiffness: 1e7, damping: 1000}");
  for (const double h : {4e-5, 1e-4, 3e-4})
    for (const double part : {0.2, 0.4, 0.85}) {
      std::vector<double> found;
      const double a = peak - part * h;
      const PressedArc one = arc(*law, a, a + h, c);
      find_peak({&one, 1}, a, a + h, found);
      ASSERT_EQ(found.size(), 1u) << h;
      // The force of a damper is a derivative: the instant errs like the acceleration, by h²/12 of its second derivative.
      EXPECT_NEAR(found[0], peak, std::pow(w * h, 2) / 12 / w) << h;
    }
}

TEST(PressedArc, FindsWhereASumIsLargest) {
  const double delay = 2e-4, peak = (M_PI / 2 + 0.5 * w * delay) / w, h = 1e-4, a = peak - 0.4 * h;
  const auto law = normal_law("{law: hooke, stiffness: 1e7}");
  const std::vector<PressedArc> both = {arc(*law, a, a + h, 0), arc(*law, a, a + h, 0, delay)};
  std::vector<double> found;
  find_peak(both, a, a + h, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], peak, off(h));
}

// A peak at the border of two steps is not lost between them.
TEST(PressedArc, TakesTheEndOfAStepWherePeaksAreNear) {
  const auto law = normal_law("{law: hooke, stiffness: 1e7}");
  const double peak = M_PI / 2 / w, h = 1e-4, b = peak - 0.05 * h;
  std::vector<double> found;
  const PressedArc before = arc(*law, b - h, b, 0);
  find_peak({&before, 1}, b - h, b, found);
  EXPECT_EQ(found, std::vector<double>{b});
  found.clear();
  const PressedArc rising = arc(*law, 0.1 * peak, 0.2 * peak, 0),
                   falling = arc(*law, 1.2 * peak, 1.4 * peak, 0);
  find_peak({&rising, 1}, 0.1 * peak, 0.2 * peak, found);
  find_peak({&falling, 1}, 1.2 * peak, 1.4 * peak, found);
  EXPECT_TRUE(found.empty());
}

TEST(PressedArc, ChoosesEvenly) {
  std::vector<double> some = {3, 1, 2, 3};
  choose(some, 8);
  EXPECT_EQ(some, (std::vector<double>{1, 2, 3}));
  std::vector<double> many;
  for (int i = 0; i <= 70; ++i) many.push_back(i);
  choose(many, 8);
  EXPECT_EQ(many, (std::vector<double>{0, 10, 20, 30, 40, 50, 60, 70}));
}

}  // namespace
}  // namespace tappet::test::pressed_arc_test
