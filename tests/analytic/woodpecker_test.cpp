// The woodpecker toy of Glocker and of Leine, Van Campen and Glocker: jams, slides, falls and knocks in a limit cycle.
//
// The linear model of the literature has q = (y, φ_M, φ_S), a constant mass matrix, and gaps that are linear in q. Between two changes of
// its contacts its motion is an exponential of a matrix; put together piece by piece, with changes bracketed to rounding, these give the
// period and drop below. It is the limit of the toy when play, gravity and speeds are all multiplied by s → 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::woodpecker_test {
namespace {

constexpr double linear_period = 0.14597606514343, linear_drop = 0.0194453792847;

/// Times at which the beak knocks.
std::vector<double> knocks(const Recording& r) {
  std::vector<double> out;
  for (const Impact& i : r.impacts)
    if (i.requested == 0.5 && i.speed_in > 0) out.push_back(i.start);
  return out;
}

struct Cycle {
  double period = 0, before = 0, drop = 0;  ///< the last period, the one before it, and the drop in it
};

Cycle cycle(const std::string& example, std::vector<std::string> settings) {
  const Recording timed = run_example(example, settings);
  EXPECT_TRUE(timed.summary.completed) << timed.summary.stop_reason;
  EXPECT_LT(timed.summary.energy_residual, 1e-8);
  const std::vector<double> t = knocks(timed);
  const std::size_t n = t.size();
  EXPECT_GE(n, 5u);
  Cycle out{.period = t[n - 1] - t[n - 2], .before = t[n - 2] - t[n - 3]};
  // The drop: between samples a period apart.
  settings.push_back(fmt::format("output.step={:.17g}", out.period));
  const Recording sampled = run_example(example, settings);
  const std::size_t rows = sampled.rows.size(), y = sampled.column("sleeve.y");
  out.drop = sampled.rows[rows - 3][y] - sampled.rows[rows - 2][y];
  return out;
}

TEST(Woodpecker, PeriodAndDropAreConverged) {
  std::vector<Cycle> of;
  for (const char* tolerance : {"1e-8", "1e-10", "1e-12"}) {
    of.push_back(cycle("woodpecker/toy.yaml",
                       {"simulation.duration=3", std::string("simulation.tolerance=") + tolerance}));
    EXPECT_NEAR(of.back().before, of.back().period, 1e-9 * of.back().period) << "it is a limit cycle";
  }
  for (int i : {0, 1}) {
    EXPECT_NEAR(of[i].period / of[2].period, 1, i == 0 ? 1e-7 : 1e-9) << i;
    EXPECT_NEAR(of[i].drop / of[2].drop, 1, i == 0 ? 1e-7 : 1e-9) << i;
  }
  // Printed by this program on the day it was first right; the check that is independent is the next test.
  EXPECT_NEAR(of[2].period, 0.130747525, 1e-9);
  EXPECT_NEAR(of[2].drop, 0.0144969111, 1e-10);
}

// From elsewhere onto the same cycle.
TEST(Woodpecker, TheCycleAttracts) {
  const Cycle other =
      cycle("woodpecker/toy.yaml",
            {"simulation.duration=3", "bodies.bird.angular_velocity=-5", "bodies.sleeve.velocity=[0, -0.2]"});
  EXPECT_NEAR(other.period, 0.130747525, 1e-9);
}

TEST(Woodpecker, SmallAnglesAreTheLinearModel) {
  const auto with = [](const std::string& s) {
    return cycle("woodpecker/small_angles.yaml",
                 {"output.step=0.1", "gravity=[0, -9.81*" + s + "]", "bodies.sleeve.angle=-0.1*" + s,
                  "bodies.sleeve.velocity=[0, -0.34*" + s + "]",
                  "bodies.bird.position=[10*cos(0.1*" + s + ") + 15*cos(0.28*" + s + ") mm, -10*sin(0.1*" +
                      s + ") - 15*sin(0.28*" + s + ") mm]",
                  "bodies.bird.angle=-0.28*" + s, "bodies.bird.angular_velocity=-7.5*" + s,
                  "ground.shapes.pole.plane.point=[3.1 - 0.6*" + s + " mm, 0]",
                  "ground.shapes.top.plane.point=[4.9 - 2.4*" + s + " mm, 0]"});
  };
  const Cycle coarse = with("4e-4"), fine = with("2e-4"), file = cycle("woodpecker/small_angles.yaml", {});
  EXPECT_NEAR((linear_period - fine.period) / (linear_period - coarse.period), 0.5, 0.01)
      << "first order in the angles";
  EXPECT_NEAR((2 * fine.period - coarse.period) / linear_period, 1, 1e-6);
  EXPECT_NEAR((2 * fine.drop / 2e-4 - coarse.drop / 4e-4) / linear_drop, 1, 1e-6);
  EXPECT_NEAR(file.period, linear_period, 4e-6) << "as the file stands: angles of 1e-4";
}

// Where in a step an impact falls makes one run's error jump about its order: four starts are taken together.
TEST(Woodpecker, MoreauApproachesItAtFirstOrder) {
  std::vector<double> errors;
  for (const char* step : {"2e-4", "1e-4", "5e-5", "2.5e-5", "1.25e-5"}) {
    double sum = 0, count = 0;
    for (const char* start : {"-7.5", "-7.3", "-7.1", "-6.9"}) {
      std::vector<std::string> settings = {"simulation.duration=0.3", "simulation.tolerance=1e-10",
                                           std::string("bodies.bird.angular_velocity=") + start};
      const Recording exact = run_example("woodpecker/toy.yaml", settings);
      settings.insert(settings.end(), {"simulation.method=moreau", std::string("simulation.step=") + step});
      const Recording r = run_example("woodpecker/toy.yaml", settings);
      ASSERT_EQ(r.rows.size(), exact.rows.size());
      EXPECT_EQ(knocks(r).size(), knocks(exact).size());
      const std::size_t angle = r.column("bird.angle");
      for (std::size_t n = 0; n < r.rows.size(); ++n, ++count)
        sum += std::abs(r.rows[n][angle] - exact.rows[n][angle]);
    }
    errors.push_back(sum / count);
    fmt::print("step {}: bird's angle off by {:.2e} rad on average\n", step, errors.back());
  }
  const double order = std::log2(errors.front() / errors.back()) / 4;
  fmt::print("order {:.2f}\n", order);
  EXPECT_GT(order, 0.8);
  EXPECT_LT(order, 1.3);
  EXPECT_LT(errors.back(), 3e-4);
}

}  // namespace
}  // namespace tappet::testing::woodpecker_test
