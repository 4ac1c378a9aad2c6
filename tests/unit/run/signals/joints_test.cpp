#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::joints_test {
namespace {

using testing::run_text;

// A bar that hangs level from a pin, at the instant it is let go: ÿ = −g (r m r)/(J + m r²), and the pin carries what is left of
// its weight. The reaction on the second body acts at the pin.
TEST(JointSignals, ReactionOfAPinOnABarThatIsLetGo) {
  const char* text = R"(
tappet: 1
dimension: {dimension}
gravity: {gravity}
bodies: {bar: {mass: 3, inertia: {inertia}, position: {at}}}
joints: {pin: {type: revolute, bodies: [ground, bar], points: [{zero}, {end}]{axis}}}
simulation: {duration: 0.01}
)";
  const auto filled = [&](std::vector<std::pair<std::string, std::string>> values) {
    std::string out = text;
    for (const auto& [key, value] : values)
      for (std::size_t at; (at = out.find("{" + key + "}")) != std::string::npos;)
        out.replace(at, key.size() + 2, value);
    return out;
  };
  const double carried = 3 * 9.81 * (1 - 3 * 0.25 / (0.25 + 3 * 0.25));
  const auto plane = run_text(filled({{"dimension", "planar"},
                                      {"gravity", "[0, -9.81]"},
                                      {"inertia", "0.25"},
                                      {"at", "[0.5, 0]"},
                                      {"zero", "[0, 0]"},
                                      {"end", "[-0.5, 0]"},
                                      {"axis", ""}}));
  EXPECT_NEAR(plane.value(0, "pin.fy"), carried, 1e-9);
  EXPECT_NEAR(plane.value(0, "pin.fx"), 0, 1e-9);
  EXPECT_NEAR(plane.value(0, "pin.torque"), 0, 1e-9);
  EXPECT_NEAR(plane.value(0, "pin.angle"), 0, 1e-12);
  const auto space = run_text(filled({{"dimension", "spatial"},
                                      {"gravity", "[0, -9.81, 0]"},
                                      {"inertia", "[0.25, 0.25, 0.25]"},
                                      {"at", "[0.5, 0, 0]"},
                                      {"zero", "[0, 0, 0]"},
                                      {"end", "[-0.5, 0, 0]"},
                                      {"axis", ", axis: [0, 0, 1]"}}));
  EXPECT_NEAR(space.value(0, "pin.fy"), carried, 1e-9);
  for (const char* name : {"pin.fx", "pin.fz", "pin.tx", "pin.ty", "pin.tz"})
    EXPECT_NEAR(space.value(0, name), 0, 1e-9) << name;
  // The angle is that of the bar.
  EXPECT_NEAR(plane.last("pin.angle"), plane.last("bar.angle"), 1e-12);
  EXPECT_NEAR(plane.last("pin.angle"), -0.5 * (3 * 9.81 * 0.5 / 1.0) * 1e-4, 1e-9);
}

}  // namespace
}  // namespace tappet::joints_test
