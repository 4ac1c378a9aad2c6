#include "tappet/nonsmooth/moreau.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::moreau_test {
namespace {

/// A stepper at the start of a model.
struct Start {
  explicit Start(const std::string& text, double theta = 0.5)
      : model(testing::model_of_text(text)),
        w(model->mechanism),
        states(model->mechanism.contacts.size()),
        q(model->q0),
        u(model->u0),
        z(model->mechanism.aux_size, 0.0),
        stepper(model->mechanism, {.theta = theta, .contacts = {}}) {
    w.k.contacts = states.data();
  }
  void step(double h) {
    stepper.step(t, h, q.data(), u.data(), z.data(), w);
    t += h;
  }
  std::shared_ptr<const Model> model;
  DynamicsWorkspace w;
  std::vector<ContactState> states;
  std::vector<double> q, u, z;
  double t = 0;
  MoreauStepper stepper;
};

const std::string spinning =
    "tappet: 1\ndimension: spatial\nbodies:\n"
    "  body: {mass: 1, inertia: [1, 2, 3], velocity: [0, 0, 0], angular_velocity: [0.1, 5, 0.2]}\n"
    "simulation: {method: moreau, duration: 1, step: 1e-2}\n";

// A body that turns freely about its middle axis tumbles and keeps its energy to rounding.
TEST(MoreauStepper, FreeRotationKeepsItsEnergy) {
  Start s(spinning);
  const auto energy = [&] { return 0.5 * (s.u[3] * s.u[3] + 2 * s.u[4] * s.u[4] + 3 * s.u[5] * s.u[5]); };
  const double before = energy();
  double least = s.u[4];
  for (int n = 0; n < 2000; ++n) s.step(1e-2), least = std::min(least, s.u[4]);
  EXPECT_NEAR(energy(), before, 1e-12 * before);
  EXPECT_LT(least, -4) << "it turns over";
}

// θ = 1 moves with the last velocity: the impulse of gravity is in the whole step.
TEST(MoreauStepper, ThetaSaysWhichVelocityMovesTheBody) {
  const std::string falling =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nbodies: {body: {mass: 1, velocity: [0, 0, 0]}}\n"
      "simulation: {method: moreau, duration: 1, step: 0.1}\n";
  Start half(falling), whole(falling, 1);
  half.step(0.1), whole.step(0.1);
  EXPECT_NEAR(half.q[2], -0.05, 1e-15);
  EXPECT_NEAR(whole.q[2], -0.1, 1e-15);
}

// What a contact reports is what happened: impulse, rates, and the energy that is gone.
TEST(MoreauStepper, AnImpactInOneStep) {
  Start s(
      "tappet: 1\ndimension: spatial\nbodies:\n"
      "  ball: {mass: 2, position: [0, 0, 0.1005], velocity: [0, 0, -1], shapes: {s: {sphere: {radius: "
      "0.1}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
      "contacts: {c: {between: [ground.floor, ball.s], normal: {restitution: 0.5}}}\n"
      "simulation: {method: moreau, duration: 1, step: 1e-3}\n");
  s.step(1e-3);
  ASSERT_EQ(s.stepper.impulses().size(), 1u);
  const ContactImpulse& impulse = s.stepper.impulses()[0];
  EXPECT_NEAR(impulse.normal, 3, 1e-6);
  EXPECT_NEAR(impulse.rate_before, -1, 1e-12);
  EXPECT_NEAR(impulse.rate_after, 0.5, 1e-7);
  EXPECT_NEAR(impulse.normal_loss, 0.75, 1e-6);
  EXPECT_NEAR(s.z[ledger_normal], 0.75, 1e-6);
  EXPECT_NEAR(s.u[2], 0.5, 1e-7);
  EXPECT_EQ(s.stepper.statistics().problems, 1);
}

}  // namespace
}  // namespace tappet::moreau_test
