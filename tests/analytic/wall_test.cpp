// A wall of ten by ten boxes stands still for 10 s under method moreau.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::wall_test {
namespace {

TEST(Wall, TenByTenStandsStill) {
  const Recording r = run_example("wall/wall.yaml");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.rows.back()[0], 10, 1e-9);
  EXPECT_TRUE(r.summary.warnings.empty()) << r.summary.warnings[0];
  int boxes = 0;
  double drift = 0;
  for (std::size_t i = 0; i < r.names.size(); ++i) {
    const bool of_a_box = r.names[i][0] == 'b' && (r.names[i].ends_with(".x") || r.names[i].ends_with(".y"));
    if (!of_a_box) continue;
    ++boxes;
    for (const auto& row : r.rows) drift = std::max(drift, std::abs(row[i + 1] - r.rows[0][i + 1]));
  }
  EXPECT_EQ(boxes, 200);
  fmt::print("drift {:.1e} m\n", drift);
  EXPECT_LT(drift, 1e-6) << "asked for: 1e-4 m";
}

// Solved to 1 % of the speed that gravity makes in a step, 1e-4 m/s, a wall does not tremble at that speed for ever: each step
// begins with the impulses of the last, friction and all, and what is left over becomes less.
TEST(Wall, SolvedRoughlyItComesToRest) {
  std::string text = "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n";
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 5; ++column)
      text += fmt::format(
          "  b{}{}: {{density: 500, position: [{}, 0, {}], shapes: {{s: {{box: {{size: [0.2, 0.1, "
          "0.1]}}}}}}}}\n",
          row, column, 0.202 * (column + 0.25 * (row % 2)), 0.1 * (row + 0.5));
  text +=
      "ground: {shapes: {floor: {plane: {normal: [0, 0, 1]}}}}\ncontacts:\n"
      "  floor: {between: [ground.floor, \"b*.s\"], normal: {restitution: 0}, friction: {coefficient: 0.5}, "
      "group: true}\n"
      "  boxes: {between: [\"b*.s\", \"b*.s\"], normal: {restitution: 0}, friction: {coefficient: 0.5}, "
      "group: true}\n"
      "simulation: {method: moreau, solver: nsgs, duration: 0.5, step: 1e-3, tolerance: 1e-2}\n"
      "output: {step: 0.1, signals: [\"b*.vx\", \"b*.vy\", \"b*.vz\"]}\n";
  const Recording r = run_text(text);
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  double fastest = 0;
  for (std::size_t i = 1; i < r.rows.back().size(); ++i)
    fastest = std::max(fastest, std::abs(r.rows.back()[i]));
  fmt::print("fastest {:.1e} m/s\n", fastest);
  EXPECT_LT(fastest, 3e-6);
}

}  // namespace
}  // namespace tappet::testing::wall_test
