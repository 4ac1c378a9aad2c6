// Flexible bodies in motion: every scheme and method, what is conserved, limits that are known.
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flexible_crank.hpp"
#include "support/run_model.hpp"
#include "tappet/model/state.hpp"
#include "tappet/ode/scheme.hpp"

namespace tappet::testing::flexible_motion_test {
namespace {

// A beam that flies: E 1 GPa, 1 m, section 20 × 10 mm, turning about all axes. Two interfaces, so that its shapes are 6 and the modes.
std::string flying_beam(const std::string& flexible, const std::string& simulation) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 1 GPa, poisson: 0.3, density: 1000}}}}
bodies:
  beam:
    velocity: [0.1, 0.2, -0.1]
    angular_velocity: [6, 4, 5]
    flexible:
      generate: {{beam: {{from: [-0.5, 0, 0], to: [0.5, 0, 0], elements: 8}}}}
      material: m
      section: {{rectangle: [20 mm, 10 mm]}}
      interfaces: {{a: {{group: start}}, b: {{group: end}}}}
      {}
simulation: {{{}}}
output: {{step: 0.01}}
)",
                     flexible, simulation);
}

TEST(FlexibleMotion, TumblesFreelyAndKeepsItsEnergyAndMomenta) {
  // 100 turns at 8.8 rad/s take 71.6 s; modes above 80 Hz are left out, to take longer steps.
  const auto model =
      model_of_text(flying_beam("modes: 2\n      highest: 80 Hz\n      coordinates: [0.01, 0.005, 0.002]",
                                "duration: 71.6, integrator: dop853, tolerance: 1e-11"));
  Simulation simulation(model);
  const auto momenta = [&] {
    const Eigen::MatrixXd M = simulation.mass_matrix();
    const State& s = simulation.state();
    const int nu = model->mechanism.u_size(), nq = model->mechanism.q_size();
    const Eigen::VectorXd p = M * Eigen::Map<const Eigen::VectorXd>(s.y.data() + nq, nu);
    const Mat3 R = rotation_of(s.y.data() + 3);
    Eigen::VectorXd out(6);
    const Vec3 r(s.y[0], s.y[1], s.y[2]), linear = p.head<3>();
    out.head<3>() = linear;
    out.tail<3>() = R * Vec3(p.segment<3>(3)) + r.cross(linear);
    return out;
  };
  simulation.advance(0);
  const double energy = simulation.value("energy.kinetic") + simulation.value("energy.potential");
  const Eigen::VectorXd before = momenta();
  simulation.advance(71.6);
  const double change = simulation.value("energy.kinetic") + simulation.value("energy.potential") - energy;
  const Eigen::VectorXd after = momenta();
  printf("energy %.1e, momentum %.1e, angular momentum %.1e\n", change / energy,
         (after - before).head<3>().norm() / before.head<3>().norm(),
         (after - before).tail<3>().norm() / before.tail<3>().norm());
  EXPECT_LT(std::abs(change), 1e-8 * energy);
  EXPECT_LT((after - before).head<3>().norm(), 1e-8 * before.head<3>().norm());
  EXPECT_LT((after - before).tail<3>().norm(), 1e-8 * before.tail<3>().norm());
}

// Both frames of one mesh move alike as long as bending is small: they differ by its square.
TEST(FlexibleMotion, MovesAlikeInMeanAxesAndInTheFrameOfAnInterface) {
  const std::string simulation = "duration: 0.3, integrator: dop853, tolerance: 1e-11";
  const Recording mean = run_text(flying_beam("modes: 4", simulation)),
                  tangent = run_text(flying_beam("modes: 4\n      frame: a", simulation));
  for (const char* end : {"beam.a.x", "beam.a.z", "beam.b.x", "beam.b.y", "beam.b.z"})
    EXPECT_NEAR(mean.last(end), tangent.last(end), 2e-4) << end;
}

// One row per scheme: the slider-crank for 5 ms against the same by dop853.
TEST(FlexibleMotion, ComesOutAlikeByEveryScheme) {
  FlexibleCrank crank;
  crank.simulation = "duration: 5e-3, integrator: dop853, tolerance: 1e-13";
  crank.output = "output: {step: 1e-3}";
  const Recording known = run_text(crank.text());
  for (const SchemeType& scheme : SchemeRegistry::instance().entries()) {
    if (!scheme.error_control) continue;
    crank.simulation = fmt::format("duration: 5e-3, integrator: {}, tolerance: 1e-10", scheme.name);
    const Recording r = run_text(crank.text());
    EXPECT_NEAR(r.last("slider.x"), known.last("slider.x"), 1e-8) << scheme.name;
    EXPECT_NEAR(r.last("rod.angle"), known.last("rod.angle"), 1e-7) << scheme.name;
    EXPECT_NEAR(r.last("rod.q1"), known.last("rod.q1"), 1e-7) << scheme.name;
    EXPECT_NEAR(r.last("rod.q4"), known.last("rod.q4"), 1e-8) << scheme.name;
    EXPECT_LT(r.summary.energy_residual, 1e-6) << scheme.name;
  }
}

// Event-driven without contacts is the smooth motion; moreau tends to it with the square of its step.
TEST(FlexibleMotion, ComesOutAlikeByEveryMethod) {
  FlexibleCrank crank;
  crank.young = 1e-2;  // slow modes, which moreau's steps follow
  crank.rigid_start = true;
  crank.rod = ", damping: {ratio: [0.02]}";
  crank.output = "output: {step: 5e-3}";
  crank.simulation = "duration: 0.01, integrator: dop853, tolerance: 1e-12";
  const Recording known = run_text(crank.text());
  crank.simulation = "method: event-driven, duration: 0.01, integrator: dop853, tolerance: 1e-12";
  const Recording events = run_text(crank.text());
  EXPECT_NEAR(events.last("rod.q1"), known.last("rod.q1"), 1e-12);
  EXPECT_NEAR(events.last("slider.x"), known.last("slider.x"), 1e-12);
  double errors[2];
  for (int n = 0; n < 2; ++n) {
    crank.simulation = fmt::format("method: moreau, duration: 0.01, step: {}", n == 0 ? "2e-5" : "1e-5");
    const Recording steps = run_text(crank.text());
    errors[n] = std::abs(steps.last("rod.q1") - known.last("rod.q1"));
    EXPECT_NEAR(steps.last("slider.x"), known.last("slider.x"), 1e-4);
    printf("moreau: error of q1 %.3e of %.3e, ledger %.1e\n", errors[n], known.largest("rod.q1"),
           steps.summary.energy_residual);
  }
  EXPECT_LT(errors[1], 0.4 * errors[0]);
}

TEST(FlexibleMotion, ResumesToTheLastBit) {
  FlexibleCrank crank;
  for (const char* simulation : {"duration: 4e-3, integrator: dopri5, tolerance: 1e-8",
                                 "duration: 4e-3, integrator: dop853, tolerance: 1e-8",
                                 "duration: 4e-3, method: event-driven, tolerance: 1e-8",
                                 "duration: 4e-3, method: moreau, step: 1e-5"}) {
    crank.simulation = simulation;
    crank.output = "output: {step: 1e-3}";
    const auto model = model_of_text(crank.text());
    Simulation first(model), second(model);
    first.advance(2e-3);
    second.set_state(first.state());
    first.advance(4e-3), second.advance(4e-3);
    EXPECT_TRUE(first.state() == second.state()) << simulation << "\n"
                                                 << difference(first.state(), second.state());
  }
}

// E → ∞: the largest deviation of the slider from the rigid one falls with 1/E. Figures of a separate program.
TEST(FlexibleMotion, TendsToTheRigidOneWithTheInverseOfItsStiffness) {
  const struct {
    double young, deviation, bent;
  } known[] = {{1, 3.33e-5, 1.83e-3}, {4, 8.39e-6, 4.22e-4}, {16, 2.11e-6, 1.03e-4}, {64, 5.29e-7, 2.50e-5}};
  for (const auto& row : known) {
    FlexibleCrank crank;
    crank.young = row.young;
    crank.rigid_start = true;
    crank.simulation = "duration: 0.02, integrator: dop853, tolerance: 1e-12";
    crank.output = "output: {step: 2e-6}";
    const Recording r = run_text(crank.text());
    double deviation = 0;
    for (const auto& sample : r.rows) {
      const double s = 0.15 * std::sin(150 * sample[0]),
                   rigid = 0.15 * std::cos(150 * sample[0]) + std::sqrt(0.09 - s * s);
      deviation = std::max(deviation, std::abs(sample[r.column("slider.x")] - rigid));
    }
    printf("E x %-3g deviation %.3e, q1 %.3e\n", row.young, deviation, r.largest("rod.q1"));
    EXPECT_NEAR(deviation, row.deviation, 0.01 * row.deviation);
    EXPECT_NEAR(r.largest("rod.q1"), row.bent, 0.01 * row.bent);
  }
}

// What is not given follows from the joints as for a rigid body: nothing bends at the start.
TEST(FlexibleMotion, StartsAsARigidBodyWould) {
  const Recording r = run_text(R"(
tappet: 1
dimension: planar
materials: {m: {young: 207 GPa, poisson: 0.3, density: 7800}}
bodies:
  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0]}
  rod: {position: [0.05, 0], flexible: {generate: {beam: {from: [0, 0, 0], to: [0.12, 0, 0], elements: 8}}, material: m,
        section: {rectangle: [0.01, 0.01]}, interfaces: {a: {group: start}, b: {group: end}}, modes: 2}}
  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0]}
joints:
  main: {type: revolute, bodies: [ground, crank], points: [[0, 0], [-0.025, 0]]}
  pin: {type: revolute, bodies: [crank, rod.a], points: [[0.025, 0], [0, 0]]}
  wrist: {type: revolute, bodies: [slider, rod.b], points: [[0, 0], [0, 0]]}
  guide: {type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}
motions: {motor: {joint: main, speed: 120}}
simulation: {duration: 1e-4}
)");
  const auto start = [&](const char* name) { return r.rows.front()[r.column(name)]; };
  EXPECT_NEAR(start("rod.omega"), -120 * 0.05 / 0.12, 1e-9);
  for (const char* rate : {"rod.qd1", "rod.qd2", "rod.qd3", "rod.qd4", "rod.qd5"})
    EXPECT_NEAR(start(rate), 0, 1e-11);
}

// Damping takes energy, and the ledger says where it went.
TEST(FlexibleMotion, CountsWhatDampingTakes) {
  const Recording r = run_text(flying_beam("modes: 2\n      damping: {mass: 2, stiffness: 1e-4}",
                                           "duration: 1, integrator: dop853, tolerance: 1e-10"));
  EXPECT_GT(r.last("energy.damping_loss"), 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-8);
}

// A flexible arm is turned to 6 rad/s within 15 s. It lags behind, and then is longer by tan(κ)/κ L − L, κ = Ω L √(ρA/EA).
TEST(FlexibleMotion, SpinsUpAsPublished) {
  const std::string text = R"(
tappet: 1
dimension: planar
materials: {m: {young: 2.8e7, poisson: 0.3, density: 1.2}}
bodies:
  hub: {mass: 1, inertia: 1}
  arm:
    flexible:
      generate: {beam: {from: [0, 0, 0], to: [10, 0, 0], elements: 20}}
      material: m
      section: {area: 1, inertia_y: 5e-4, inertia_z: 5e-4, torsion: 1e-3}
      interfaces: {root: {group: start}, tip: {group: end}}
      modes: 2
joints:
  axle: {type: revolute, bodies: [ground, hub], points: [[0, 0], [0, 0]]}
  clamp: {type: fixed, bodies: [hub, arm.root], points: [[0, 0], [0, 0]]}
motions:
  turn: {joint: axle, acceleration: 'if(t < 15, 6/15*(1 - cos(2*pi*t/15)), 0)'}
simulation: {duration: 24, integrator: dopri5, tolerance: 1e-8}
output: {step: 0.02}
)";
  const Recording r = run_text(text);
  double lag = 0, when = 0, extension = 0;
  int late = 0;
  for (const auto& row : r.rows) {
    const double a = row[r.column("hub.angle")], x = row[r.column("arm.tip.x")],
                 y = row[r.column("arm.tip.y")];
    const double across = -std::sin(a) * x + std::cos(a) * y;
    if (across < lag) lag = across, when = row[0];
    if (row[0] > 16) extension += std::hypot(x, y) - 10, ++late;
  }
  extension /= late;
  EXPECT_EQ(r.summary.stop_reason, "");
  printf("lag %.5f at %.2f s, extension %.6e\n", lag, when, extension);
  EXPECT_NEAR(lag, -0.5742, 0.01 * 0.5742);
  EXPECT_NEAR(when, 6.76, 0.1);
  EXPECT_NEAR(extension, 5.143175e-4, 0.01 * 5.143175e-4);
}

// Flapwise frequencies of a clamped beam that turns [Wright, Smith, Thresher & Wang 1982], from the stiffness that the body's
// inertia forces have there. With and without geometric stiffening.
double flapwise(double eta, const std::string& stiffening) {
  const auto model = model_of_text(fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 1e6, poisson: 0, density: 1}}}}
bodies:
  beam:
    flexible:
      generate: {{beam: {{from: [0, 0, 0], to: [1, 0, 0], elements: 16}}}}
      material: m
      section: {{area: 1, inertia_y: 1e-6, inertia_z: 4e-6, torsion: 5e-6}}
      interfaces: {{root: {{group: start}}, tip: {{group: end}}}}
      frame: root
      modes: 6
      geometric_stiffening: {}
simulation: {{duration: 1}}
)",
                                               stiffening));
  const FlexibleBody& body = model->mechanism.flexible.bodies[0];
  const int m = body.modes;
  // The shapes that leave the plane of rotation.
  std::vector<int> out_of_plane;
  for (int k = 0; k < m; ++k)
    if (std::abs(body.interfaces[1].translation(2, k)) > 1e-6 * body.interfaces[1].translation.col(k).norm())
      out_of_plane.push_back(k);
  Kinematics k;
  resize(k, model->mechanism);
  std::vector<double> q(7 + m, 0.0), u(6 + m, 0.0);
  q[3] = 1, u[5] = eta;
  const auto force = [&](int mode, double size) {
    q[7 + mode] = size;
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    q[7 + mode] = 0;
    FlexibleInstant at(body);
    evaluate_flexible(body, k, Vec3::Zero(), true, at);
    return at.hq;
  };
  const int n = static_cast<int>(out_of_plane.size());
  Eigen::MatrixXd K(n, n);
  for (int j = 0; j < n; ++j) {
    const Eigen::VectorXd change = (force(out_of_plane[j], -0.5) - force(out_of_plane[j], 0.5)).eval();
    for (int i = 0; i < n; ++i) K(i, j) = change[out_of_plane[i]];
  }
  return std::sqrt(
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose())).eigenvalues()[0]);
}

TEST(FlexibleMotion, StiffensWhereItTurns) {
  const struct {
    double eta, frequency;
  } exact[] = {{0, 3.516016}, {2, 4.137319}, {6, 7.360371}, {12, 13.170150}};
  for (const auto& row : exact) {
    const double with = flapwise(row.eta, "true"), without = flapwise(row.eta, "false");
    printf("eta %-2g exact %.6f, with stiffening %.6f (%.1e), without %.6f\n", row.eta, row.frequency, with,
           with / row.frequency - 1, without);
    EXPECT_NEAR(with, row.frequency, 3e-3 * row.frequency);
    EXPECT_NEAR(without, 3.516016, 3e-3 * 3.516016);
  }
}

}  // namespace
}  // namespace tappet::testing::flexible_motion_test
