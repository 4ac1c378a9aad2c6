// What every normal law must keep, whoever wrote it: run over all registered laws.

#include "tappet/contact/normal_law.hpp"

#include <cmath>
#include <random>
#include <set>

#include "tappet/contact/curve.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::normal_law_test {
namespace {

// One or more of each law. A new law needs a line here: EveryLawIsTested says so.
const std::vector<std::string> samples = {
    "{law: hooke, stiffness: 1e7 N/m}",
    "{law: hooke, stiffness: 1e7 N/m, damping: 100}",
    "{law: hertz}",
    "{law: hertz, stiffness: 1e8, exponent: 1}",
    "{law: hertz, stiffness: 1e12, exponent: 2}",
    "{law: hertz, stiffness: 1e5, exponent: 0.6}",
    "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.9}",
    "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.5, variant: matched}",
    "{law: hunt-crossley, restitution: 0.7}",
    "{law: lankarani-nikravesh, restitution: 0.9}",
    "{law: lankarani-nikravesh, restitution: 0.3, exponent: 1.08, stiffness: 1e9}",
    "{law: flores, restitution: 0.2}",
    "{law: dubowsky-freudenstein}",
    "{law: goldsmith, compliance: flores-2006}",
    "{law: esdu-78035}",
    "{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}",
    "{law: impact, stiffness: 1e8, exponent: 1.1, damping: 100, depth: 1 um}",
    "{law: poisson, penalty: 1e4, restitution: 0.7}",
    "{law: expression, force: k*depth^1.5*(1 + a*rate), energy: k*depth^2.5/2.5, parameters: {k: 1e10, a: "
    "0.2}}",
};

std::string law_of(const std::string& sample) {
  const auto start = sample.find(' ') + 1;
  return sample.substr(start, sample.find_first_of(",}") - start);
}

class EveryNormalLaw : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<NormalLaw> law = normal_law(GetParam());
};

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = law_of(info.param) + "_" + std::to_string(info.index);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryNormalLaw, ::testing::ValuesIn(samples), name_of);

TEST(NormalLaws, EveryLawIsTested) {
  std::set<std::string> tested;
  for (const std::string& sample : samples) tested.insert(law_of(sample));
  for (const NormalLawType& type : NormalLawRegistry::instance().entries()) {
    EXPECT_TRUE(!type.force_law || tested.contains(type.name)) << type.name << " has no sample in this file";
    EXPECT_FALSE(type.help.empty() || type.equation.empty()) << type.name;
    EXPECT_TRUE(type.name == "expression" || !type.citation.empty()) << type.name;
    for (const Parameter& parameter : type.table.parameters)
      EXPECT_FALSE(parameter.help.empty()) << type.name;
  }
}

// Penetrations and rates over the range of a machine's contacts, and beyond what a first impact brings.
const double depths[] = {1e-9, 3e-7, 7e-6, 4e-5, 3e-4};
const double rates[] = {-3, -0.6, -0.31, -0.05, -4e-5, 3e-5, 2e-3, 0.4, 1, 5};
const double impact_rates[] = {0, 1e-5, 1e-2, 1};

// f'(x) by central differences, extrapolated.
template <class F>
double slope(F f, double x, double step) {
  const auto central = [&](double h) { return (f(x + h) - f(x - h)) / (2 * h); };
  return (4 * central(step / 2) - central(step)) / 3;
}

TEST_P(EveryNormalLaw, DerivativesAndPowerBalance) {
  for (double depth : depths)
    for (double rate : rates)
      for (double impact_rate : impact_rates) {
        const NormalInput in{depth, rate, impact_rate};
        const NormalOutput out = law->evaluate(in);
        const auto force_at = [&](double d, double r) { return law->evaluate({d, r, impact_rate}).force; };
        const double h_depth = 1e-3 * depth, h_rate = 1e-3 * std::abs(rate);
        SCOPED_TRACE(::testing::Message()
                     << "depth " << depth << " rate " << rate << " impact rate " << impact_rate);
        // The force is cut off at 0: no derivative across that corner.
        const bool corner =
            (force_at(depth - h_depth, rate) == 0) != (force_at(depth + h_depth, rate) == 0) ||
            (force_at(depth, rate - h_rate) == 0) != (force_at(depth, rate + h_rate) == 0);
        if (corner) continue;
        const double by_depth = slope([&](double d) { return force_at(d, rate); }, depth, h_depth);
        const double by_rate = slope([&](double r) { return force_at(depth, r); }, rate, h_rate);
        EXPECT_NEAR(out.d_depth, by_depth, 1e-8 * (std::abs(out.d_depth) + out.force / depth));
        EXPECT_NEAR(out.d_rate, by_rate, 1e-8 * (std::abs(out.d_rate) + out.force / std::abs(rate)));
        // F δ̇ = dU/dδ δ̇ + P.
        const auto energy_at = [&](double d) { return law->evaluate({d, rate, impact_rate}).stored_energy; };
        const double elastic = slope(energy_at, depth, h_depth);
        EXPECT_NEAR(out.force * rate, elastic * rate + out.dissipated_power,
                    1e-8 * std::abs(rate) * (out.force + elastic));
      }
}

// The same source evaluated with numbers that carry derivatives: the values are those of double to the last bit, the
// written derivatives are the derivatives, and F δ̇ = dU/dδ δ̇ + P holds to rounding, on every branch.
TEST_P(EveryNormalLaw, DualNumbersGiveTheWrittenDerivatives) {
  // Interpreted, not a template: it hands on its own derivatives.
  const bool interpreted = law_of(GetParam()) == "expression";
  using Number = NormalLaw::Number;
  for (double depth : depths)
    for (double rate : rates)
      for (double impact_rate : impact_rates) {
        SCOPED_TRACE(::testing::Message()
                     << "depth " << depth << " rate " << rate << " impact rate " << impact_rate);
        const NormalOutput out = law->evaluate({depth, rate, impact_rate});
        const auto dual = law->evaluate_dual(
            {Number::variable(depth, 0), Number::variable(rate, 1), Number::variable(impact_rate, 2)});
        EXPECT_EQ(dual.force.value, out.force);
        EXPECT_EQ(dual.d_depth.value, out.d_depth);
        EXPECT_EQ(dual.d_rate.value, out.d_rate);
        EXPECT_EQ(dual.stored_energy.value, out.stored_energy);
        EXPECT_EQ(dual.dissipated_power.value, out.dissipated_power);
        EXPECT_NEAR(dual.force.d[0], out.d_depth, 1e-12 * (std::abs(out.d_depth) + out.force / depth));
        EXPECT_NEAR(dual.force.d[1], out.d_rate, 1e-12 * (std::abs(out.d_rate) + out.force / std::abs(rate)));
        if (interpreted) continue;
        EXPECT_NEAR(out.force * rate, dual.stored_energy.d[0] * rate + out.dissipated_power,
                    1e-12 * std::abs(rate) * (out.force + dual.stored_energy.d[0]));
        // Energy is a function of depth alone.
        EXPECT_EQ(dual.stored_energy.d[1], 0);
        EXPECT_EQ(dual.stored_energy.d[2], 0);
      }
}

// Derivatives by the speed at first touch, which sensitivities through impacts will need, against differences.
TEST_P(EveryNormalLaw, DualNumbersKnowTheImpactRate) {
  if (law_of(GetParam()) == "expression") GTEST_SKIP() << "an expression hands on no such derivative";
  using Number = NormalLaw::Number;
  for (double rate : {-0.31, 0.4})
    for (double impact_rate : {0.02, 0.7}) {
      const double depth = 7e-6;
      const auto force_at = [&](double v) { return law->evaluate({depth, rate, v}).force; };
      const double h = 1e-3 * impact_rate, by_difference = slope(force_at, impact_rate, h);
      if ((force_at(impact_rate - h) == 0) != (force_at(impact_rate + h) == 0)) continue;
      const auto dual = law->evaluate_dual({depth, rate, Number::variable(impact_rate, 2)});
      EXPECT_NEAR(dual.force.d[2], by_difference,
                  1e-8 * (std::abs(by_difference) + dual.force.value / impact_rate));
    }
}

TEST_P(EveryNormalLaw, NeitherPullsNorGainsNorFails) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, -3), signed_rate(-1, 1), speed(-8, 1);
  for (int k = 0; k < 20000; ++k) {
    const NormalInput in{.depth = std::pow(10, exponent(random)),
                         .rate = signed_rate(random) * std::pow(10, speed(random)),
                         .impact_rate = k % 5 == 0 ? 0 : std::pow(10, speed(random))};
    if (in.depth > law->traits().max_depth) continue;
    const NormalOutput out = law->evaluate(in);
    ASSERT_TRUE(std::isfinite(out.force) && std::isfinite(out.d_depth) && std::isfinite(out.d_rate) &&
                std::isfinite(out.stored_energy) && std::isfinite(out.dissipated_power));
    ASSERT_GE(out.force, 0);
    if (law->traits().passive) {
      ASSERT_GE(out.dissipated_power, 0);
      ASSERT_GE(out.stored_energy, 0);
    }
  }
}

TEST_P(EveryNormalLaw, NoForceApart) {
  for (double gap : {0.0, 1e-9, 1.0}) {
    const NormalOutput out = law->evaluate({.depth = -gap, .rate = 1, .impact_rate = 1});
    EXPECT_EQ(out.force, 0);
    EXPECT_EQ(out.stored_energy, 0);
    EXPECT_EQ(out.dissipated_power, 0);
  }
}

TEST_P(EveryNormalLaw, ContinuousAtFirstTouchIfItSaysSo) {
  if (!law->traits().continuous) GTEST_SKIP() << "the force jumps at first touch";
  for (double rate : {0.0, 1e-3, 1.0}) {
    const double reference = law->evaluate({1e-5, rate, rate}).force;
    double before = reference;
    for (double depth : {1e-8, 1e-11, 1e-14, 1e-17}) {
      const double force = law->evaluate({depth, rate, rate}).force;
      EXPECT_LT(force, 0.2 * before) << depth;
      before = force;
    }
    EXPECT_LT(before, 1e-6 * reference);
  }
}

TEST_P(EveryNormalLaw, AnImpactKeepsTheBooks) {
  const ImpactOptions impact{.mass = 0.2, .speed = 0.3};
  const ImpactResult result = single_impact(*law, impact);
  ASSERT_TRUE(result.separated);
  const double energy = 0.5 * impact.mass * impact.speed * impact.speed;
  const double left = 0.5 * impact.mass * result.speed_out * result.speed_out;
  EXPECT_NEAR(energy - left, result.dissipated, 1e-9 * energy);
  EXPECT_GE(result.dissipated, -1e-12 * energy);
  EXPECT_NEAR(result.impulse, impact.mass * (impact.speed + result.speed_out), 1e-10 * impact.mass);
  EXPECT_LE(result.restitution, 1 + 1e-11);
  if (!std::isnan(law->traits().predicted_restitution)) {
    // Kelvin–Voigt fades its loading force in, which costs a fraction (v_rest/v)² of the energy.
    const double tolerance = law_of(GetParam()) == "kelvin-voigt" ? 1e-6 : 1e-10;
    EXPECT_NEAR(result.restitution, law->traits().predicted_restitution, tolerance);
  }
}

}  // namespace
}  // namespace tappet::test::normal_law_test
