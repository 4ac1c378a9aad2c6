#include "tappet/run/progress_watch.hpp"

#include <gtest/gtest.h>

namespace tappet::progress_watch_test {
namespace {

/// Steps of this length from 0, until it says that the run stands still; how many that took.
long stops_after(double step, double end) {
  ProgressWatch watch;
  double t = 0;
  for (long n = 0; n < 5 * ProgressWatch::window; ++n, t += step)
    if (watch.steps_to_come(t, end)) return n;
  return -1;
}

TEST(ProgressWatch, StopsWhatWouldTakeMoreStepsThanARunMayHave) {
  EXPECT_EQ(stops_after(1e-13, 1), ProgressWatch::window);
  EXPECT_EQ(stops_after(0, 1), ProgressWatch::window);
  EXPECT_EQ(stops_after(1e-300, 1), ProgressWatch::window);
  EXPECT_EQ(stops_after(2e-12, 1), -1);
  EXPECT_EQ(stops_after(1e-13, 1e-2), -1);
}

TEST(ProgressWatch, LooksAtTheLastStepsAlone) {
  ProgressWatch watch;
  double t = 0;
  long n = 0;
  for (; n < ProgressWatch::window; ++n, t += 1e-6) EXPECT_FALSE(watch.steps_to_come(t, 1));
  // It crawls from here on.
  std::optional<double> steps;
  for (n = 0; !steps && n < 3 * ProgressWatch::window; ++n, t += 1e-15) steps = watch.steps_to_come(t, 1);
  ASSERT_TRUE(steps);
  EXPECT_LE(n, 2 * ProgressWatch::window + 1);
  EXPECT_GT(*steps, most_steps);
}

TEST(ProgressWatch, BeginsAnewWhereAStateWasSetBack) {
  ProgressWatch watch;
  double t = 0.5;
  for (long n = 0; n < ProgressWatch::window; ++n) EXPECT_FALSE(watch.steps_to_come(t, 1));
  t = 0;
  for (long n = 0; n < ProgressWatch::window; ++n, t += 1e-6) EXPECT_FALSE(watch.steps_to_come(t, 1));
}

TEST(ProgressWatch, IsNotMisledByOneStretchThatIsGoneThroughAgainAndAgain) {
  ProgressWatch watch;
  for (int round = 0; round < 10; ++round)
    for (long n = 0; n < ProgressWatch::window / 4; ++n)
      EXPECT_FALSE(watch.steps_to_come(1e-3 * static_cast<double>(n), 9e8));
}

}  // namespace
}  // namespace tappet::progress_watch_test
