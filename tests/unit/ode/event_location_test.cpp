#include "tappet/ode/event_location.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/ode_problems.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::event_location_test {
namespace {

/// y = (cos t, −sin t), with event functions given by a test.
class Swing : public OdeSystem {
 public:
  using Events = std::function<void(double, const double*, double*)>;
  Swing(int count, Events events) : count_(count), events_(std::move(events)) {}
  int size() const override { return 2; }
  void derivative(double, const double* y, double* f) override { f[0] = y[1], f[1] = -y[0]; }
  bool project(double, double*) override { return false; }
  void error_scale(double, const double*, double* scale) override { scale[0] = scale[1] = 1; }
  int event_count() const override { return count_; }
  void event_values(double t, const double* y, double* g) override { events_(t, y, g); }

 private:
  int count_;
  Events events_;
};

const double start[] = {1, 0};

/// All events up to t_end, each step continued from the event.
std::vector<LocatedEvent> all_events(const std::string& name, Swing& system, double tolerance, double t_end,
                                     double max_step = 0) {
  const auto scheme = make_scheme(name, {.tolerance = tolerance, .max_step = max_step});
  EventLocator locator(system);
  std::vector<double> g(system.event_count()), y(2);
  std::vector<LocatedEvent> found;
  scheme->start(system, 0, start, t_end);
  system.event_values(0, start, g.data());
  while (scheme->t() < t_end) {
    scheme->step();
    const auto event = locator.first(system, *scheme, g.data());
    if (!event) {
      g.assign(locator.values_at_end(), locator.values_at_end() + g.size());
      continue;
    }
    found.push_back(*event);
    scheme->interpolate(event->time, y.data());
    scheme->truncate(event->time, y.data());
    system.event_values(event->time, y.data(), g.data());
    g[event->index] = 0;
  }
  return found;
}

class EventLocation : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Schemes, EventLocation, ::testing::ValuesIn(error_controlled_schemes()),
                         [](const auto& info) { return info.param; });

TEST_P(EventLocation, FindsEveryZeroOfTheOscillatorOnce) {
  Swing system(1, [](double, const double* y, double* g) { g[0] = y[0]; });
  const auto events = all_events(GetParam(), system, 1e-9, 20);
  ASSERT_EQ(events.size(), 6u);
  for (std::size_t n = 0; n < events.size(); ++n) {
    EXPECT_NEAR(events[n].time, (n + 0.5) * std::numbers::pi, 1e-5);
    EXPECT_EQ(events[n].direction, n % 2 ? 1 : -1);
  }
}

TEST_P(EventLocation, TimesAreExactToTwelveDigits) {
  // Functions of time alone: what is measured is the location, not the integration.
  Swing system(3, [](double t, const double*, double* g) {
    g[0] = std::pow(t - 7.3, 3), g[1] = std::exp(t) - std::exp(4.2),
    g[2] = std::atan(1e6 * (t - std::numbers::pi));
  });
  const auto events = all_events(GetParam(), system, 1e-6, 10);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].index, 2);
  EXPECT_NEAR(events[0].time / std::numbers::pi, 1, 1e-15);
  EXPECT_EQ(events[1].index, 1);
  EXPECT_NEAR(events[1].time / 4.2, 1, 1e-15);
  EXPECT_EQ(events[2].index, 0);
  EXPECT_NEAR(events[2].time / 7.3, 1, 1e-15);
}

TEST(EventLocationAccuracy, TightIntegrationGivesExactEventTimes) {
  Swing system(1, [](double, const double* y, double* g) { g[0] = y[0]; });
  for (const LocatedEvent& event : all_events("dop853", system, 1e-14, 20)) {
    const double n = std::round(event.time / std::numbers::pi - 0.5);
    EXPECT_NEAR(event.time / ((n + 0.5) * std::numbers::pi), 1, 1e-12);
  }
}

TEST_P(EventLocation, TheEarliestOfSeveralComesFirst) {
  Swing system(4, [](double t, const double*, double* g) {
    g[0] = t - 0.05003, g[1] = 0.05001 - t, g[2] = t - 0.05002, g[3] = t - 100;
  });
  const auto events = all_events(GetParam(), system, 1e-3, 1);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].index, 1);
  EXPECT_EQ(events[0].direction, -1);
  EXPECT_EQ(events[1].index, 2);
  EXPECT_EQ(events[1].direction, 1);
  EXPECT_EQ(events[2].index, 0);
  EXPECT_EQ(events[2].direction, 1);
}

TEST(EventLocationInsideAStep, SeesAnExcursionOfAQuarterOfTheStep) {
  const auto scheme = make_scheme("dopri5", {.fixed_step = 1});
  for (double centre = 0.15; centre < 0.9; centre += 0.05) {
    Swing system(
        1, [=](double t, const double*, double* g) { g[0] = (t - centre) * (t - centre) - 0.126 * 0.126; });
    EventLocator locator(system);
    scheme->start(system, 0, start, 1);
    scheme->step();
    const double g_old = centre * centre - 0.126 * 0.126;
    const auto event = locator.first(system, *scheme, &g_old);
    ASSERT_TRUE(event) << centre;
    EXPECT_NEAR(event->time, centre - 0.126, 1e-14);
    EXPECT_EQ(event->direction, -1);
  }
}

TEST(EventLocationInsideAStep, LeavesZeroBehindAndFindsTheNext) {
  // A bounce: zero at t_old, up, and down again at `back`, before the first point looked at.
  const auto scheme = make_scheme("dopri5", {.fixed_step = 1});
  for (double back : {0.002, 0.1, 0.24, 0.3, 0.9}) {
    Swing system(1, [=](double t, const double*, double* g) { g[0] = t * (back - t); });
    EventLocator locator(system);
    scheme->start(system, 0, start, 1);
    scheme->step();
    const double g_old = 0;
    const auto event = locator.first(system, *scheme, &g_old);
    ASSERT_TRUE(event) << back;
    EXPECT_NEAR(event->time, back, 1e-14);
    EXPECT_EQ(event->direction, -1);
  }
}

TEST(EventLocationInsideAStep, AFunctionThatStaysZeroIsNoEvent) {
  Swing system(2, [](double t, const double*, double* g) { g[0] = 0, g[1] = t; });
  EXPECT_TRUE(all_events("dopri5", system, 1e-6, 5).empty());
}

TEST(EventLocationInsideAStep, AZeroAtTheEndOfTheStepIsFoundOnce) {
  Swing system(1, [](double t, const double*, double* g) { g[0] = t - 0.5; });
  const auto scheme = make_scheme("dopri5", {.fixed_step = 0.5});
  EventLocator locator(system);
  scheme->start(system, 0, start, 1);
  scheme->step();
  double g_old = -0.5;
  const auto event = locator.first(system, *scheme, &g_old);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->time, 0.5);
  EXPECT_EQ(event->direction, 1);
  scheme->step();
  g_old = *locator.values_at_end();
  EXPECT_EQ(g_old, 0);
  EXPECT_FALSE(locator.first(system, *scheme, &g_old));
}

TEST(EventLocationInsideAStep, TheFunctionHasItsNewSignAtTheEvent) {
  const auto scheme = make_scheme("dop853", {.tolerance = 1e-8});
  Swing system(1, [](double t, const double* y, double* g) { g[0] = y[0] - 0.3 * std::sin(3 * t); });
  EventLocator locator(system);
  double g_old = 1, y[2], g;
  int events = 0;
  for (scheme->start(system, 0, start, 50); scheme->t() < 50; g_old = *locator.values_at_end()) {
    scheme->step();
    if (const auto event = locator.first(system, *scheme, &g_old)) {
      ++events;
      scheme->interpolate(event->time, y);
      system.event_values(event->time, y, &g);
      EXPECT_GE(g * event->direction, 0);
    }
  }
  EXPECT_GE(events, 15);
}

TEST(EventLocationInsideAStep, RefusesWhatIsNotANumber) {
  Swing system(2, [](double, const double*, double* g) { g[0] = 1, g[1] = std::nan(""); });
  EXPECT_THROW(all_events("dopri5", system, 1e-6, 5), SimulationError);
}

TEST(EventLocationInsideAStep, AllocatesNothing) {
  Swing system(2, [](double t, const double* y, double* g) { g[0] = y[0], g[1] = t - 1; });
  const auto scheme = make_scheme("dop853", {.tolerance = 1e-8});
  EventLocator locator(system);
  double g[] = {1, -1};
  scheme->start(system, 0, start, 50);
  const long before = allocations();
  while (scheme->t() < 50) {
    scheme->step();
    locator.first(system, *scheme, g);
    std::copy(locator.values_at_end(), locator.values_at_end() + 2, g);
  }
  EXPECT_EQ(allocations(), before);
}

// A flight that is over long before the first point of the step: the zero just left is divided out.
TEST(EventLocationDeflated, FindsTheEndOfFlightsMuchShorterThanTheStep) {
  for (double part : {0.9, 1e-1, 1e-2, 1e-3, 1e-4}) {
    for (double level : {0.0, 1e-12, -1e-12}) {
      const double step = 0.01, flight = part * step, v = 0.5 * 9.81 * flight;
      double from = 0;
      Swing system(1, [&](double t, const double*, double* g) {
        const double tau = t - from;
        g[0] = level + v * tau - 0.5 * 9.81 * tau * tau;
      });
      const auto scheme = make_scheme("dopri5", {.tolerance = 1e-6, .fixed_step = step});
      scheme->start(system, 0, start, 1);
      for (int n = 0; n < 3; ++n) scheme->step();
      from = scheme->t_old();
      EventLocator locator(system);
      const auto event = locator.first(system, *scheme, {{.value = 0, .rate = v, .level = level}}, -1);
      ASSERT_TRUE(event) << part;
      EXPECT_NEAR((event->time - from) / flight, 1, 1e-9) << part << ' ' << level;
      EXPECT_EQ(event->direction, -1);
    }
  }
}

// Asked for falling ones alone, a rising one is passed over and the next falling one is found.
TEST(EventLocationDirection, PassesOverTheOtherDirection) {
  Swing system(1, [](double t, const double*, double* g) {
    g[0] = std::sin(2 * std::numbers::pi * (t / 0.16 - 0.1));
  });
  const auto scheme = make_scheme("dopri5", {.tolerance = 1e-6, .fixed_step = 0.1});
  scheme->start(system, 0, start, 1);
  scheme->step();
  EventLocator locator(system);
  const double g_old = std::sin(-0.2 * std::numbers::pi);
  const auto either = locator.first(system, *scheme, &g_old);
  ASSERT_TRUE(either);
  EXPECT_NEAR(either->time, 0.016, 1e-12);
  const auto falling = locator.first(system, *scheme, {{.value = g_old}}, -1);
  ASSERT_TRUE(falling);
  EXPECT_NEAR(falling->time, 0.096, 1e-12);
}

}  // namespace
}  // namespace tappet::testing::event_location_test
