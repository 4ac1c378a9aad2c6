// The slider-crank with clearance under three methods, from one file: rigid impacts are the limit of stiff force laws, and of short steps.
//
// While a contact lasts, for τ ∝ K^(−1/(n+1)) with F = K δⁿ, the smooth method's bodies are where the rigid ones are not yet or no more. What
// it lacks over the first impacts goes with τ: order 1/2 in the stiffness for a linear spring, 2/5 for Hertz'.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::three_methods_test {
namespace {

constexpr int compared = 5;  ///< impacts

Recording run_methods(const std::vector<std::string>& settings) {
  const Recording r = run_example("slider_crank/methods.yaml", settings);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_GE(r.impacts.size(), 5u);
  return r;
}

/// Root mean square of the differences of impact times, in s, after the first, up to which all methods fly freely.
double distance(const Recording& a, const Recording& b) {
  double sum = 0;
  for (int i = 1; i < compared; ++i) sum += std::pow(a.impacts[i].start - b.impacts[i].start, 2);
  return std::sqrt(sum / (compared - 1));
}

/// The c of Flores' law that realises e: h = 8 (1 − c)/(5 c) and h (1 + e) = ln((1 + h)/(1 − h e)).
double flores_coefficient(double e) {
  const auto lack = [&](double h) { return h * (1 + e) - std::log((1 + h) / (1 - h * e)); };
  double low = 1e-6, high = 1 / e * (1 - 1e-12);
  for (int n = 0; n < 200; ++n) (lack(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return 8 / (5 * low + 8);
}

struct Law {
  const char* name;
  std::string text;  ///< with {} for the stiffness
  std::vector<double> stiffness;
  double order;
};

TEST(ThreeMethods, TheStifferTheLawTheCloserToRigidImpacts) {
  const Recording rigid = run_methods({"simulation.method=event-driven", "simulation.tolerance=1e-11"});
  for (const Law& law :
       {Law{"kelvin-voigt",
            "{{law: kelvin-voigt, variant: matched, stiffness: {}, restitution: 0.9}}",
            {1e10, 1e11, 1e12, 1e13, 1e14},
            0.5},
        Law{"flores",
            fmt::format("{{{{law: flores, exponent: 1.5, stiffness: {{}}, restitution: {:.15g}}}}}",
                        flores_coefficient(0.9)),
            {1e12, 1e13, 1e14, 1e15, 1e16},
            0.4}}) {
    std::vector<double> errors;
    for (double k : law.stiffness) {
      const Recording smooth =
          run_methods({"joints.wrist.clearance.normal=" + fmt::format(fmt::runtime(law.text), k)});
      EXPECT_NEAR(smooth.impacts[0].start, rigid.impacts[0].start, 1e-12) << "flight";
      EXPECT_NEAR(smooth.impacts[0].restitution, 0.9, k == law.stiffness.back() ? 1e-3 : 0.02)
          << "the crank drives on meanwhile";
      errors.push_back(distance(smooth, rigid));
      const double order = errors.size() < 2 ? 0 : std::log10(errors[errors.size() - 2] / errors.back());
      fmt::print("{} {:.0e}: impacts off by {:.2e} s, order {:.3f}\n", law.name, k, errors.back(), order);
      if (errors.size() >= 3) {
        EXPECT_NEAR(order, law.order, 0.02) << law.name << ' ' << k;
      }
    }
  }
}

TEST(ThreeMethods, TheShorterTheStepsTheCloserMoreau) {
  const Recording rigid = run_methods({"simulation.method=event-driven", "simulation.tolerance=1e-11"});
  // Where in its step an impact falls is chance: errors are the root mean square over many lengths of about the same size.
  constexpr int lengths = 24;
  std::vector<double> length, error;
  for (const double longest : {4e-6, 2.5e-7}) {
    double squares = 0;
    for (int i = 0; i < lengths; ++i) {
      const double h = longest * std::pow(2, -i / static_cast<double>(lengths));
      const Recording r = run_methods({"simulation.method=moreau", fmt::format("simulation.step={}", h)});
      for (int k = 0; k < compared; ++k) EXPECT_NEAR(r.impacts[k].restitution, 0.9, 1e-6);
      squares += std::pow(distance(r, rigid), 2) / lengths;
    }
    length.push_back(longest), error.push_back(std::sqrt(squares));
    fmt::print("moreau, steps of {:.1e} s: impacts off by {:.2e} s\n", length.back(), error.back());
  }
  // First order. The root mean square of n = 24 such errors scatters by 1/√(2n) or so; of two, sixteen apart, the order by 0.07.
  const double order = std::log(error.front() / error.back()) / std::log(length.front() / length.back());
  EXPECT_NEAR(order, 1, 3 * 0.07);
}

// With friction that stops the sliding within an impact they cannot agree: Newton's law, Poisson's and that of a spring give different
// rebounds, however stiff the spring.
TEST(ThreeMethods, WithFrictionEachLawHasItsOwnRebound) {
  const std::string friction = "joints.wrist.clearance.friction={law: coulomb, coefficient: 0.03}";
  const Recording newton = run_methods({friction, "simulation.method=event-driven"}),
                  poisson = run_methods(
                      {friction, "simulation.method=event-driven", "simulation.impact_law=poisson"}),
                  stiff = run_methods({friction, "joints.wrist.clearance.normal.stiffness=1e14"}),
                  stiffer = run_methods({friction, "joints.wrist.clearance.normal.stiffness=1e15"});
  EXPECT_NEAR(newton.impacts[1].restitution, 0.9, 1e-9);
  EXPECT_NEAR(poisson.impacts[1].restitution, 0.8866, 1e-4);
  EXPECT_NEAR(stiffer.impacts[1].restitution, 0.8934, 2e-4);
  EXPECT_NEAR(stiffer.impacts[1].restitution, stiff.impacts[1].restitution, 1e-3);
}

}  // namespace
}  // namespace tappet::testing::three_methods_test
