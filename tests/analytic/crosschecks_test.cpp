// Problems without reference numbers: two integrators of different kinds must find the same motion, and what
// physics conserves must stay. Also free rotation, whose invariants are known.
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::crosschecks_test {
namespace {

/// Largest difference of positions (m), angles (rad) and quaternions.
double configuration_difference(const Recording& a, const Recording& b) {
  double m = 0;
  for (const char* ending : {".x", ".y", ".z", ".angle", ".qw", ".qx", ".qy", ".qz"})
    m = std::max(m, largest_difference(a, b, ending));
  return m;
}

Recording example_with(const std::string& example, const std::string& integrator,
                       std::vector<std::string> settings = {}) {
  settings.push_back("simulation.integrator=" + integrator);
  settings.push_back("simulation.tolerance=1e-10");
  Recording r = run_example(example, settings);
  EXPECT_TRUE(r.summary.completed) << integrator << ": " << r.summary.stop_reason;
  EXPECT_LT(r.summary.constraint_violation, 1e-10) << integrator;
  return r;
}

TEST(A03Andrews, IntegratorsAgree) {
  const Recording a = example_with("andrews/a03.yaml", "dop853"),
                  b = example_with("andrews/a03.yaml", "adams");
  const double difference = configuration_difference(a, b);
  RecordProperty("difference", std::to_string(difference));
  EXPECT_LT(difference, 1e-7);
  EXPECT_NEAR(a.rows[0][a.column("k1.angle")], -0.0620, 1e-15);
}

TEST(A04Bricard, IntegratorsAgreeAndEnergyStays) {
  const Recording a = example_with("bricard/bricard.yaml", "auto"),
                  b = example_with("bricard/bricard.yaml", "adams");
  EXPECT_LT(configuration_difference(a, b), 1e-7);
  // Energy is counted from the start; about 4.6 J change hands.
  EXPECT_LT(a.largest("energy.residual"), 1e-9);
  EXPECT_GT(a.largest("energy.kinetic"), 4);
  for (const Recording* r : {&a, &b}) {
    EXPECT_EQ(r->summary.degrees_of_freedom, 1);
    EXPECT_EQ(r->summary.redundant, 1);
  }
}

/// Angular momentum about the world's z axis through the origin, kg m²/s.
double spin_about_z(const Mechanism& m, const Recording& r, const std::vector<double>& row) {
  double sum = 0;
  for (const Body& body : m.bodies) {
    auto value = [&](const char* signal) { return row[r.column(body.name + signal)]; };
    const Vec3 position(value(".x"), value(".y"), value(".z")),
        velocity(value(".vx"), value(".vy"), value(".vz"));
    const Vec3 omega(value(".wx"), value(".wy"), value(".wz"));
    const Mat3 R =
        Eigen::Quaterniond(value(".qw"), value(".qx"), value(".qy"), value(".qz")).toRotationMatrix();
    sum += body.mass * position.cross(velocity).z();
    if (body.has_inertia) sum += (R * body.inertia * R.transpose() * omega).z();
  }
  return sum;
}

TEST(A05Governor, IntegratorsAgreeAndAngularMomentumStays) {
  // Two seconds, in which the balls fall in and rise again; the dampers make it stiff for the explicit
  // method.
  const std::vector<std::string> settings = {"simulation.duration=2", "output.step=0.05"};
  const auto model = model_of_example("governor/governor.yaml");
  const Recording a = example_with("governor/governor.yaml", "auto", settings);
  const Recording b = example_with("governor/governor.yaml", "bdf", settings);
  EXPECT_LT(configuration_difference(a, b), 1e-7);
  const double start = spin_about_z(model->mechanism, a, a.rows[0]);
  EXPECT_GT(start, 50);
  double drift = 0;
  for (const auto& row : a.rows)
    drift = std::max(drift, std::abs(spin_about_z(model->mechanism, a, row) / start - 1));
  EXPECT_LT(drift, 1e-9);
  EXPECT_EQ(a.summary.degrees_of_freedom, 4);
}

// A free body spun about its middle axis flips over and back; energy and angular momentum do not change.
TEST(FreeRotation, ConservesEnergyAndAngularMomentumOverHundredTurns) {
  const Recording r = run_example("free_rotation/flip.yaml");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const Vec3 inertia(1, 2, 3);
  Vec3 momentum_at_start = Vec3::Zero();
  double energy_at_start = 0, most_tilted = 1;
  for (const auto& row : r.rows) {
    auto value = [&](const char* signal) { return row[r.column(signal)]; };
    const Vec3 omega(value("handle.wx"), value("handle.wy"), value("handle.wz"));
    const Mat3 R =
        Eigen::Quaterniond(value("handle.qw"), value("handle.qx"), value("handle.qy"), value("handle.qz"))
            .toRotationMatrix();
    const Vec3 momentum = R * inertia.asDiagonal() * (R.transpose() * omega);
    const double energy = value("energy.kinetic");
    if (energy_at_start == 0) energy_at_start = energy, momentum_at_start = momentum;
    EXPECT_NEAR(energy / energy_at_start, 1, 1e-9);
    EXPECT_LT((momentum - momentum_at_start).norm() / momentum_at_start.norm(), 1e-9);
    most_tilted = std::min(most_tilted, R(1, 1));
  }
  // It did turn over.
  EXPECT_LT(most_tilted, -0.99);
}

}  // namespace
}  // namespace tappet::testing::crosschecks_test
