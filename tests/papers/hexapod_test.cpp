// The six-legged robot of [Flores2022, section 5] walks on the flat and climbs stairs. The document gives the
// architecture, the size of the stairs and the kind of stability; it gives no numbers of the motion, so that
// what is checked is what walking means: the frame goes where its gait says, stays level or along the stairs,
// feet carry the weight and do not slip, and the drives put in the energy that the ledger receives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::hexapod_test {
namespace {

const char* const legs[] = {"lf", "lm", "lr", "rf", "rm", "rr"};
constexpr double weight = (20 + 6 * 3.9) * 9.81;  // N

Recording walk(const std::string& gait, const std::string& method, const std::string& duration,
               const std::string& step = "3.5 ms", const std::string& output = "3.5 ms") {
  std::vector<std::string> settings = {
      fmt::format("define.gait={}", gait), fmt::format("simulation.method={}", method),
      fmt::format("simulation.duration={}", duration), fmt::format("output.step={}", output)};
  if (method == "moreau") settings.push_back(fmt::format("simulation.step={}", step));
  const Recording r = run_example("hexapod/hexapod.yaml", settings);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  return r;
}

/// Columns of a signal of all contacts of a foot: it has one for each piece of the stairs that it can touch
/// at once.
std::vector<std::size_t> columns_of(const Recording& r, const std::string& leg, const std::string& signal) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < r.names.size(); ++i)
    if (r.names[i].starts_with(fmt::format("{}_foot.", leg)) &&
        r.names[i].ends_with(fmt::format(".{}", signal)))
      out.push_back(i + 1);
  return out;
}

/// The way that a foot slides while it carries more than 5 N, m.
double slip_of(const Recording& r, const std::string& leg) {
  const auto normal = columns_of(r, leg, "normal"), speed = columns_of(r, leg, "speed");
  double way = 0;
  for (std::size_t i = 1; i < r.rows.size(); ++i)
    for (std::size_t c = 0; c < normal.size(); ++c)
      if (r.rows[i][normal[c]] > 5) way += r.rows[i][speed[c]] * (r.rows[i][0] - r.rows[i - 1][0]);
  return way;
}

/// Mean of the vertical forces of all feet, without the first tenth of a second in which soft feet sink in,
/// N.
double mean_support(const Recording& r) {
  double sum = 0;
  int count = 0;
  for (const auto& row : r.rows) count += row[0] > 0.1;
  for (const char* leg : legs)
    for (std::size_t c : columns_of(r, leg, "fz"))
      for (const auto& row : r.rows)
        if (row[0] > 0.1) sum += row[c];
  return sum / count;
}

double smallest(const Recording& r, const std::string& name) {
  const std::size_t c = r.column(name);
  double least = INFINITY;
  for (const auto& row : r.rows)
    if (row[0] > 0.1) least = std::min(least, row[c]);
  return least;
}

/// Motors and actuators put in what the ledger says, to 2 % of what they do one way and the other.
void expect_power_is_the_ledgers(const Recording& r) {
  double work = 0, both_ways = 0;
  for (std::size_t c = 0; c < r.names.size(); ++c)
    if (r.names[c].ends_with(".power"))
      for (std::size_t i = 1; i < r.rows.size(); ++i) {
        const double w = r.rows[i][c + 1] * (r.rows[i][0] - r.rows[i - 1][0]);
        work += w, both_ways += std::abs(w);
      }
  EXPECT_GT(both_ways, 1);
  EXPECT_NEAR(work, r.last("energy.input"), 0.02 * both_ways);
}

void expect_level_walk(const Recording& r, double way, double margin, double slip) {
  EXPECT_NEAR(r.last("frame.x"), way, 0.002);
  EXPECT_NEAR(r.last("frame.z"), 0.52, 0.002);
  EXPECT_LT(r.largest("frame.y"), 0.002);
  for (const char* part : {"qx", "qy", "qz"})
    EXPECT_LT(r.largest(fmt::format("frame.{}", part)), 0.005) << part;
  EXPECT_NEAR(mean_support(r), weight, 0.01 * weight);
  EXPECT_GT(smallest(r, "ground.margin"), margin);
  for (const char* leg : legs) EXPECT_LT(slip_of(r, leg), slip) << leg;
  expect_power_is_the_ledgers(r);
}

// One leg after the other. From the second period on the way is stride · (t/period − ½); in the first c⁴(5/2
// − 3c + c²) of a stride.
TEST(Hexapod, WavesOnTheFlat) {
  expect_level_walk(walk("wave", "moreau", "1.2*period"), 0.24 * 0.7, 0.14, 0.001);
}
TEST(Hexapod, WavesOnTheFlatWithForceLaws) {
  expect_level_walk(walk("wave", "smooth", "0.4*period"), 0.24 * std::pow(0.4, 4) * (2.5 - 1.2 + 0.16), 0.14,
                    0.002);
}

// The loops of the legs are redundant, three rows each; so they are at every step, also half-way through it, where joints are open. Rows
// that are then taken for independent ask for reactions of any size.
TEST(Hexapod, RedundantJointsStayQuietInLongSteps) {
  const Recording r = walk("wave", "moreau", "0.5*period", "50 ms", "50 ms");
  EXPECT_NEAR(r.last("frame.x"), 0.24 * std::pow(0.5, 4) * (2.5 - 1.5 + 0.25), 0.002);
  int forces = 0;
  for (std::size_t c = 0; c < r.names.size(); ++c)
    for (const char* part : {".fx", ".fy", ".fz"}) {
      if (r.names[c].find("foot") != std::string::npos || !r.names[c].ends_with(part)) continue;
      ++forces;
      EXPECT_LT(r.largest(r.names[c]), 3 * weight) << r.names[c];
    }
  EXPECT_EQ(forces, 90);
}

// Three legs at a time.
TEST(Hexapod, TripodOnTheFlat) {
  expect_level_walk(walk("tripod", "moreau", "2*period"), 0.24 * 1.5, 0.08, 0.001);
}
TEST(Hexapod, TripodOnTheFlatWithForceLaws) {
  expect_level_walk(walk("tripod", "smooth", "0.8*period"), 0.24 * std::pow(0.8, 4) * (2.5 - 2.4 + 0.64),
                    0.08, 0.002);
}

// Seven periods bring all feet from the flat over four steps of 170 mm to the landing.
TEST(Hexapod, ClimbsFourSteps) {
  const Recording r = walk("climb", "moreau", "7*period", "5 ms", "5 ms");
  EXPECT_NEAR(r.last("frame.x"), 7 * 0.28, 0.005);
  EXPECT_NEAR(r.last("frame.z"), 0.52 + 4 * 0.17, 0.001);
  EXPECT_LT(r.largest("frame.y"), 0.005);
  EXPECT_LT(std::abs(r.last("frame.qy")), 0.002);
  // On the stairs it lies along them.
  EXPECT_NEAR(r.largest("frame.qy"), std::sin(std::asin(2 * 0.17 / 0.6) / 2), 0.005);
  EXPECT_NEAR(mean_support(r), weight, 0.01 * weight);
  EXPECT_GT(smallest(r, "ground.margin"), 0.05);
  for (const char* leg : legs) EXPECT_LT(slip_of(r, leg), 0.005) << leg;
  expect_power_is_the_ledgers(r);
  // What was put in is in the height, or lost in contacts; the rest is the ledger's residual, which says how
  // well it closes.
  const double height = (20 + 6 * 3.9) * 9.81 * 4 * 0.17;
  EXPECT_NEAR(r.last("energy.input"), height, 0.1 * height);
}

}  // namespace
}  // namespace tappet::testing::hexapod_test
