// Laws against closed forms and printed figures.

#include "unit/contact/law_fixture.hpp"
#include <cmath>
#include <numbers>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/restitution.hpp"

namespace tappet::testing {
namespace {

TEST(Stiffness, FromMaterialsAndSignedRadii) {
  std::string missing;
  // The published 6.6e10 N/m^1.5 of the journal in its bearing [Flores 2006, figure 2].
  EXPECT_NEAR(*hertz_stiffness(journal_bearing(), missing), 6.61e10, 0.01e10);
  const double modulus = 207e9 / (2 * 0.91);
  EXPECT_DOUBLE_EQ(*hertz_stiffness(sphere_on_plane(), missing), 4.0 / 3 * modulus * std::sqrt(10e-3));
  ContactPair spheres = sphere_on_plane();
  spheres.radius = {20e-3, 30e-3};
  EXPECT_NEAR(*hertz_stiffness(spheres, missing) / (4.0 / 3 * modulus * std::sqrt(12e-3)), 1, 1e-15);
}

TEST(Stiffness, SaysWhatIsMissing) {
  std::string why;
  ContactPair pair = sphere_on_plane();
  pair.material[1].reset();
  EXPECT_FALSE(try_normal_law("{law: hertz}", pair, why));
  EXPECT_NE(why.find("second surface"), std::string::npos) << why;
  pair = sphere_on_plane();
  pair.radius = {ContactPair::plane, ContactPair::plane};
  EXPECT_FALSE(try_normal_law("{law: flores, restitution: 0.5}", pair, why));
  EXPECT_NE(why.find("flat"), std::string::npos) << why;
  pair.radius = {-9e-3, 10e-3};
  EXPECT_FALSE(try_normal_law("{law: hertz}", pair, why));
  EXPECT_NE(why.find("concave"), std::string::npos) << why;
  EXPECT_FALSE(try_normal_law("{law: hertz, exponent: 1.2}", sphere_on_plane(), why));
  EXPECT_NE(why.find("N/m^1.2"), std::string::npos) << why;
  EXPECT_TRUE(try_normal_law("{law: hertz, exponent: 1.2, stiffness: 1e8}", {}, why)) << why;
  EXPECT_FALSE(try_normal_law("{law: hertz, exponent: 5.5, stiffness: 1e8}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: flores, restitution: 0, stiffness: 1e8}", {}, why));
  EXPECT_FALSE(try_normal_law("{restitution: 0.5}", sphere_on_plane(), why));
  EXPECT_NE(why.find("lankarani-nikravesh"), std::string::npos) << why;
}

TEST(Stiffness, IsToldWhenDerived) {
  const auto law = normal_law("{law: hertz}");
  ASSERT_EQ(law->traits().notes.size(), 1u);
  EXPECT_NE(law->traits().notes[0].find("K = 6.61e+10 N/m^1.5"), std::string::npos) << law->traits().notes[0];
  EXPECT_TRUE(normal_law("{law: hertz, stiffness: 1e8}")->traits().notes.empty());
}

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

TEST(Restitution, RelationIsSolvedToRounding) {
  for (double h : {1e-9, 1e-6, 1e-3, 0.01, 0.1425, 0.75, 1.35, 5.0, 14.4}) {
    const long double e = realised_restitution(h);
    const long double left = h * (1 + e), right = std::log((1 + h) / (1 - h * e));
    EXPECT_NEAR(static_cast<double>(left - right), 0, h > 3 ? 1e-4 : 1e-14) << h;
    if (h > 10) continue;
    EXPECT_NEAR(hysteresis_for(static_cast<double>(e)) / h, 1, 1e-6) << h;
  }
  EXPECT_EQ(realised_restitution(0), 1);
  EXPECT_EQ(hysteresis_for(1), 0);
  EXPECT_NEAR(realised_restitution(1e-9), 1 - 2e-9 / 3, 1e-15);
}

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

TEST(KelvinVoigt, RealisesTheRootOfItsRatio) {
  for (double c : {0.1, 0.5, 0.9, 1.0}) {
    const auto printed =
        normal_law(fmt::format("{{law: kelvin-voigt, stiffness: 1.5e8, restitution: {}}}", c));
    const auto matched = normal_law(
        fmt::format("{{law: kelvin-voigt, stiffness: 1.5e8, restitution: {}, variant: matched}}", c));
    EXPECT_NEAR(single_impact(*printed, {.speed = 1}).restitution, std::sqrt(c), 2e-8) << c;
    EXPECT_NEAR(single_impact(*matched, {.speed = 1}).restitution, c, 2e-8) << c;
    EXPECT_DOUBLE_EQ(printed->evaluate({1e-5, 1, 1}).force, 1500);
    EXPECT_DOUBLE_EQ(printed->evaluate({1e-5, -1, 1}).force, 1500 * c);
    EXPECT_DOUBLE_EQ(matched->evaluate({1e-5, -1, 1}).force, 1500 * c * c);
  }
}

// δ = aF[ln(b/F) + 1] with a and b worked out here from the printed equations.
class LineContactLaws : public ::testing::TestWithParam<std::string> {
 protected:
  const double L = 15e-3, Ri = 10e-3, Rj = 9.5e-3;
  double sigma(const std::string& compliance) const {
    return 2 * 0.91 / 207e9 / (compliance == "plane-strain" ? std::numbers::pi : 1);
  }
  double load(double S) const {
    if (GetParam() == "dubowsky-freudenstein") return L * L * L * (Ri - Rj) / (Ri * Rj * S);
    if (GetParam() == "goldsmith") return L * (Ri - Rj) / (Ri * Rj * S);
    return 4 * L * (Ri - Rj) / S;
  }
};
INSTANTIATE_TEST_SUITE_P(Laws, LineContactLaws,
                         ::testing::Values("dubowsky-freudenstein", "goldsmith", "esdu-78035"));

TEST_P(LineContactLaws, SatisfyTheirImplicitEquation) {
  for (const std::string compliance : {"plane-strain", "flores-2006"}) {
    const auto law = normal_law(fmt::format("{{law: {}, compliance: {}}}", GetParam(), compliance));
    const double S = sigma(compliance), a = S / L, b = load(S), limit = law->traits().max_depth;
    EXPECT_NEAR(limit / (a * b), 1, 1e-14);
    double worst = 0;
    for (double fraction = 1e-300; fraction < 1; fraction *= 1.37) {
      const NormalOutput out = law->evaluate({.depth = fraction * limit});
      const long double F = out.force;
      const long double depth = a * F * (std::log(static_cast<long double>(b) / F) + 1);
      worst = std::max(worst, std::abs(static_cast<double>(depth / (fraction * limit) - 1)));
    }
    for (double short_of_limit = 0.3; short_of_limit > 1e-15; short_of_limit *= 0.5) {
      const NormalOutput out = law->evaluate({.depth = (1 - short_of_limit) * limit});
      const long double F = out.force;
      const long double depth = a * F * (std::log(static_cast<long double>(b) / F) + 1);
      worst = std::max(worst, std::abs(static_cast<double>(depth / ((1 - short_of_limit) * limit) - 1)));
    }
    EXPECT_LT(worst, 1e-13) << compliance;
    RecordProperty("worst_residual_" + compliance, fmt::format("{:.2g}", worst));
  }
}

TEST_P(LineContactLaws, SayWhereTheyEnd) {
  const auto law = normal_law(fmt::format("{{law: {}}}", GetParam()));
  const double limit = law->traits().max_depth;
  EXPECT_GT(law->evaluate({.depth = limit * (1 - 1e-12)}).force, 0);
  try {
    law->evaluate({.depth = 1.01 * limit});
    FAIL() << "no error beyond the domain";
  } catch (const LawDomainError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(GetParam()), std::string::npos) << what;
    EXPECT_NE(what.find(fmt::format("{:.6g} m", 1.01 * limit)), std::string::npos) << what;
    EXPECT_NE(what.find(fmt::format("{:.6g} m", limit)), std::string::npos) << what;
  }
}

TEST_P(LineContactLaws, ReportEverythingThatIsMissing) {
  std::string why;
  EXPECT_FALSE(try_normal_law(fmt::format("{{law: {}}}", GetParam()), {}, why));
  EXPECT_EQ(std::count(why.begin(), why.end(), '\n'), 5) << why;
  ContactPair plane = journal_bearing();
  plane.radius[0] = ContactPair::plane;
  EXPECT_EQ(!try_normal_law(fmt::format("{{law: {}}}", GetParam()), plane, why), GetParam() == "esdu-78035");
}

TEST(LineContactComplianceChoice, MakesAlmostPi) {
  const auto strain = normal_law("{law: esdu-78035}");
  const auto printed = normal_law("{law: esdu-78035, compliance: flores-2006}");
  const double ratio = strain->evaluate({.depth = 1e-5}).force / printed->evaluate({.depth = 1e-5}).force;
  EXPECT_DOUBLE_EQ(ratio, std::numbers::pi);
}

TEST(Impact, RestingPenetration) {
  const auto law = normal_law("{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}");
  const double weight = 32.7 * 9.81;
  EXPECT_NEAR(law->evaluate({.depth = std::pow(weight / 1e8, 1 / 2.2)}).force, weight, 1e-10 * weight);
}

TEST(Impact, PrintedParts) {
  const auto law = normal_law("{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}");
  const double spring = 1e8 * std::pow(5e-5, 2.2);
  // Half depth, half damping; beyond depth, all of it; never pulling.
  EXPECT_NEAR(law->evaluate({5e-5, 0.2, 0}).force, spring + 0.5 * 1e4 * 0.2, 1e-9);
  EXPECT_NEAR(law->evaluate({2e-4, 0.2, 0}).force, 1e8 * std::pow(2e-4, 2.2) + 1e4 * 0.2, 1e-9);
  EXPECT_EQ(law->evaluate({5e-5, -0.2, 0}).force, 0);
}

TEST(Impact, WithoutDampingConservesEnergyAtEveryStiffness) {
  for (double k = 1e4; k < 1e10; k *= 10) {
    const auto law = normal_law(fmt::format("{{law: impact, stiffness: {}, exponent: 1}}", k));
    const ImpactResult impact = single_impact(*law, {.mass = 32.7, .speed = 2.8});
    EXPECT_NEAR(impact.restitution, 1, 1e-11);
    EXPECT_NEAR(impact.duration / (std::numbers::pi * std::sqrt(32.7 / k)), 1, 1e-11);
  }
}

TEST(Poisson, ReboundFollowsTheCoefficient) {
  for (double c : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const auto law = normal_law(fmt::format("{{law: poisson, penalty: 1e6, restitution: {}}}", c));
    EXPECT_NEAR(single_impact(*law, {.mass = 32.7, .speed = 2.8}).restitution, c, 2e-5) << c;
  }
  const auto plastic = normal_law("{law: poisson, penalty: 1e6, restitution: 0}");
  const ImpactResult result = single_impact(*plastic, {.mass = 32.7, .speed = 2.8});
  EXPECT_FALSE(result.separated);
  EXPECT_NEAR(result.dissipated, 0.5 * 32.7 * 2.8 * 2.8, 1e-7);
}

TEST(Poisson, AWeightMakesAHigherPenaltyMoreFaithful) {
  double before = 1;
  for (double p : {1e4, 1e5, 1e6, 1e7}) {
    const auto law = normal_law(fmt::format("{{law: poisson, penalty: {}, restitution: 0.7}}", p));
    const ImpactResult impact = single_impact(*law, {.mass = 32.7, .speed = 2.8, .load = 32.7 * 9.81});
    const double error = std::abs(impact.restitution - 0.7);
    EXPECT_LT(error, before);
    before = error;
  }
  EXPECT_LT(before, 1e-5);
}

TEST(Poisson, TheBareFormulaHasItsClosedForm) {
  // ε τ = (1 + ε)(1 − e^(−τ)), rebound ε − (1 + ε) e^(−τ): solved here by fixed-point iteration.
  for (double c : {0.3, 0.7, 1.0}) {
    double tau = 5;
    for (int k = 0; k < 200; ++k) tau = (1 + c) * -std::expm1(-tau) / c;
    const auto law =
        normal_law(fmt::format("{{law: poisson, penalty: 1e6, restitution: {}, rebound_factor: 1}}", c));
    EXPECT_NEAR(single_impact(*law, {.mass = 32.7, .speed = 2.8}).restitution, c - (1 + c) * std::exp(-tau),
                1e-9);
  }
}

TEST(ExpressionLaw, IsTheLawItSpellsOut) {
  const auto own = normal_law(
      "{law: expression, force: 'k*depth^1.5*(1 + h*rate/max(impact_rate, 1e-4))', parameters: {k: 6e10, h: "
      "0.1425}}");
  const auto built_in = normal_law("{law: lankarani-nikravesh, stiffness: 6e10, restitution: 0.9}");
  for (double rate : {-1.0, 0.0, 0.4}) {
    const NormalOutput a = own->evaluate({2e-5, rate, 1}), b = built_in->evaluate({2e-5, rate, 1});
    EXPECT_NEAR(a.force / b.force, 1, 1e-14);
    EXPECT_NEAR(a.d_depth / b.d_depth, 1, 1e-14);
    EXPECT_NEAR(a.d_rate / b.d_rate, 1, 1e-14);
  }
  EXPECT_NEAR(single_impact(*own, {}).restitution, realised_restitution(0.1425), 1e-10);
  EXPECT_DOUBLE_EQ(normal_law("{law: expression, force: 2*depth kN}")->evaluate({.depth = 0.5}).force, 1000);
}

TEST(ExpressionLaw, FaultsNameTheKey) {
  std::string why;
  EXPECT_FALSE(try_normal_law("{law: expression, force: k*depth}", {}, why));
  EXPECT_NE(why.find("'force'"), std::string::npos) << why;
  EXPECT_NE(why.find("impact_rate"), std::string::npos) << why;
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth kg}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth, energy: depth*rate}", {}, why));
  EXPECT_FALSE(try_normal_law("{law: expression, force: depth, parameters: {rate: 3}}", {}, why));
}

TEST(Love, LimitOfSteel) {
  const ContactPair pair = sphere_on_plane();
  EXPECT_NEAR(love_limit(pair), 1e-5 * std::sqrt(207e9 / 7800), 1e-12);
  EXPECT_NEAR(love_ratio(pair, 1.0), 19.41, 0.01);
  EXPECT_EQ(love_ratio({}, 1.0), 0);
  ContactPair mixed = pair;
  mixed.material[0]->young = 70e9, mixed.material[0]->density = 2700;
  EXPECT_DOUBLE_EQ(love_limit(mixed), love_limit(pair));  // the faster wave counts
}

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
}  // namespace tappet::testing
