// A wall of ten by ten boxes stands still for 10 s under method moreau.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing {
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

}  // namespace
}  // namespace tappet::testing
