// Newton's cradle: five equal balls in a row, struck together when they touch and one after the other when they do not.
//
// Together. Balls 0…4, contact i between i−1 and i, γ_i = v_i − v_{i−1}; one moves at 1 m/s. Newton's law with one ε gives
// γ₁⁺ = ε and γ₂…₄⁺ = 0: (1 − 4ε)/5 and four times (1 + ε)/5. Compression ends at 1/5 for all, with P_c = (0.8, 0.6, 0.4, 0.2), so that
// Poisson's law with one ε gives the same. They part where the ε differ: with ε = (0, 1, 1, 1) Newton's contacts 2…4, which did not
// approach, give nothing back, and all move on at 1/5; Poisson's give back what they stored, and the first is held shut by
// P₁ = 0.3: −0.1, −0.1, 0.4, 0.4, 0.4.
//
// One after the other. Each impact is one of two balls: the approached leaves at (1 + ε)/2 of the speed, the other keeps (1 − ε)/2
// and is overtaken or overtakes later. What comes out is computed here, impact by impact.
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::cradle_test {
namespace {

using Row = std::array<double, 5>;

struct Cradle {
  Row gap = {0, 0, 0, 0, 0};  ///< before ball i; that of ball 0 counts nothing
  Row speed = {1, 0, 0, 0, 0};
  Row restitution = {0, 1, 1, 1, 1};  ///< of the contact before ball i
};

Recording run_cradle(const Cradle& c, const std::string& simulation) {
  std::string bodies, contacts;
  double x = 0;
  for (int i = 0; i < 5; ++i) {
    x += i == 0 ? 0 : 0.2 + c.gap[i];
    bodies += fmt::format(
        "  b{}: {{mass: 1, position: [{:.17g}, 0, 0], velocity: [{}, 0, 0], shapes: {{s: {{sphere: {{radius: "
        "0.1}}}}}}}}\n",
        i, x, c.speed[i]);
    if (i > 0)
      contacts += fmt::format("  c{0}: {{between: [b{1}.s, b{0}.s], normal: {{restitution: {2}}}}}\n", i,
                              i - 1, c.restitution[i]);
  }
  const Recording r = run_text("tappet: 1\ndimension: spatial\nbodies:\n" + bodies + "contacts:\n" +
                               contacts + "simulation: {" + simulation + "}\n");
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  return r;
}

void expect_speeds(const Recording& r, const Row& speeds, double bound, const std::string& what) {
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(r.last(fmt::format("b{}.vx", i)), speeds[i], bound) << what << ", ball " << i;
}

const std::string event_newton = "method: event-driven, duration: 0.1",
                  event_poisson = "method: event-driven, impact_law: poisson, duration: 0.1",
                  moreau = "method: moreau, duration: 0.1, step: 1e-3",
                  moreau_poisson = "method: moreau, impact_law: poisson, duration: 0.1, step: 1e-3";

/// What is left of the contact problems of a step.
double bound(const std::string& method) {
  return method.starts_with("method: moreau") ? 1e-7 : 1e-13;
}

TEST(Cradle, TouchingBallsAreStruckTogether) {
  for (double e : {0.0, 0.25, 0.5, 0.9, 1.0})
    for (const std::string& method : {event_newton, event_poisson, moreau, moreau_poisson}) {
      const Row others = {(1 - 4 * e) / 5, (1 + e) / 5, (1 + e) / 5, (1 + e) / 5, (1 + e) / 5};
      expect_speeds(run_cradle({.restitution = {0, e, e, e, e}}, method), others, bound(method),
                    fmt::format("{}, e = {}", method, e));
    }
}

// Two strike three: γ₂⁺ = ε, the others 0. Kinetic energy is kept at ε = 1, but it is not what a cradle on a table does.
TEST(Cradle, TwoThatStrikeThree) {
  for (const std::string& method : {event_newton, event_poisson, moreau, moreau_poisson})
    expect_speeds(run_cradle({.speed = {1, 1, 0, 0, 0}}, method), {-0.2, -0.2, 0.8, 0.8, 0.8}, bound(method),
                  method);
}

TEST(Cradle, NewtonAndPoissonPartWhereRestitutionsDiffer) {
  const Cradle soft_first = {.restitution = {0, 0, 1, 1, 1}}, hard_first = {.restitution = {0, 1, 0, 0, 0}};
  const Row together = {0.2, 0.2, 0.2, 0.2, 0.2};
  expect_speeds(run_cradle(soft_first, event_newton), together, 1e-13, "Newton");
  expect_speeds(run_cradle(soft_first, moreau), together, 1e-7, "Moreau");
  for (const std::string& method : {event_poisson, moreau_poisson})
    expect_speeds(run_cradle(soft_first, method), {-0.1, -0.1, 0.4, 0.4, 0.4}, bound(method), method);
  // The other way round what the first gives back presses the others together, which transmit all of it.
  for (const std::string& method : {event_newton, event_poisson, moreau, moreau_poisson})
    expect_speeds(run_cradle(hard_first, method), {-0.6, 0.4, 0.4, 0.4, 0.4}, bound(method), method);
}

/// Impacts of two balls each, until none follows; the time and contact of each.
struct Sequence {
  Row place, speed;
  std::vector<std::pair<double, int>> impacts;
};

Sequence in_sequence(const Cradle& c, double duration) {
  Sequence s{{}, c.speed, {}};
  for (int i = 1; i < 5; ++i) s.place[i] = s.place[i - 1] + c.gap[i];  // without the diameters
  for (double t = 0;;) {
    double wait = HUGE_VAL;
    int next = 0;
    for (int i = 1; i < 5; ++i) {
      const double closing = s.speed[i - 1] - s.speed[i], left = (s.place[i] - s.place[i - 1]) / closing;
      if (closing > 1e-14 && left < wait) wait = left, next = i;
    }
    const double move = std::min(wait, duration - t);
    for (int i = 0; i < 5; ++i) s.place[i] += move * s.speed[i];
    t += move;
    if (next == 0 || t >= duration) return s;
    const double mean = 0.5 * (s.speed[next - 1] + s.speed[next]),
                 half = 0.5 * (s.speed[next - 1] - s.speed[next]);
    s.speed[next - 1] = mean - c.restitution[next] * half;
    s.speed[next] = mean + c.restitution[next] * half;
    s.impacts.emplace_back(t, next);
  }
}

TEST(Cradle, BallsApartAreStruckInSequence) {
  const Row gaps = {0, 0.010, 0.013, 0.017, 0.011};
  for (double e : {1.0, 0.8, 0.5}) {
    const Cradle c = {.gap = gaps, .restitution = {0, e, e, e, e}};
    const Sequence theory = in_sequence(c, 0.5);
    // The first pass: each takes (1 + e)/2 of the one before.
    ASSERT_GE(theory.impacts.size(), 4u);
    if (e == 1) {
      EXPECT_EQ(theory.speed, (Row{0, 0, 0, 0, 1})) << "the last takes all";
    }
    EXPECT_NEAR(theory.speed[4], std::pow((1 + e) / 2, 4), e == 1 ? 0 : 0.2) << "others may still reach it";

    for (const char* law : {"newton", "poisson"}) {
      const Recording r =
          run_cradle(c, fmt::format("method: event-driven, impact_law: {}, duration: 0.5", law));
      expect_speeds(r, theory.speed, 1e-12, law);
      ASSERT_EQ(r.impacts.size(), theory.impacts.size()) << law << ", e = " << e;
      double incoming = 1;
      for (std::size_t n = 0; n < theory.impacts.size(); ++n) {
        EXPECT_NEAR(r.impacts[n].start, theory.impacts[n].first, 1e-11)
            << law << ", e = " << e << ", impact " << n;
        EXPECT_EQ(r.impacts[n].contact, theory.impacts[n].second - 1);
        EXPECT_NEAR(r.impacts[n].restitution, e, 1e-10);
        if (n < 4 && theory.impacts[n].second == static_cast<int>(n) + 1) {
          EXPECT_NEAR(r.impacts[n].speed_in, incoming, 1e-12);
          incoming *= (1 + e) / 2;
        }
      }
      for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(r.last(fmt::format("b{}.x", i)), theory.place[i] + 0.2 * i, 1e-11)
            << law << ", e = " << e;
    }

    // Steps of one length: the same speeds, in places that are off by what moves in a step or two.
    const double h = 1e-4;
    const Recording r = run_cradle(c, fmt::format("method: moreau, duration: 0.5, step: {}", h));
    expect_speeds(r, theory.speed, 1e-9, "moreau");
    ASSERT_EQ(r.impacts.size(), theory.impacts.size()) << "moreau, e = " << e;
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(r.last(fmt::format("b{}.x", i)), theory.place[i] + 0.2 * i, 2 * h) << "moreau, e = " << e;
  }
}

}  // namespace
}  // namespace tappet::testing::cradle_test
