#include "tappet/run/event_trigger.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tappet {
namespace {

struct Counted {
  int events = 0, rising = 0;
  double last = 0;
};

template <class G>
Counted count(G&& g, double duration, int steps, double least = 0) {
  Counted out;
  EventTrigger trigger = start_trigger(g(0.0), least);
  for (int n = 1; n <= steps; ++n) {
    const double h = duration / steps;
    const EventFired fired = step_trigger(trigger, g(n * h), 1e-8, least);
    if (fired.direction == 0) continue;
    ++out.events, out.rising += fired.direction > 0;
    out.last = (n - 1 + fired.part) * h;
  }
  return out;
}

// A slider that comes to rest after 1 s, with noise of 10⁻¹⁶ afterwards: one event, not thousands.
TEST(EventTrigger, ABodyAtRestFiresOnce) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 1e-16);
  const Counted c = count([&](double t) { return std::max(0.0, 1 - t) + noise(random); }, 2, 20000);
  EXPECT_EQ(c.events, 1);
  EXPECT_EQ(c.rising, 0);
  EXPECT_NEAR(c.last, 1, 1e-4);
}

// At rest from the beginning: none, if the method says how small is nothing.
TEST(EventTrigger, NoiseFiresNever) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 1e-16);
  EXPECT_EQ(count([&](double) { return noise(random); }, 1, 1000, 1e-12).events, 0);
}

TEST(EventTrigger, EveryZeroOfASineFires) {
  for (int steps : {100, 1000, 12345}) {
    const Counted c = count([](double t) { return std::cos(t); }, 20 * M_PI, steps);
    EXPECT_EQ(c.events, 20) << steps;
    EXPECT_EQ(c.rising, 10) << steps;
    EXPECT_NEAR(c.last, 19.5 * M_PI, 0.02 * M_PI * 100 / steps) << steps;
  }
}

// From exactly zero it is armed by where it goes; leaving is no event.
TEST(EventTrigger, LeavingZeroIsNoEvent) {
  const Counted c = count([](double t) { return std::sin(t); }, 7, 1000);
  EXPECT_EQ(c.events, 2);
}

}  // namespace
}  // namespace tappet
