// The rocking block of [Housner1963]: a rectangle that stands on one lower corner, falls onto the other and goes on turning there.
//
// Half-width b, half-height h, R = √(b² + h²), α = atan(b/h), p² = m g R/I_0 = 3g/4R; θ is the tilt. On a corner
//
//   θ̈ = −p² sin(α − θ)           (θ > 0)             T/4 = (1/p) arcosh(1/(1 − θ₀/α))   where sin is linear
//
// and at the change of corners angular momentum about the new one is kept: θ̇⁺ = r θ̇⁻, r = 1 − 3/2 sin²α. For rigid contacts this is
// ε = 0 at both corners, seen together, with friction that holds: the old corner lifts off at no impulse. Newton and Poisson agree,
// since nothing is given back. ε > 0 is another block: it jumps off the corner that strikes. If r < 0 (b > √2 h) the old corner
// would have to be pulled: then both carry and the block stands still.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::rocking_block_test {
namespace {

constexpr double g = 9.81;

struct Block {
  double b = 0.05, h = 0.25;
  double R() const { return std::hypot(b, h); }
  double alpha() const { return std::atan(b / h); }
  double p() const { return std::sqrt(3 * g / (4 * R())); }
  double ratio() const { return 1 - 1.5 * std::pow(std::sin(alpha()), 2); }

  /// Time from rest at θ₀ to θ = 0, without small angles. θ = θ₀ − s² takes the root out of the integrand.
  double quarter(double tilt) const {
    const auto rate = [&](double s) {
      // cos(α − θ) − cos(α − θ₀) as a product, exact where both are nearly equal
      const double fall = 2 * std::sin(alpha() - tilt + 0.5 * s * s) * std::sin(0.5 * s * s);
      return s == 0 ? std::sqrt(2 / std::sin(alpha() - tilt)) / p() : 2 * s / (p() * std::sqrt(2 * fall));
    };
    const int n = 400;  // Simpson
    const double end = std::sqrt(tilt), w = end / n;
    double sum = rate(0) + rate(end);
    for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * rate(i * w);
    return sum * w / 3;
  }
  /// |θ̇| at θ = 0 after a fall from rest at this tilt, and the tilt that a rate at θ = 0 reaches.
  double rate_from(double tilt) const {
    return p() * std::sqrt(2 * (std::cos(alpha() - tilt) - std::cos(alpha())));
  }
  double tilt_from(double rate) const {
    double tilt = 0;  // 2 sin(α − θ/2) sin(θ/2) = θ̇²/2p², by iteration
    for (int n = 0; n < 60; ++n)
      tilt = 2 * std::asin(rate * rate / (4 * p() * p() * std::sin(alpha() - 0.5 * tilt)));
    return tilt;
  }
  /// Instants at which it changes corners.
  std::vector<double> changes(double tilt, int count) const {
    std::vector<double> out = {quarter(tilt)};
    for (double rate = rate_from(tilt); static_cast<int>(out.size()) < count;) {
      rate *= ratio();
      out.push_back(out.back() + 2 * quarter(tilt_from(rate)));
    }
    return out;
  }
};

/// Released from rest on its right corner, tilted by `tilt` (clockwise).
std::string model_of(const Block& k, double tilt, const std::string& simulation, const std::string& laws) {
  const double a = k.alpha() - tilt;  // of the line from the corner to the middle against the vertical
  return fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n"
      "  block: {{mass: 1, inertia: {:.17g}, position: [{:.17g}, {:.17g}], angle: {:.17g}, velocity: [0, 0], "
      "angular_velocity: 0, "
      "shapes: {{skin: {{box: {{size: [{}, {}]}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}\n"
      "contacts:\n  floor: {{between: [ground.floor, block.skin], {}}}\n"
      "simulation: {{{}}}\noutput: {{step: 1e-3}}\n",
      (k.b * k.b + k.h * k.h) / 3, k.b - k.R() * std::sin(a), k.R() * std::cos(a), -tilt, 2 * k.b, 2 * k.h,
      laws, simulation);
}

const std::string rough = "normal: {restitution: 0}, friction: {coefficient: 1}";

// The closed forms here against the numbers of the shared benchmark, and Housner's formula, which has small angles.
TEST(RockingBlock, ClosedForm) {
  const Block k;
  EXPECT_NEAR(k.ratio(), 0.9423076923, 1e-10);
  const std::vector<double> times = k.changes(k.alpha() / 2, 3);
  const double expected[] = {0.245432228925, 0.672402359712, 1.05213221163};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(times[i], expected[i], 1e-11) << i;
  // Housner's quarter period differs by what sin α/α does, and has it in the limit of slender blocks.
  const auto housner = [](const Block& s, double part) { return std::acosh(1 / (1 - part)) / s.p(); };
  EXPECT_NEAR(housner(k, 0.5) / times[0], 1, std::pow(k.alpha(), 2) / 6);
  const Block slender{.b = 0.0025, .h = 0.25};
  EXPECT_NEAR(housner(slender, 0.5) / slender.quarter(slender.alpha() / 2), 1,
              std::pow(slender.alpha(), 2) / 6);
}

/// Impacts of the table; both corners at one instant are one.
std::vector<Impact> strikes(const Recording& r) {
  std::vector<Impact> out;
  for (const Impact& i : r.impacts)
    if (i.speed_in > 1e-9 && (out.empty() || i.start > out.back().start)) out.push_back(i);
  return out;
}

TEST(RockingBlock, EventDrivenIsHousnersBlock) {
  const Block k;
  const std::vector<double> times = k.changes(k.alpha() / 2, 12);
  for (const char* law : {"newton", "poisson"}) {
    const Recording r = run_text(model_of(
        k, k.alpha() / 2,
        fmt::format("method: event-driven, impact_law: {}, duration: 2.5, tolerance: 1e-11", law), rough));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const std::vector<Impact> hit = strikes(r);
    ASSERT_GE(hit.size(), 8u);
    double rate = k.rate_from(k.alpha() / 2);
    for (std::size_t n = 0; n < 8; ++n) {
      EXPECT_NEAR(hit[n].start, times[n], 1e-9) << law << ' ' << n;
      EXPECT_NEAR(hit[n].speed_in, 2 * k.b * rate, 1e-8)
          << "the corner that strikes is 2b from the one that carries";
      rate *= k.ratio();
    }
    EXPECT_LT(r.summary.energy_residual, 1e-9);
    EXPECT_LT(r.largest("block.x"), k.b) << "it walks nowhere";
  }
}

// Rates fall by r and, once small, so do the times between impacts: it stands still after a finite time.
TEST(RockingBlock, ComesToRestWhereTheSeriesEnds) {
  const Block k;
  const double end = k.changes(k.alpha() / 2, 800).back();
  const Recording r = run_text(
      model_of(k, k.alpha() / 2,
               fmt::format("method: event-driven, duration: {}, tolerance: 1e-10", end + 0.5), rough));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(strikes(r).back().start, end, 1e-5)
      << "the last impacts, below a millionth of the fastest, are one";
  EXPECT_NEAR(r.last("block.angle"), 0, 1e-9);
  EXPECT_NEAR(r.last("block.omega"), 0, 1e-9);
  EXPECT_NEAR(r.last("block.x"), 0, 1e-7);
}

TEST(RockingBlock, MoreauApproachesItAtFirstOrder) {
  const Block k;
  const Recording exact =
      run_text(model_of(k, k.alpha() / 2, "method: event-driven, duration: 2, tolerance: 1e-11", rough));
  std::vector<double> errors;
  for (double step : {2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    const Recording r = run_text(
        model_of(k, k.alpha() / 2, fmt::format("method: moreau, duration: 2, step: {}", step), rough));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    errors.push_back(largest_difference(r, exact, "block.angle") / k.alpha());
    fmt::print("step {}: tilt off by {:.3e} of alpha\n", step, errors.back());
  }
  const double order = std::log2(errors.front() / errors.back()) / 4;
  EXPECT_GT(order, 0.8);
  EXPECT_LT(order, 1.3);
  EXPECT_LT(errors.back(), 0.02) << "five impacts at 0.08 m/s, of which gravity makes 1.2 mm/s in a step";
}

// What other laws give for the same fall. ε > 0: the corner that strikes leaves the floor.
TEST(RockingBlock, WithRestitutionItJumps) {
  const Block k;
  for (const char* law : {"newton", "poisson"}) {
    const Recording r = run_text(
        model_of(k, k.alpha() / 2, fmt::format("method: event-driven, impact_law: {}, duration: 0.25", law),
                 "normal: {restitution: 0.3}, friction: {coefficient: 1}"));
    ASSERT_GE(strikes(r).size(), 1u) << r.summary.stop_reason;
    EXPECT_NEAR(strikes(r)[0].start, k.quarter(k.alpha() / 2), 1e-9);
    EXPECT_NEAR(strikes(r)[0].restitution, 0.3, 1e-9) << law;
  }
}

// r < 0: the block does not rock but stands after the first impact.
TEST(RockingBlock, ASquatBlockStopsAtOnce) {
  const Block k{.b = 0.05, .h = 0.03};
  ASSERT_LT(k.ratio(), 0);
  for (const char* method : {"method: event-driven", "method: moreau, step: 1e-3"}) {
    const Recording r = run_text(model_of(k, 0.1, fmt::format("{}, duration: 0.5", method),
                                          "normal: {restitution: 0}, friction: {coefficient: 2}"));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double struck = k.quarter(0.1);
    for (const auto& row : r.rows)
      if (row[0] > struck + 2e-3) {
        EXPECT_NEAR(row[r.column("block.angle")], 0, 1e-6) << method << ", t = " << row[0];
      }
    EXPECT_NEAR(r.last("block.omega"), 0, 1e-9) << method;
  }
}

}  // namespace
}  // namespace tappet::testing::rocking_block_test
