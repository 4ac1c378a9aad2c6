#include "tappet/nonsmooth/contact_problem.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet::contact_problem_test {
namespace {

using Eigen::VectorXd;

/// Two balls on the floor, of 2 kg and 3 kg, with or without a rod between them.
std::shared_ptr<const Model> two_balls(bool rod) {
  std::string text =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  a: {mass: 2, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0.1], shapes: {s: {sphere: {radius: "
      "0.1}}}}\n"
      "  b: {mass: 3, inertia: [0.03, 0.02, 0.01], position: [1, 0, 0.1], shapes: {s: {sphere: {radius: "
      "0.1}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
      "contacts: {c: {between: [ground.floor, '*.s'], normal: {restitution: 0}, friction: {coefficient: "
      "0.5}}}\n"
      "simulation: {method: moreau, duration: 1, step: 1e-3}\n";
  if (rod) text += "joints: {rod: {type: fixed, bodies: [a, b], points: [[0.5, 0, 0], [-0.5, 0, 0]]}}\n";
  return testing::model_of_text(text);
}

struct Scene {
  explicit Scene(bool rod)
      : model(two_balls(rod)), w(model->mechanism), problem(model->mechanism, {.tolerance = 1e-12}) {
    w.k.contacts = states.data();
    update_kinematics(w.k, 0, model->q0.data(), model->u0.data(), nullptr);
    w.constraints.evaluate(w.k);
    w.constraints.factor(model->mechanism.inverse_mass);
    problem.clear(w.k);
    for (const auto& contact : model->mechanism.contacts) {
      const Touch touch = contact->touch(w.k);
      problem.add({.id = contact->index,
                   .bodies = {contact->bodies[0], contact->bodies[1]},
                   .touch = touch,
                   .tangents = contact->tangents(w.k, touch),
                   .friction = contact->rigid->friction});
    }
    problem.prepare(w.constraints);
  }
  /// W, column after column.
  Eigen::MatrixXd response() {
    Eigen::MatrixXd out(6, 6);
    for (int i = 0; i < 6; ++i) {
      VectorXd column;
      problem.respond(VectorXd(VectorXd::Unit(6, i)), column);
      out.col(i) = column;
    }
    return out;
  }
  std::shared_ptr<const Model> model;
  std::vector<ContactState> states = std::vector<ContactState>(2);
  DynamicsWorkspace w;
  ContactProblem problem;
};

TEST(ContactProblem, FreeBodiesAnswerForThemselves) {
  Scene scene(false);
  ASSERT_EQ(scene.problem.count(), 2);
  const Eigen::MatrixXd W = scene.response();
  // Along the normal 1/m; along a tangent 1/m + R²/J, with the J of the axis across it.
  EXPECT_NEAR(W(0, 0), 1 / 2.0, 1e-12);
  EXPECT_NEAR(W(3, 3), 1 / 3.0, 1e-12);
  const double along_x = 1 / 2.0 + 0.01 / 0.02, along_y = 1 / 2.0 + 0.01 / 0.01;
  EXPECT_NEAR(W(1, 1) + W(2, 2), along_x + along_y, 1e-12);
  EXPECT_NEAR((W.block(0, 3, 3, 3).norm()), 0, 1e-14);
  EXPECT_NEAR((W - W.transpose()).norm(), 0, 1e-13);
}

TEST(ContactProblem, AJointCouplesItsBodies) {
  Scene scene(true);
  const Eigen::MatrixXd W = scene.response();
  // A rigid dumb-bell of 5 kg with its centre 0.6 m from a: 1/m + arm²/J.
  const double J = 0.02 + 0.02 + 2 * 0.36 + 3 * 0.16;
  EXPECT_NEAR(W(0, 0), 1 / 5.0 + 0.36 / J, 1e-9);
  EXPECT_NEAR(W(0, 3), 1 / 5.0 - 0.6 * 0.4 / J, 1e-9);
  EXPECT_NEAR((W - W.transpose()).norm(), 0, 1e-13);
}

TEST(ContactProblem, VelocitiesAndImpulsesAreDual) {
  Scene scene(false);
  const VectorXd u = VectorXd::LinSpaced(12, -1, 2), P = VectorXd::LinSpaced(6, 1, 3);
  VectorXd gamma, f = VectorXd::Zero(12);
  scene.problem.velocities(u.data(), gamma);
  scene.problem.add_impulses(P, f.data());
  EXPECT_NEAR(gamma.dot(P), f.dot(u), 1e-12);
}

TEST(ContactProblem, StopsWhatFallsAndOpensWhatPenetrates) {
  for (bool rod : {false, true}) {
    Scene scene(rod);
    VectorXd b = VectorXd::Zero(6), P = b, xi;
    b[0] = b[3] = -0.1;
    ASSERT_EQ(scene.problem.solve(b, 0, P).status, lcp::Status::converged);
    scene.problem.respond(P, xi);
    EXPECT_NEAR(xi[0], 0.1, 1e-10);
    EXPECT_NEAR(P[0], 0.2, 1e-9);
    EXPECT_NEAR(P[3], 0.3, 1e-9);

    const VectorXd gap = Eigen::Vector2d(-1e-4, 2e-4);
    scene.problem.open_gaps({0, 1}, gap, 1e-9, P);
    scene.problem.respond(P, xi);
    EXPECT_NEAR(gap[0] + xi[0], 0, 2e-9);
    EXPECT_GE(gap[1] + xi[3], -1e-9);
  }
}

}  // namespace
}  // namespace tappet::contact_problem_test
