// Free structures that tumble, step by step: energy, linear and angular momentum stay; motions of rigid bodies are theirs.
#include "tappet/structures/turning_step.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/structures/newmark_moreau.hpp"

namespace tappet::turning_step_test {
namespace {

using fem::CellShape, fem::Elastic, fem::Section;

/// A structure alone in the world, and its steps.
class Tumbler {
 public:
  Tumbler(fem::Structure s, const Vec3& velocity, const Vec3& angular_velocity, double theta = 0.5)
      : model_(model_of(std::move(s), velocity, angular_velocity)),
        system(*model_),
        stepper_(*model_, system, with_theta(theta)) {
    q.assign(system.size(), 0.0);
    u = system.start_velocity();
  }

  void step(double h) { stepper_.step(t, h, q.data(), u.data(), z, nullptr), t += h; }

  const fem::Structure& structure() const { return model_->structures[0]->structure; }
  double energy() const { return system.kinetic_energy(u.data()) + system.potential_energy(q.data()); }
  Mat3 rotation(int node) const {
    Vec3 v = Vec3::Zero();
    for (int d = 0; d < 3; ++d)
      if (const int k = system.unknown(0, node, 3 + d); k >= 0) v[d] = q[k];
    return fem::rotation_of_vector(v);
  }
  /// Linear and angular, the latter about the origin.
  void momenta(Vec3& linear, Vec3& angular) const {
    std::vector<double> p(system.size(), 0.0);
    system.add_mass(1, u.data(), p.data());
    linear = angular = Vec3::Zero();
    for (int n = 0; n < static_cast<int>(structure().mesh.nodes.size()); ++n) {
      Vec3 own = Vec3::Zero(), spin = Vec3::Zero();
      for (int d = 0; d < 3; ++d) {
        if (const int k = system.unknown(0, n, d); k >= 0) own[d] = p[k];
        if (const int k = system.unknown(0, n, 3 + d); k >= 0) spin[d] = p[k];
      }
      linear += own;
      angular += system.position(0, n, q.data()).cross(own) + rotation(n) * spin;
    }
  }

  double t = 0, z[ledger_size] = {};

 private:
  static MoreauOptions with_theta(double theta) {
    MoreauOptions out;
    out.theta = theta;
    return out;
  }
  static std::unique_ptr<Model> model_of(fem::Structure s, const Vec3& velocity,
                                         const Vec3& angular_velocity) {
    auto body = std::make_shared<fem::Body>();
    s.turns = true;
    fem::number_unknowns(s);
    body->mass = fem::total_mass(s, &body->centre);
    body->structure = std::move(s);
    body->velocity = velocity, body->angular_velocity = angular_velocity;
    auto model = std::make_unique<Model>();
    model->mechanism.gravity = Vec3::Zero();
    model->structures.push_back(std::move(body));
    return model;
  }

  std::unique_ptr<Model> model_;

 public:
  StructureSystem system;
  std::vector<double> q, u;

 private:
  NewmarkMoreau stepper_;
};

/// Along x, 0.1 by 0.2 across, 1 m long.
fem::Structure bar(int n, double young) {
  fem::Mesh mesh;
  for (int i = 0; i <= n; ++i) mesh.nodes.emplace_back(1.0 * i / n, 0, 0);
  for (int i = 0; i < n; ++i) {
    const int ends[] = {i, i + 1};
    mesh.add_cell(CellShape::line, ends);
  }
  Section section;
  section.area = 0.02, section.inertia_y = 0.1 * 8e-3 / 12, section.inertia_z = 0.2 * 1e-3 / 12,
  section.torsion = 4.58e-5;
  return test::one_material(std::move(mesh), "beam", {.young = young, .poisson = 0.3, .density = 1000},
                            section);
}

fem::Structure bricks(double young) {
  fem::Mesh mesh;
  for (int i = 0; i <= 4; ++i)
    for (int k = 0; k < 4; ++k) mesh.nodes.emplace_back(0.25 * i, 0.1 * (k % 2), 0.2 * (k / 2));
  for (int i = 0; i < 4; ++i) {
    const int a = 4 * i, nodes[] = {a, a + 4, a + 5, a + 1, a + 2, a + 6, a + 7, a + 3};
    mesh.add_cell(CellShape::hexahedron, nodes);
  }
  return test::one_material(std::move(mesh), "hex8", {.young = young, .poisson = 0.3, .density = 1000});
}

fem::Structure plate(double young) {
  fem::Mesh mesh;
  for (int i = 0; i <= 3; ++i)
    for (int k = 0; k <= 2; ++k) mesh.nodes.emplace_back(0.3 * i, 0.3 * k, 0);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      const int a = 3 * i + k, nodes[] = {a, a + 3, a + 4, a + 1};
      mesh.add_cell(CellShape::quadrangle, nodes);
    }
  Section section;
  section.thickness = 0.02;
  return test::one_material(std::move(mesh), "shell4", {.young = young, .poisson = 0.3, .density = 1000},
                            section);
}

struct Drift {
  double energy = 0, linear = 0, angular = 0;
};

/// Largest changes in `turns` turns of `steps` steps, relative.
Drift tumble(Tumbler& body, double speed, int turns, int steps) {
  Vec3 p0, L0, p, L;
  body.momenta(p0, L0);
  const double E0 = body.energy(), h = 2 * EIGEN_PI / speed / steps;
  Drift out;
  for (int k = 0; k < turns * steps; ++k) {
    body.step(h);
    if (k % 10) continue;
    body.momenta(p, L);
    out.energy = std::max(out.energy, std::abs(body.energy() / E0 - 1));
    out.linear = std::max(out.linear, (p - p0).norm() / p0.norm());
    out.angular = std::max(out.angular, (L - L0).norm() / L0.norm());
  }
  return out;
}

// Its three moments of inertia differ, and it turns about none of their axes; it is soft enough to be stretched by a percent.
TEST(TurningStep, ABeamTumblesForAHundredTurns) {
  const Vec3 w(1.5, 4, 5);
  Tumbler body(bar(6, 2e6), Vec3(0.3, -0.2, 0.1), w);
  const Drift d = tumble(body, w.norm(), 100, 48);
  printf("100 turns: energy %.1e, momentum %.1e, angular momentum %.1e\n", d.energy, d.linear, d.angular);
  EXPECT_LT(d.energy, 1e-8);
  EXPECT_LT(d.linear, 1e-8);
  EXPECT_LT(d.angular, 1e-8);
  // It did bend and stretch.
  EXPECT_GT(body.system.potential_energy(body.q.data()), 1e-6 * body.energy());
}

TEST(TurningStep, SoDoBricksAndShells) {
  const Vec3 w(1.5, 4, 5);
  for (const bool solid : {true, false}) {
    Tumbler body(solid ? bricks(2e6) : plate(2e6), Vec3(0.3, -0.2, 0.1), w);
    const Drift d = tumble(body, w.norm(), 3, 48);
    printf("%s: energy %.1e, momentum %.1e, angular momentum %.1e\n", solid ? "bricks" : "shells", d.energy,
           d.linear, d.angular);
    EXPECT_LT(d.energy, 1e-10);
    EXPECT_LT(d.linear, 1e-10);
    EXPECT_LT(d.angular, 1e-10);
  }
}

TEST(TurningStep, IsOfSecondOrder) {
  const Vec3 w(1.5, 4, 5);
  const auto end = [&](int steps) {
    Tumbler body(bar(2, 2e5), Vec3(0, 0, 0), w);
    for (int k = 0; k < steps; ++k) body.step(0.5 / steps);
    return body.system.position(0, 2, body.q.data());
  };
  const Vec3 exact = end(3200);
  const double coarse = (end(100) - exact).norm(), fine = (end(200) - exact).norm();
  printf("errors %.3e, %.3e\n", coarse, fine);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  EXPECT_LT(fine, 1e-3);
}

// A very stiff bar is a rigid body: Euler's equations, integrated here with the moments that its mass matrix has.
TEST(TurningStep, AStiffBarIsARigidBody) {
  const Vec3 w(1.5, 4, 5);
  const double rho = 1000, A = 0.02, Iy = 0.1 * 8e-3 / 12, Iz = 0.2 * 1e-3 / 12;
  const Vec3 J(rho * (Iy + Iz), rho * A / 12 + rho * Iy, rho * A / 12 + rho * Iz);
  const auto end = [&](int steps, double T) {
    Tumbler body(bar(2, 2e12), Vec3(0, 0, 0), w);
    for (int k = 0; k < steps; ++k) body.step(T / steps);
    return body.rotation(1);
  };
  // Euler: J Ω̇ = (J Ω) × Ω, Ṙ = R Ω̂, by small steps of the midpoint rule's fourth-order relative.
  const double T = 1;
  Mat3 R = Mat3::Identity();
  Vec3 O = w;
  const int n = 20000;
  const auto rate = [&](const Vec3& at) { return Vec3(Vec3(J.cwiseProduct(at)).cross(at).cwiseQuotient(J)); };
  for (int k = 0; k < n; ++k) {
    const double h = T / n;
    const Vec3 k1 = rate(O), k2 = rate(O + h / 2 * k1), k3 = rate(O + h / 2 * k2), k4 = rate(O + h * k3);
    const Vec3 mid = O + h / 4 * (k1 + k2);
    R = (R * fem::rotation_of_vector(h * mid)).eval();
    O += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double coarse = (end(200, T) - R).norm(), fine = (end(400, T) - R).norm();
  printf("rotation against Euler's equations after 1 s: %.2e, %.2e\n", coarse, fine);
  EXPECT_LT(fine, 2e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

// θ > ½ takes energy, and never gives any.
TEST(TurningStep, AGreaterThetaTakesEnergy) {
  const Vec3 w(1.5, 4, 5);
  Tumbler body(bar(4, 2e6), Vec3(0, 0, 0), w, 0.6);
  double before = body.energy();
  for (int k = 0; k < 100; ++k) {
    body.step(0.01);
    EXPECT_LE(body.energy(), before * (1 + 1e-12));
    before = body.energy();
  }
}

// What a damper takes is booked: two masses on a spring that turns.
TEST(TurningStep, DampingIsBooked) {
  fem::Structure s;
  s.name = "dumb-bell";
  s.mesh.nodes = {{0, 0, 0}, {1, 0, 0}};
  Section spring, mass;
  spring.stiffness = 400, spring.damping = 2, mass.mass = 1;
  s.sections = {spring, mass}, s.materials = {{}};
  const int both[] = {0, 1};
  s.add_element(*fem::ElementRegistry::instance().find("spring"), both, 0, 0);
  for (int n = 0; n < 2; ++n)
    s.add_element(*fem::ElementRegistry::instance().find("point-mass"), {&n, 1}, 1, 0);
  Tumbler body(std::move(s), Vec3(0, 0, 0), Vec3(0, 3, 4));
  const double before = body.energy();
  Vec3 p, L0, L;
  body.momenta(p, L0);
  for (int k = 0; k < 2000; ++k) body.step(0.01);
  body.momenta(p, L);
  EXPECT_NEAR(body.energy() + body.z[ledger_damping], before, 1e-11 * before);
  EXPECT_LT((L - L0).norm(), 1e-12 * L0.norm());
  // At rest it turns with L = ½ m l² ω: k (l − 1) = ½ m l ω².
  double l = 1;
  for (int k = 0; k < 100; ++k) l = 1 + 0.5 * 1 * l * std::pow(L.norm() / (0.5 * l * l), 2) / 400;
  EXPECT_NEAR((body.system.position(0, 1, body.q.data()) - body.system.position(0, 0, body.q.data())).norm(),
              l, 1e-4 * l);
  printf("length %.6f of %.6f, %.3g J taken\n",
         (body.system.position(0, 1, body.q.data()) - body.system.position(0, 0, body.q.data())).norm(), l,
         body.z[ledger_damping]);
}

}  // namespace
}  // namespace tappet::turning_step_test
