// Play in space against closed forms: a tilted journal, the friction of its shoulders, springs in a guide, friction of springs.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::spatial_clearance_test {
namespace {

using ::testing::HasSubstr;

std::string journal(const std::string& clearance, const std::string& more, const std::string& simulation) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\n"
      "bodies: {{pin: {{mass: 1, inertia: [2e-3, 2e-3, 1e-3]{}}}}}\n"
      "joints: {{bearing: {{type: revolute, bodies: [ground, pin], points: [[0, 0, 0], [0, 0, 0]], axis: [0, "
      "0, 1], "
      "clearance: {{bearing_radius: 10 mm, journal_radius: 9.9 mm, {}}}}}}}\n"
      "simulation: {{{}}}\n",
      more, clearance, simulation);
}

/// Force and moment about the bearing's centre of all contacts on the pin, at a place and a tilt about y.
struct Wrench {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};
Wrench wrench(const Model& model, const Vec3& place, double tilt) {
  const Mechanism& m = model.mechanism;
  std::vector<ContactState> states(m.contacts.size());
  for (ContactState& s : states) s.touching = true;
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  k.contacts = states.data();
  std::vector<double> q{place.x(), place.y(), place.z(), std::cos(tilt / 2), 0, std::sin(tilt / 2), 0},
      u(6, 0.0), z(m.aux_size, 0.0);
  update_kinematics(k, 0, q.data(), u.data(), z.data());
  Wrench out;
  for (const auto& contact : m.contacts) {
    const Touch touch = contact->touch(k);
    if (touch.gap >= 0) continue;
    const Vec3 force = contact->force(k, touch).normal * touch.normal;
    out.force += force;
    out.moment += touch.at.cross(force);
  }
  return out;
}

// A bed of springs K/ℓ: pressed down by δ̄ beyond the play and tilted by φ, so that it touches along its whole length, it pushes back with
// K δ̄ and turns back with K ℓ² φ/12.
TEST(TiltedJournal, IsABedOfSprings) {
  constexpr double K = 1e6, length = 0.04, c = 1e-4;
  const auto model = [&](int sections) {
    return model_of_text(journal(
        fmt::format("length: {}, sections: {}, normal: {{law: hooke, stiffness: {}}}", length, sections, K),
        "", "duration: 1"));
  };
  constexpr double deep = 1e-5, tilt = 1e-4;
  for (const int sections : {3, 5, 9}) {
    const Wrench w = wrench(*model(sections), {c + deep, 0, 0}, tilt);
    EXPECT_NEAR(w.force.x(), -K * deep, 1e-6 * K * deep) << sections;
    // The sections lie at s cos φ, and their normals have no part along the axis.
    EXPECT_NEAR(w.moment.y(), -K * length * length * tilt / 12, 1e-6 * K * length * length * tilt)
        << sections;
    // Aligned: the law of the plane, whatever the sections.
    const Wrench aligned = wrench(*model(sections), {c + deep, 0, 0}, 0);
    EXPECT_NEAR(aligned.force.x(), -K * deep, 1e-9) << sections;
    EXPECT_NEAR(aligned.moment.norm(), 0, 1e-12) << sections;
  }
  // Half of the law at each end turns back three times as hard.
  EXPECT_NEAR(wrench(*model(2), {c + deep, 0, 0}, tilt).moment.y(), -K * length * length * tilt / 4,
              1e-6 * K * length * length * tilt);
  // It touches along a part λℓ from one end, there δ deep: ½ λ K δ by the integral; the more sections the nearer.
  const double end = 2e-5, part = 0.3, slope = end / (part * length);
  const double centre = c + end - slope * length / 2;
  double before = 1;
  for (const int sections : {5, 11, 41}) {
    const double error =
        std::abs(wrench(*model(sections), {centre, 0, 0}, slope).force.x() / (-0.5 * part * K * end) - 1);
    EXPECT_LT(error, before) << sections;
    before = error;
  }
  EXPECT_LT(before, 1e-5);
}

// A shoulder pressed with F against its face turns against ⅔ μ F (R³ − r³)/(R² − r²): whatever the normal forces do in between, their impulse
// is F t once the pin rests, and ω = ω₀ − μ r_m F t/I while it slides. Then it stands.
TEST(Shoulder, BrakesAsARingUnderUniformPressure) {
  constexpr double F = 20, mu = 0.2, I = 1e-3, r = 9.9e-3, R = 20e-3, omega = 10;
  const double arm = 2.0 / 3 * (R * R * R - r * r * r) / (R * R - r * r), alpha = mu * F * arm / I;
  const double stop = omega / alpha;
  const std::pair<const char*, double> methods[] = {{"method: smooth, tolerance: 1e-9", 2e-4},
                                                    {"method: moreau, step: 2e-5", 2e-4},
                                                    {"method: event-driven, tolerance: 1e-9", 1e-6}};
  for (const auto& [method, error] : methods)
    for (const char* friction :
         {"coulomb, coefficient: 0.2", "stribeck, static: 0.2, dynamic: 0.2, stribeck_velocity: 1"}) {
      const Recording run = run_text(
          journal(fmt::format("axial_play: 1 um, shoulder_radius: {}, normal: {{law: flores, stiffness: 1e8, "
                              "exponent: 1, "
                              "restitution: 0.1}}, friction: {{law: {}}}",
                              R, friction),
                  fmt::format(", velocity: [0, 0, 0], angular_velocity: [0, 0, {}]", omega),
                  fmt::format("{}, duration: {}", method, 1.5 * stop)) +
          fmt::format(
              "forces: {{push: {{type: force, body: pin, force: [0, 0, {}]}}}}\noutput: {{step: {}}}\n", F,
              stop / 20));
      ASSERT_TRUE(run.summary.completed) << method << run.summary.stop_reason;
      for (const int k : {5, 10, 15})
        EXPECT_NEAR(run.value(k * stop / 20, "pin.wz"), omega * (1 - k / 20.0), error * omega)
            << method << friction << k;
      EXPECT_NEAR(run.last("pin.wz"), 0, 1e-9) << method << friction;
    }
}

TEST(Shoulder, WithoutARadiusSaysThatItHasNoTorque) {
  const auto model =
      model_of_text(journal("axial_play: 1 um, normal: {law: hooke, stiffness: 1e8}, friction: {law: "
                            "ambrosio, coefficient: 0.1, v0: 1 mm/s, v1: 1 cm/s}",
                            "", "duration: 1"));
  EXPECT_THAT(model->notes, ::testing::Contains(HasSubstr("no friction torque")));
}

// A slider of 1 kg pressed to its wall by F rests on two corners, each K/1: F/(2K) beyond the play; its friction brakes it by μ F/m.
TEST(GuideOnSprings, RestsOnTwoCornersAndIsBraked) {
  constexpr double F = 10, K = 1e5, c = 1e-3, mu = 0.1, v0 = 1;
  for (const bool spatial : {false, true}) {
    const std::string zero = spatial ? ", 0" : "";
    // In space the first wall stands along y, any perpendicular of x.
    const Recording r = run_text(
        fmt::format("tappet: 1\ndimension: {}\n"
                    "bodies: {{s: {{mass: 1, inertia: {}, position: [0, 0{}], velocity: [{}, 0{}], "
                    "angular_velocity: {}}}}}\n"
                    "joints: {{g: {{type: translational, bodies: [ground, s], points: [[0, 0{}], [0, 0{}]], "
                    "axis: [1, 0{}], "
                    "clearance: {{model: spring-damper, clearance: {}, slider_length: 0.1, slider_height: "
                    "0.04{}, stiffness: {}, "
                    "damping: 300, friction: {{law: ambrosio, coefficient: {}, v0: 0, v1: 0.1 mm/s}}}}}}}}\n"
                    "forces: {{push: {{type: force, body: s, force: [0, {}{}]}}}}\n"
                    "simulation: {{duration: 0.5}}\noutput: {{step: 0.01}}\n",
                    spatial ? "spatial" : "planar", spatial ? "[0.01, 0.01, 0.01]" : "0.01", zero, v0, zero,
                    spatial ? "[0, 0, 0]" : "0", zero, zero, zero, c, spatial ? ", slider_width: 0.04" : "",
                    K, mu, -F, zero));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const int corners = spatial ? 4 : 2;
    EXPECT_NEAR(r.last("s.y"), -c - F / (corners * K), 1e-8) << spatial;
    // The impulse of the wall is F t once it rests.
    EXPECT_NEAR(r.last("s.vx"), v0 - mu * F * 0.5, 1e-5) << spatial;
  }
}

// A journal on a spring whose bearing is pressed with F against it brakes by μ F R_J.
TEST(SpringDamperClearance, HasFriction) {
  constexpr double F = 100, mu = 0.1, R = 9.9e-3, I = 1e-3;
  const Recording r = run_text(
      "tappet: 1\ndimension: planar\n"
      "bodies: {pin: {mass: 1, inertia: 1e-3, velocity: [0, 0], angular_velocity: 50}}\n"
      "joints: {j: {type: revolute, bodies: [ground, pin], points: [[0, 0], [0, 0]], clearance: {model: "
      "spring-damper, "
      "bearing_radius: 10 mm, journal_radius: 9.9 mm, stiffness: 1e6, damping: 500, friction: {law: "
      "ambrosio, "
      "coefficient: 0.1, v0: 0, v1: 1 mm/s}}}}\n"
      "forces: {push: {type: force, body: pin, force: [0, -100]}, calm: {type: expression, body: pin, fx: "
      "-300*vx, fy: "
      "-300*vy}}\n"
      "simulation: {duration: 0.2}\noutput: {step: 0.01}\n");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  // The journal slides on until it stands where the friction, μ F along x, holds it on the slope of the wall.
  const double measured = (r.value(0.1, "pin.omega") - r.value(0.2, "pin.omega")) / 0.1;
  EXPECT_NEAR(measured, mu * F * R / std::sqrt(1 + mu * mu) / I, 2e-3 * measured);
}

TEST(SpringDamperClearance, RefusesFrictionThatSticks) {
  try {
    model_of_text(
        "tappet: 1\nbodies: {pin: {mass: 1, inertia: 1e-3}}\n"
        "joints: {j: {type: revolute, bodies: [ground, pin], points: [[0, 0], [0, 0]], clearance: {model: "
        "spring-damper, "
        "bearing_radius: 10 mm, journal_radius: 9.9 mm, stiffness: 1e6, friction: {law: coulomb, "
        "coefficient: 0.1}}}}\n"
        "simulation: {duration: 1}\n");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("joint 'j' has friction by law coulomb"));
  }
}

}  // namespace
}  // namespace tappet::testing::spatial_clearance_test
