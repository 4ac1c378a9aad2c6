// The problems of the IFToMM library of multibody benchmarks that have reference numbers, and Andrews'
// squeezer.
//
// Reference numbers: converged independently in higher precision (A01, A02), and [HairerWanner1996, VI.5; the
// IVP test set] for Andrews' squeezer.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::iftomm_test {
namespace {

TEST(A01Pendulum, MeetsTheReference) {
  const Recording r = run_example("pendulum/pendulum.yaml");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(1, "bob.x"), 0.986291751131875, 1e-9);
  EXPECT_NEAR(r.value(1, "bob.y"), -0.165010853125541, 1e-9);
  EXPECT_NEAR(r.value(10, "bob.x"), -0.275087462576117, 1e-9);
  EXPECT_NEAR(r.value(10, "bob.y"), -0.961419205099125, 1e-9);
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  EXPECT_EQ(r.summary.degrees_of_freedom, 1);
  // Passages through the bottom are half a period apart.
  ASSERT_EQ(r.events.size(), 8u);
  const double period = 2.36784194757623745;
  for (std::size_t i = 0; i < r.events.size(); ++i)
    EXPECT_NEAR(r.events[i].time, (0.25 + 0.5 * i) * period, 1e-9);
}

// The free end of the first crank.
void expect_free_end(const Recording& r, double t, double x, double y) {
  EXPECT_NEAR(2 * r.value(t, "crank0.x"), x, 1e-9) << "t = " << t;
  EXPECT_NEAR(2 * r.value(t, "crank0.y"), y, 1e-9) << "t = " << t;
}

TEST(A02FourBarChain, TwoWindowsMeetTheReference) {
  const Recording r = run_example("four_bar_chain/two.yaml");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  expect_free_end(r, 1, -0.195020301949435, -0.980799205662174);
  expect_free_end(r, 10, 0.328458111540815, 0.944518538178601);
  ASSERT_FALSE(r.events.empty());
  EXPECT_NEAR(r.events[0].time, 1.94251492260708, 1e-9);
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  EXPECT_EQ(r.summary.degrees_of_freedom, 1);
}

TEST(A02FourBarChain, FortyWindowsKeepTheirEnergyThroughSingularPositions) {
  const Recording r =
      run_example("four_bar_chain/forty.yaml", {"simulation.tolerance=1e-10", "output.step=0.1"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  EXPECT_LT(r.summary.energy_residual, 1e-8);
  EXPECT_EQ(r.summary.bodies, 81);
  EXPECT_EQ(r.summary.degrees_of_freedom, 1);
}

// The windows stay parallelograms, so N windows are one crank with the inertia and weight of all of them: N+1
// cranks of 1/3 kg m² and N couplers of 1 kg at the free end.  (J) θ̈ = g (N+1)/2 cos… as a closed-form first
// integral:
//   ½ J (θ̇² − 1) = −((N+1)/2 + N) g (sin θ − 1),  J = (N+1)/3 + N
TEST(A02FourBarChain, SpeedFollowsFromEnergy) {
  for (int n : {2, 40}) {
    const Recording r =
        run_example(n == 2 ? "four_bar_chain/two.yaml" : "four_bar_chain/forty.yaml",
                    {"simulation.tolerance=1e-11", "simulation.duration=2", "output.step=0.05"});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double J = (n + 1) / 3.0 + n, weight = 9.81 * ((n + 1) / 2.0 + n);
    for (const auto& row : r.rows) {
      const double theta = row[r.column("crank0.angle")], omega = row[r.column("crank0.omega")];
      EXPECT_NEAR(omega, -std::sqrt(1 + 2 * weight / J * (1 - std::sin(theta))), 1e-8) << "N = " << n;
    }
  }
}

TEST(AndrewsSqueezer, MeetsTheReference) {
  const Recording r = run_example("andrews/squeezer.yaml");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_EQ(r.summary.degrees_of_freedom, 1);
  auto angle = [&](const char* body) { return r.last(std::string(body) + ".angle"); };
  const double beta = angle("k1");
  // The reference gives eleven digits of β; the others follow it with the ratios of their speeds.
  EXPECT_NEAR(beta, 15.810771195, 1e-9);
  EXPECT_NEAR(angle("k2") - beta, -15.756371058, 2e-9);
  EXPECT_NEAR(angle("k3"), 0.040822240120, 1e-9);
  EXPECT_NEAR(angle("k4") - angle("k5"), -0.53473011634, 1e-9);
  EXPECT_NEAR(angle("k5"), 0.52440996588, 1e-9);
  EXPECT_NEAR(angle("k7"), 1.0480807410, 1e-9);
  EXPECT_NEAR(r.last("k1.omega"), 1139.9203, 1e-4);
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  EXPECT_LT(r.summary.energy_residual, 1e-10);
  // The motor's work is its torque times the angle turned.
  EXPECT_NEAR(r.last("energy.input"), 0.033 * (beta + 0.0617138900142764), 1e-11);
}

}  // namespace
}  // namespace tappet::testing::iftomm_test
