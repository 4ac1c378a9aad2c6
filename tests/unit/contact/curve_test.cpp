// Loading and unloading of one impact.

#include "tappet/contact/curve.hpp"

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::curve_test {
namespace {

TEST(Curve, LoadsAndUnloads) {
  const auto law = normal_law("{law: lankarani-nikravesh, restitution: 0.5}");
  const std::vector<CurvePoint> curve = impact_curve(*law, {.mass = 0.2, .speed = 1}, 50);
  ASSERT_EQ(curve.size(), 100u);
  EXPECT_EQ(curve.front().depth, 0);
  EXPECT_EQ(curve.back().depth, 0);
  EXPECT_DOUBLE_EQ(curve[49].depth, curve[50].depth);
  EXPECT_TRUE(curve[49].loading && !curve[50].loading);
  for (int k = 1; k < 50; ++k) EXPECT_GT(curve[k].depth, curve[k - 1].depth);
  for (int k = 51; k < 100; ++k) EXPECT_LT(curve[k].depth, curve[k - 1].depth);
  // The loop encloses the loss: ∮F dδ by trapezoids.
  double loss = 0;
  for (int k = 1; k < 100; ++k)
    loss += 0.5 * (curve[k].force + curve[k - 1].force) * (curve[k].depth - curve[k - 1].depth);
  const ImpactResult impact = single_impact(*law, {.mass = 0.2, .speed = 1});
  EXPECT_NEAR(loss, impact.dissipated, 2e-3 * impact.dissipated);
  EXPECT_NEAR(impact.dissipated, 0.1 * (1 - impact.restitution * impact.restitution), 1e-12);
}

}  // namespace
}  // namespace tappet::test::curve_test
