// What every friction law must keep, whoever wrote it: run over all registered laws.

#include "tappet/contact/friction_law.hpp"

#include <cmath>
#include <set>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::friction_law_test {
namespace {

const std::vector<std::string> samples = {
    "{law: none}",
    "{law: coulomb, coefficient: 0.3}",
    "{law: coulomb, coefficient: 0.3, static: 0.4}",
    "{law: dubowsky, coefficient: 0.3, v0: 1 mm/s}",
    "{law: rooney-deravi, coefficient: 0.3}",
    "{law: threlfall, coefficient: 0.3, v0: 10 mm/s}",
    "{law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}",
    "{law: ambrosio, coefficient: 0.03, v0: 0, v1: 10 mm/s}",
    "{law: bengisu-akay, static: 0.3, dynamic: 0.1, v0: 10 mm/s, kappa: 50}",
    "{law: karnopp, static: 0.3, dynamic: 0.2}",
    "{law: modified-karnopp, static: 0.3, dynamic: 0.2, friction_velocity: 0.1}",
    "{law: reset-integrator, static: 0.3, dynamic: 0.2}",
    "{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 0.1 m/s, friction_velocity: 1 m/s}",
    "{law: stribeck, static: 0.3, dynamic: 0.1, stribeck_velocity: 0.1 m/s, exponent: 1.5}",
    "{law: threlfall, coefficient: 0.2, v0: 10 mm/s, variant: 2006}",
};

std::string law_of(const std::string& sample) {
  const auto start = sample.find(' ') + 1;
  return sample.substr(start, sample.find_first_of(",}") - start);
}

class EveryFrictionLaw : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<FrictionLaw> law = friction_law(GetParam());
};

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = law_of(info.param) + "_" + std::to_string(info.index);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryFrictionLaw, ::testing::ValuesIn(samples), name_of);

TEST(FrictionLaws, EveryLawIsTested) {
  std::set<std::string> tested;
  for (const std::string& sample : samples) tested.insert(law_of(sample));
  for (const FrictionLawType& type : FrictionLawRegistry::instance().entries()) {
    EXPECT_TRUE(tested.contains(type.name)) << type.name << " has no sample in this file";
    EXPECT_FALSE(type.help.empty() || type.equation.empty()) << type.name;
    EXPECT_TRUE(type.name == "none" || !type.citation.empty()) << type.name;
  }
}

TEST_P(EveryFrictionLaw, DissipatesAndHasItsDerivative) {
  for (double speed = 1e-7; speed < 100; speed *= 1.3) {
    const FrictionOutput out = law->evaluate(speed);
    // Power taken from the bodies is F_N μ s ≥ 0: the force is along −v.
    EXPECT_GE(out.coefficient, 0);
    EXPECT_LE(out.coefficient,
              std::max(law->traits().static_coefficient, law->traits().sliding_coefficient) + 1e-15);
    EXPECT_NEAR(out.ratio * speed, out.coefficient, 1e-15);
    const auto mu = [&](double s) { return law->evaluate(s).coefficient; };
    const auto central = [&](double h) { return (mu(speed + h) - mu(speed - h)) / (2 * h); };
    const double h = 1e-4 * speed;
    // Corners of piecewise laws: the two differences disagree there, and no derivative exists.
    const double left = (mu(speed) - mu(speed - h)) / h, right = (mu(speed + h) - mu(speed)) / h;
    if (std::abs(left - right) > 1e-2 * (std::abs(left) + std::abs(right))) continue;
    EXPECT_NEAR(out.d_speed, (4 * central(h / 2) - central(h)) / 3,
                1e-9 * (std::abs(out.d_speed) + out.coefficient / speed) + 1e-10)
        << speed;
  }
}

TEST_P(EveryFrictionLaw, DualNumbersGiveTheWrittenDerivative) {
  using Number = FrictionLaw::Number;
  for (double speed = 1e-7; speed < 100; speed *= 1.3) {
    const FrictionOutput out = law->evaluate(speed);
    const auto dual = law->evaluate_dual(Number::variable(speed, 0));
    EXPECT_EQ(dual.coefficient.value, out.coefficient);
    EXPECT_EQ(dual.d_speed.value, out.d_speed);
    EXPECT_EQ(dual.ratio.value, out.ratio);
    EXPECT_NEAR(dual.coefficient.d[0], out.d_speed, 1e-13 * (std::abs(out.d_speed) + out.coefficient / speed))
        << speed;
    // (μ/s)′ = (μ′ − μ/s)/s
    EXPECT_NEAR(dual.ratio.d[0], (out.d_speed - out.ratio) / speed,
                1e-12 * (std::abs(out.d_speed) + out.ratio) / speed)
        << speed;
  }
}

TEST_P(EveryFrictionLaw, RegularisedLawsAreContinuousThroughRest) {
  if (law->traits().kind != FrictionKind::regularised) GTEST_SKIP() << "not a regularised law";
  EXPECT_EQ(law->evaluate(0).coefficient, 0);
  EXPECT_NEAR(law->evaluate(0).ratio, law->evaluate(1e-12).ratio, 1e-6 * law->evaluate(0).ratio);
  EXPECT_NEAR(law->evaluate(0).ratio, law->evaluate(0).d_speed, 1e-12 * law->evaluate(0).ratio);
  // No jump anywhere: over a step of a part in 1e6 the coefficient moves by about as much.
  for (double speed = 1e-7; speed < 100; speed *= 1.003)
    EXPECT_NEAR(law->evaluate(speed).coefficient, law->evaluate(speed * (1 + 1e-6)).coefficient, 1e-5)
        << speed;
}

TEST(FrictionFamily, CoulombWhenNoLawIsNamed) {
  const auto law = friction_law("{coefficient: 0.3}");
  EXPECT_EQ(law->traits().kind, FrictionKind::stick);
  EXPECT_EQ(law->traits().sliding_coefficient, 0.3);
  EXPECT_EQ(law->traits().static_coefficient, 0.3);
  std::string why;
  EXPECT_FALSE(try_friction_law("{law: coulom, coefficient: 0.3}", why));
  EXPECT_NE(why.find("coulomb"), std::string::npos) << why;
  EXPECT_FALSE(try_friction_law("{law: coulomb, coefficient: -0.3}", why));
}

}  // namespace
}  // namespace tappet::test::friction_law_test
