// The block solution of [W⁻¹ −Jᵀ; J 0] against a dense one, for random mechanisms with loops, hubs and
// repeated joints.
#include "tappet/multibody/constraint_system.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::constraint_system_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string point(RandomPoses& random, bool planar) {
  return planar ? fmt::format("[{}, {}]", random.number(), random.number())
                : fmt::format("[{}, {}, {}]", random.number(), random.number(), random.number());
}

/// A tree of `bodies` bodies with extra rods that close loops. `hub`: how likely a body hangs on the first
/// one. `repeats`: joints given twice, the second time with the bodies exchanged. `motors`: the first so many bodies
/// are a chain of driven arms.
std::string random_mechanism(RandomPoses& random, bool planar, int bodies, double hub, int loops, int repeats,
                             int motors = 0) {
  auto whole = [&](int n) { return std::min(n - 1, static_cast<int>((random.number() + 1) / 2 * n)); };
  std::string text = fmt::format("tappet: 1\ndimension: {}\nbodies:\n", planar ? "planar" : "spatial");
  for (int b = 0; b < bodies; ++b)
    text += fmt::format("  b{}: {{mass: {}, inertia: {}}}\n", b, 1.5 + random.number(),
                        planar ? fmt::format("{}", 1.5 + random.number()) : "[1, 1.5, 1.7, 0.1, -0.2, 0.15]");
  text += "joints:\n";
  const std::vector<std::string> types =
      planar ? std::vector<std::string>{"revolute", "translational", "point-on-line"}
             : std::vector<std::string>{"revolute", "spherical", "translational", "cylindrical"};
  for (int b = 0; b < bodies; ++b) {
    const double choice = (random.number() + 1) / 2;
    const std::string parent = b == 0         ? "ground"
                               : b < motors   ? fmt::format("b{}", b - 1)
                               : choice < hub ? "b0"
                                              : fmt::format("b{}", whole(b));
    const std::string type = b < motors ? "revolute" : types[whole(static_cast<int>(types.size()))];
    text += fmt::format("  j{}: {{type: {}, bodies: [{}, b{}], points: [{}, {}]", b, type, parent, b,
                        point(random, planar), point(random, planar));
    if (type != "spherical" && !(planar && type == "revolute")) text += ", axis: " + point(random, planar);
    text += "}\n";
  }
  for (int n = 0; n < loops; ++n) {
    const int i = whole(bodies), j = (i + 1 + whole(bodies - 1)) % bodies;
    text += fmt::format("  rod{}: {{type: distance, bodies: [b{}, b{}], points: [{}, {}], length: 1}}\n", n,
                        i, j, point(random, planar), point(random, planar));
  }
  for (int n = 0; n < repeats; ++n) {
    const int i = n % 2 ? 0 : whole(bodies), j = (i + 1 + whole(bodies - 1)) % bodies;
    const std::string p = point(random, planar), q = point(random, planar),
                      type = planar ? "revolute" : "spherical";
    text +=
        fmt::format("  once{}: {{type: {}, bodies: [b{}, b{}], points: [{}, {}]}}\n", n, type, i, j, p, q);
    text +=
        fmt::format("  again{}: {{type: {}, bodies: [b{}, b{}], points: [{}, {}]}}\n", n, type, j, i, q, p);
  }
  if (motors) text += "motions:\n";
  for (int n = 0; n < motors; ++n) text += fmt::format("  m{0}: {{joint: j{0}, speed: 1}}\n", n);
  return text + "simulation: {duration: 1}\n";
}

struct Dense {
  MatrixXd J, W;
};

Dense dense_of(const Mechanism& m, const ConstraintSystem& system, const InverseMass& mass) {
  const int width = velocity_size(m.dimension), turns = width == 3 ? 1 : 3;
  Dense out{MatrixXd::Zero(system.rows(), m.u_size()), MatrixXd::Zero(m.u_size(), m.u_size())};
  for (int c = 0; c < system.count(); ++c)
    for (std::size_t slot = 0; slot < system.constraint(c).bodies.size(); ++slot) {
      const double* J = system.jacobian(c, static_cast<int>(slot));
      if (!J) continue;
      for (int r = 0; r < system.constraint(c).rows; ++r)
        for (int i = 0; i < width; ++i)
          out.J(system.row_of(c) + r, width * system.constraint(c).bodies[slot] + i) += J[width * r + i];
    }
  for (int b = 0; b < m.body_count(); ++b) {
    for (int i = 0; i < width - turns; ++i) out.W(width * b + i, width * b + i) = mass.linear[b];
    if (turns == 1)
      out.W(3 * b + 2, 3 * b + 2) = mass.angular[b](2, 2);
    else
      out.W.block<3, 3>(6 * b + 3, 6 * b + 3) = mass.angular[b];
  }
  return out;
}

/// Rows between pairs of bodies, some of one body alone: what contacts would be.
BlockCsr random_rows(const Mechanism& m) {
  RandomPoses random(7);
  BlockCsr H;
  const int width = velocity_size(m.dimension), bodies = m.body_count();
  for (int b = 0; b < bodies; ++b) H.add_columns(width);
  for (int b = 0; b < bodies; ++b) {
    H.add_row(1 + b % 4);
    for (const int body : {b, b + 1 + b % 3}) {
      if (body >= bodies) continue;
      auto block = H.add_block(body);
      for (int r = 0; r < block.rows(); ++r)
        for (int c = 0; c < width; ++c) block(r, c) = random.number();
    }
  }
  return H;
}

/// Solves with both; the right-hand side is one that can be met.
void expect_dense_solution(const Model& model, RandomPoses& random, const InverseMass& mass, double tolerance,
                           const std::vector<char>& held = {},
                           ConstraintSystem::DrivenBodies driven = ConstraintSystem::DrivenBodies::are_free) {
  const Mechanism& m = model.mechanism;
  ConstraintSystem system(m.dimension, m.body_count(), m.constraints, held, driven);
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  std::vector<double> z(m.aux_size, 0.0);
  const std::vector<double> q = random.positions(m), u = random.velocities(m);
  update_kinematics(k, 0, q.data(), u.data(), z.data());
  system.evaluate(k);
  const Dense dense = dense_of(m, system, mass);
  const VectorXd f = VectorXd::NullaryExpr(m.u_size(), [&] { return random.number(); });
  const VectorXd y = dense.W * VectorXd::NullaryExpr(m.u_size(), [&] { return random.number(); });
  const VectorXd b = dense.J * y;

  // x = W (f + Jᵀ λ), S λ = b − J W f; λ of least size when rows depend on each other.
  const MatrixXd S = dense.J * dense.W * dense.J.transpose();
  const auto decomposition = S.completeOrthogonalDecomposition();
  const VectorXd lambda = decomposition.solve(b - dense.J * dense.W * f);
  const VectorXd expected = dense.W * (f + dense.J.transpose() * lambda);

  VectorXd x(m.u_size()), found(system.rows());
  const int dropped = system.factor(mass);
  system.solve(f.data(), b.data(), x.data(), found.data());
  // Held bodies make mechanisms that are over-constrained many times; then only the solution counts.
  if (held.empty()) {
    EXPECT_EQ(dropped, system.rows() - decomposition.rank());
  }
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), tolerance * (1 + expected.cwiseAbs().maxCoeff()));
  EXPECT_LT((dense.J * x - b).cwiseAbs().maxCoeff(), tolerance * (1 + b.cwiseAbs().maxCoeff()));
  EXPECT_LT((dense.W * (f + dense.J.transpose() * found) - x).cwiseAbs().maxCoeff(),
            tolerance * (1 + x.cwiseAbs().maxCoeff()));
  // response() is H X of the solutions for f = Hᵀ.
  const BlockCsr rows = random_rows(m);
  const MatrixXd H = rows.dense(), WHt = dense.W * H.transpose();
  MatrixXd response;
  system.response(rows, response);
  EXPECT_LT((response - H * WHt + WHt.transpose() * dense.J.transpose() * decomposition.solve(dense.J * WHt))
                .cwiseAbs()
                .maxCoeff(),
            tolerance * (H * WHt).cwiseAbs().maxCoeff());
  EXPECT_EQ(response, response.transpose());
  // times() is J.
  VectorXd rate(system.rows());
  system.times(u.data(), rate.data());
  EXPECT_LT((rate - dense.J * Eigen::Map<const VectorXd>(u.data(), m.u_size())).cwiseAbs().maxCoeff(), 1e-12);
}

class RandomMechanisms : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, RandomMechanisms, ::testing::Values(true, false),
                         [](const auto& info) { return info.param ? "planar" : "spatial"; });

TEST_P(RandomMechanisms, TreesAndLoopsAreSolvedAsDense) {
  RandomPoses random(1);
  for (int n = 0; n < 20; ++n) {
    const auto model = model_of_text(random_mechanism(random, GetParam(), 12, 0, n % 4, 0));
    expect_dense_solution(*model, random, model->mechanism.inverse_mass, 1e-9);
  }
}

TEST_P(RandomMechanisms, HubsAreSolvedAsDense) {
  RandomPoses random(2);
  for (int n = 0; n < 20; ++n) {
    const auto model = model_of_text(random_mechanism(random, GetParam(), 15, 0.7, n % 4, 0));
    expect_dense_solution(*model, random, model->mechanism.inverse_mass, 1e-9);
  }
}

TEST_P(RandomMechanisms, RepeatedJointsAreFoundAndDropped) {
  RandomPoses random(3);
  for (int n = 0; n < 20; ++n) {
    const auto model = model_of_text(random_mechanism(random, GetParam(), 12, n % 2 ? 0.7 : 0, 0, 3));
    expect_dense_solution(*model, random, model->mechanism.inverse_mass, 1e-8);
  }
}

TEST_P(RandomMechanisms, DrivenBodiesMayBeTakenOut) {
  RandomPoses random(6);
  for (int n = 0; n < 20; ++n) {
    const auto model =
        model_of_text(random_mechanism(random, GetParam(), 12, n % 2 ? 0.7 : 0, n % 3, 0, 1 + n % 4));
    SCOPED_TRACE(fmt::format("mechanism {}", n));
    const InverseMass& mass = model->mechanism.inverse_mass;
    expect_dense_solution(*model, random, mass, 1e-8);
    expect_dense_solution(*model, random, mass, 1e-8, {}, ConstraintSystem::DrivenBodies::are_eliminated);
  }
}

// Assembly of velocities gives some bodies no freedom at all: their inverse mass is 0.
TEST_P(RandomMechanisms, BodiesThatMustNotMoveDoNot) {
  RandomPoses random(4);
  for (int n = 0; n < 20; ++n) {
    const auto model = model_of_text(random_mechanism(random, GetParam(), 12, n % 2 ? 0.7 : 0, 2, 0));
    InverseMass mass = model->mechanism.inverse_mass;
    // The hub, and another one.
    std::vector<char> held(12, 0);
    held[0] = held[5] = 1;
    for (int b : {0, 5}) mass.linear[b] = 0, mass.angular[b].setZero();
    SCOPED_TRACE(fmt::format("mechanism {}", n));
    expect_dense_solution(*model, random, mass, 1e-8, held);
    // The hub may move but not turn.
    mass = model->mechanism.inverse_mass;
    mass.angular[0].setZero();
    expect_dense_solution(*model, random, mass, 1e-8, held);
  }
}

// A plate that five or more joints meet at, held to the ground twice over: the repeated rows must be seen
// although the plate is a block of its own.
TEST(Hub, JointsToTheGroundThatRepeatAreFound) {
  std::string text = "tappet: 1\ndimension: planar\nbodies:\n  plate: {mass: 3, inertia: 1}\n";
  for (int i = 0; i < 8; ++i) text += fmt::format("  arm{}: {{mass: 1, inertia: 0.1}}\n", i);
  text += "joints:\n";
  for (int i = 0; i < 8; ++i)
    text += fmt::format(
        "  pin{0}: {{type: revolute, bodies: [plate, arm{0}], points: [[0.{0}, 0], [-0.5, 0]]}}\n", i);
  text += R"(  one: {type: revolute, bodies: [ground, plate], points: [[0, 0], [0.2, 0.1]]}
  two: {type: revolute, bodies: [plate, ground], points: [[0.2, 0.1], [0, 0]]}
  three: {type: revolute, bodies: [ground, plate], points: [[0, 0], [0.2, 0.1]]}
simulation: {duration: 1}
)";
  const auto model = model_of_text(text);
  RandomPoses random(5);
  for (int n = 0; n < 10; ++n) expect_dense_solution(*model, random, model->mechanism.inverse_mass, 1e-9);
}

}  // namespace
}  // namespace tappet::testing::constraint_system_test
