// Where the nodes of a flexible body are and its stress, against statics of a cantilever and what rotation cannot change.
#include "tappet/fem/flexible_fields.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::flexible_fields_test {
namespace {

// 1 m long, 20 × 10 mm, its frame at the clamped end.
const char* const text = R"(
tappet: 1
dimension: spatial
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000}}
bodies:
  rod:
    flexible:
      generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}
      material: m
      section: {rectangle: [20 mm, 10 mm]}
      interfaces: {root: {group: start}, tip: {group: end}}
      points: {middle: {at: [0.5, 0, 0]}}
      modes: 3
      frame: root
simulation: {duration: 1}
)";

struct Placed {
  std::shared_ptr<const Model> model = model_of_text(text);
  const FlexibleBody& body = model->mechanism.flexible.bodies[0];
  std::vector<double> q = model->q0,
                      u = std::vector<double>(static_cast<std::size_t>(model->mechanism.u_size()), 0.0);
  Kinematics k;

  Placed() { resize(k, model->mechanism); }
  double* coordinates() { return q.data() + model->mechanism.q_size() - body.modes; }
  double* rates() { return u.data() + model->mechanism.u_size() - body.modes; }
  void update() { update_kinematics(k, 0, q.data(), u.data(), nullptr); }
  /// Equilibrium under a force at the tip: ω² q = Φᵀ F.
  void load(const Vec3& force) {
    for (int n = 0; n < body.modes; ++n)
      coordinates()[n] = body.interfaces[1].translation.col(n).dot(force) / body.stiffness[n];
    update();
  }
};

// A force F across the tip: moment F (L − x), largest at an element's end nearer to the root, so that the first element carries F L c/I with
// c half the section's depth, whichever way it bends. The tip's deflection is F L³/3EI but for shear.
TEST(FlexibleFields, StressOfACantileverIsThatOfStatics) {
  Placed rod;
  const double F = 0.1, L = 1, h = 0.1, E = 1e9;
  struct {
    Vec3 force;
    double depth, width;
  } cases[] = {{{0, F, 0}, 0.02, 0.01}, {{0, 0, -F}, 0.01, 0.02}};
  for (const auto& [force, depth, width] : cases) {
    rod.load(force);
    const double I = width * std::pow(depth, 3) / 12;
    std::vector<double> stress = fem::flexible_stress(rod.body, rod.k);
    double most = 0;
    for (std::size_t e = 0; e < stress.size(); e += fem::stress_numbers) most = std::max(most, stress[e]);
    EXPECT_NEAR(most, F * L * depth / 2 / I, 1e-6 * most);
    EXPECT_NEAR(stress[0], most, 1e-9 * most);
    for (int e = 0; e < 10; ++e)
      EXPECT_NEAR(stress[fem::stress_numbers * static_cast<std::size_t>(e)] / stress[0], (L - e * h) / L,
                  1e-6);
    const Vec3 tip = fem::node_motion(rod.body, rod.k, 10).position;
    EXPECT_NEAR(tip.dot(force.normalized()), F * L * L * L / (3 * E * I), 2e-3 * F / (3 * E * I));
  }
  // Along the rod: F/A everywhere, and the largest principal stress is it.
  rod.load(Vec3(5, 0, 0));
  const std::vector<double> stress = fem::flexible_stress(rod.body, rod.k);
  for (std::size_t e = 0; e < stress.size(); e += fem::stress_numbers) {
    EXPECT_NEAR(stress[e], 5 / 2e-4, 1e-6 * stress[e]);
    EXPECT_NEAR(fem::principal_stresses(stress.data() + e + 1)[0], 5 / 2e-4, 1e-6 * stress[e]);
    EXPECT_NEAR(fem::principal_stresses(stress.data() + e + 1)[2], 0, 1e-6 * stress[e]);
  }
}

// Whatever the frame does, the mesh goes with it, and the stress turns with it.
TEST(FlexibleFields, TurnWithTheFrame) {
  Placed still, moved;
  still.load(Vec3(1, 0.1, -0.2));
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(2.2, Vec3(1, 2, -1).normalized()));
  const double e[] = {turn.w(), turn.x(), turn.y(), turn.z()};
  std::copy(e, e + 4, moved.q.begin() + 3);
  moved.q[0] = 3, moved.q[1] = -1;
  moved.load(Vec3(1, 0.1, -0.2));
  fem::Fields a, b;
  fem::flexible_fields(still.body, still.k, a);
  fem::flexible_fields(moved.body, moved.k, b);
  const fem::FieldMesh mesh = fem::field_mesh(moved.body);
  EXPECT_TRUE(mesh.carried);
  const Mat3 R = turn.toRotationMatrix();
  for (std::size_t n = 0; n < mesh.node_count(); ++n) {
    const Vec3 x = Eigen::Map<const Vec3>(mesh.nodes.data() + 3 * n),
               before = x + Eigen::Map<const Vec3>(a.displacement.data() + 3 * n),
               after = x + Eigen::Map<const Vec3>(b.displacement.data() + 3 * n);
    EXPECT_LT((after - (Vec3(3, -1, 0) + R * before)).norm(), 1e-12);
  }
  for (std::size_t i = 0; i < a.stress.size(); i += fem::stress_numbers) {
    EXPECT_NEAR(a.stress[i], b.stress[i], 1e-9 * a.stress[i]);
    const auto p = fem::principal_stresses(a.stress.data() + i + 1),
               q = fem::principal_stresses(b.stress.data() + i + 1);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(p[d], q[d], 1e-9 * a.stress[i]);
  }
}

// Velocities are the rates of places.
TEST(FlexibleFields, VelocitiesAreRatesOfPlaces) {
  Placed rod;
  rod.load(Vec3(1, 0.5, -0.2));
  for (std::size_t i = 0; i < 6; ++i) rod.u[i] = 0.3 * static_cast<double>(i) - 0.7;
  for (int n = 0; n < rod.body.modes; ++n) rod.rates()[n] = 0.01 * (n - 2);
  rod.update();
  const double dt = 1e-6;
  std::vector<double> step(rod.u.size());
  const auto place = [&](double by, int node) {
    Placed other;
    other.q = rod.q;
    for (std::size_t i = 0; i < step.size(); ++i) step[i] = by * rod.u[i];
    displace(Dimension::spatial, 1, other.q.data(), step.data());
    for (int n = 0; n < rod.body.modes; ++n)
      other.coordinates()[n] = rod.coordinates()[n] + by * rod.rates()[n];
    other.update();
    return fem::node_motion(other.body, other.k, node).position;
  };
  for (const int node : {0, 4, 10}) {
    const Vec3 rate = (place(dt, node) - place(-dt, node)) / (2 * dt);
    EXPECT_LT((fem::node_motion(rod.body, rod.k, node).velocity - rate).norm(), 1e-8) << node;
  }
}

}  // namespace
}  // namespace tappet::testing::flexible_fields_test
