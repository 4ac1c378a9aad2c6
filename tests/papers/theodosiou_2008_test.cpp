// The three structures of Theodosiou, Iakovidis and Natsiavas (2008), cut short: what their figures show.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::theodosiou_2008_test {
namespace {

// A ball of shells bounces; a coarser mesh than the example's, three lengths of the step as in their figure
// 1d.
TEST(Theodosiou2008, ShellBouncesAndConverges) {
  std::vector<double> speeds;
  for (const char* step : {"80 us", "40 us", "20 us"}) {
    const Recording r = run_example(
        "bouncing_shell/shell.yaml",
        {"bodies.ball.structure.generate.spherical-shell.divisions=6", std::string("simulation.step=") + step,
         "simulation.duration=30 ms", "output.step=1 ms"});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_GE(r.impacts.size(), 1u);
    EXPECT_GT(r.last("ball.vz"), 0.5);
    speeds.push_back(r.last("ball.vz"));
    // The lowest point stays on the ground within a step's way.
    for (const auto& row : r.rows) EXPECT_GT(row[r.column("ball.lowest.z")], -1.1 * 80e-6);
    EXPECT_LT(r.summary.energy_residual, 1e-9);
  }
  EXPECT_LT(std::abs(speeds[2] - speeds[1]), 0.6 * std::abs(speeds[1] - speeds[0]));
}

// The frame's wheels leave the road; its middle moves more smoothly than the wheels.
TEST(Theodosiou2008, WheelsLeaveTheRoad) {
  const Recording r =
      run_example("vehicle_frame/frame.yaml",
                  {"bodies.frame.structure.generate.space-frame.cells=[4, 2, 1]",
                   "bodies.frame.structure.generate.space-frame.beams=2",
                   "bodies.frame.structure.section.tube=[37 mm, 6 mm]", "simulation.duration=0.8 s"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  int off = 0;
  for (const auto& row : r.rows) off += row[0] > 0.01 && row[r.column("road_fl.normal")] == 0;
  EXPECT_GT(off, 10);
  EXPECT_LT(r.largest("frame.A.az"), 0.5 * r.largest("frame.hub_fl.az"));
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

// The frame after Craig and Bampton moves as the whole one does.
TEST(Theodosiou2008, ReducedFrameIsTheFrame) {
  std::vector<std::string> settings = {"bodies.frame.structure.generate.space-frame.cells=[4, 2, 1]",
                                       "bodies.frame.structure.generate.space-frame.beams=2",
                                       "bodies.frame.structure.section.tube=[37 mm, 6 mm]",
                                       "simulation.duration=0.6 s"};
  const Recording whole = run_example("vehicle_frame/frame.yaml", settings);
  settings.push_back("bodies.frame.structure.reduce={modes: 20}");
  const Recording reduced = run_example("vehicle_frame/frame.yaml", settings);
  ASSERT_TRUE(reduced.summary.completed) << reduced.summary.stop_reason;
  double worst = 0;
  for (std::size_t i = 0; i < whole.rows.size(); ++i)
    worst = std::max(worst, std::abs(whole.rows[i][whole.column("frame.A.uz")] -
                                     reduced.rows[i][reduced.column("frame.A.uz")]));
  EXPECT_LT(worst, 0.01 * whole.largest("frame.A.uz"));
  EXPECT_LT(reduced.summary.energy_residual, 1e-9);
}

// The block settles on the plate; driven sideways it sticks and slips.
TEST(Theodosiou2008, BlockSticksAndSlips) {
  const Recording r =
      run_example("block_on_plate/block.yaml", {"bodies.block.structure.generate.block.divisions=[2, 2, 2]",
                                                "bodies.plate.structure.generate.plate.divisions=[6, 6]",
                                                "simulation.step=0.2 ms", "output.step=0.2 ms"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  int sticks = 0, slips = 0;
  for (const auto& row : r.rows) {
    if (row[0] < 0.8) continue;
    (std::abs(row[r.column("block.foot.vx")]) < 5e-5 ? sticks : slips)++;  // it slides with up to 3 mm/s
  }
  EXPECT_GT(sticks, 50);
  EXPECT_GT(slips, 250);
  // A period of 50 ms: it repeats itself.
  EXPECT_NEAR(r.value(1, "block.vx"), r.value(0.95, "block.vx"), 0.05 * r.largest("block.vx"));
  // Every step is a sample, and its force the mean over it: what the plate carries is the weight and what changes the momentum, to rounding.
  double carried = 0, count = 0;
  for (const auto& row : r.rows)
    if (row[0] > 0.9 + 1e-9) carried += row[r.column("rub.fz")], ++count;
  const double mass = 0.016, time = 1 - 0.9;
  const double momentum = mass * (r.value(1, "block.vz") - r.value(0.9, "block.vz"));
  EXPECT_EQ(count, 500);
  EXPECT_NEAR((carried / count - momentum / time) / (mass * 9.81), 1, 1e-9);
}

}  // namespace
}  // namespace tappet::testing::theodosiou_2008_test
