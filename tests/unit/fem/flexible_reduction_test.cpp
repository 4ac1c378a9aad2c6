// A mesh reduced to a flexible body: normal modes, frames, and integrals against closed forms of a beam and of a block.
#include "tappet/fem/flexible_reduction.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::flexible_reduction_test {
namespace {

std::shared_ptr<const Model> body_of(const std::string& flexible, const std::string& dimension = "spatial") {
  return model_of_text(fmt::format(R"(
tappet: 1
dimension: {}
materials: {{m: {{young: 1e9, poisson: 0.3, density: 1000}}}}
bodies: {{b: {{flexible: {{material: m, {}}}}}}}
simulation: {{duration: 1}}
)",
                                   dimension, flexible));
}

const char* const beam =
    "generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}, section: {rectangle: [20 mm, 10 mm]}, "
    "interfaces: {a: {group: start}, b: {group: end}}";
const char* const block =
    "generate: {block: {size: [0.2, 0.05, 0.04], divisions: [8, 2, 2]}}, geometric_stiffening: false, "
    "interfaces: {a: {group: xmin}, b: {group: xmax}}";

// A rod of length L, free: inertia about its centre and its lowest bending, (4.7300/L)² √(EI/ρA).
TEST(FlexibleReduction, HasTheInertiaAndTheLowestModesOfABeam) {
  const auto model = body_of(std::string(beam) + ", modes: 8");
  const FlexibleBody& body = model->mechanism.flexible.bodies[0];
  EXPECT_EQ(body.modes, 6 + 8);
  const double b = 0.02, h = 0.01, mass = 1000 * b * h;
  EXPECT_NEAR(body.mass, mass, 1e-12);
  EXPECT_NEAR(body.J0(2, 2), mass / 12 * (1 + b * b), 1e-12);
  EXPECT_NEAR(body.J0(1, 1), mass / 12 * (1 + h * h), 1e-12);
  EXPECT_NEAR(body.J0(0, 0), mass / 12 * (b * b + h * h), 1e-12);
  const double soft = std::pow(4.730041, 2) * std::sqrt(1e9 * b * h * h * h / 12 / mass),
               stiff = std::pow(4.730041, 2) * std::sqrt(1e9 * h * b * b * b / 12 / mass);
  EXPECT_NEAR(std::sqrt(body.stiffness[0]), soft, 2e-3 * soft);  // shear and rotary inertia take a little
  bool found = false;
  for (double square : body.stiffness) found = found || std::abs(std::sqrt(square) - stiff) < 3e-3 * stiff;
  EXPECT_TRUE(found);
}

// Mean axes: no shape moves the centre of mass or has angular momentum, whatever the elements.
TEST(FlexibleReduction, KeepsTheCentreOfMassAtTheOriginOfMeanAxes) {
  for (const char* mesh : {beam, block}) {
    const auto model = body_of(std::string(mesh) + ", modes: 6");
    const FlexibleBody& body = model->mechanism.flexible.bodies[0];
    EXPECT_LT(body.p.cwiseAbs().maxCoeff(), 1e-10 * std::sqrt(body.mass)) << mesh;
    EXPECT_LT(body.a.cwiseAbs().maxCoeff(), 1e-10 * std::sqrt(body.mass)) << mesh;
    EXPECT_LT(body.s.norm(), 1e-12 * body.mass) << mesh;
    // The body is placed by the origin of its mesh.
    EXPECT_NEAR(model->q0[0], mesh == beam ? 0.5 : 0.1, 1e-12);
  }
}

// The same body in the frame of an interface: what is free of supports vibrates at the same frequencies, those of the reduced mass
// matrix with its rigid part.
TEST(FlexibleReduction, VibratesAtTheSameFrequenciesInEitherFrame) {
  for (const char* mesh : {beam, block}) {
    Eigen::VectorXd frequencies[2];
    for (int f = 0; f < 2; ++f) {
      const auto model = body_of(std::string(mesh) + (f ? ", modes: 6, frame: b" : ", modes: 6"));
      const FlexibleBody& body = model->mechanism.flexible.bodies[0];
      Kinematics k;
      resize(k, model->mechanism);
      std::vector<double> u(model->mechanism.u_size(), 0.0);
      update_kinematics(k, 0, model->q0.data(), u.data(), nullptr);
      FlexibleInstant at(body);
      evaluate_flexible(body, k, Vec3::Zero(), false, at);
      const int n = 6 + body.modes;
      Eigen::MatrixXd M = Eigen::MatrixXd::Identity(n, n), K = Eigen::MatrixXd::Zero(n, n);
      M.topLeftCorner<6, 6>() = at.rigid;
      M.topRightCorner(6, body.modes) = at.B;
      M.bottomLeftCorner(body.modes, 6) = at.B.transpose();
      K.bottomRightCorner(body.modes, body.modes) = body.stiffness.asDiagonal();
      frequencies[f] =
          Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues().tail(body.modes);
    }
    for (Eigen::Index k = 0; k < frequencies[0].size(); ++k)
      EXPECT_NEAR(frequencies[1][k], frequencies[0][k], 1e-7 * frequencies[0][k]) << mesh << k;
  }
}

// A plane of a beam has half of its bending.
TEST(FlexibleReduction, MakesPlanarBodiesOfBeams) {
  const auto model = body_of(std::string(beam) + ", modes: 4", "planar");
  const FlexibleBody& body = model->mechanism.flexible.bodies[0];
  EXPECT_EQ(body.modes, 3 + 4);
  const double b = 0.02, h = 0.01, mass = 1000 * b * h;
  EXPECT_NEAR(body.J0(2, 2), mass / 12 * (1 + b * b), 1e-12);
  const double stiff = std::pow(4.730041, 2) * std::sqrt(1e9 * h * b * b * b / 12 / mass);
  EXPECT_NEAR(std::sqrt(body.stiffness[0]), stiff, 3e-3 * stiff);
}

// Modes of the free body are its own; with interfaces held they come near it.
TEST(FlexibleReduction, HasTheModesOfTheFreeBodyWhereTheseAreAsked) {
  const auto squares = [](const std::string& more) {
    return body_of(std::string(beam) + more)->mechanism.flexible.bodies[0].stiffness;
  };
  // 9 nodes of 6 unknowns between the interfaces: all there are.
  const Eigen::VectorXd all = squares(", modes: 54"), free = squares(", modes: 8, boundary: free"),
                        fixed = squares(", modes: 8");
  ASSERT_EQ(free.size(), 6 + 8);
  double most = 0;
  for (int k = 0; k < 8; ++k) {
    EXPECT_NEAR(free[k], all[k], 1e-8 * all[k]) << k;
    EXPECT_GE(fixed[k], all[k] * (1 - 1e-10)) << k;
    most = std::max(most, fixed[k] / all[k] - 1);
  }
  EXPECT_GT(most, 1e-6);
}

// Compliance of an interface against another that carries the frame, Σ φ_k²/ω_k²; first translations, then rotations.
Eigen::VectorXd compliance(const FlexibleBody& body, int interface) {
  const FlexibleInterface& at = body.interfaces[interface];
  Eigen::VectorXd out(6);
  for (int i = 0; i < 3; ++i) {
    out[i] = (at.translation.row(i).array().square() / body.stiffness.transpose().array()).sum();
    out[3 + i] = (at.rotation.row(i).array().square() / body.stiffness.transpose().array()).sum();
  }
  return out;
}

// Without Poisson's effect both give L/EA along the bar. In all other directions the average leaves its nodes free and so gives way more.
TEST(FlexibleReduction, AveragedInterfacesGiveWayMoreThanRigidOnes) {
  const std::string bar =
      "generate: {block: {size: [0.2, 0.05, 0.04], divisions: [6, 2, 2]}}, frame: a, modes: 4, interfaces: "
      "{a: "
      "{group: xmin}, b: {group: xmax, kind: ";
  const auto made = [&](const std::string& kind, const std::string& poisson) {
    return model_of_text(
        fmt::format("tappet: 1\ndimension: spatial\nmaterials: {{m: {{young: 1e9, poisson: {}, density: "
                    "1000}}}}\nbodies: {{b: "
                    "{{flexible: {{material: m, {}}}}}}}\nsimulation: {{duration: 1}}\n",
                    poisson, bar + kind + "}}"));
  };
  for (const char* kind : {"rigid", "averaged"}) {
    const auto model = made(kind, "0");
    EXPECT_NEAR(compliance(model->mechanism.flexible.bodies[0], 1)[0], 0.2 / (1e9 * 0.05 * 0.04),
                1e-9 * 0.2 / (1e9 * 0.05 * 0.04))
        << kind;
  }
  const auto rigid = made("rigid", "0.3"), averaged = made("averaged", "0.3");
  const FlexibleBody& body = averaged->mechanism.flexible.bodies[0];
  const Eigen::VectorXd hard = compliance(rigid->mechanism.flexible.bodies[0], 1), soft = compliance(body, 1);
  for (int i = 0; i < 6; ++i) {
    EXPECT_GT(soft[i], hard[i]) << i;
    EXPECT_LT(soft[i], 1.5 * hard[i]) << i;
  }
  EXPECT_LT(body.stiffness[0], rigid->mechanism.flexible.bodies[0].stiffness[0]);
  // It is where its nodes are on average: of a face of 2 × 2 bricks they weigh 1, 2 and 4.
  const fem::FlexibleMesh& mesh = *body.mesh;
  for (int k = 0; k < body.modes; ++k) {
    Vec3 mean = Vec3::Zero();
    double sum = 0;
    for (std::size_t node = 0; node < mesh.structure.mesh.nodes.size(); ++node) {
      const Vec3 x = mesh.structure.mesh.nodes[node] - body.interfaces[1].position;
      if (std::abs(x.x()) > 1e-9) continue;
      const double weight = (std::abs(x.y()) < 1e-9 ? 2 : 1) * (std::abs(x.z()) < 1e-9 ? 2 : 1);
      sum += weight;
      mean += weight * (mesh.shapes.middleRows(mesh.structure.first_unknown[node], 3) * body.given).col(k);
    }
    EXPECT_LT((mean / sum - body.interfaces[1].translation.col(k)).norm(),
              1e-9 * body.interfaces[1].translation.norm())
        << k;
  }
}

// A pull at the tip of a clamped bar shortens its lowest bending by ½ ∫ v′² = ½ · 4.6478/(4 L) v(L)², whatever the elements.
TEST(FlexibleReduction, ElementsOfEveryKindShortenWhereTheyBend) {
  const struct {
    const char *mesh, *start, *end;
    double tolerance;
  } cases[] = {
      {"beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}}, section: {rectangle: [40 mm, 10 mm]}", "start",
       "end", 0.005},
      {"block: {size: [1, 0.04, 0.01], divisions: [24, 1, 1]}}", "xmin", "xmax", 0.02},
      {"block: {size: [1, 0.04, 0.02], divisions: [24, 1, 1], element: tet10}}", "xmin", "xmax", 0.02},
      {"plate: {size: [1, 0.04], divisions: [24, 1], element: shell4}}, section: {thickness: 10 mm}", "xmin",
       "xmax", 0.02},
      {"plate: {size: [1, 0.04], divisions: [24, 2], element: shell3}}, section: {thickness: 10 mm}", "xmin",
       "xmax", 0.02},
  };
  for (const auto& each : cases) {
    const auto model = body_of(
        fmt::format("generate: {{{}, frame: a, modes: 4, interfaces: {{a: {{group: {}}}, b: {{group: {}}}}}",
                    each.mesh, each.start, each.end));
    const FlexibleBody& body = model->mechanism.flexible.bodies[0];
    const FlexibleInterface& tip = body.interfaces[1];
    const double factor = -tip.shift[0](0, 0) / tip.translation.col(0).squaredNorm();
    printf("%-60.60s %.5f\n", each.mesh, factor);
    EXPECT_NEAR(factor, 4.6478 / 4, each.tolerance * 4.6478 / 4) << each.mesh;
  }
}

// A steady pull N at the ends of a beam, F along the interfaces' second-order displacement: −½ qᵀ K_g q is the work that shortening takes,
// ½ ∫ v′² for the shape that the mesh has.
TEST(FlexibleReduction, ShortensWhereItBends) {
  const auto model = body_of(std::string(beam) + ", modes: 4, frame: a");
  const FlexibleBody& body = model->mechanism.flexible.bodies[0];
  const fem::FlexibleMesh& mesh = *body.mesh;
  const FlexibleInterface& tip = body.interfaces[1];
  for (int k = 0; k < body.modes; ++k) {
    // ∫ v′² + w′² by differences of the nodes' slopes: cubic between nodes, so Simpson's rule on the exact slope at the middle.
    double shortening = 0;
    const auto unknown = [&](int node, int d) {
      return mesh.shapes(mesh.structure.first_unknown[node] + d, k);
    };
    const double L = 0.1;
    for (int e = 0; e < 10; ++e)
      for (int axis : {1, 2}) {
        const double sign = axis == 1 ? 1 : -1;
        const double v0 = unknown(e, axis), v1 = unknown(e + 1, axis),
                     s0 = sign * unknown(e, axis == 1 ? 5 : 4), s1 = sign * unknown(e + 1, axis == 1 ? 5 : 4),
                     middle = 1.5 * (v1 - v0) / L - 0.25 * (s0 + s1);
        // Two points of Gauss would do; the quadratic slope squared needs Boole's or three: by its coefficients.
        const double a = s0, c = s1, m = middle;
        shortening += L / 30 * (4 * a * a + 16 * m * m + 4 * c * c + 4 * a * m + 4 * m * c - 2 * a * c);
      }
    // The elements' shear makes the slope of their axis differ from the section's by some parts in 10⁴.
    EXPECT_NEAR(-tip.shift[0](k, k), shortening, 3e-3 * shortening + 1e-6) << k;
  }
}

}  // namespace
}  // namespace tappet::testing::flexible_reduction_test
