#include "tappet/studies/divergence.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::divergence_test {
namespace {

using std::numbers::pi;

/// x = sin(2π·5t) + error(t), and an angle that turns five times a second; two seconds, a thousand samples
/// each.
template <class Error>
Recording oscillation(Error error, double frequency = 5) {
  Recording r;
  r.columns = {{"time", "s"}, {"mass.x", "m"}, {"mass.y", "m"}, {"crank.angle", "rad"}};
  for (int i = 0; i <= 2000; ++i) {
    const double t = 1e-3 * i;
    const double row[] = {t, std::sin(2 * pi * frequency * t) + error(t), 7, 2 * pi * 5 * t};
    r.sample(row);
  }
  return r;
}

const std::vector<std::string> where = {"mass.x", "mass.y", "crank.angle"};

TEST(Divergence, DistanceIsRelativeToTheMotionsWidth) {
  const auto d =
      distance(oscillation([](double) { return 0; }), oscillation([](double) { return 0.02; }), where);
  ASSERT_EQ(d.size(), 2001u);
  for (const double value : d) EXPECT_NEAR(value, 0.01, 1e-6);
}

TEST(Divergence, ExponentOfKnownGrowthIsFound) {
  const double lambda = 12;
  const Recording a = oscillation([](double) { return 0; });
  const auto b = oscillation([&](double t) { return std::min(1e-9 * std::exp(lambda * t), 0.5); });
  const auto d = distance(a, b, where);
  const Growth found = growth(a, {d, d}, 0.01);
  EXPECT_NEAR(found.exponent, lambda, 0.01);
  EXPECT_TRUE(found.exponential);
  EXPECT_NEAR(found.decades, std::log10(0.01 / 0.5e-9), 0.3);
  const Horizon h = horizon(a, d, 0.01);
  EXPECT_TRUE(h.parted);
  EXPECT_NEAR(h.time, std::log(0.02 / 1e-9) / lambda, 2e-3);
}

TEST(Divergence, GrowthAsAPowerOfTimeIsNotExponential) {
  const Recording a = oscillation([](double) { return 0; });
  const auto d = distance(a, oscillation([](double t) { return 1e-5 * t * t; }), where);
  const Growth found = growth(a, {d, d}, 0.01);
  EXPECT_FALSE(found.exponential);
  EXPECT_GT(found.decades, 3);
}

TEST(Divergence, ErrorsThatStaySmallDoNotGrow) {
  const Recording a = oscillation([](double) { return 0; });
  const auto d = distance(a, oscillation([](double t) { return 1e-8 * std::cos(77 * t); }), where);
  EXPECT_FALSE(horizon(a, d, 0.01).parted);
  EXPECT_DOUBLE_EQ(horizon(a, d, 0.01).time, 2);
  EXPECT_LT(growth(a, {d}, 0.01).decades, 0.1);
}

TEST(Divergence, ADisagreementThatHealsIsNoHorizon) {
  const Recording a = oscillation([](double) { return 0; });
  const auto d = distance(a, oscillation([](double t) { return t > 0.5 && t < 0.6 ? 1 : 0; }), where);
  EXPECT_FALSE(horizon(a, d, 0.01).parted);
}

TEST(Divergence, RepetitionIsCountedInPeriodsOfTheDrive) {
  const auto none = [](double) { return 0; };
  const double period = driving_period(oscillation(none));
  EXPECT_NEAR(period, 0.2, 1e-9);
  EXPECT_EQ(repetition(oscillation(none), where, period, 4, 0.01).periods, 1);
  // A motion of a third of the drive's frequency repeats after three of its turns.
  const Repetition third = repetition(oscillation(none, 5.0 / 3), {"mass.x"}, 0.1, 8, 0.01);
  EXPECT_EQ(third.periods, 0);  // six periods of 0.1 s do not fit twice into the second half
  EXPECT_EQ(repetition(oscillation(none, 50.0 / 3), where, 0.02, 8, 0.01).periods, 3);
  EXPECT_EQ(repetition(oscillation(none, 5.1234), where, period, 2, 0.01).periods, 0);
}

TEST(Divergence, NothingThatTurnsEvenlyIsNoDrive) {
  Recording r = oscillation([](double) { return 0; });
  for (std::size_t i = 0; i < r.rows(); ++i) r.values[4 * i + 3] += 0.1 * std::sin(3 * r.time(i));
  EXPECT_EQ(driving_period(r), 0);
}

TEST(Divergence, CoordinatesArePositionsOfBodiesAndJournals) {
  EXPECT_THAT(
      coordinates({{"time", "s"}, {"a.x", "m"}, {"a.vx", "m/s"}, {"wrist.ex", "m"}, {"wrist.gap", "m"}}),
      ::testing::ElementsAre("a.x", "wrist.ex"));
}

}  // namespace
}  // namespace tappet::divergence_test
