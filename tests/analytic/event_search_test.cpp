// Instants of events and impacts: none missed, none found twice, and looking for them changes nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::event_search_test {
namespace {

/// Balls of 0.1 m above the floor, one per height, each thrown with its own speed.
std::string balls(const std::vector<double>& heights, const std::vector<double>& speeds,
                  const std::string& rest) {
  std::string text = "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n";
  for (std::size_t i = 0; i < heights.size(); ++i)
    text += fmt::format(
        "  b{}: {{mass: 1, inertia: 1, position: [{}, {:.17g}], velocity: [0, {:.17g}], angular_velocity: 0, "
        "shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}\n",
        i, i, heights[i] + 0.1, speeds[i]);
  text += "ground: {shapes: {floor: {plane: {normal: [0, 1]}}}}\ncontacts:\n";
  for (std::size_t i = 0; i < heights.size(); ++i)
    text += fmt::format("  f{}: {{between: [ground.floor, b{}.skin], normal: {{restitution: 0.5}}}}\n", i, i);
  return text + rest;
}

// Thrown up against a ceiling that its apex misses, or passes, by a nanometre: the step goes over the whole of it.
TEST(EventSearch, GrazingIsSeenToANanometre) {
  for (double beyond : {-1e-9, 1e-9, 1e-6}) {
    const double up = 3, apex = up * up / (2 * 9.81);
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies: {{ball: {{mass: 1, inertia: 1, position: "
        "[0, 0], velocity: [0, {}], angular_velocity: 0, "
        "shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}}}\n"
        "ground: {{shapes: {{top: {{plane: {{point: [0, {:.17g}], normal: [0, -1]}}}}}}}}\n"
        "contacts: {{top: {{between: [ground.top, ball.skin], normal: {{restitution: 0.5}}}}}}\n"
        "simulation: {{method: event-driven, duration: 0.6, tolerance: 1e-10}}\noutput: {{step: 0.6}}\n",
        up, apex + 0.1 - beyond));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_EQ(r.impacts.size(), beyond > 0 ? 1u : 0u) << beyond;
    if (beyond < 0) continue;
    const double speed = std::sqrt(2 * 9.81 * beyond);
    EXPECT_NEAR(r.impacts[0].speed_in / speed, 1, 1e-5) << beyond;
    EXPECT_NEAR(r.impacts[0].start, (up - speed) / 9.81, 1e-10) << beyond;
  }
}

TEST(EventSearch, TwoAtOnceAreBothFound) {
  const Recording r = run_text(
      balls({1, 1, 0.5}, {0, 0, 0},
            "simulation: {method: event-driven, duration: 0.5, tolerance: 1e-10}\noutput: {step: 0.5}\n"));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_GE(r.impacts.size(), 3u);
  EXPECT_EQ(r.impacts[0].contact, 2);
  EXPECT_NEAR(r.impacts[0].start, std::sqrt(2 * 0.5 / 9.81), 1e-12);
  EXPECT_EQ(r.impacts[1].start, r.impacts[2].start);
  EXPECT_NEAR(r.impacts[1].start, std::sqrt(2 / 9.81), 1e-12);
  for (int n : {1, 2}) EXPECT_NEAR(r.impacts[n].restitution, 0.5, 1e-12);
}

// Events of the user are read from the step, which goes on as it would: nothing moves otherwise, to the last bit.
TEST(EventSearch, EventsChangeNothing) {
  const std::string end =
      "simulation: {method: event-driven, duration: 1.5, tolerance: 1e-9}\noutput: {step: 0.1}\n";
  const std::string watch =
      "events:\n  low: {signal: b0.y, level: 0.3}\n  turn: {signal: b0.vy, level: 0}\n  other: {signal: "
      "b1.y, level: 0.15, direction: falling}\n";
  const Recording with = run_text(balls({1, 0.4}, {0, 1}, watch + end)),
                  without = run_text(balls({1, 0.4}, {0, 1}, end));
  ASSERT_TRUE(with.summary.completed && without.summary.completed);
  EXPECT_EQ(largest_difference(with, without), 0);
  ASSERT_EQ(with.impacts.size(), without.impacts.size());
  for (std::size_t n = 0; n < with.impacts.size(); ++n)
    EXPECT_EQ(with.impacts[n].start, without.impacts[n].start);
  // It passes 0.3 m going down just before it strikes, and on its way up.
  ASSERT_GE(with.events.size(), 3u);
  std::vector<double> low;
  for (const EventRecord& event : with.events)
    if (event.event == 0) low.push_back(event.time);
  const double strike = std::sqrt(2 / 9.81), speed = 0.5 * std::sqrt(2 * 9.81),
               drop = std::sqrt(speed * speed - 2 * 9.81 * 0.2);
  ASSERT_GE(low.size(), 3u);
  EXPECT_NEAR(low[0], std::sqrt(2 * (1.1 - 0.3) / 9.81), 1e-9);
  EXPECT_NEAR(low[1], strike + (speed - drop) / 9.81, 1e-9);
  EXPECT_NEAR(low[2], strike + (speed + drop) / 9.81, 1e-9);
}

class EverySignChange : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, EverySignChange, ::testing::Values("smooth", "event-driven", "moreau"),
                         [](const auto& info) {
                           return std::string(info.param) == "event-driven" ? "EventDriven" : info.param;
                         });

// sin(2π 5 t + 0.1) has 20 zeros in 2 s.
TEST_P(EverySignChange, ASineHasTwentyZeros) {
  const double w = 10 * std::numbers::pi;
  const Recording r = run_text(
      fmt::format("tappet: 1\ndimension: planar\ngravity: [0, 0]\nbodies: {{mass: {{mass: 1, inertia: 1, "
                  "position: [{:.17g}, 0], velocity: [{:.17g}, 0], angular_velocity: 0}}}}\n"
                  "forces: {{spring: {{type: expression, body: mass, fx: '-{:.17g}*x'}}}}\n"
                  "events: {{pass: {{signal: mass.x, level: 0}}}}\n"
                  "simulation: {{method: {}, duration: 2{}}}\noutput: {{step: 0.1}}\n",
                  std::sin(0.1), w * std::cos(0.1), w * w, GetParam(),
                  std::string(GetParam()) == "moreau" ? ", step: 1e-4" : ""));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_EQ(r.events.size(), 20u);
  const double tolerance = std::string(GetParam()) == "moreau" ? 1e-4 : 1e-6;
  for (int n = 0; n < 20; ++n)
    EXPECT_NEAR(r.events[n].time, ((n + 1) * std::numbers::pi - 0.1) / w, tolerance) << n;
}

// A slider that friction stops fires once, when it stops, and keeps still. (Regularised friction, method smooth, creeps.)
class ComesToRest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ComesToRest, ::testing::Values("event-driven", "moreau"),
                         [](const auto& info) { return *info.param == 'e' ? "EventDriven" : "Moreau"; });

TEST_P(ComesToRest, ASliderThatComesToRestFiresOnce) {
  const std::string text = fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, -10]\nbodies: {{box: {{mass: 1, inertia: 1, position: [0, "
      "0.1], velocity: [3, 0], angular_velocity: 0, "
      "shapes: {{skin: {{box: {{size: [0.6, 0.2]}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, box.skin], normal: {{law: hunt-crossley, stiffness: 1e7, "
      "restitution: 0}}, friction: {{law: coulomb, coefficient: 0.3}}}}}}\n"
      "simulation: {{method: {}, duration: 3{}}}\noutput: {{step: 0.5}}\n",
      GetParam(), std::string(GetParam()) == "moreau" ? ", step: 1e-4" : "");
  const Recording r = run_text(text + "events: {stop: {signal: box.vx, level: 0}}\n");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_NEAR(r.events[0].time, 1, std::string(GetParam()) == "moreau" ? 2e-4 : 1e-9);
  const Recording without = run_text(text);
  EXPECT_EQ(r.last("box.x"), without.last("box.x"));
  EXPECT_NEAR(r.last("box.x"), 1.5, std::string(GetParam()) == "moreau" ? 1e-3 : 1e-9);
}

}  // namespace
}  // namespace tappet::testing::event_search_test
