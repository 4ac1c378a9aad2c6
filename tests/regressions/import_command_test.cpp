// `tappet import`: a robot's URDF and a file with its surroundings become a model that runs.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "regressions/source_tree.hpp"

namespace tappet::test::import_command_test {
namespace {

using ::testing::HasSubstr;
using ImportCommand = ProgramTest;

const std::string cart = (source_dir() / "examples/cart/cart.urdf").string();
const std::string road = (source_dir() / "examples/cart/road.yml").string();

// Wheels that roll down a slope: M v̇ = M g sin θ − 4 F and I v̇/R = F R, so that v̇ = g sin θ M/(M + 4 I/R²).
TEST_F(ImportCommand, ACartRollsAsItsUrdfSays) {
  const Outcome import = run({"import", cart, "--contacts", road, "-o", "cart.yaml"});
  ASSERT_EQ(import.status, 0) << import.err;
  const Outcome ran = run({"run", "cart.yaml", "-o", "cart.h5", "--quiet"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string rows = run({"export", "cart.h5", "chassis.vx", "front_left.wy", "chassis.wy"}).out;
  const std::string last = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
  double t = 0, v = 0, turn = 0, pitch = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf,%lf,%lf", &t, &v, &turn, &pitch), 4) << last;
  const double speed = 9.81 * std::sin(std::acos(-1.0) / 18) * 14 / (14 + 4 * 0.005 / 0.01);
  EXPECT_NEAR(t, 1, 1e-12);
  EXPECT_NEAR(v, speed, 1e-6 * speed);
  EXPECT_NEAR(turn, speed / 0.1, 1e-5 * speed);
  EXPECT_NEAR(pitch, 0, 1e-6);
}

TEST_F(ImportCommand, FaultsAreSentences) {
  EXPECT_THAT(run({"import", "none.urdf"}).err, HasSubstr("none.urdf"));
  write("bad.urdf", "<robot name='r'><link name='a'>");
  const Outcome bad = run({"import", "bad.urdf"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.urdf: error: "));
  // A fault of the contact file is told now, not when the model runs.
  write("more.yml", "contacts: {c: {between: [ground.road, front_left.wheel], frction: 1}}");
  const Outcome more = run({"import", cart, "--contacts", "more.yml", "-o", "out.yaml"});
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.err, HasSubstr("frction"));
  EXPECT_FALSE(exists("out.yaml"));
}

}  // namespace
}  // namespace tappet::test::import_command_test
