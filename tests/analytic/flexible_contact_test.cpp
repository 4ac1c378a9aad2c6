// Flexible bodies that touch: joints with clearance at their interfaces, shapes on these, nodes and faces of their surface.
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/model/state.hpp"

namespace tappet::testing::flexible_contact_test {
namespace {

const char* const crank = "flexible_rod/clearance.yaml";

Recording first_impacts(int modes, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {fmt::format("bodies.rod.flexible.modes={}", modes),
                                       "simulation.duration=9.2 ms", "simulation.tolerance=1e-11"};
  settings.insert(settings.end(), more.begin(), more.end());
  return run_example(crank, settings);
}

// Instants, speeds and peak forces of the first three impacts against those with all modes of the mesh, of which it has 21. Between
// 4 modes and 16 the largest error falls by two orders.
TEST(FlexibleContact, FirstImpactsConvergeInModes) {
  const Recording all = first_impacts(21);
  ASSERT_GE(all.impacts.size(), 3u);
  double errors[3] = {};
  const int modes[3] = {4, 8, 18};
  for (int n = 0; n < 3; ++n) {
    const Recording some = first_impacts(modes[n]);
    ASSERT_GE(some.impacts.size(), 3u);
    double first = 0;
    for (int i = 0; i < 3; ++i) {
      const Impact &a = some.impacts[i], &b = all.impacts[i];
      const double error = std::max({std::abs(a.start / b.start - 1), std::abs(a.speed_in / b.speed_in - 1),
                                     std::abs(a.peak_force / b.peak_force - 1)});
      if (i == 0) first = error;
      errors[n] = std::max(errors[n], error);
    }
    printf("%2d modes: first impact %.1e, first three %.1e; ledger %.1e\n", modes[n], first, errors[n],
           some.summary.energy_residual);
    EXPECT_LT(some.summary.energy_residual, 1e-8);
    if (n == 2) {
      EXPECT_LT(first, 1e-6);
    }
  }
  EXPECT_LT(errors[1], 0.2 * errors[0]);
  EXPECT_LT(errors[2], 0.05 * errors[1]);
  EXPECT_LT(errors[2], 2e-6);
}

// The rod gives way: as long as both mechanisms move alike, it is hit less hard.
TEST(FlexibleContact, PeaksAreLowerThanThoseOfARigidRod) {
  const Recording elastic = run_example(crank, {"simulation.duration=9.2 ms"}),
                  rigid = run_example("flexible_rod/rigid.yaml", {"simulation.duration=9.2 ms"});
  ASSERT_GE(std::min(elastic.impacts.size(), rigid.impacts.size()), 3u);
  for (int i = 0; i < 3; ++i) {
    printf("impact %d: %.1f N of %.1f N\n", i + 1, elastic.impacts[i].peak_force,
           rigid.impacts[i].peak_force);
    EXPECT_LT(elastic.impacts[i].peak_force, rigid.impacts[i].peak_force);
  }
}

// E → ∞: the instant and the peak of the first impact tend to those of the rigid rod with 1/E.
TEST(FlexibleContact, TendsToTheRigidRodWithTheInverseOfItsStiffness) {
  const std::vector<std::string> to_first = {"simulation.duration=2.2 ms", "simulation.tolerance=1e-11",
                                             "bodies.rod.flexible.modes=0"};
  const Recording rigid = run_example("flexible_rod/rigid.yaml", {to_first[0], to_first[1]});
  ASSERT_GE(rigid.impacts.size(), 1u);
  double before[2] = {};
  for (int n = 0; n < 4; ++n) {
    std::vector<std::string> settings = to_first;
    settings.push_back(fmt::format("materials.steel.young={} GPa", 207 * 10 * std::pow(4, n)));
    // The contact's own stiffness is given; damping by a time falls with the periods.
    settings.push_back(fmt::format("bodies.rod.flexible.damping.stiffness={} us", std::pow(0.5, n)));
    const Recording r = run_example(crank, settings);
    ASSERT_GE(r.impacts.size(), 1u);
    const double error[2] = {r.impacts[0].start - rigid.impacts[0].start,
                             r.impacts[0].peak_force - rigid.impacts[0].peak_force};
    printf("E x %-4g start %+.3e s, peak %+.3e N\n", 10 * std::pow(4, n), error[0], error[1]);
    for (int i = 0; i < 2 && n > 1; ++i) EXPECT_NEAR(error[i] / before[i], 0.25, 0.05) << n << i;
    std::copy(error, error + 2, before);
  }
}

// The same joint by moreau and event-driven, without restitution: like a force law that hardly rebounds, up to some parts in a hundred of
// the slider's speed.
TEST(FlexibleContact, ClearanceRunsByEveryMethod) {
  const std::vector<std::string> plain = {"simulation.duration=6 ms", "bodies.rod.flexible.modes=0",
                                          "joints.wrist.clearance.normal.restitution=0"};
  std::vector<std::string> settings = plain;
  settings.push_back("simulation.method=moreau");
  settings.push_back("simulation.step=2 us");
  const Recording steps = run_example(crank, settings);
  settings[3] = "simulation.method=event-driven";
  settings.pop_back();
  const Recording events = run_example(crank, settings);
  printf("slider %.6f by moreau, %.6f by event-driven m/s; ledgers %.1e, %.1e\n", steps.last("slider.vx"),
         events.last("slider.vx"), steps.summary.energy_residual, events.summary.energy_residual);
  EXPECT_NEAR(steps.last("slider.x"), events.last("slider.x"), 2e-5);
  EXPECT_LT(events.summary.energy_residual, 1e-8);
  EXPECT_LT(steps.summary.energy_residual, 1e-3);
}

// Oil between the elastic rod's end and the slider carries what it carries under a rigid one: inertia forces are the same, and bend the rod
// by less than a hundredth of the film.
TEST(FlexibleContact, OilFilmUnderAnElasticRod) {
  double film[2];
  for (int n = 0; n < 2; ++n) {
    const Recording r =
        run_example(n == 0 ? "flexible_rod/rigid.yaml" : crank,
                    {"simulation.duration=6 ms", "simulation.integrator=bdf", "simulation.tolerance=1e-7",
                     "joints.wrist.clearance.lubricant={viscosity: 400 mPa s, model: finite}",
                     "joints.wrist.clearance.mixed={tolerance: 20 um, least_film: 4 um}"});
    film[n] = r.last("wrist.min_film");
    EXPECT_LT(r.summary.energy_residual, 1e-6);
  }
  printf("film %.4e m, rigid %.4e m\n", film[1], film[0]);
  EXPECT_NEAR(film[1], film[0], 0.01 * film[0]);
  EXPECT_NE(film[1], film[0]);
}

// A cantilever that rests with its tip on a stop, w_tip = q L⁴/8EI − F L³/3EI, F = k (w_tip − gap); with the stop as a ball on the
// interface there, or as the node of the mesh.
std::string propped(const std::string& interface, const std::string& contact, const std::string& flexible,
                    const std::string& simulation) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 10 GPa, poisson: 0.3, density: 2000}}}}
bodies:
  beam:
    flexible:
      generate: {{beam: {{from: [0, 0, 0], to: [1, 0, 0], elements: 10}}}}
      material: m
      section: {{rectangle: [20 mm, 10 mm]}}
      interfaces: {{a: {{group: start}}{}}}
      {}
ground: {{shapes: {{stop: {{plane: {{point: [0, 0, {}], normal: [0, 0, 1]}}}}}}}}
joints:
  wall: {{type: fixed, bodies: [ground, beam.a], points: [[0, 0, 0], [0, 0, 0]]}}
contacts:
  prop: {{between: [ground.stop, {}], normal: {{law: hooke, stiffness: 1e4}}}}
simulation: {{{}}}
)",
                     interface, flexible, interface.empty() ? "-5e-3" : "-15e-3", contact, simulation);
}

double propped_force() {
  const double E = 10e9, I = 0.02 * std::pow(0.01, 3) / 12, q = 2000 * 0.02 * 0.01 * 9.81, k = 1e4,
               gap = 5e-3, free = q / (8 * E * I), soft = 1 / (3 * E * I);
  return (free - gap) / (soft + 1 / k);
}

TEST(FlexibleContact, CantileverRestsOnAStopByShapeAndByNode) {
  const double known = propped_force();
  const std::string rest = "duration: 1 us, start: static, tolerance: 1e-10";
  const auto force = [](const std::string& text) { return run_text(text).last("prop.normal"); };
  const double by_shape = force(
      propped(", b: {group: end, shapes: {pin: {sphere: {radius: 10 mm}}}}", "beam.b.pin", "modes: 2", rest));
  const double by_node = force(propped("", "beam.end", "modes: 40", rest)),
               by_few = force(propped("", "beam.end", "modes: 2", rest));
  printf("force %.6f N, by shape %.6f, by node %.6f, with 2 modes %.6f\n", known, by_shape, by_node, by_few);
  // Shear adds 1e-4 of the deflection.
  EXPECT_NEAR(by_shape, known, 2e-3 * known);
  EXPECT_NEAR(by_node, known, 2e-3 * known);
  EXPECT_NEAR(by_few, known, 0.05 * known);
}

// Momenta of everything, from the mass matrix.
Eigen::VectorXd momenta(Simulation& simulation, const Model& model) {
  const Mechanism& m = model.mechanism;
  const Eigen::MatrixXd M = simulation.mass_matrix();
  const State& s = simulation.state();
  const Eigen::VectorXd p = M * Eigen::Map<const Eigen::VectorXd>(s.y.data() + m.q_size(), m.u_size());
  Eigen::VectorXd out = Eigen::VectorXd::Zero(6);
  for (int b = 0; b < m.body_count(); ++b) {
    const double* q = s.y.data() + 7 * b;
    const Vec3 r(q[0], q[1], q[2]), linear = p.segment<3>(6 * b);
    out.head<3>() += linear;
    out.tail<3>() += rotation_of(q + 3) * Vec3(p.segment<3>(6 * b + 3)) + r.cross(linear);
  }
  return out;
}

// A block of rubber meets a ball in flight: its nodes a flat side of a box, its faces a ball. Energy is in the ledger, momenta stay.
std::string flight(const std::string& other, const std::string& between, const std::string& laws,
                   const std::string& simulation) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{rubber: {{young: 5 MPa, poisson: 0.3, density: 1000}}}}
bodies:
  block:
    flexible:
      generate: {{block: {{size: [0.1, 0.1, 0.03], divisions: [2, 2, 1]}}}}
      material: rubber
      interfaces: {{side: {{group: xmin}}}}
      modes: 4
      highest: 300 Hz
  other: {{mass: 0.2, inertia: [1e-4, 2e-4, 1.5e-4], {}}}
contacts:
  meet: {{between: [{}], normal: {}}}
simulation: {{{}}}
output: {{step: 1 ms}}
)",
                     other, between, laws, simulation);
}

void keeps_momenta(const std::string& text, const char* name, double tolerance, double angular) {
  const auto model = model_of_text(text);
  Simulation simulation(model);
  simulation.advance(0);
  const Eigen::VectorXd before = momenta(simulation, *model);
  Recording r = run(*model);
  simulation.advance(model->settings.duration);
  const Eigen::VectorXd change = momenta(simulation, *model) - before;
  const double bent = simulation.value("energy.potential");
  printf("%s: %zu impacts, momentum %.1e, angular momentum %.1e, ledger %.1e, stored at the end %.2e J\n",
         name, r.impacts.size(), change.head<3>().norm() / before.head<3>().norm(),
         change.tail<3>().norm() / before.tail<3>().norm(), r.summary.energy_residual, bent);
  EXPECT_GE(r.impacts.size(), 1u) << name;
  EXPECT_GT(bent, 0) << name;
  EXPECT_LT(change.head<3>().norm(), tolerance * before.head<3>().norm()) << name;
  EXPECT_LT(change.tail<3>().norm(), angular * before.tail<3>().norm()) << name;
}

const char* const ball =
    "position: [0.06, 0.04, 0.075], velocity: [0.2, 0.1, -2], angular_velocity: [3, 5, 1], shapes: {skin: "
    "{sphere: "
    "{radius: 20 mm}}}";
const char* const box =
    "position: [0.06, 0.04, 0.075], velocity: [0.2, 0.1, -2], shapes: {skin: {box: {size: [0.3, 0.3, "
    "0.04]}}}";
const char* const smooth_law = "{law: hooke, stiffness: 2e4}";
const char* const plastic = "{law: newton, restitution: 0}";
const char* const rubbed =
    "{law: hooke, stiffness: 2e4}, friction: {law: ambrosio, coefficient: 0.3, v0: 1 mm/s, v1: 10 mm/s}";

TEST(FlexibleContact, NodesAndFacesKeepEnergyAndMomenta) {
  const std::string smooth = "duration: 20 ms, tolerance: 1e-9, integrator: dop853";
  keeps_momenta(flight(ball, "block.zmax, other.skin", rubbed, smooth), "faces", 1e-9, 1e-9);
  keeps_momenta(flight(box, "other.skin, block.zmax", rubbed, smooth), "nodes", 1e-9, 1e-9);
  const std::string events = "duration: 20 ms, method: event-driven";
  keeps_momenta(flight(ball, "block.zmax, other.skin", plastic, events), "faces, event-driven", 1e-9, 1e-9);
  keeps_momenta(flight(box, "other.skin, block.zmax", plastic, events), "nodes, event-driven", 1e-9, 1e-9);
  // Steps of one length keep the angular momentum of what bends to first order, 1.4e-5 with 20 us and 3.4e-6 with 5 us.
  for (const double step : {20e-6, 5e-6}) {
    const std::string steps = fmt::format("duration: 20 ms, method: moreau, step: {}", step);
    const double angular = 5e-5 * step / 20e-6;
    keeps_momenta(flight(ball, "block.zmax, other.skin", plastic, steps), "faces, moreau", 1e-9, angular);
    keeps_momenta(flight(box, "other.skin, block.zmax", plastic, steps), "nodes, moreau", 1e-9, angular);
  }
}

TEST(FlexibleContact, LedgerOfNodesAndFacesCloses) {
  const std::string smooth = "duration: 20 ms, tolerance: 1e-10, integrator: dop853";
  EXPECT_LT(run_text(flight(box, "other.skin, block.zmax", smooth_law, smooth)).summary.energy_residual,
            1e-8);
  EXPECT_LT(run_text(flight(ball, "block.zmax, other.skin", smooth_law, smooth)).summary.energy_residual,
            1e-8);
}

// A soft block falls on the floor and stays there by moreau: in the end its nodes carry its weight.
TEST(FlexibleContact, ABlockComesToRestOnItsNodes) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {rubber: {young: 2 MPa, poisson: 0.3, density: 1000}}
bodies:
  block:
    position: [0, 0, 1 mm]
    flexible:
      generate: {block: {size: [0.1, 0.1, 0.04], divisions: [2, 2, 1]}}
      material: rubber
      interfaces: {top: {group: zmax}}
      modes: 6
      damping: {stiffness: 2 ms}
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts:
  floor: {between: [ground.floor, block.zmin], normal: {law: newton, restitution: 0}, friction: {law: coulomb, coefficient: 0.5}}
simulation: {method: moreau, duration: 0.3, step: 0.2 ms}
output: {step: 10 ms}
)");
  const double sum = r.last("floor.normal");
  const double weight = 0.1 * 0.1 * 0.04 * 1000 * 9.81;
  printf("%.6f N of %.6f N\n", sum, weight);
  EXPECT_NEAR(sum, weight, 1e-3 * weight);
}

}  // namespace
}  // namespace tappet::testing::flexible_contact_test
