// Hunt–Crossley, Lankarani–Nikravesh and Flores: what they are asked for and what they realise.

#include "tappet/contact/hysteretic.hpp"

#include <cmath>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/restitution.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::hysteretic_test {
namespace {

// The three laws with hysteresis damping, c_r from 0.1 to 0.95, whatever stiffness, exponent, mass and speed.
TEST(Restitution, RealisedInASimulatedImpact) {
  for (const char* name : {"hunt-crossley", "lankarani-nikravesh", "flores"})
    for (double c_r = 0.1; c_r < 0.96; c_r += 0.05) {
      const double h = name[0] == 'h'   ? 1.5 * (1 - c_r)
                       : name[0] == 'l' ? 0.75 * (1 - c_r * c_r)
                                        : 1.6 * (1 - c_r) / c_r;
      const auto law = normal_law(fmt::format("{{law: {}, restitution: {}}}", name, c_r));
      EXPECT_EQ(law->traits().requested_restitution, c_r);
      for (const ImpactOptions& impact :
           {ImpactOptions{.mass = 0.14, .speed = 1}, {.mass = 3, .speed = 0.01}}) {
        const double e = single_impact(*law, impact).restitution;
        EXPECT_NEAR(h * (1 + e), std::log((1 + h) / (1 - h * e)), 1e-6) << name << " " << c_r;
        EXPECT_NEAR(e, law->traits().predicted_restitution, 1e-10) << name << " " << c_r;
      }
      const auto soft =
          normal_law(fmt::format("{{law: {}, restitution: {}, stiffness: 1e6, exponent: 2.2}}", name, c_r));
      EXPECT_NEAR(single_impact(*soft, {.mass = 2, .speed = 3}).restitution,
                  law->traits().predicted_restitution, 1e-10);
    }
}

TEST(Restitution, BelowRestVelocityTheDamperIsFixed) {
  const auto law = normal_law("{law: flores, restitution: 0.5, rest_velocity: 1 mm/s}");
  // Half the rest velocity: half the hysteresis factor.
  EXPECT_NEAR(single_impact(*law, {.speed = 0.5e-3}).restitution, realised_restitution(0.8), 1e-10);
  EXPECT_NEAR(single_impact(*law, {.speed = 1e-3}).restitution, realised_restitution(1.6), 1e-10);
}

TEST(Restitution, ContactThatBeginsAtRestComesToRest) {
  // Pressed by a weight from rest: neither division by zero nor tension, and the static penetration in the
  // end.
  const auto law = normal_law("{law: lankarani-nikravesh, restitution: 0.9, stiffness: 1e9}");
  const ImpactResult result =
      single_impact(*law, {.mass = 1, .speed = 1e-9, .load = 9.81, .tolerance = 1e-8});
  EXPECT_FALSE(result.separated);
  EXPECT_NEAR(result.max_depth / std::pow(9.81 / 1e9, 2.0 / 3), 1, 1e-6);
}

}  // namespace
}  // namespace tappet::test::hysteretic_test
