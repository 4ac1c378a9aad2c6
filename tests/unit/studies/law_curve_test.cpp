#include "tappet/studies/law_curve.hpp"

#include <gtest/gtest.h>

#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::law_curve_test {
namespace {

constexpr char surfaces[] =
    "{radii: [-10 mm, 9.5 mm], young: 207 GPa, poisson: 0.3, mass: 0.14 kg, speed: 1 m/s";

LawCurve curve(const std::string& between, const std::string& law, bool friction = false) {
  Diagnostics diagnostics;
  const Object at =
      read_object(read_yaml_text(between, "test"), law_curve_table(), {.diagnostics = &diagnostics});
  const Object object =
      read_object(read_yaml_text(law, "test"), friction ? friction_law_family() : normal_law_family(),
                  {.diagnostics = &diagnostics});
  LawCurve out = friction ? friction_curve(at, object, diagnostics) : normal_curve(at, object, diagnostics);
  diagnostics.throw_if_errors();
  return out;
}

double metric(const LawCurve& of, const std::string& text) {
  return Metric::parse("x", Metric::Kind::value, text, metric_names(of)).value(record(of), {});
}

// ∫F δ̇ dt is what the impact loses, ½ m v² (1 − ε²).
TEST(LawCurve, AnImpactLosesWhatItsLoopEncloses) {
  const LawCurve damped = curve(std::string(surfaces) + "}", "{law: lankarani-nikravesh, restitution: 0.9}");
  const double out = metric(damped, "last(rate)");
  EXPECT_NEAR(metric(damped, "integral(force*rate)"), 0.07 * (1 - out * out), 1e-6);
  EXPECT_NEAR(metric(curve(std::string(surfaces) + "}", "{law: hertz}"), "integral(force*rate)"), 0, 1e-9);
  EXPECT_EQ(metric(damped, "max(loading)"), 1);
}

// Hertz' force at rest: ∫F dδ = 2/5 F δ.
TEST(LawCurve, AtRestAnIntegralIsWork) {
  const LawCurve at_rest = curve(std::string(surfaces) + ", depth: 10 um, points: 2001}", "{law: hertz}");
  EXPECT_NEAR(metric(at_rest, "integral(force)/(last(force)*last(penetration))"), 0.4, 1e-6);
}

TEST(LawCurve, FrictionOpposesTheVelocity) {
  const LawCurve sliding =
      curve("{speed: 0.1 m/s, normal_force: 2 N}", "{law: coulomb, coefficient: 0.3}", true);
  EXPECT_NEAR(metric(sliding, "first(tangential)"), 0.6, 1e-12);
  EXPECT_NEAR(metric(sliding, "last(tangential)"), -0.6, 1e-12);
  EXPECT_NEAR(metric(sliding, "max(tangential*velocity)"), 0, 1e-12);
}

TEST(LawCurve, HalfAMaterialIsRefused) {
  EXPECT_THROW(curve("{radii: [-10 mm, 9.5 mm], young: 207 GPa}", "{law: hertz}"), InputError);
}

}  // namespace
}  // namespace tappet::law_curve_test
