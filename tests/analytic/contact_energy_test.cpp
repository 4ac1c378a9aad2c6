// Energy never grows through contact with ε ≤ 1: random scenes of method moreau, every step looked at.
//
// Bodies without joints and without gyroscopic moments (in the plane, or balls) move between contacts without an error of energy: kinetic
// plus potential energy may then only fall, and what falls is what the contacts lost.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::contact_energy_test {
namespace {

class Scene {
 public:
  explicit Scene(unsigned seed) : engine_(seed) {}
  double random(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }

  /// Boxes and discs thrown into a trough.
  std::string planar() {
    std::string text = "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n";
    for (int b = 0; b < 4; ++b)
      text += fmt::format(
          "  b{}: {{mass: {}, inertia: {}, position: [{}, {}], angle: {}, velocity: [{}, {}], "
          "angular_velocity: {}, shapes: {{s: {}}}}}\n",
          b, random(0.5, 2), random(0.003, 0.01), 0.35 * b - 0.5, random(0.4, 0.8), random(-3, 3),
          random(-2, 2), random(-2, 2), random(-9, 9),
          b % 2 ? fmt::format("{{circle: {{radius: {}}}}}", random(0.05, 0.12))
                : fmt::format("{{box: {{size: [{}, {}]}}}}", random(0.1, 0.25), random(0.1, 0.25)));
    return text +
           "ground:\n  shapes:\n    floor: {plane: {point: [0, 0], normal: [0, 1]}}\n    left: {plane: "
           "{point: [-0.8, 0], normal: [0.96, 0.28]}}\n"
           "    right: {plane: {point: [0.8, 0], normal: [-0.96, 0.28]}}\n" +
           contacts();
  }

  std::string balls() {
    std::string text = "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n";
    for (int b = 0; b < 5; ++b) {
      const double radius = random(0.05, 0.12), mass = random(0.5, 2), inertia = 0.4 * mass * radius * radius;
      text += fmt::format(
          "  b{}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, {}], velocity: [{}, {}, {}], "
          "angular_velocity: [{}, {}, {}], shapes: "
          "{{s: {{sphere: {{radius: {}}}}}}}}}\n",
          b, mass, inertia, inertia, inertia, 0.3 * b - 0.6, random(-0.1, 0.1), random(0.3, 0.8),
          random(-2, 2), random(-2, 2), random(-2, 2), random(-9, 9), random(-9, 9), random(-9, 9), radius);
    }
    return text +
           "ground:\n  shapes:\n    floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n    left: {plane: "
           "{point: [-0.8, 0, 0], normal: [0.96, 0, 0.28]}}\n"
           "    right: {plane: {point: [0.8, 0, 0], normal: [-0.96, 0, 0.28]}}\n    back: {plane: {point: "
           "[0, 0.3, 0], normal: [0, -1, 0]}}\n"
           "    front: {plane: {point: [0, -0.3, 0], normal: [0, 1, 0]}}\n" +
           contacts();
  }

 private:
  std::string contacts() {
    const double e = random(0, 1), mu = random(0, 1), tangential = random(0, 1) < 0.5 ? 0 : random(0, 1);
    return fmt::format(
        "contacts:\n  walls: {{between: ['ground.*', 'b*.s'], normal: {{restitution: {0}}}, friction: "
        "{{coefficient: {1}, tangential_restitution: {2}}}}}\n"
        "  others: {{between: ['b*.s', 'b*.s'], normal: {{restitution: {0}}}, friction: {{coefficient: {1}, "
        "tangential_restitution: {2}}}}}\n"
        "simulation: {{method: moreau, duration: 1.5, step: 1e-3}}\noutput: {{step: 1e-3, signals: "
        "['energy.*', '*.gap']}}\n",
        e, mu, tangential);
  }

  std::mt19937 engine_;
};

struct Growth {
  long steps = 0;
  double step = 0, total = 0, residual = 0, depth = 0;  ///< the worst, of the energy at the start; m
};

void follow(const std::string& text, Growth& worst) {
  const Recording r = run_text(text);
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason << '\n' << text;
  const std::size_t kinetic = r.column("energy.kinetic"), potential = r.column("energy.potential");
  const double start = r.rows[0][kinetic] + r.rows[0][potential];
  double lowest = start, last = start;
  for (std::size_t n = 1; n < r.rows.size(); ++n, ++worst.steps) {
    const double energy = r.rows[n][kinetic] + r.rows[n][potential];
    worst.step = std::max(worst.step, (energy - last) / start);
    worst.total = std::max(worst.total, (energy - lowest) / start);
    last = energy, lowest = std::min(lowest, energy);
    for (std::size_t i = 0; i < r.names.size(); ++i)
      if (r.names[i].ends_with(".gap")) worst.depth = std::max(worst.depth, -r.rows[n][i + 1]);
  }
  worst.residual = std::max(worst.residual, r.summary.energy_residual);
  EXPECT_LT(lowest, 0.97 * start) << "nothing was lost, so nothing was tested";
}

void expect_none(const Growth& worst) {
  fmt::print(
      "{} steps: energy grew by {:.1e} in a step, by {:.1e} in all; residual {:.1e}; deepest {:.1e} m\n",
      worst.steps, worst.step, worst.total, worst.residual, worst.depth);
  EXPECT_GE(worst.steps, 7500);
  EXPECT_LT(worst.step, 1e-10);
  EXPECT_LT(worst.total, 1e-10);
  EXPECT_LT(worst.residual, 1e-12);
  EXPECT_LT(worst.depth, 3e-3) << "nothing goes deeper than it moves in a step, at 3 m/s";
}

TEST(ContactEnergy, NeverGrowsInThePlane) {
  Growth worst;
  for (unsigned seed = 1; seed <= 5; ++seed) follow(Scene(seed).planar(), worst);
  expect_none(worst);
}

TEST(ContactEnergy, NeverGrowsInSpace) {
  Growth worst;
  for (unsigned seed = 1; seed <= 5; ++seed) follow(Scene(seed).balls(), worst);
  expect_none(worst);
}

}  // namespace
}  // namespace tappet::testing::contact_energy_test
