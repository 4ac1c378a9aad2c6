// Contacts of every kind have the same signals, and these mean the same.
#include "tappet/run/signals/contact_signals.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/block_on_floor.hpp"
#include "support/run_model.hpp"

namespace tappet::contact_signals_test {
namespace {

using testing::model_of_text;
using testing::Recording;
using testing::run_text;

const std::vector<std::string> common = {"gap",      "penetration", "normal",       "tangential",
                                         "speed",    "fx",          "fy",           "fz",
                                         "touching", "normal_loss", "friction_loss"};

/// Signals and units of a contact, without its name.
std::map<std::string, std::string> signals_of(const Model& model, const std::string& contact) {
  std::map<std::string, std::string> out;
  for (const SignalDefinition& signal : all_signals(model))
    if (signal.name.starts_with(contact + ".")) out[signal.name.substr(contact.size() + 1)] = signal.unit;
  return out;
}

/// A ball of 1 kg on a floor.
std::string ball(const std::string& contact, const std::string& simulation, const std::string& velocity) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}
bodies: {{b: {{mass: 1, inertia: [1e6, 1e6, 1e6], position: [0, 0, 0.1], velocity: {}, shapes: {{s: {{sphere: {{radius: 0.1}}}}}}}}}}
contacts: {{hit: {{between: [ground.floor, b.s], {}}}}}
simulation: {{duration: 0.05, {}}}
output: {{step: 0.01}}
)",
                     velocity, contact, simulation);
}

const char* rigid = "normal: {restitution: 0}, friction: {coefficient: 0.2}";
const char* moreau = "method: moreau, step: 1e-3";

TEST(ContactSignals, AreTheSameForEveryKindOfContact) {
  const auto followed = signals_of(*model_of_text(ball(rigid, moreau, "[1, 0, 0]")), "hit");
  const auto group =
      signals_of(*model_of_text(ball(std::string(rigid) + ", group: true", moreau, "[1, 0, 0]")), "hit");
  const auto nodes = signals_of(*model_of_text(testing::block_on_floor(
                                    "size: [0.1, 0.1, 0.1], divisions: [1, 1, 1]", "velocity: [0, 0, 0]",
                                    "friction: {coefficient: 0.2}", "step: 1e-4, duration: 1e-3")),
                                "rub");
  for (const std::string& name : common) {
    ASSERT_TRUE(followed.contains(name)) << name;
    EXPECT_EQ(group.contains(name) ? group.at(name) : "missing", followed.at(name)) << name;
    EXPECT_EQ(nodes.contains(name) ? nodes.at(name) : "missing", followed.at(name)) << name;
  }
  EXPECT_EQ(group.size(), common.size());
  EXPECT_EQ(nodes.size(), common.size());
  EXPECT_EQ(followed.size(), common.size() + 3);  // the common point's coordinates as well
}

// A heavy-turning ball slides on the floor: weight, friction μ times it, and the losses that go with the way. The sum of forces
// is that on the second surface, the ball.
class SlidingBall : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(SlidingBall, CarriesItsWeightAndIsBraked) {
  const auto& [contact, simulation] = GetParam();
  const Recording r = run_text(ball(contact, simulation, "[1, 0, 0]"));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const double weight = 9.81, mu = 0.2, t = 0.05, v = 1 - mu * 9.81 * t, way = t - 0.5 * mu * 9.81 * t * t;
  const double rough =
      simulation.find("smooth") != std::string::npos ? 2e-2 : 1e-6;  // the floor is soft there
  EXPECT_NEAR(r.last("hit.normal"), weight, rough * weight);
  EXPECT_NEAR(r.last("hit.tangential"), mu * weight, rough * weight);
  EXPECT_NEAR(r.last("hit.fx"), -mu * weight, rough * weight);
  EXPECT_NEAR(r.last("hit.fy"), 0, 1e-9);
  EXPECT_NEAR(r.last("hit.fz"), weight, rough * weight);
  EXPECT_NEAR(r.last("hit.speed"), v, rough);
  EXPECT_EQ(r.last("hit.touching"), 1);
  EXPECT_NEAR(r.last("hit.friction_loss"), mu * weight * way, rough * mu * weight * way);
  EXPECT_NEAR(r.last("hit.penetration"), std::max(0.0, -r.last("hit.gap")), 0);
  EXPECT_LT(std::abs(r.last("hit.gap")), 1e-4);
}

const std::string soft =
    "normal: {law: impact, stiffness: 1e6, exponent: 1, damping: 1000, depth: 1 um}, "
    "friction: {law: adams, static: 0.2, dynamic: 0.2, stiction_velocity: 1 mm/s, friction_velocity: 2 mm/s}";
INSTANTIATE_TEST_SUITE_P(
    Kinds, SlidingBall,
    ::testing::Values(std::tuple{std::string(rigid), std::string(moreau)},
                      std::tuple{std::string(rigid) + ", group: true", std::string(moreau)},
                      std::tuple{std::string(rigid), std::string("method: event-driven")},
                      std::tuple{soft, std::string("method: smooth")},
                      std::tuple{soft + ", group: true", std::string("method: smooth")}));

// In flight nothing is carried, and only what is followed knows how far it is.
TEST(ContactSignals, InFlight) {
  const Recording r = run_text(ball(rigid, moreau, "[0, 0, 5]"));
  EXPECT_EQ(r.last("hit.touching"), 0);
  EXPECT_EQ(r.last("hit.normal"), 0);
  EXPECT_NEAR(r.last("hit.gap"), 5 * 0.05 - 0.5 * 9.81 * 0.0025, 1e-9);
  EXPECT_EQ(r.last("hit.penetration"), 0);
}

}  // namespace
}  // namespace tappet::contact_signals_test
