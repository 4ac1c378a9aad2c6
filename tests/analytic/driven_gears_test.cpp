// Gears from STL, equally thick, one driven and the other loaded, at instants: the wheel keeps up with the pinion, tooth for tooth.
//
// At the pitch circles both go ω₁ r₁; an involute pushes along its line of action, so that the ratio is that at every instant. Teeth of
// straight pieces lead or lag by what these leave out of the involute, and the wheel by the backlash until it has been met.
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/plate_meshes.hpp"
#include "support/run_model.hpp"

namespace tappet::driven_gears_test {
namespace {

constexpr double speed = 10, pi = std::numbers::pi;

class DrivenGears : public FolderTest {
 protected:
  testing::Recording turn(const testing::Gear& first, const testing::Gear& second, double duration) const {
    testing::write_stl(testing::plate(first.outline(), 0.01), path("a.stl"));
    testing::write_stl(testing::plate(second.outline(), 0.01), path("b.stl"));
    const double apart = first.pitch_radius() + second.pitch_radius();
    // A tooth of the first is on the x axis: there a space of the second.
    const double turned = std::fmod(pi - pi / second.teeth, 2 * pi / second.teeth);
    return testing::run_text(fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0], angular_velocity: [0, 0, {0}], "
        "shapes: {{s: {{mesh: {{file: '{1}', scale: 1 mm}}}}}}}}\n"
        "  b: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [{2:.17g}, 0, 0], orientation: {{axis: [0, "
        "0, 1], angle: {3:.17g}}}, angular_velocity: [0, 0, {4:.17g}], shapes: {{s: {{mesh: {{file: '{5}', "
        "scale: 1 mm}}}}}}}}\n"
        "joints:\n"
        "  ja: {{type: revolute, bodies: [ground, a], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}\n"
        "  jb: {{type: revolute, bodies: [ground, b], points: [[{2:.17g}, 0, 0], [0, 0, 0]], axis: [0, 0, "
        "1]}}\n"
        "motions: {{m: {{joint: ja, speed: {0}}}}}\n"
        "forces: {{load: {{type: torque, body: b, vector: [0, 0, 0.5]}}}}\n"
        "contacts: {{c: {{between: [a.s, b.s], normal: {{restitution: 0}}}}}}\n"
        "simulation: {{method: event-driven, duration: {6}, tolerance: 1e-8}}\noutput: {{step: {7}}}\n",
        speed, path("a.stl"), apart, turned, -speed * first.teeth / second.teeth, path("b.stl"), duration,
        duration / 20));
  }
};

// Places pass from facet to facet while joints are closed again, and may be none any more when that is done.
TEST_F(DrivenGears, KeepTheirRatioAtInstants) {
  for (const auto& [n1, n2] : {std::pair{20, 20}, {15, 30}}) {
    SCOPED_TRACE(fmt::format("{} and {} teeth", n1, n2));
    const testing::Gear first{.teeth = n1, .pieces = 10}, second{.teeth = n2, .pieces = 10};
    const double duration = 0.012, ratio = static_cast<double>(n1) / n2;
    const testing::Recording r = turn(first, second, duration);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double followed = 2 * std::asin(r.last("b.qz")) - 2 * std::asin(r.rows.front()[r.column("b.qz")]);
    const double slack = first.backlash / second.pitch_radius();
    EXPECT_NEAR(followed, -speed * ratio * duration, slack + 0.01 * 2 * pi / n2);
    EXPECT_LT(r.summary.energy_residual, 1e-6);
  }
}

}  // namespace
}  // namespace tappet::driven_gears_test
