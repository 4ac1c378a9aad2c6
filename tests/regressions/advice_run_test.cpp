// What `tappet advise` proposes is run: the impact realises the restitution asked for, whatever the law and its exponent.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/studies/advise.hpp"

namespace tappet::testing::advice_run_test {
namespace {

std::string ball(const std::string& law, double exponent, double restitution, double mass) {
  return fmt::format(
      "tappet: 1\ngravity: [0, -9.81]\nmaterials: {{a: {{young: 207 GPa, poisson: 0.3}}}}\nmaterial_pairs: "
      "{{p: {{between: [a, a], "
      "restitution: {}}}}}\nbodies: {{ball: {{mass: {}, inertia: 1, position: [0, 0.4], shapes: {{s: "
      "{{circle: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{f: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}\ncontacts:\n  hit:\n    "
      "between: [ground.f, ball.s]\n"
      "    materials: [a, a]\n    normal: {{law: {}{}}}\nsimulation: {{duration: 0.4 s, tolerance: "
      "1e-9}}\noutput: {{step: 10 ms}}\n",
      restitution, mass, law,
      exponent > 0 ? fmt::format(", exponent: {}, stiffness: {}", exponent, 1e8) : "");
}

/// The restitution of the first impact once the advice is taken.
double taken(const std::string& text) {
  const std::vector<ContactAdvice> advice = advise(spec_from_text(text, "test.yaml"));
  std::vector<std::string> settings;
  for (const Proposal& p : advice.at(0).proposals)
    if (p.key != "simulation.tolerance" && !p.key.starts_with("friction."))
      settings.push_back(fmt::format("contacts.hit.{}={:.17g}", p.key, p.value));
  const Recording run = run_text(text, settings);
  EXPECT_FALSE(run.impacts.empty()) << text;
  return run.impacts.empty() ? NAN : run.impacts[0].restitution;
}

struct Case {
  const char* law;
  double exponent;  ///< 0: the law has none
};

TEST(AdviceRun, RealisesTheRestitutionAskedFor) {
  for (const Case& c : {Case{"impact", 1.1},
                        {"impact", 1.5},
                        {"impact", 2.2},
                        {"impact", 3},
                        {"flores", 1},
                        {"flores", 1.5},
                        {"flores", 2.2},
                        {"hunt-crossley", 1.5},
                        {"lankarani-nikravesh", 1.5}})
    for (const double e : {0.7, 0.9})
      for (const double mass : {0.02, 32.7})
        EXPECT_NEAR(taken(ball(c.law, c.exponent, e, mass)) / e, 1, 0.05)
            << c.law << ", exponent " << c.exponent << ", restitution " << e << ", mass " << mass;
}

TEST(AdviceRun, RealisesLowRestitutionWhereTheLawCan) {
  for (const Case& c : {Case{"impact", 2.2}, {"flores", 1.5}})
    EXPECT_NEAR(taken(ball(c.law, c.exponent, 0.3, 2)) / 0.3, 1, 0.05) << c.law;
  // Hunt and Crossley's factor is 3(1 − c)/2 at most 1.5, with which h (1 + e) = ln((1 + h)/(1 − h e)) gives no e below 0.43.
  const auto advice = advise(spec_from_text(ball("hunt-crossley", 1.5, 0.3, 2), "test.yaml"));
  ASSERT_FALSE(advice.at(0).missing.empty());
  EXPECT_NE(advice.at(0).missing[0].find("restitution 0.3 cannot be had: this law realises no less than"),
            std::string::npos);
}

// Damping has the unit N s/m whatever the exponent: a stiffness ten thousand times as large in its own unit, of the same force at
// the same depth, has the same damping.
TEST(AdviceRun, DampingDoesNotDependOnTheUnitOfTheStiffness) {
  const auto damping = [](double exponent, double stiffness) {
    std::string text = ball("impact", exponent, 0.8, 2);
    text.replace(text.find("stiffness: 100000000"), 20, fmt::format("stiffness: {}", stiffness));
    const std::vector<ContactAdvice> advice = advise(spec_from_text(text, "test.yaml"));
    for (const Proposal& p : advice.at(0).proposals)
      if (p.key == "normal.damping") return p.value;
    return 0.0;
  };
  // The same energy at the depth δ = 0.1 mm of 2 kg at 2.43 m/s: k δ^(n+1)/(n+1) = m v²/2.
  const double energy = 0.5 * 2 * 2 * 9.81 * 0.3, depth = 1e-3;
  const auto stiffness = [&](double n) { return energy * (n + 1) / std::pow(depth, n + 1); };
  EXPECT_GT(damping(2.2, stiffness(2.2)) / damping(1, stiffness(1)), 0.3);
  EXPECT_LT(damping(2.2, stiffness(2.2)) / damping(1, stiffness(1)), 3);
}

}  // namespace
}  // namespace tappet::testing::advice_run_test
