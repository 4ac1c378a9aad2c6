// Mass, speed and load that a model's initial state gives its contacts.

#include "tappet/studies/contact_situation.hpp"

#include <cmath>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tappet::contact_situation_test {
namespace {

std::string ball(const std::string& motion, const std::string& normal = "law: impact, exponent: 2.2") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, -9.81, 0]\n"
      "bodies:\n  ball: {{mass: 2, inertia: [1, 1, 1], {}, shapes: {{skin: {{sphere: {{radius: 0.1}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 1, 0]}}}}}}}}\n"
      "contacts: {{bounce: {{between: [ground.floor, ball.skin], normal: {{{}}}}}}}\n"
      "simulation: {{duration: 1}}\n",
      motion, normal);
}

ContactSituation situation(const std::string& text) {
  const Situations all = contact_situations(spec_from_text(text, "test.yaml"));
  EXPECT_EQ(all.contacts.size(), 1u);
  return all.contacts.at(0);
}

TEST(ContactSituation, AFallEndsWithItsSpeed) {
  const ContactSituation fall = situation(ball("position: [0, 0.5, 0]"));
  EXPECT_NEAR(fall.mass, 2, 1e-12);
  EXPECT_NEAR(fall.gap, 0.4, 1e-15);
  EXPECT_NEAR(*fall.speed, std::sqrt(2 * 9.81 * 0.4), 1e-6);
  EXPECT_NEAR(fall.load, 2 * 9.81, 1e-5);
  // Thrown up or down, it comes back with the same energy.
  for (const double v : {-3.0, 3.0}) {
    const ContactSituation thrown =
        situation(ball(fmt::format("position: [0, 0.5, 0], velocity: [4, {}, 0]", v)));
    EXPECT_NEAR(*thrown.speed, std::sqrt(9 + 2 * 9.81 * 0.4), 1e-6);
    EXPECT_NEAR(thrown.sliding, 4, 1e-12);
  }
}

TEST(ContactSituation, AtRestAndMovingApart) {
  const ContactSituation rest = situation(ball("position: [0, 0.09999, 0]"));
  EXPECT_EQ(*rest.speed, 0);
  EXPECT_NEAR(rest.load, 2 * 9.81, 1e-5);
  const std::string floating =
      std::regex_replace(ball("position: [0, 0.5, 0], velocity: [0, 1, 0]"), std::regex("-9\\.81"), "0");
  EXPECT_FALSE(situation(floating).speed);
}

// A rod that is hit at its end yields more easily: 1/m = 1/m + r²/I.
TEST(ContactSituation, MassIsFeltAtTheContact) {
  const std::string rod =
      "tappet: 1\ndimension: spatial\nbodies:\n"
      "  rod: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 1, 0], velocity: [0, -1, 0],\n"
      "        shapes: {end: {sphere: {radius: 0.1, position: [0.6, 0, 0]}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}}\n"
      "contacts: {hit: {between: [ground.floor, rod.end], normal: {law: hertz}}}\n"
      "simulation: {duration: 1}\n";
  EXPECT_NEAR(situation(rod).mass, 1 / (1 / 2. + 0.36 / 0.5), 1e-12);
  EXPECT_EQ(*situation(rod).speed, 1);
}

// A journal in the middle of its bearing has no direction yet: gravity gives it one.
TEST(ContactSituation, ConcentricSurfaces) {
  const std::string joint =
      "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies: {arm: {mass: 3, inertia: 0.1}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0], [0, 0]], clearance: "
      "{bearing_radius: 10 mm, journal_radius: 9 mm, normal: {law: hunt-crossley}}}}\n"
      "simulation: {duration: 1}\n";
  const ContactSituation s = situation(joint);
  EXPECT_NEAR(s.mass, 3, 1e-9);
  EXPECT_NEAR(*s.speed, std::sqrt(2 * 9.81 * 1e-3), 1e-5);
}

}  // namespace
}  // namespace tappet::contact_situation_test
