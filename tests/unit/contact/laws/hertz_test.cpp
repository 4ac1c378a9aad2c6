// Hertz' impact against its closed form.

#include <numbers>

#include "tappet/contact/curve.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::hertz_test {
namespace {

// Reference numbers: closed forms, evaluated in higher precision (benchmark "Hertz impact").
TEST(Hertz, SteelSphereOnHalfSpace) {
  const auto law = normal_law("{law: hertz}", sphere_on_plane());
  const double mass = 7800 * 4.0 / 3 * std::numbers::pi * 1e-6;
  const ImpactResult impact = single_impact(*law, {.mass = mass, .speed = 1});
  EXPECT_NEAR(impact.max_depth / 2.355603616275e-5, 1, 1e-11);
  EXPECT_NEAR(impact.max_force / 1733.768118, 1, 1e-9);
  EXPECT_NEAR(impact.duration / 6.933189668e-5, 1, 1e-9);
  EXPECT_NEAR(impact.duration / (2.943275184324705 * impact.max_depth), 1, 1e-11);
  EXPECT_NEAR(impact.time_in / impact.duration, 0.5, 1e-11);
  EXPECT_NEAR(impact.restitution, 1, 1e-12);
}

}  // namespace
}  // namespace tappet::test::hertz_test
