// What every integrator promises, run over the registry; then what only the Runge–Kutta or the CVODE ones
// promise.
#include "tappet/ode/scheme.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/ode_problems.hpp"
#include "tappet/ode/step_errors.hpp"

namespace tappet::testing::scheme_test {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> fixed_step_schemes() {
  std::vector<std::string> names;
  for (const SchemeType& type : SchemeRegistry::instance().entries())
    if (type.fixed_step && type.error_control) names.push_back(type.name);
  return names;
}
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}

class EveryScheme : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryScheme, ::testing::ValuesIn(error_controlled_schemes()), test_name);

class RungeKutta : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, RungeKutta, ::testing::ValuesIn(fixed_step_schemes()), test_name);

class Multistep : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, Multistep, ::testing::Values("adams", "bdf"), test_name);

TEST(SchemeRegistry, HasTheSchemesOfSmoothMotion) {
  for (const char* name : {"adams", "bdf", "dop853", "dopri5", "implicit-euler", "sdirk2"}) {
    const SchemeType* type = SchemeRegistry::instance().find(name);
    ASSERT_TRUE(type) << name;
    EXPECT_FALSE(type->help.empty());
    EXPECT_FALSE(type->citation.empty());
  }
}

/// Counts calls, and breaks down where a test wants it to.
class Watched : public FunctionSystem {
 public:
  using FunctionSystem::FunctionSystem;
  void derivative(double t, const double* y, double* dydt) override {
    ++calls;
    if (t > throws_after) throw SimulationError(t, "the model ends here");
    FunctionSystem::derivative(t, y, dydt);
    if (t > not_finite_after) dydt[0] = std::numeric_limits<double>::quiet_NaN();
  }
  long calls = 0;
  double throws_after = std::numeric_limits<double>::infinity();
  double not_finite_after = std::numeric_limits<double>::infinity();
};

Watched watched_oscillator() {
  return {2, [](double, const double* y, double* f) { f[0] = y[1], f[1] = -y[0]; }};
}

TEST_P(EveryScheme, SolvesTheOscillatorAndLandsOnTheEnd) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const std::vector<double> y = run(*scheme, system, oscillator_start(), 10);
  EXPECT_EQ(scheme->t(), 10);
  EXPECT_LT(largest_difference(y, oscillator_at(10)), 2e-6);
}

TEST_P(EveryScheme, CountsWhatItDoes) {
  Watched system = watched_oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const double start[] = {1, 0};
  scheme->start(system, 0, start, 20);
  long steps = 0;
  double y[2];
  for (; scheme->t() < 20; ++steps) {
    scheme->step();
    scheme->interpolate(0.5 * (scheme->t_old() + scheme->t()), y);
  }
  EXPECT_EQ(scheme->counters().steps, steps);
  EXPECT_EQ(scheme->counters().evaluations, system.calls);
}

TEST_P(EveryScheme, DenseOutputIsContinuousAndAccurate) {
  FunctionSystem system = kepler();
  const double e = 0.3, tolerance = 1e-9;
  const auto scheme = make_scheme(GetParam(), {.tolerance = tolerance});
  scheme->start(system, 0, kepler_start(e).data(), 6);
  std::vector<double> y(4), last = kepler_start(e);
  while (scheme->t() < 6) {
    scheme->step();
    scheme->interpolate(scheme->t_old(), y.data());
    EXPECT_EQ(y, last);
    last.assign(scheme->y(), scheme->y() + 4);
    scheme->interpolate(scheme->t(), y.data());
    EXPECT_EQ(y, last);
    for (double theta : {1e-12, 0.2, 0.4, 0.6, 0.8, 1 - 1e-12}) {
      const double time = scheme->t_old() + theta * (scheme->t() - scheme->t_old());
      scheme->interpolate(time, y.data());
      EXPECT_LT(largest_difference(y, kepler_at(e, time)), 1000 * tolerance) << time;
    }
  }
}

TEST_P(EveryScheme, StaysOnTheManifold) {
  CartesianPendulum pendulum;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-7});
  const double t_end = 8 * CartesianPendulum::half_period();
  scheme->start(pendulum, 0, CartesianPendulum::start().data(), t_end);
  std::vector<double> inside(4), before(4);
  while (scheme->t() < t_end) {
    scheme->step();
    const double* y = scheme->y();
    EXPECT_NEAR(std::hypot(y[0], y[1]), 1, 1e-14);
    EXPECT_NEAR(y[0] * y[2] + y[1] * y[3], 0, 1e-13);
    // Dense output meets the projected ends without a jump.
    const double h = scheme->t() - scheme->t_old();
    scheme->interpolate(scheme->t() - 1e-9 * h, before.data());
    EXPECT_LT(largest_difference(before, {y, y + 4}), 1e-7 * h * 20 + 1e-13);
  }
  EXPECT_LT(largest_difference({scheme->y(), scheme->y() + 4}, CartesianPendulum::start()), 3e-4);
}

TEST_P(EveryScheme, SolvesTheArenstorfOrbit) {
  FunctionSystem system = arenstorf();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-11});
  const std::vector<double> y = run(*scheme, system, arenstorf_start(), arenstorf_period);
  // The orbit passes the moon closely and is unstable: about 1e5 times the local error comes out.
  EXPECT_NEAR(y[0], arenstorf_start()[0], 1e-3);
  EXPECT_NEAR(y[1], 0, 1e-3);
}

TEST_P(EveryScheme, ComponentsOfInfiniteScaleTakeNoPart) {
  // A fast quadrature that would need small steps.
  struct WithLedger : FunctionSystem {
    using FunctionSystem::FunctionSystem;
    void error_scale(double t, const double* y, double* scale) override {
      FunctionSystem::error_scale(t, y, scale);
      scale[2] = std::numeric_limits<double>::infinity();
    }
  };
  const auto run_with = [&](double frequency) {
    WithLedger system(3, [=](double t, const double* y, double* f) {
      f[0] = y[1], f[1] = -y[0], f[2] = std::cos(frequency * t);
    });
    const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-6});
    run(*scheme, system, {1, 0, 0}, 20);
    return scheme->counters().steps;
  };
  EXPECT_EQ(run_with(1), run_with(1000));
}

TEST_P(EveryScheme, RespectsTheLargestStep) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-3, .max_step = 0.013});
  scheme->start(system, 0, oscillator_start().data(), 1);
  while (scheme->t() < 1) {
    scheme->step();
    EXPECT_LE(scheme->t() - scheme->t_old(), 0.013 * (1 + 1e-12));
  }
}

TEST_P(EveryScheme, SaysThatTheStepSizeUnderflows) {
  // y' = y² blows up at t = 1.
  FunctionSystem system(2, [](double, const double* y, double* f) { f[0] = -y[0], f[1] = y[1] * y[1]; });
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const double start[] = {1, 1};
  scheme->start(system, 0, start, 2);
  try {
    for (int steps = 0; steps < 100000; ++steps) scheme->step();
    FAIL() << "went on to t = " << scheme->t();
  } catch (const StepSizeError& error) {
    EXPECT_THAT(error.what(), HasSubstr("step size"));
    EXPECT_THAT(error.what(), HasSubstr("component 1"));
    EXPECT_EQ(error.component(), 1);
    EXPECT_NEAR(error.time(), 1, 1e-6);
    EXPECT_EQ(error.time(), scheme->t());
  }
  EXPECT_TRUE(std::isfinite(scheme->y()[1]));
}

TEST_P(EveryScheme, SaysThatTheDerivativeIsNotFinite) {
  Watched system = watched_oscillator();
  system.not_finite_after = 1.5;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const double start[] = {1, 0};
  scheme->start(system, 0, start, 3);
  try {
    while (scheme->t() < 3) scheme->step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("component 0"));
    EXPECT_THAT(error.what(), HasSubstr("not a finite number"));
    EXPECT_NEAR(scheme->t(), 1.5, 0.01);
    EXPECT_NEAR(scheme->y()[0], std::cos(scheme->t()), 1e-6);
  }
}

TEST_P(EveryScheme, PassesOnWhatTheModelThrows) {
  Watched system = watched_oscillator();
  system.throws_after = 1.5;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const double start[] = {1, 0};
  scheme->start(system, 0, start, 3);
  try {
    while (scheme->t() < 3) scheme->step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "the model ends here");
    EXPECT_NEAR(scheme->t(), 1.5, 0.01);
  }
}

TEST_P(EveryScheme, TriesASmallerStepWhenTheModelThrows) {
  // x must stay above −1e-3: a step that is too large overshoots x = 0, the limit of e^−t.
  FunctionSystem system(1, [](double t, const double* y, double* f) {
    if (y[0] < -1e-3) throw SimulationError(t, "outside");
    f[0] = -50 * y[0];
  });
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-4, .first_step = 0.5});
  const std::vector<double> y = run(*scheme, system, {1}, 0.2);
  EXPECT_NEAR(y[0], std::exp(-10.0), 1e-3);
}

TEST_P(EveryScheme, ContinuesFromATruncatedStep) {
  FunctionSystem system = kepler();
  const double e = 0.3;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-9});
  scheme->start(system, 0, kepler_start(e).data(), 6);
  std::vector<double> y(4), inside(4);
  for (int n = 0; scheme->t() < 6; ++n) {
    scheme->step();
    if (n % 5 != 3 || scheme->t() == 6) continue;
    const double middle = scheme->t_old() + 0.3 * (scheme->t() - scheme->t_old());
    const double early = scheme->t_old() + 0.2 * (scheme->t() - scheme->t_old());
    scheme->interpolate(middle, y.data());
    scheme->truncate(middle, y.data());
    EXPECT_EQ(scheme->t(), middle);
    EXPECT_EQ(std::vector<double>(scheme->y(), scheme->y() + 4), y);
    scheme->interpolate(early, inside.data());
    EXPECT_LT(largest_difference(inside, kepler_at(e, early)), 1e-6);
    scheme->step();
    EXPECT_EQ(scheme->t_old(), middle);
    EXPECT_GT(scheme->t(), middle);
    scheme->interpolate(middle, inside.data());
    EXPECT_EQ(inside, y);
    const double later = 0.5 * (middle + scheme->t());
    scheme->interpolate(later, inside.data());
    EXPECT_LT(largest_difference(inside, kepler_at(e, later)), 1e-6);
  }
  EXPECT_LT(largest_difference({scheme->y(), scheme->y() + 4}, kepler_at(e, 6)), 1e-6);
}

TEST_P(EveryScheme, AllocatesNothingAfterItsStart) {
  CartesianPendulum pendulum;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-6});
  const std::vector<double> start = CartesianPendulum::start();
  double y[4];
  scheme->start(pendulum, 0, start.data(), 10);
  scheme->step();
  const long before = allocations();
  while (scheme->t() < 10) {
    scheme->step();
    scheme->interpolate(0.5 * (scheme->t_old() + scheme->t()), y);
  }
  scheme->start(pendulum, 0, start.data(), 10);
  for (int n = 0; n < 10; ++n) scheme->step();
  EXPECT_EQ(allocations(), before);
}

TEST_P(EveryScheme, RestartsForASystemOfAnotherSize) {
  FunctionSystem small = oscillator(), large(7, [](double, const double*y, double*f) {
    for (int i = 0; i < 7; ++i) f[i] = -(i + 1) * y[i];
  });
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  run(*scheme, small, oscillator_start(), 1);
  const std::vector<double> y = run(*scheme, large, {1, 1, 1, 1, 1, 1, 1}, 1);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(y[i], std::exp(-(i + 1.0)), 1e-6);
}

TEST_P(EveryScheme, SmallestNumbersDoNoHarm) {
  // Errors whose squares are zero: a state that has died out, and one that is zero from the beginning.
  FunctionSystem system(2, [](double, const double* y, double* f) { f[0] = -y[0], f[1] = -y[1]; });
  for (double size : {1e-150, 1e-200, 1e-310, 0.0}) {
    const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-6, .max_step = 0.01});
    const std::vector<double> y = run(*scheme, system, {size, 0}, 5);
    EXPECT_NEAR(y[0], size * std::exp(-5.0), 1e-6);
    EXPECT_EQ(scheme->counters().rejected, 0);
  }
}

TEST_P(EveryScheme, TakesATinyRest) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  const double t = 1, t_end = std::nextafter(1.0, 2.0);
  scheme->start(system, t, oscillator_at(t).data(), t_end);
  scheme->step();
  EXPECT_EQ(scheme->t(), t_end);
  EXPECT_LT(largest_difference({scheme->y(), scheme->y() + 3}, oscillator_at(t)), 1e-15);
  EXPECT_THROW(scheme->step(), std::logic_error);
}

TEST_P(EveryScheme, RefusesAToleranceThatIsNotPositive) {
  EXPECT_THROW(make_scheme(GetParam(), {.tolerance = 0}), std::invalid_argument);
}

// ------------------------------------------------------------------------------------------ Runge–Kutta
// alone

/// One step's end, all bits.
struct Point {
  double t;
  std::vector<double> y;
  bool operator==(const Point&) const = default;
};

std::vector<Point> continue_run(Scheme& scheme, int size, double t_end) {
  std::vector<Point> points;
  while (scheme.t() < t_end) {
    scheme.step();
    points.push_back({scheme.t(), {scheme.y(), scheme.y() + size}});
  }
  return points;
}

TEST_P(RungeKutta, ResumesBitForBit) {
  CartesianPendulum pendulum;
  const double t_end = 5;
  for (double fixed_step : {0.0, 0.0123}) {
    for (int stop : {0, 1, 2, 17, 40}) {
      const SchemeOptions options{.tolerance = 1e-9, .fixed_step = fixed_step};
      const auto whole = make_scheme(GetParam(), options), resumed = make_scheme(GetParam(), options);
      whole->start(pendulum, 0, CartesianPendulum::start().data(), t_end);
      for (int n = 0; n < stop; ++n) whole->step();

      // A step truncated before the checkpoint must not disturb it.
      if (stop == 17) {
        std::vector<double> y(4);
        const double middle = 0.5 * (whole->t_old() + whole->t());
        whole->interpolate(middle, y.data());
        pendulum.project(middle, y.data());
        whole->truncate(middle, y.data());
      }
      const Point saved{whole->t(), {whole->y(), whole->y() + 4}};
      AnyValue memory;
      whole->store(memory);
      const SchemeCounters counters = whole->counters();

      resumed->start(pendulum, saved.t, saved.y.data(), t_end);
      resumed->restore(memory);
      resumed->set_counters(counters);
      EXPECT_EQ(continue_run(*resumed, 4, t_end), continue_run(*whole, 4, t_end)) << "after step " << stop;
      EXPECT_EQ(resumed->counters().steps, whole->counters().steps);
      EXPECT_EQ(resumed->counters().rejected, whole->counters().rejected);
      EXPECT_EQ(resumed->counters().evaluations, whole->counters().evaluations);
    }
  }
}

TEST_P(RungeKutta, TheEndOfTheRunChangesOnlyTheLastSteps) {
  FunctionSystem system = kepler();
  const auto near = make_scheme(GetParam(), {.tolerance = 1e-8}),
             far = make_scheme(GetParam(), {.tolerance = 1e-8});
  near->start(system, 0, kepler_start(0.5).data(), 10);
  far->start(system, 0, kepler_start(0.5).data(), 1000);
  const std::vector<Point> points = continue_run(*near, 4, 10);
  for (std::size_t n = 0; n + 2 < points.size(); ++n) {
    far->step();
    EXPECT_EQ(points[n], (Point{far->t(), {far->y(), far->y() + 4}}));
  }
  // No tiny rest: the last two steps are of similar size.
  const std::size_t last = points.size() - 1;
  EXPECT_GT(points[last].t - points[last - 1].t, 0.3 * (points[last - 1].t - points[last - 2].t));
}

TEST_P(RungeKutta, KeepsItsStepSizeOverARestartWhenAsked) {
  FunctionSystem system = kepler();
  const double e = 0.3;
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  scheme->start(system, 0, kepler_start(e).data(), 100);
  for (int n = 0; n < 20; ++n) scheme->step();
  const double h = scheme->t() - scheme->t_old(), t = scheme->t();
  const SchemeCounters before = scheme->counters();
  const std::vector<double> y(scheme->y(), scheme->y() + 4);
  scheme->start(system, t, y.data(), 100, true);
  scheme->step();
  EXPECT_GT(scheme->t() - scheme->t_old(), 0.5 * h);
  const long trials = 1 + scheme->counters().rejected - before.rejected;
  EXPECT_LE(scheme->counters().evaluations - before.evaluations, 1 + 12 * trials)
      << "no search for a first step";
}

TEST_P(RungeKutta, AShortLastStepDoesNotSpoilTheStepSizeOfARestart) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-8});
  scheme->start(system, 0, oscillator_start().data(), 100);
  for (int n = 0; n < 10; ++n) scheme->step();
  const double h = scheme->t() - scheme->t_old(), t = scheme->t();
  std::vector<double> y(scheme->y(), scheme->y() + 3);
  scheme->start(system, t, y.data(), t + 1e-4 * h, true);
  scheme->step();
  y.assign(scheme->y(), scheme->y() + 3);
  scheme->start(system, scheme->t(), y.data(), 100, true);
  scheme->step();
  EXPECT_GT(scheme->t() - scheme->t_old(), 0.5 * h);
}

TEST_P(RungeKutta, FixedStepsAreEqualAndLandOnTheEnd) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 0.1});
  scheme->start(system, 0, oscillator_start().data(), 100.05);
  for (int n = 1; n <= 1000; ++n) {
    scheme->step();
    EXPECT_EQ(scheme->t(), n * 0.1);
  }
  scheme->step();
  EXPECT_EQ(scheme->t(), 100.05);
  EXPECT_EQ(scheme->counters().steps, 1001);
}

TEST_P(RungeKutta, FixedStepsNeedNoTolerance) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.tolerance = 0, .fixed_step = 0.01});
  EXPECT_LT(largest_difference(run(*scheme, system, oscillator_start(), 1), oscillator_at(1)), 1e-10);
}

TEST_P(RungeKutta, TheSystemsOwnErrorMeasureCounts) {
  struct Strict : FunctionSystem {
    using FunctionSystem::FunctionSystem;
    double extra_error(double, const double*, const double* error) override {
      return 1000 * std::abs(error[0]);
    }
  };
  const auto f = [](double, const double* y, double* f) { f[0] = y[1], f[1] = -y[0]; };
  FunctionSystem plain(2, f);
  Strict strict(2, f);
  const auto a = make_scheme(GetParam(), {.tolerance = 1e-6}),
             b = make_scheme(GetParam(), {.tolerance = 1e-6});
  run(*a, plain, {1, 0}, 20);
  run(*b, strict, {1, 0}, 20);
  EXPECT_GT(b->counters().steps, 2 * a->counters().steps);
}

TEST_P(RungeKutta, TheLocalErrorIsWithinTheTolerance) {
  // Each step against a much more accurate one from the same point.
  FunctionSystem system = kepler();
  for (double tolerance : {1e-5, 1e-8, 1e-10}) {
    const auto scheme = make_scheme(GetParam(), {.tolerance = tolerance});
    const auto reference = make_scheme("dop853", {.tolerance = 1e-14});
    scheme->start(system, 0, kepler_start(0.5).data(), 6);
    std::vector<double> y = kepler_start(0.5);
    while (scheme->t() < 6) {
      scheme->step();
      reference->start(system, scheme->t_old(), y.data(), scheme->t());
      while (reference->t() < scheme->t()) reference->step();
      y.assign(scheme->y(), scheme->y() + 4);
      EXPECT_LT(largest_difference(y, {reference->y(), reference->y() + 4}), 2 * tolerance);
    }
  }
}

TEST_P(RungeKutta, RefusesTheMemoryOfAnother) {
  AnyValue memory;
  memory.as<MultistepMemory>();
  EXPECT_THROW(make_scheme(GetParam(), {})->restore(memory), std::invalid_argument);
  EXPECT_THROW(make_scheme(GetParam(), {})->restore({}), std::invalid_argument);
}

// ----------------------------------------------------------------------------------------------- CVODE alone

TEST_P(Multistep, RefusesFixedSteps) {
  EXPECT_THROW(make_scheme(GetParam(), {.fixed_step = 0.1}), std::invalid_argument);
}

TEST_P(Multistep, ARestartIsTheSameInEveryRun) {
  FunctionSystem system = kepler();
  const auto used = make_scheme(GetParam(), {.tolerance = 1e-9}),
             fresh = make_scheme(GetParam(), {.tolerance = 1e-9});
  EXPECT_TRUE(used->restarts_at_checkpoint());
  used->start(system, 0, kepler_start(0.3).data(), 12);
  for (int n = 0; n < 60; ++n) used->step();
  const Point saved{used->t(), {used->y(), used->y() + 4}};
  used->start(system, saved.t, saved.y.data(), 12);
  fresh->start(system, saved.t, saved.y.data(), 12);
  AnyValue memory;
  used->store(memory);
  fresh->restore(memory);
  EXPECT_EQ(continue_run(*fresh, 4, 12), continue_run(*used, 4, 12));
}

TEST(Bdf, SolvesStiffVanDerPol) {
  // µ = 1000 to t = 2000; reference: test set for IVP solvers, problem vdpol (ε = 1e-6, t = 2), as published
  // there.
  FunctionSystem system = van_der_pol(1000);
  const auto scheme = make_scheme("bdf", {.tolerance = 1e-8});
  const std::vector<double> y = run(*scheme, system, {2, 0}, 2000);
  EXPECT_NEAR(y[0], 1.706167732170483, 1e-5);
  EXPECT_NEAR(y[1], -0.8928097010247975e-3, 1e-8);
  EXPECT_LT(scheme->counters().steps, 20000) << "an explicit method needs millions";
}

TEST(Bdf, SolvesALargeStiffSystemWithoutAMatrix) {
  // Heat conduction along 800 points: eigenvalues from −10 to −3200.
  constexpr int n = 800;
  FunctionSystem system(n, [](double, const double* y, double* f) {
    for (int i = 0; i < n; ++i) f[i] = 800 * ((i ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0));
  });
  const auto scheme = make_scheme("bdf", {.tolerance = 1e-6});
  std::vector<double> start(n);
  const double k = 50 * std::numbers::pi / (n + 1), rate = -1600 * (1 - std::cos(k));
  for (int i = 0; i < n; ++i) start[i] = std::sin(k * (i + 1));
  const std::vector<double> y = run(*scheme, system, start, 0.05);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(y[i], start[i] * std::exp(rate * 0.05), 1e-4);
}

}  // namespace
}  // namespace tappet::testing::scheme_test
