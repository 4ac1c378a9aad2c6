// What each contact takes out of the motion: over the slider-cranks of the documents, with every law,
// clearance and friction, no contact ever gives energy, the contacts' losses add up to the ledger's, and the
// ledger closes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet::testing::contact_losses_test {
namespace {

struct Losses {
  double normal = 0, friction = 0;  ///< J at the end
};

// `bristle`: the friction law stores energy, which its loss counts until it is given back.
Losses expect_losses(const Recording& r, bool bristle = false) {
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-6);
  EXPECT_GT(r.impacts.size(), 0u);
  Losses sum;
  for (const std::string& name : r.names) {
    if (!name.ends_with(".normal_loss") || name == "energy.normal_loss") continue;
    const std::string contact = name.substr(0, name.size() - std::string("normal_loss").size());
    const std::size_t gap = r.column(contact + "gap"), normal = r.column(name),
                      friction = r.column(contact + "friction_loss");
    // Rounding of an integral is measured by what the whole run exchanges.
    const double rounding = 1e-12 * (1 + r.largest("energy.kinetic"));
    double apart = 0, rubbed = 0;
    for (const auto& row : r.rows) {
      // A law may store what it gives back before the contact ends: it counts when they are apart.
      if (row[gap] > 0) {
        EXPECT_GE(row[normal], apart - rounding) << name << " at t = " << row[0];
        apart = std::max(apart, row[normal]);
      }
      if (!bristle) {
        EXPECT_GE(row[friction], rubbed - rounding) << contact << "friction_loss at t = " << row[0];
      }
      rubbed = std::max(rubbed, row[friction]);
    }
    EXPECT_GE(r.rows.back()[friction], -rounding) << contact;
    sum.normal += r.rows.back()[normal];
    sum.friction += r.rows.back()[friction];
  }
  const double all = r.last("energy.normal_loss") + r.last("energy.friction_loss");
  EXPECT_NEAR(sum.normal, r.last("energy.normal_loss"), 1e-12 * (1 + all));
  EXPECT_NEAR(sum.friction, r.last("energy.friction_loss"), 1e-12 * (1 + all));
  return sum;
}

const std::vector<std::string> signals = {"output.signals=['*.gap', '*_loss', energy.kinetic]",
                                          "output.step=20e-6"};

Recording slider_crank(const std::string& example, const std::string& normal, const std::string& friction,
                       std::vector<std::string> more = {}) {
  more.insert(more.end(), signals.begin(), signals.end());
  more.push_back("joints.wrist.clearance.normal=" + normal);
  more.push_back("joints.wrist.clearance.friction=" + friction);
  return run_example("slider_crank/" + example, more);
}

struct Law {
  const char* name;
  const char* text;
  friend std::ostream& operator<<(std::ostream& out, const Law& law) { return out << law.name; }
};
std::string name_of(const ::testing::TestParamInfo<Law>& info) {
  std::string name = info.param.name;
  std::erase(name, '-');
  return name;
}

constexpr const char* ambrosio = "{law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}";

class LossesOfNormalLaw : public ::testing::TestWithParam<Law> {};

TEST_P(LossesOfNormalLaw, AreNeverNegative) {
  for (const char* example : {"clearance.yaml", "spatial.yaml"}) {
    const Recording r = slider_crank(example, GetParam().text, ambrosio, {"simulation.duration=0.036"});
    const Losses lost = expect_losses(r);
    fmt::print("{} {}: {} impacts, normal loss {:.4f} J, friction loss {:.4f} J, ledger {:.1e}\n",
               GetParam().name, example, r.impacts.size(), lost.normal, lost.friction,
               r.summary.energy_residual);
    EXPECT_GT(lost.friction, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LossesOfNormalLaw,
    ::testing::Values(
        Law{"kelvin-voigt", "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.9}"},
        Law{"hooke", "{law: hooke, stiffness: 1.5e8, damping: 500}"}, Law{"hertz", "{law: hertz}"},
        Law{"hunt-crossley", "{law: hunt-crossley, restitution: 0.9}"},
        Law{"lankarani-nikravesh", "{law: lankarani-nikravesh, restitution: 0.9}"},
        Law{"flores", "{law: flores, restitution: 0.9}"},
        Law{"dubowsky-freudenstein", "{law: dubowsky-freudenstein}"}, Law{"goldsmith", "{law: goldsmith}"},
        Law{"esdu-78035", "{law: esdu-78035}"},
        Law{"impact", "{law: impact, stiffness: 1e8, exponent: 1, damping: 1e3, depth: 10 um}"},
        Law{"poisson", "{law: poisson, penalty: 1e4, restitution: 0.8}"},
        Law{"expression",
            "{law: expression, force: 'k*depth^1.5*(1 + 0.3*rate/max(impact_rate, 1e-4))', energy: "
            "'0.4*k*depth^2.5', parameters: {k: 6e10}}"}),
    name_of);

// The list above is complete.
TEST(LossesOfNormalLaws, EveryForceLawIsThere) {
  std::size_t laws = 0;
  for (const NormalLawType& type : NormalLawRegistry::instance().entries()) laws += type.force_law;
  EXPECT_EQ(laws, 12u) << "add the new law to LossesOfNormalLaw";
}

class LossesOfFrictionLaw : public ::testing::TestWithParam<Law> {};

TEST_P(LossesOfFrictionLaw, AreNeverNegative) {
  for (const char* example : {"clearance.yaml", "spatial.yaml"}) {
    const Recording r = slider_crank(example, "{law: lankarani-nikravesh, restitution: 0.9}", GetParam().text,
                                     {"simulation.duration=0.012", "simulation.tolerance=1e-7"});
    const Losses lost = expect_losses(r, std::string(GetParam().name) == "reset-integrator");
    fmt::print("{} {}: {} impacts, normal loss {:.4f} J, friction loss {:.4f} J, ledger {:.1e}\n",
               GetParam().name, example, r.impacts.size(), lost.normal, lost.friction,
               r.summary.energy_residual);
    if (std::string(GetParam().name) == "none")
      EXPECT_EQ(lost.friction, 0);
    else
      EXPECT_GT(lost.friction, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LossesOfFrictionLaw,
    ::testing::Values(
        Law{"none", "{law: none}"}, Law{"coulomb", "{law: coulomb, coefficient: 0.05}"},
        Law{"dubowsky", "{law: dubowsky, coefficient: 0.05, v0: 1 mm/s}"},
        Law{"rooney-deravi", "{law: rooney-deravi, coefficient: 0.05}"},
        Law{"threlfall", "{law: threlfall, coefficient: 0.05, v0: 10 mm/s}"}, Law{"ambrosio", ambrosio},
        Law{"bengisu-akay", "{law: bengisu-akay, static: 0.06, dynamic: 0.05, v0: 10 mm/s, kappa: 10 s/m}"},
        Law{"karnopp", "{law: karnopp, static: 0.06, dynamic: 0.05, stick_velocity: 1 mm/s}"},
        Law{"modified-karnopp",
            "{law: modified-karnopp, static: 0.06, dynamic: 0.05, stick_velocity: 1 mm/s, friction_velocity: "
            "10 mm/s}"},
        Law{"stribeck", "{law: stribeck, static: 0.06, dynamic: 0.05, stribeck_velocity: 10 mm/s}"},
        Law{"reset-integrator", "{law: reset-integrator, static: 0.06, dynamic: 0.05, deflection: 1 um}"},
        Law{"adams",
            "{law: adams, static: 0.06, dynamic: 0.05, stiction_velocity: 10 mm/s, friction_velocity: 100 "
            "mm/s}"}),
    name_of);

TEST(LossesOfFrictionLaws, EveryLawIsThere) {
  EXPECT_EQ(FrictionLawRegistry::instance().entries().size(), 12u)
      << "add the new law to LossesOfFrictionLaw";
}

// The documents' own study: five laws, four clearances, no friction and four coefficients of it.
class Study : public ::testing::TestWithParam<Law> {};

TEST_P(Study, EveryClearanceAndFrictionRunsAndClosesItsLedger) {
  double worst = 0;
  for (const double clearance : {0.05, 0.1, 0.2, 0.5})
    for (const double friction : {0.0, 0.01, 0.03, 0.05, 0.10}) {
      SCOPED_TRACE(fmt::format("clearance {} mm, friction {}", clearance, friction));
      const Recording r = slider_crank(
          "clearance.yaml", GetParam().text,
          friction == 0
              ? "{law: none}"
              : fmt::format("{{law: ambrosio, coefficient: {}, v0: 1 mm/s, v1: 10 mm/s}}", friction),
          {fmt::format("joints.wrist.clearance.journal_radius={} mm", 10 - clearance),
           "simulation.duration=0.036"});
      const Losses lost = expect_losses(r);
      worst = std::max(worst, r.summary.energy_residual);
      EXPECT_EQ(lost.friction > 0, friction > 0);
      if (std::string(GetParam().name) == "lankarani-nikravesh")
        EXPECT_GT(lost.normal, 0);
      else
        EXPECT_NEAR(lost.normal, 0, 1e-12 * (1 + r.largest("energy.kinetic")));
    }
  fmt::print("{}: worst ledger of twenty runs {:.1e}\n", GetParam().name, worst);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Study,
    ::testing::Values(Law{"lankarani-nikravesh", "{law: lankarani-nikravesh, restitution: 0.9}"},
                      Law{"hertz", "{law: hertz}"},
                      Law{"dubowsky-freudenstein", "{law: dubowsky-freudenstein}"},
                      Law{"goldsmith", "{law: goldsmith}"}, Law{"esdu-78035", "{law: esdu-78035}"}),
    name_of);

// Four corners in a guide.
class LossesInTheGuide : public ::testing::TestWithParam<Law> {};

TEST_P(LossesInTheGuide, AreNeverNegative) {
  std::vector<std::string> settings = signals;
  settings.insert(settings.end(),
                  {std::string("joints.guide.clearance.normal=") + GetParam().text,
                   "joints.guide.clearance.friction=" + std::string(ambrosio), "simulation.duration=0.025"});
  const Recording r = run_example("translational_clearance/model.yaml", settings);
  const Losses lost = expect_losses(r);
  fmt::print("{}: {} impacts, normal loss {:.4f} J, friction loss {:.4f} J, ledger {:.1e}\n", GetParam().name,
             r.impacts.size(), lost.normal, lost.friction, r.summary.energy_residual);
  EXPECT_GT(lost.normal, 0);
  EXPECT_GT(lost.friction, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LossesInTheGuide,
    ::testing::Values(Law{"kelvin-voigt", "{law: kelvin-voigt, stiffness: 1e8, restitution: 0.4}"},
                      Law{"kelvin-voigt-matched",
                          "{law: kelvin-voigt, variant: matched, stiffness: 1e8, restitution: 0.4}"},
                      Law{"hunt-crossley", "{law: hunt-crossley, stiffness: 1e9, restitution: 0.4}"},
                      Law{"lankarani-nikravesh",
                          "{law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.4}"},
                      Law{"flores", "{law: flores, stiffness: 1e9, restitution: 0.4}"},
                      Law{"impact", "{law: impact, stiffness: 1e8, exponent: 1, damping: 1e3, depth: 10 um}"},
                      Law{"poisson", "{law: poisson, penalty: 1e4, restitution: 0.4}"}),
    name_of);

}  // namespace
}  // namespace tappet::testing::contact_losses_test
