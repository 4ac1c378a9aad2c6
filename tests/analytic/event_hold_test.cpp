// Bodies held by friction at more places than equilibrium needs: method event-driven decides for all of them together.
//
// A block that stands on two corners (four in space) can share its load among them in many ways. It holds as long as one of
// these ways keeps every force inside its cone, and lets go where none does: for a block that is pulled at its top, whatever
// the split, at F = μ_s m g.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::event_hold_test {
namespace {

struct Pull {
  bool planar = true;
  double mass = 10, gravity = 9.81, height = 0.25;  ///< of the pull above the centre
  double width = 2, tall = 0.5;
  std::string force = "10*t", friction = "coefficient: 0.3";
  double duration = 3.5, step = 0.1;
};

/// A box that stands on the floor, pulled along x.
Recording pull(const Pull& p) {
  const auto point = [&](double x, double up) {
    return p.planar ? fmt::format("[{:.17g}, {:.17g}]", x, up) : fmt::format("[{:.17g}, 0, {:.17g}]", x, up);
  };
  return run_text(fmt::format(
      "tappet: 1\ndimension: {}\ngravity: {}\nbodies:\n"
      "  box: {{mass: {}, inertia: {}, position: {}, velocity: {}, angular_velocity: {}, shapes: {{skin: "
      "{{box: {{size: {}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: {}}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, box.skin], normal: {{restitution: 0}}, friction: "
      "{{{}}}}}}}\n"
      "forces: {{pull: {{type: expression, body: box, point: {}, fx: '{}'}}}}\n"
      "simulation: {{method: event-driven, duration: {}, tolerance: 1e-10}}\noutput: {{step: {}, places: "
      "true}}\n",
      p.planar ? "planar" : "spatial", point(0, -p.gravity), p.mass, p.planar ? "3.5" : "[3.5, 3.5, 3.5]",
      point(0, 0.5 * p.tall), p.planar ? "[0, 0]" : "[0, 0, 0]", p.planar ? "0" : "[0, 0, 0]",
      p.planar ? fmt::format("[{}, {}]", p.width, p.tall) : fmt::format("[{}, 1, {}]", p.width, p.tall),
      point(0, 1), p.friction, point(0, p.height), p.force, p.duration, p.step));
}

class Hold : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, Hold, ::testing::Values(true, false),
                         [](const auto& info) { return info.param ? "Planar" : "Spatial"; });

// The least forces would have a corner slip at 2.5591 s; the set holds to 2.943 s.
TEST_P(Hold, BlockLetsGoWhereNoSplitHolds) {
  const Recording r = pull({.planar = GetParam(), .step = 0.001});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(2.942, "box.vx"), 0, 1e-13);
  EXPECT_NEAR(r.value(2.942, "box.x"), 0, 1e-12);
  for (double t : {2.944, 3.0, 3.5})
    EXPECT_NEAR(r.value(t, "box.vx"), 0.5 * std::pow(t - 2.943, 2), 1e-9) << t;
  EXPECT_NEAR(r.value(3.5, "box.vx"), 0.1551245, 1e-7);
  EXPECT_NEAR(r.last("box.x"), std::pow(0.557, 3) / 6, 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

// The forces that are shown are admissible ones wherever there are any.
TEST_P(Hold, ForcesShownLieInTheirCones) {
  const Recording r = pull({.planar = GetParam()});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (double t : {0.5, 2.0, 2.6, 2.9}) {
    double along = 0, load = 0;
    for (int c = 1; c <= (GetParam() ? 4 : 8); ++c) {
      const std::string name = fmt::format("floor.{}", c);
      if (std::find(r.names.begin(), r.names.end(), name + ".normal") == r.names.end()) continue;
      const double normal = r.value(t, name + ".normal"), tangential = r.value(t, name + ".tangential");
      EXPECT_LE(tangential, 0.3 * normal + 1e-9) << t << ' ' << name;
      load += normal, along += tangential;
    }
    EXPECT_NEAR(load, 98.1, 1e-8);
    EXPECT_GE(along, 10 * t - 1e-8);
  }
}

TEST_P(Hold, StaticFrictionHoldsToItsOwnLimit) {
  const Recording r = pull(
      {.planar = GetParam(), .friction = "coefficient: 0.3, static: 0.5", .duration = 5.405, .step = 0.005});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(4.9, "box.vx"), 0, 1e-13);
  for (double t : {4.91, 5.405})
    EXPECT_NEAR(r.value(t, "box.vx"), 1.962 * (t - 4.905) + 0.5 * std::pow(t - 4.905, 2), 1e-9) << t;
}

// 1000 kg, μ_s 0.3, μ_d 0.2, g 10: 3000 N.
TEST_P(Hold, NothingSlipsBelowTheLimitOfTheWhole) {
  const auto after_one_second = [](bool planar, const char* force) {
    const Recording r = pull({.planar = planar,
                              .mass = 1000,
                              .gravity = 10,
                              .force = force,
                              .friction = "coefficient: 0.2, static: 0.3",
                              .duration = 1,
                              .step = 1});
    EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
    return r.last("box.vx");
  };
  EXPECT_NEAR(after_one_second(GetParam(), "2991"), 0, 1e-13);
  EXPECT_NEAR(after_one_second(GetParam(), "2999.99"), 0, 1e-13);
  EXPECT_NEAR(after_one_second(GetParam(), "3000.01"), 1.00001, 1e-9);
}

// A wider push: the block holds, slips and sticks again under a force that swells and fades; what it moves is in closed form.
// F = 40 sin t: slips where sin t = 0.735750, v' = (40 sin t − 29.43)/10 until v = 0.
TEST_P(Hold, SlipsAndHoldsAgain) {
  const Recording r = pull({.planar = GetParam(), .force = "40*sin(t)", .duration = 3.5, .step = 0.01});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const double start = std::asin(0.73575);
  const auto speed = [&](double t) { return 4 * (std::cos(start) - std::cos(t)) - 2.943 * (t - start); };
  double low = std::numbers::pi - start, high = 3.5;
  for (int n = 0; n < 100; ++n) {
    const double middle = 0.5 * (low + high);
    (speed(middle) > 0 ? low : high) = middle;
  }
  EXPECT_NEAR(r.value(1.5, "box.vx"), speed(1.5), 1e-9);
  ASSERT_LT(low, 3.2);
  EXPECT_NEAR(r.last("box.vx"), 0, 1e-12);
  const auto distance = [&](double t) {
    return 4 * (std::cos(start) * (t - start) - std::sin(t) + std::sin(start)) -
           1.4715 * std::pow(t - start, 2);
  };
  EXPECT_NEAR(r.last("box.x"), distance(low), 1e-9);
}

/// A table of 1 kg without weight on four legs at (±1, ±1), pushed down at one of its points.
Recording table(double x, double y, double friction, double duration) {
  return run_text(fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n"
      "  top: {{mass: 1, inertia: [0.4, 0.4, 0.7], position: [0, 0, 0.1], velocity: [0, 0, 0], "
      "angular_velocity: [0, 0, 0], "
      "shapes: {{skin: {{box: {{size: [2, 2, 0.2]}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{leg: {{between: [ground.floor, top.skin], normal: {{restitution: 0}}, friction: "
      "{{coefficient: {}}}}}}}\n"
      "forces: {{load: {{type: force, body: top, point: [{}, {}, 0], force: [0, 0, -100]}}}}\n"
      "simulation: {{method: event-driven, duration: {}, tolerance: 1e-10}}\noutput: {{step: {}, places: "
      "true}}\n",
      friction, x, y, duration, duration / 10));
}

// The least forces have a leg pull at (0.55, 0.55): four legs need the decision of the set as well.
TEST(FourLegs, StandUnderEveryLoadBetweenThem) {
  for (double friction : {0.0, 0.4})
    for (const auto& [x, y] :
         {std::pair{0.55, 0.55}, {0.0, 0.0}, {-0.9, 0.2}, {0.99, 0.99}, {0.99, -0.5}, {0.0, -0.999}}) {
      const Recording r = table(x, y, friction, 1);
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      EXPECT_NEAR(r.last("top.z"), 0.1, 1e-12) << x << ' ' << y;
      EXPECT_NEAR(r.largest("top.wx") + r.largest("top.wy"), 0, 1e-12) << x << ' ' << y;
      EXPECT_NEAR(
          r.last("leg.1.normal") + r.last("leg.2.normal") + r.last("leg.3.normal") + r.last("leg.4.normal"),
          100, 1e-8);
    }
}

// 5 N m about the edge x = 1, where the table has I_yy + m (1² + 0.1²).
TEST(FourLegs, TipUnderALoadOutside) {
  const Recording r = table(1.05, 0, 0.5, 1e-3);
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const double expected = 5 / (0.4 + 1.01) * 1e-3;
  EXPECT_NEAR(r.last("top.wy"), expected, 1e-5 * expected);
  EXPECT_NEAR(r.last("top.wx"), 0, 1e-12);
}

// A block carries another: the lower one slides on the floor while the upper one still sticks to it, until a = μ₂ g.
TEST(Stack, SlidesBelowAndSticksAbove) {
  for (const char* order : {"lower first", "upper first"}) {
    const std::string lower =
        "  lower: {mass: 2, inertia: 3, position: [0, 0.25], velocity: [0, 0], angular_velocity: 0, shapes: "
        "{skin: {box: {size: [4, 0.5]}}}}\n";
    const std::string upper =
        "  upper: {mass: 1, inertia: 0.2, position: [0, 0.75], velocity: [0, 0], angular_velocity: 0, "
        "shapes: {skin: {box: {size: [1, 0.5]}}}}\n";
    const bool first = std::string(order) == "lower first";
    const Recording r = run_text(
        "tappet: 1\ndimension: planar\ngravity: [0, -10]\nbodies:\n" +
        (first ? lower + upper : upper + lower) +
        "ground: {shapes: {floor: {plane: {normal: [0, 1]}}}}\n"
        "contacts:\n  floor: {between: [ground.floor, lower.skin], normal: {restitution: 0}, friction: "
        "{coefficient: 0.2}}\n"
        "  deck: {between: [lower.skin, upper.skin], normal: {restitution: 0}, friction: {coefficient: "
        "0.4}}\n"
        "forces: {pull: {type: expression, body: lower, point: [0, 0], fx: '10*t'}}\n"
        "simulation: {method: event-driven, duration: 2.2, tolerance: 1e-10}\noutput: {step: 0.1}\n");
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.value(0.5, "lower.vx"), 0, 1e-12) << order;
    EXPECT_NEAR(r.value(1.8, "lower.vx"), 2.4, 1e-9) << order;
    EXPECT_NEAR(r.value(1.8, "upper.vx"), 2.4, 1e-9) << order;
    EXPECT_NEAR(r.last("lower.vx"), 4.4, 1e-8) << order;
    EXPECT_NEAR(r.last("upper.vx"), 4.0, 1e-8) << order;
  }
}

// Boxes that carry each other with one coefficient: when the lowest slips away all joints above it are at their limit for good, which is
// neither slip nor an event that comes back in every step. All but the lowest go on with μ₂ g.
TEST(Stack, OfEqualFrictionSlidesApartBelowAlone) {
  const int count = 4;
  const double g = 9.81, floor = 0.4, between = 0.3;
  std::string text = "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n", contacts;
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "  d{}: {{mass: 1, inertia: 0.1, position: [0, {:.17g}], velocity: [0, 0], angular_velocity: 0, "
        "shapes: {{skin: {{box: {{size: [{}, 0.1]}}}}}}}}\n",
        i, 0.05 + 0.1 * i, 1 - 0.1 * i);
    contacts += fmt::format(
        "  p{}: {{between: [{}, d{}.skin], normal: {{restitution: 0}}, friction: {{coefficient: {}}}}}\n", i,
        i == 0 ? "ground.floor" : fmt::format("d{}.skin", i - 1), i, i == 0 ? floor : between);
  }
  const Recording r =
      run_text(text + "ground: {shapes: {floor: {plane: {normal: [0, 1]}}}}\ncontacts:\n" + contacts +
               "forces: {pull: {type: expression, body: d0, fx: '20*t'}}\n"
               "simulation: {method: event-driven, duration: 1.5, tolerance: 1e-10}\noutput: {step: 0.1}\n");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const double slides = floor * count * g / 20, parts = slides + between * g * count / 20;
  const double together = (10 * (parts * parts - slides * slides) - 20 * slides * (parts - slides)) / count;
  const double lower = together + 10 * (1.5 * 1.5 - parts * parts) -
                       (floor * count + between * (count - 1)) * g * (1.5 - parts);
  EXPECT_NEAR(r.last("d0.vx"), lower, 1e-7);
  for (int i = 1; i < count; ++i)
    EXPECT_NEAR(r.last(fmt::format("d{}.vx", i)), together + between * g * (1.5 - parts), 1e-7) << i;
  EXPECT_LT(r.summary.steps, 200);
}

}  // namespace
}  // namespace tappet::testing::event_hold_test
