// Proposed contact parameters, their reasons, and warnings about given ones.

#include "tappet/studies/advise.hpp"

#include <cmath>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet::advise_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double m = 2, v2 = 2 * 9.81 * 0.4;  // falls 0.4 m

std::string ball(const std::string& contact) {
  return "tappet: 1\ndimension: spatial\ngravity: [0, -9.81, 0]\n"
         "materials: {dry-steel: {young: 207 GPa, poisson: 0.3}}\n"
         "bodies:\n  ball: {mass: 2, inertia: [1, 1, 1], position: [0, 0.5, 0], shapes: {skin: {sphere: "
         "{radius: 0.1}}}}\n"
         "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}}\n"
         "contacts:\n  bounce: {between: [ground.floor, ball.skin], " +
         contact + "}\nsimulation: {duration: 1}\n";
}

ContactAdvice advice(const std::string& contact, std::optional<double> speed = {}) {
  const auto all = advise(spec_from_text(ball(contact), "test.yaml"), speed);
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

const Proposal& proposal(const ContactAdvice& a, const std::string& key) {
  for (const Proposal& p : a.proposals)
    if (p.key == key) return p;
  throw std::runtime_error("nothing is proposed for " + key);
}

const double K = 4. / 3 * 207e9 / (2 * 0.91) * std::sqrt(0.1);

TEST(Advise, StiffnessAndPenetrationAreHertz) {
  const ContactAdvice a = advice("materials: [dry-steel, dry-steel], normal: {law: impact}");
  EXPECT_EQ(proposal(a, "normal.exponent").value, 1.5);
  EXPECT_NEAR(proposal(a, "normal.stiffness").value / K, 1, 1e-12);
  // K δ^2.5/2.5 = m v²/2 + m g δ
  const double depth = *a.penetration;
  EXPECT_NEAR(K * std::pow(depth, 2.5) / 2.5 / (0.5 * m * v2 + m * 9.81 * depth), 1, 1e-6);
  EXPECT_NEAR(expected_penetration(K, 1.5, m, std::sqrt(v2), 0), std::pow(1.25 * m * v2 / K, 0.4), 1e-15);
  EXPECT_NEAR(expected_penetration(1e8, 2.2, m, 0, 320), std::pow(320 / 1e8, 1 / 2.2), 1e-15);
  EXPECT_THAT(a.warnings, IsEmpty());
}

TEST(Advise, StiffnessForAnotherExponentStoresTheSameEnergy) {
  const ContactAdvice a = advice("materials: [dry-steel, dry-steel], normal: {law: impact, exponent: 2.2}");
  const double k = proposal(a, "normal.stiffness").value,
               depth = *advice(
                            "materials: [dry-steel, dry-steel], normal: {law: "
                            "impact}")
                            .penetration;
  EXPECT_NEAR(k * std::pow(depth, 3.2) / 3.2 / (K * std::pow(depth, 2.5) / 2.5), 1, 1e-9);
  EXPECT_NEAR(*a.penetration / depth, 1, 1e-9);
}

// The proposed parameters together realise the pair's restitution.
TEST(Advise, DampingRealisesTheRestitution) {
  const ContactAdvice a = advice("materials: [dry-steel, dry-steel], normal: {law: impact}");
  EXPECT_EQ(proposal(a, "normal.restitution").value, 0.8);
  Diagnostics diagnostics;
  const Object law = read_object(
      read_yaml_text(
          fmt::format("{{law: impact, stiffness: {:.17g}, exponent: 1.5, damping: {:.17g}, depth: {:.17g}}}",
                      proposal(a, "normal.stiffness").value, proposal(a, "normal.damping").value,
                      proposal(a, "normal.depth").value),
          "test"),
      normal_law_family(), {.diagnostics = &diagnostics});
  const auto made = make_normal_law(law.parameters(), {}, diagnostics);
  ASSERT_TRUE(made);
  EXPECT_NEAR(single_impact(*made, {.mass = m, .speed = std::sqrt(v2)}).restitution, 0.8, 1e-6);
  EXPECT_LT(proposal(a, "normal.depth").value, *a.penetration);
  EXPECT_LT(proposal(a, "normal.damping").value, 0.01 * K);
}

TEST(Advise, FrictionAndTransitionVelocities) {
  const ContactAdvice a = advice("materials: [dry steel, acrylic], normal: {law: impact}", 10);
  EXPECT_EQ(proposal(a, "friction.static").value, 0.20);
  EXPECT_EQ(proposal(a, "friction.dynamic").value, 0.15);
  EXPECT_EQ(*a.situation.speed, 10);
  EXPECT_DOUBLE_EQ(proposal(a, "friction.friction_velocity").value, 0.5);
  EXPECT_DOUBLE_EQ(proposal(a, "friction.stiction_velocity").value, 0.05);
  // Never above Adams' own.
  const ContactAdvice fast = advice("normal: {law: impact}", 1000);
  EXPECT_EQ(proposal(fast, "friction.friction_velocity").value, 1);
  EXPECT_EQ(proposal(fast, "friction.stiction_velocity").value, 0.1);
  // Without elastic constants: Adams' standard.
  EXPECT_EQ(proposal(fast, "normal.stiffness").value, 1e8);
  EXPECT_THAT(proposal(fast, "normal.stiffness").reason, HasSubstr("no material"));
}

TEST(Advise, WarnsOfValuesOutOfRange) {
  const auto warnings = [](const std::string& contact) { return advice(contact).warnings; };
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 2.2, damping: 2e6, depth: 0.1 mm}"),
              Contains(HasSubstr(
                  "'damping' is 2e+06 N s/m: a free impact of 2 kg at 2.801 m/s realises restitution")));
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 1.5, damping: 1, depth: 1 m}"),
              Contains(HasSubstr("more than the expected penetration")));
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 0.5}"),
              Contains(HasSubstr("below 1")));
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 4}"),
              Contains(HasSubstr("above 2.2")));
  EXPECT_THAT(warnings("materials: [dry-steel, dry-steel], normal: {law: hertz, stiffness: 1e6}"),
              Contains(HasSubstr("times what the materials give")));
  const std::string impact = "normal: {law: impact, stiffness: 1e8}, ";
  EXPECT_THAT(warnings(impact + "friction: {law: adams, static: 0.1, dynamic: 0.1, stiction_velocity: 1, "
                                "friction_velocity: 2}"),
              Contains(HasSubstr("'static' is 0.1 and 'dynamic' 0.1")));
  EXPECT_THAT(warnings(impact + "friction: {law: adams, static: 0.2, dynamic: 0.1, stiction_velocity: 2, "
                                "friction_velocity: 1}"),
              Contains(HasSubstr("the first must be the smaller one")));
  EXPECT_THAT(warnings("normal: {law: poisson, penalty: 5, restitution: 0.7}"), Contains(HasSubstr("sinks")));
  // Adams' standard damper, made for other units and masses, stifles the rebound of 2 kg; a hundredth of it does not.
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}"),
              Contains(HasSubstr("rebounds are stifled")));
  EXPECT_THAT(warnings("normal: {law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e2, depth: 0.1 mm}"),
              IsEmpty());
}

TEST(Advise, PenaltyStopsWithinHertzDepth) {
  const ContactAdvice a = advice("materials: [dry-steel, dry-steel], normal: {law: poisson, penalty: 1e8}");
  EXPECT_NEAR(proposal(a, "normal.penalty").value,
              m * std::sqrt(v2) / expected_penetration(K, 1.5, m, std::sqrt(v2), m * 9.81), 1);
  EXPECT_EQ(*proposal(a, "normal.penalty").given, 1e8);
}

TEST(Advise, SaysWhatItCannotKnow) {
  const std::string floating = std::regex_replace(ball("normal: {law: impact}"), std::regex("-9\\.81"), "0");
  const ContactAdvice a = advise(spec_from_text(floating, "test.yaml")).at(0);
  EXPECT_FALSE(a.penetration);
  EXPECT_THAT(a.missing, Contains(HasSubstr("give --speed")));
}

TEST(Advise, TextAndJsonSayTheSame) {
  const std::vector<ContactAdvice> all = {
      advice("materials: [dry-steel, dry-steel], normal: {law: impact, damping: 1e11}")};
  const auto json = nlohmann::json::parse(advice_json(all, {}));
  const auto& contact = json["contacts"][0];
  EXPECT_EQ(contact["contact"], "bounce");
  EXPECT_EQ(contact["mass"].get<double>(), all[0].situation.mass);
  EXPECT_EQ(contact["proposals"].size(), all[0].proposals.size());
  EXPECT_EQ(contact["warnings"].size(), all[0].warnings.size());
  const std::string text = advice_text(all);
  for (const Proposal& p : all[0].proposals) EXPECT_THAT(text, HasSubstr(p.key));
  EXPECT_THAT(text, HasSubstr("warning: 'damping'"));
  EXPECT_THAT(advice_text({}), HasSubstr("no contacts"));
}

}  // namespace
}  // namespace tappet::advise_test
