// Rolling and spinning resistance of rigid contacts against closed forms: at rest it holds, moving it is δ N.
//
// A ball or disc of radius R that rolls without sliding on a slope α: (m + I/R²) v̇ = m g (sin α − cos α δ_r/R) while it rolls down, so that
// v̇ = −κ g δ_r/R on the level, κ = 5/7 for a ball and 2/3 for a disc; it stands where tan α < δ_r/R. A ball that spins on the spot:
// I ω̇ = −δ_s m g. In an impact P_n = m (1 + ε) v, and the couple's impulse is δ_r P_n.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/beam_file.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::set_valued_rolling_test {
namespace {

using ::testing::HasSubstr;

constexpr double g = 10, R = 0.1, m = 2, delta = 0.02;
const char* const methods[] = {"moreau", "event-driven"};

double inertia(bool planar) {
  return (planar ? 0.5 : 0.4) * m * R * R;
}
double kappa(bool planar) {
  return planar ? 2.0 / 3 : 5.0 / 7;
}

struct Ball {
  bool planar = false, group = false;
  double slope = 0;           // radians, down along x
  double height = R;          // of the centre
  double vx = 0, vy = 0;      // along the slope, and along its normal
  double roll = 0, spin = 0;  // ω about the axis that rolls along +x, and about the normal
  double friction = 0.9, restitution = 0;
  std::string contact = {};     // keys of the contact
  std::string simulation = {};  // keys of the simulation
  double duration = 1;
};

std::string text(const Ball& b, const std::string& method) {
  const std::string zero = b.planar ? "" : "0, ";
  return fmt::format(
      "tappet: 1\ndimension: {}\ngravity: [{}, {}{}]\n"
      "bodies: {{ball: {{mass: {}, inertia: {}, position: [0, {}{}], velocity: [{}, {}{}], angular_velocity: "
      "{}, "
      "shapes: {{skin: {{{}: {{radius: {}}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, {}1]}}}}}}}}\n"
      "contacts: {{c: {{between: [ground.floor, ball.skin], group: {}, normal: {{law: newton, restitution: "
      "{}}}, "
      "friction: {{law: coulomb, coefficient: {}}}, {}}}}}\n"
      "simulation: {{method: {}, duration: {}{}{}}}\noutput: {{step: 0.01}}\n",
      b.planar ? "planar" : "spatial", g * std::sin(b.slope), zero, -g * std::cos(b.slope), m,
      b.planar ? fmt::format("{}", inertia(true)) : fmt::format("[{0}, {0}, {0}]", inertia(false)), zero,
      b.height, b.vx, zero, b.vy,
      b.planar ? fmt::format("{}", -b.roll) : fmt::format("[0, {}, {}]", b.roll, b.spin),
      b.planar ? "circle" : "sphere", R, zero, b.group, b.restitution, b.friction, b.contact, method,
      b.duration, method == "moreau" ? ", step: 1e-3, tolerance: 1e-12" : ", tolerance: 1e-10", b.simulation);
}

Recording run_ball(const Ball& b, const std::string& method) {
  Recording r = run_text(text(b, method));
  EXPECT_TRUE(r.summary.completed) << method << ": " << r.summary.stop_reason;
  // Beside the energy of a fall by its radius, since a ball that is held moves none.
  EXPECT_LT(r.largest("energy.residual"), 1e-9 * m * g * R) << method;
  return r;
}

std::string rolling(double by = delta) {
  return fmt::format("rolling_resistance: {}", by);
}

TEST(SetValuedRolling, SlowsABallAndADiscDownUntilTheyRestForEver) {
  const double v0 = 0.5;
  for (const std::string method : methods)
    for (const bool planar : {true, false})
      for (const bool group : {false, true}) {
        SCOPED_TRACE(fmt::format("{} planar {} group {}", method, planar, group));
        const Recording r = run_ball(
            {.planar = planar, .group = group, .vx = v0, .roll = v0 / R, .contact = rolling()}, method);
        const double slows = kappa(planar) * g * delta / R;
        for (const double t : {0.1, 0.2}) EXPECT_NEAR(r.value(t, "ball.vx"), v0 - slows * t, 1e-10);
        // Within the step in which it comes to rest moreau's velocity is a straight line to zero: h² slows/8 of the distance.
        const double off = method == "moreau" ? 1e-6 * slows / 8 : 1e-9;
        EXPECT_NEAR(r.last("ball.x"), v0 * v0 / (2 * slows), 1.01 * off);
        EXPECT_NEAR(r.value(0.5, "ball.x"), r.last("ball.x"), 1e-12);
        EXPECT_NEAR(r.last("ball.vx"), 0, 1e-12);
      }
}

TEST(SetValuedRolling, HoldsOnASlopeAndRollsOnASteeperOne) {
  for (const std::string method : methods)
    for (const bool planar : {true, false}) {
      SCOPED_TRACE(fmt::format("{} planar {}", method, planar));
      Ball ball{.planar = planar, .slope = std::atan(0.99 * delta / R), .contact = rolling()};
      const Recording held = run_ball(ball, method);
      EXPECT_NEAR(held.last("ball.x"), 0, 1e-12);
      EXPECT_NEAR(held.last("ball.vx"), 0, 1e-12);
      ball.slope = std::atan(1.5 * delta / R);
      const Recording rolls = run_ball(ball, method);
      const double a = kappa(planar) * g * (std::sin(ball.slope) - std::cos(ball.slope) * delta / R);
      EXPECT_NEAR(rolls.last("ball.vx"), a, 1e-9);
      EXPECT_NEAR(rolls.last("ball.x"), 0.5 * a, 1e-9);
    }
}

// A push k t at the centre is held until k t R = δ m g, at t₀; then m v̇ = κ k (t − t₀).
TEST(SetValuedRolling, LetsGoWhereAGrowingPushOvercomesIt) {
  const double k = 8, lets_go = delta * m * g / (R * k);
  for (const std::string method : methods)
    for (const bool planar : {true, false}) {
      SCOPED_TRACE(fmt::format("{} planar {}", method, planar));
      const Recording r = run_text(
          text({.planar = planar, .contact = rolling()}, method) +
          fmt::format("forces: {{push: {{type: expression, body: ball, point: [0, 0{}], fx: '{} * t'}}}}\n",
                      planar ? "" : ", 0", k));
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      EXPECT_NEAR(r.value(0.49, "ball.x"), 0, 1e-12);
      ASSERT_NEAR(lets_go, 0.5, 1e-12);
      const double t = 0.5;
      EXPECT_NEAR(r.last("ball.vx"), kappa(planar) * k / (2 * m) * t * t, method == "moreau" ? 1e-5 : 1e-7);
    }
}

TEST(SetValuedRolling, TurnsARollThatGoesUpASlopeRound) {
  // Up with sin α + cos α δ/R, and down again with the difference, since the slope is steeper than what holds.
  for (const std::string method : methods) {
    const double slope = std::atan(2 * delta / R), v0 = 0.5, s = g * std::sin(slope),
                 c = g * std::cos(slope) * delta / R;
    const double up = 5.0 / 7 * (s + c), down = 5.0 / 7 * (s - c), turns = v0 / up;
    const Recording r = run_ball({.slope = slope, .vx = -v0, .roll = -v0 / R, .contact = rolling()}, method);
    EXPECT_NEAR(r.last("ball.vx"), down * (1 - turns), method == "moreau" ? 1e-3 * (up - down) : 1e-8)
        << method;
    EXPECT_NEAR(r.value(0.1, "ball.vx"), -v0 + 0.1 * up, 1e-10) << method;
  }
}

TEST(SetValuedRolling, LeavesABallThatSlidesItsFriction) {
  // Without rolling at first: friction μ g slows the centre, and R μ m g less the couple makes it roll, until both meet.
  const double v0 = 1, mu = 0.3;
  for (const std::string method : methods)
    for (const bool planar : {true, false}) {
      SCOPED_TRACE(fmt::format("{} planar {}", method, planar));
      const Recording r =
          run_ball({.planar = planar, .vx = v0, .friction = mu, .contact = rolling(5e-3)}, method);
      const double spins_up = (mu * m * g * R - 5e-3 * m * g) / inertia(planar);
      EXPECT_NEAR(r.value(0.05, "ball.vx"), v0 - mu * g * 0.05, 1e-9);
      const double omega = planar ? -r.value(0.05, "ball.omega") : r.value(0.05, "ball.wy");
      EXPECT_NEAR(omega, spins_up * 0.05, 1e-8);
      const double meets = v0 / (mu * g + spins_up * R), then = v0 - mu * g * meets;
      EXPECT_NEAR(r.last("ball.vx"), then - kappa(planar) * g * 5e-3 / R * (1 - meets),
                  method == "moreau" ? 1e-3 * mu * g : 1e-8);
    }
}

TEST(SetValuedSpinning, StopsABallThatSpinsOnTheSpot) {
  const double omega = 10, by = 5e-3, slows = by * m * g / inertia(false);
  for (const std::string method : methods)
    for (const bool group : {false, true}) {
      const Recording r = run_ball(
          {.group = group, .spin = omega, .contact = fmt::format("spinning_resistance: {}", by)}, method);
      for (const double t : {0.2, 0.4, 0.6})
        EXPECT_NEAR(r.value(t, "ball.wz"), omega - slows * t, 1e-9) << method << group;
      EXPECT_NEAR(r.last("ball.wz"), 0, 1e-12) << method << group;
    }
}

TEST(SetValuedSpinning, AndRollingAreResistedEachByItself) {
  const double v0 = 0.5, omega = 10, by = 5e-3;
  for (const std::string method : methods) {
    const Recording r = run_ball({.vx = v0,
                                  .roll = v0 / R,
                                  .spin = omega,
                                  .contact = rolling() + fmt::format(", spinning_resistance: {}", by)},
                                 method);
    EXPECT_NEAR(r.value(0.2, "ball.vx"), v0 - 5.0 / 7 * g * delta / R * 0.2, 1e-9) << method;
    EXPECT_NEAR(r.value(0.2, "ball.wz"), omega - by * m * g / inertia(false) * 0.2, 1e-9) << method;
    EXPECT_NEAR(r.last("ball.wz"), 0, 1e-12) << method;
    EXPECT_NEAR(r.last("ball.vx"), 0, 1e-12) << method;
  }
}

TEST(SetValuedRolling, ActsInImpacts) {
  const double v = 2, e = 0.5, omega = 30;
  for (const std::string method : methods)
    for (const std::string law : {"newton", "poisson"})
      for (const bool planar : {true, false}) {
        SCOPED_TRACE(fmt::format("{} {} planar {}", method, law, planar));
        const double by = 2e-3;
        const Recording r = run_ball({.planar = planar,
                                      .height = R + 0.1,
                                      .vy = -v,
                                      .roll = omega,
                                      .friction = 0,
                                      .restitution = e,
                                      .contact = rolling(by),
                                      .simulation = ", impact_law: " + law,
                                      .duration = 0.1},
                                     method);
        // Falls 0.1 m. Moreau's impact comes up to a step early.
        const double hits = std::sqrt(v * v + 2 * g * 0.1),
                     after = omega - by * m * (1 + e) * hits / inertia(planar);
        const double last = planar ? -r.last("ball.omega") : r.last("ball.wy");
        EXPECT_NEAR(last, after, method == "moreau" ? 1e-3 * g * by * m * (1 + e) / inertia(planar) : 1e-9);
      }
}

// A cart on two wheels: d/dt ½ (M + 2m + 2I/R²) v² = −δ (M + 2m) g v/R, however the wheels share the load.
TEST(SetValuedRolling, SlowsACartWhoseWheelsShareTheLoad) {
  const double M = 5, v0 = 0.5, I = 0.5 * m * R * R;
  for (const std::string method : methods) {
    std::string wheels, joints, contacts;
    for (const auto& [name, x] : {std::pair{"a", -0.2}, {"b", 0.3}}) {
      wheels += fmt::format(
          "  {}: {{mass: {}, inertia: {}, position: [{}, {}], velocity: [{}, 0], angular_velocity: {}, "
          "shapes: {{rim: {{circle: {{radius: "
          "{}}}}}}}}}\n",
          name, m, I, x, R, v0, -v0 / R, R);
      joints += fmt::format(
          "  pin_{0}: {{type: revolute, bodies: [cart, {0}], points: [[{1}, -0.3], [0, 0]]}}\n", name, x);
      contacts += fmt::format(
          "  c_{0}: {{between: [ground.floor, {0}.rim], normal: {{law: newton, restitution: 0}}, friction: "
          "{{law: coulomb, coefficient: "
          "0.9}}, rolling_resistance: {1}}}\n",
          name, delta);
    }
    const Recording r = run_text(
        fmt::format("tappet: 1\ndimension: planar\ngravity: [0, {}]\nbodies:\n  cart: {{mass: {}, inertia: "
                    "0.4, position: [0, {}], velocity: [{}, "
                    "0]}}\n{}"
                    "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\njoints:\n{}contacts:\n{}"
                    "simulation: {{method: {}, duration: 1, {}}}\noutput: {{step: 0.01}}\n",
                    -g, M, R + 0.3, v0, wheels, joints, contacts, method,
                    method == "moreau" ? "step: 1e-3, tolerance: 1e-12" : "tolerance: 1e-10"));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double all = M + 2 * m, slows = delta * g * all / (R * (all + 2 * I / (R * R)));
    EXPECT_NEAR(r.value(0.2, "cart.vx"), v0 - 0.2 * slows, 1e-9) << method;
    EXPECT_NEAR(r.last("cart.vx"), 0, 1e-12) << method;
    EXPECT_NEAR(r.last("cart.x"), v0 * v0 / (2 * slows), 1e-6 * slows) << method;
    // Braking loads the wheel in front: moments about the cart's centre, with what the wheels' own turning takes.
    EXPECT_GT(r.value(0.2, "c_b.normal"), 0.4 * all * g) << method;
    EXPECT_NEAR(r.value(0.2, "c_a.normal") + r.value(0.2, "c_b.normal"), all * g, 1e-6) << method;
  }
}

TEST(SetValuedRolling, GoesOnAfterAnInterruptionToTheLastBit) {
  for (const std::string method : methods)
    for (const bool planar : {true, false})
      for (const bool group : {false, true}) {
        SCOPED_TRACE(fmt::format("{} planar {} group {}", method, planar, group));
        expect_resumes(
            *model_of_text(text({.planar = planar,
                                 .group = group,
                                 .vx = 0.5,
                                 .roll = 5,
                                 .spin = planar ? 0.0 : 3.0,
                                 .contact = rolling() + (planar ? "" : ", spinning_resistance: 1 mm"),
                                 .duration = 0.5},
                                method)));
      }
}

/// Two balls at the ends of an elastic axle of 1 m along x, each end hinged at a ball's centre. They roll along y, the axle sags and swings.
std::string axle(double speed, double spin, const std::string& contact, double duration) {
  std::string balls, contacts;
  for (const auto& [name, x] : {std::pair{"a", 0.0}, {"b", 1.0}}) {
    balls += fmt::format(
        "  {0}: {{mass: {1}, inertia: [{3}, {3}, {3}], position: [{2}, 0, {4}], velocity: [0, {5}, 0], "
        "angular_velocity: "
        "[{6:.17g}, 0, {7}], shapes: {{skin: {{sphere: {{radius: {4}}}}}}}}}\n",
        name, m, x, inertia(false), R, speed, -speed / R, spin);
    contacts += fmt::format(
        "  c_{0}: {{between: [ground.floor, {0}.skin], normal: {{law: newton, restitution: 0}}, friction: "
        "{{law: coulomb, coefficient: 0.9}}, {1}}}\n",
        name, contact);
  }
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, {}]\nmaterials: {{m: {{young: 2e10, poisson: 0.3, "
      "density: 8000}}}}\n"
      "bodies:\n  axle: {{position: [0, 0, {}], velocity: [0, {}, 0], structure: {{mesh: {}, material: m, "
      "section: "
      "{{rectangle: [20 mm, 20 mm]}}, attach: {{root: {{body: a, turn: free}}, tip: {{body: b, turn: "
      "free}}}}}}}}\n{}"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\ncontacts:\n{}"
      "simulation: {{method: moreau, duration: {}, step: 1e-3, tolerance: 1e-12}}\noutput: {{step: "
      "0.01}}\n",
      -g, R, speed, beam_file(8), balls, contacts, duration);
}

// Whatever the axle does, the balls' loads are what changes the vertical momentum, and the couples are δ times these: of all bodies,
//
//   p_y − Σ I ω_x/R = … − δ_r/R ∫ΣN dt,     Σ I ω_z = … − δ_s ∫ΣN dt,     ∫ΣN dt = M g t + Δp_z
TEST(SetValuedRolling, SlowsBallsThatCarryAStructure) {
  const double v0 = 0.5, spin = 20, spinning = 1e-3, I = inertia(false), bar = 8000 * 0.02 * 0.02;
  const std::string contact = rolling() + fmt::format(", spinning_resistance: {}", spinning);
  const Recording r = run_text(axle(v0, spin, contact, 1));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_TRUE(r.summary.warnings.empty());
  const double all = 2 * m + bar;
  double most_sag = 0;
  for (const double t : {0.05, 0.1, 0.15, 0.2}) {
    const double pz = m * (r.value(t, "a.vz") + r.value(t, "b.vz")) + bar * r.value(t, "axle.vz");
    const double py = m * (r.value(t, "a.vy") + r.value(t, "b.vy")) + bar * r.value(t, "axle.vy");
    const double load = all * g * t + pz;
    const double rolls = I * (r.value(t, "a.wx") + r.value(t, "b.wx")) / R;
    EXPECT_NEAR(py - rolls, all * v0 + 2 * I * v0 / (R * R) - delta / R * load, 1e-8) << t;
    EXPECT_NEAR(I * (r.value(t, "a.wz") + r.value(t, "b.wz")), 2 * I * spin - spinning * load, 1e-9) << t;
    EXPECT_NEAR(r.value(t, "a.wx"), -r.value(t, "a.vy") / R, 1e-9) << t;
    most_sag = std::max(most_sag, r.value(t, "a.z") - r.value(t, "axle.z"));
  }
  // The axle does sag: at rest by 5 w ℓ⁴/(384 E I) = 1.6 mm at its middle, about 2/3 of that on average.
  EXPECT_GT(most_sag, 0.5e-3);
  EXPECT_LT(r.summary.energy_residual, 1e-8);
  // The balls come to stand, but for what the axle, which swings on, pushes them.
  EXPECT_NEAR(r.last("a.y"), r.value(0.9, "a.y"), 1e-3 * r.last("a.y"));
}

TEST(SetValuedRolling, BesideAStructureGoesOnAfterAnInterruptionToTheLastBit) {
  expect_resumes(*model_of_text(axle(0.5, 20, rolling() + ", spinning_resistance: 1 mm", 0.1)));
}

// A structure that has nothing to do with the ball changes nothing.
TEST(SetValuedRolling, IsThatOfTheBallAloneBesideAStructureOfItsOwn) {
  const Ball ball{.vx = 0.5, .roll = 5, .contact = rolling()};
  std::string beside = text(ball, "moreau");
  beside.insert(beside.find("bodies: {") + 9,
                "bar: {position: [3, 0, 1], structure: {generate: {block: {size: [1, 0.1, 0.1], divisions: "
                "[1, 1, 1]}}, material: m}}, ");
  beside += "materials: {m: {young: 1e7, poisson: 0, density: 1000}}\n";
  const Recording alone = run_ball(ball, "moreau"), both = run_text(beside);
  ASSERT_TRUE(both.summary.completed) << both.summary.stop_reason;
  for (const double t : {0.1, 0.3, 1.0})
    EXPECT_NEAR(both.value(t, "ball.vx"), alone.value(t, "ball.vx"), 1e-10) << t;
}

TEST(SetValuedRolling, SaysWhatItDoesNotCompute) {
  const auto model = model_of_text(text({.contact = rolling() + ", rolling_velocity: 0.1"}, "moreau"));
  EXPECT_THAT(model->notes, ::testing::Contains(
                                HasSubstr("`rolling_velocity` of contact 'c' is not used by method moreau")));
  try {
    model_of_text(text({.planar = true, .contact = "spinning_resistance: 1 mm"}, "moreau"));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no meaning in a planar model"));
  }
}

}  // namespace
}  // namespace tappet::testing::set_valued_rolling_test
