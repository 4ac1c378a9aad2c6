#include "tappet/studies/metric.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet::metric_test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

const MetricNames names{
    .signals = {{"time", "s"}, {"crank.angle", "rad"}, {"rod-2.vx", "m/s"}, {"rod-2.x", "m"}},
    .contacts = {"pin", "wrist"}};

/// Ten turns in one second, 1000 samples a turn: angle 20πt, rod-2.vx = sin(angle), rod-2.x = t².
Recording ten_turns() {
  Recording r;
  r.columns = names.signals;
  r.contacts = names.contacts;
  for (int i = 0; i <= 10000; ++i) {
    const double t = 1e-4 * i, angle = 20 * pi * t;
    const double row[] = {t, angle, std::sin(angle), t * t};
    r.sample(row);
  }
  for (int i = 0; i < 4; ++i)
    r.impacts.push_back({.contact = i % 2, .start = 0.25 * i, .end = 0.25 * i + 0.01, .speed_in = 1.0 + i});
  r.summary.steps = 321;
  return r;
}

const Revolution by_angle{"crank.angle", 0}, by_time{"", 0.1};

double value(const std::string& text, Window window = {}, const Revolution& revolution = by_angle) {
  Metric metric = Metric::parse("m", Metric::Kind::value, text, names);
  metric.window = window;
  return metric.value(ten_turns(), revolution);
}

TEST(Metric, ReductionsOfSamplesAgreeWithClosedForms) {
  EXPECT_DOUBLE_EQ(value("max(rod-2.vx)"), 1);
  EXPECT_DOUBLE_EQ(value("min(rod-2.vx)"), -1);
  EXPECT_DOUBLE_EQ(value("range(rod-2.vx)"), 2);
  EXPECT_NEAR(value("mean(rod-2.vx)"), 0, 1e-12);
  EXPECT_NEAR(value("rms(rod-2.vx)"), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(value("std(rod-2.vx + 3)"), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(value("mean(abs(rod-2.vx))"), 2 / pi, 1e-5);  // kinks between samples
  EXPECT_NEAR(value("integral(rod-2.x)"), 1.0 / 3, 1e-8);
  EXPECT_DOUBLE_EQ(value("first(crank.angle)"), 0);
  EXPECT_DOUBLE_EQ(value("last(rod-2.x)"), 1);
  EXPECT_NEAR(value("mean(time < 0.25)"), 0.25, 1e-4);  // the share of the time, to a sample
}

// t² is largest at the end of each of the ten turns.
TEST(Metric, PeaksAreTheMeanOfTheRevolutionsLargest) {
  EXPECT_NEAR(value("peaks(rod-2.x)"), 0.385, 2e-4);
  EXPECT_NEAR(value("peaks(rod-2.x)", {.last = 2}), (0.81 + 1) / 2, 2e-4);
  EXPECT_NEAR(value("peaks(rod-2.x)", {.last = 2}, by_time), (0.81 + 1) / 2, 2e-4);
  EXPECT_TRUE(std::isnan(value("peaks(rod-2.x)", {.from = 0.95})));  // no whole turn
  EXPECT_TRUE(Metric::parse("m", Metric::Kind::value, "peaks(rod-2.x)", names).needs_revolution());
  EXPECT_THROW(Metric::parse("m", Metric::Kind::value, "peaks(impacts.speed_in)", names), ExpressionError);
}

TEST(Metric, ArithmeticOfReductions) {
  EXPECT_DOUBLE_EQ(value("2*max(rod-2.vx) - min(rod-2.vx)/2"), 2.5);
  EXPECT_DOUBLE_EQ(value("max(max(rod-2.vx), 7, last(rod-2.x))"), 7);  // of several arguments: the function
  EXPECT_DOUBLE_EQ(value("run.steps + 1"), 322);
  EXPECT_DOUBLE_EQ(value("max(max(rod-2.vx, 0.5*rod-2.x) - 1)"), 0);
}

TEST(Metric, ImpactsOfAllContactsOrOfOne) {
  EXPECT_DOUBLE_EQ(value("count(impacts)"), 4);
  EXPECT_DOUBLE_EQ(value("count(wrist.impacts)"), 2);
  EXPECT_DOUBLE_EQ(value("count(impacts.speed_in > 2.5)"), 2);
  EXPECT_DOUBLE_EQ(value("sum(pin.impacts.speed_in)"), 1 + 3);
  EXPECT_DOUBLE_EQ(value("mean(impacts.end - impacts.start)*1000"), 10);
  EXPECT_DOUBLE_EQ(value("count(impacts)", {.from = 0.2, .to = 0.6}), 2);
}

TEST(Metric, NothingHasNoValueButACount) {
  const Window early{.from = 0.1, .to = 0.2};
  EXPECT_DOUBLE_EQ(value("count(impacts)", early), 0);
  EXPECT_DOUBLE_EQ(value("sum(impacts.impulse)", early), 0);
  EXPECT_TRUE(std::isnan(value("max(impacts.speed_in)", early)));
}

TEST(Metric, WindowsInTimeAndInRevolutions) {
  EXPECT_DOUBLE_EQ(value("first(time)", {.from = 0.3}), 0.3);
  EXPECT_DOUBLE_EQ(value("last(time)", {.to = 0.3}), 0.3);
  EXPECT_NEAR(value("first(time)", {.last = 2}), 0.8, 1e-12);
  EXPECT_NEAR(value("first(time)", {.last = 2}, by_time), 0.8, 1e-12);
  EXPECT_NEAR(value("first(time)", {.to = 0.5, .last = 1.5}), 0.35, 1e-12);
  EXPECT_NEAR(value("mean(rod-2.x)", {.last = 5}), (1 - 0.125) / 3 / 0.5, 1e-8);
}

TEST(Metric, WindowsThatTheRunDoesNotFillAreRefused) {
  EXPECT_THROW(value("last(time)", {.last = 11}), SimulationError);
  EXPECT_THROW(value("last(time)", {.to = 1.5}), SimulationError);
  try {
    value("last(time)", {.last = 11});
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("only 10 were made"));
  }
}

TEST(Metric, SectionsAreTakenOnceARevolution) {
  for (const Revolution& revolution : {by_angle, by_time}) {
    Metric metric = Metric::parse("m", Metric::Kind::section, "rod-2.x", names);
    metric.phase = pi / 2;
    auto points = metric.list(ten_turns(), revolution);
    ASSERT_EQ(points.size(), 10u);
    for (int k = 0; k < 10; ++k) {
      const double t = 0.025 + 0.1 * k;
      EXPECT_NEAR(points[k].first, t, 1e-12);
      EXPECT_NEAR(points[k].second, t * t, 1e-12);
    }
    // Phases between samples are interpolated: the error is h²/8 · ẍ.
    metric.phase = 2 * pi * 0.12345;
    points = metric.list(ten_turns(), revolution);
    ASSERT_EQ(points.size(), 10u);
    EXPECT_NEAR(points[3].second, std::pow(0.3 + 0.012345, 2), 0.26e-8);
    // The last n revolutions hold n points, whatever the phase.
    for (const double phase : {0.0, 1.0, pi}) {
      metric.phase = phase;
      metric.window.last = 4;
      EXPECT_EQ(metric.list(ten_turns(), revolution).size(), 4u) << phase;
    }
  }
}

TEST(Metric, SectionsOfAnAngleThatTurnsBackwards) {
  Recording r = ten_turns();
  for (std::size_t i = 0; i < r.rows(); ++i) r.values[4 * i + 1] *= -1;
  Metric metric = Metric::parse("m", Metric::Kind::section, "rod-2.x", names);
  metric.phase = -pi / 2;
  const auto points = metric.list(r, by_angle);
  ASSERT_EQ(points.size(), 10u);
  EXPECT_NEAR(points[0].first, 0.025, 1e-12);
}

TEST(Metric, EachListsImpacts) {
  Metric metric = Metric::parse("m", Metric::Kind::each, "wrist.impacts.speed_in", names);
  EXPECT_THAT(metric.list(ten_turns(), {}),
              ::testing::ElementsAre(std::pair(0.25, 2.0), std::pair(0.75, 4.0)));
}

TEST(Metric, UnitsAreKnownWhereTheyAreEvident) {
  const auto unit = [](const char* text) {
    return Metric::parse("m", Metric::Kind::value, text, names).unit;
  };
  EXPECT_EQ(unit("max(abs(rod-2.vx))"), "m/s");
  EXPECT_EQ(unit("rms(rod-2.x)"), "m");
  EXPECT_EQ(unit("integral(rod-2.vx)"), "m/s s");
  EXPECT_EQ(unit("max(impacts.peak_force)"), "N");
  EXPECT_EQ(unit("count(impacts)"), "");
  EXPECT_EQ(unit("max(rod-2.x)*1000"), "");
  EXPECT_EQ(unit("max(rod-2.x*rod-2.x)"), "");
}

TEST(Metric, NamesTheSignalsItNeeds) {
  EXPECT_THAT(Metric::parse("m", Metric::Kind::value, "max(rod-2.vx) + last(rod-2.x*time)", names).signals(),
              ::testing::ElementsAre("rod-2.vx", "rod-2.x"));
  EXPECT_THAT(Metric::parse("m", Metric::Kind::value, "count(impacts)", names).signals(),
              ::testing::IsEmpty());
}

std::string fault(const std::string& text, Metric::Kind kind = Metric::Kind::value) {
  try {
    Metric::parse("m", kind, text, names);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

TEST(Metric, FaultsAreSentences) {
  EXPECT_THAT(fault("max(rod-2.vy)"), HasSubstr("there is no signal 'rod-2.vy' (did you mean 'rod-2.vx'?)"));
  EXPECT_THAT(fault("rod-2.vx"), HasSubstr("max(rod-2.vx)"));
  EXPECT_THAT(fault("max(3)"), HasSubstr("at least one"));
  EXPECT_THAT(fault("max(rod-2.vx) +"), HasSubstr("'max(rod-2.vx) +' ends"));
  EXPECT_THAT(fault("max(rod-2.vx) m/s"), HasSubstr("cannot stand behind"));
  EXPECT_THAT(fault("max(impacts.speed_in*rod-2.x)"), HasSubstr("cannot be mixed"));
  EXPECT_THAT(fault("max(pin.impacts.end - wrist.impacts.end)"), HasSubstr("cannot be mixed"));
  EXPECT_THAT(fault("count(rod-2.x)"), HasSubstr("of impacts"));
  EXPECT_THAT(fault("integral(impacts.impulse)"), HasSubstr("sum()"));
  EXPECT_THAT(fault("max(rod-2.x"), HasSubstr("rod-2.x"));
  EXPECT_THAT(fault("maks(rod-2.x)"), HasSubstr("rod-2.x"));
  EXPECT_THAT(fault(""), HasSubstr("nothing is given"));
  EXPECT_THAT(fault("rod-2.x", Metric::Kind::each), HasSubstr("section"));
  EXPECT_THAT(fault("impacts.end", Metric::Kind::section), HasSubstr("each"));
}

}  // namespace
}  // namespace tappet::metric_test
