// Axes that turn with an element: rigid motion leaves no deformation, and differences between two shapes are exact.
#include "tappet/fem/element_frame.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/element_cases.hpp"
#include "support/turned_nodes.hpp"

namespace tappet::fem::element_frame_test {
namespace {

using namespace turned_nodes;
using element_cases::Case, element_cases::cases;

const Mat3 far = rotation_of_vector(Vec3(1.2, -2.1, 1.7));  // 2.96 rad

ElementFrame frame_of(const Case& c, const ElementType& type) {
  return {c.x, dimension(type.shape), type.dofs};
}

/// Calls `use` with every element that can turn.
template <class Use>
void each(Use&& use) {
  for (const Case& c : cases()) {
    const ElementType& type = *ElementRegistry::instance().find(c.name);
    if (!type.ring) use(c, type, frame_of(c, type));
  }
}

bool is_bar(const ElementType& type) {
  return dimension(type.shape) == 1 && type.dofs == 3;
}

Eigen::VectorXd along(const Case& c, Eigen::VectorXd s) {
  const Vec3 e = (c.x[1] - c.x[0]).normalized();
  for (int a = 0; a < 2; ++a) s.segment<3>(3 * a) = (e * e.dot(s.segment<3>(3 * a))).eval();
  return s;
}

TEST(ElementFrame, VectorsAndRotationsAreEachOthersInverse) {
  for (double angle : {0.0, 1e-12, 1e-5, 0.3, 3.0, 3.14159}) {
    const Vec3 v = angle * Vec3(2, -1, 2) / 3;
    EXPECT_LT((vector_of_rotation(rotation_of_vector(v)) - v).norm(), 1e-14 + 1e-9 * (angle > 3.1)) << angle;
  }
  // Half a turn and a bit is the rest of the turn the other way.
  EXPECT_NEAR(vector_of_rotation(rotation_of_vector(Vec3(4, 0, 0))).x(), 4 - 2 * EIGEN_PI, 1e-14);
  const Vec3 theta(0.3, -0.4, 1.2);
  EXPECT_NEAR(vector_of_rotation(cayley(theta)).norm(), 2 * std::atan(theta.norm() / 2), 1e-14);
  EXPECT_LT((cayley(theta) * cayley(theta).transpose() - Mat3::Identity()).norm(), 1e-15);
}

TEST(ElementFrame, GoesWithARigidMotionAndSeesNoDeformation) {
  each([](const Case& c, const ElementType& type, const ElementFrame& frame) {
    for (double angle : {0.1, 1.5, 3.0, 3.1415}) {
      const Mat3 Q = rotation_of_vector(angle * Vec3(0.48, -0.6, 0.64));
      const Nodes at = turned(at_start(c.x), Q, Vec3(3, -20, 5));
      const Mat3 R = frame.rotation(at.places());
      std::vector<double> d(frame.unknowns());
      frame.deformation(at.places(), R, d.data());
      for (double x : d) EXPECT_LT(std::abs(x), 2e-14 * 20) << c.name << " at " << angle;
      if (type.dofs == 6 || dimension(type.shape) > 1) {
        EXPECT_LT((R - Q).norm(), 1e-13) << c.name;
      }
    }
  });
}

TEST(ElementFrame, KeepsTheStretchOfAUniformStrain) {
  const Mat3 U{{1.1, 0.03, 0.02}, {0.03, 0.95, -0.04}, {0.02, -0.04, 1.02}};
  each([&](const Case& c, const ElementType& type, const ElementFrame& frame) {
    if (dimension(type.shape) != 3) return;
    Nodes at = at_start(c.x);
    for (Vec3& x : at.x) x = far * (U * x);
    EXPECT_LT((frame.rotation(at.places()) - far).norm(), 1e-13) << c.name;
  });
}

// sᵀ (d₁ − d₀) = Σ f·Δx + Σ m·θ to rounding, however far both are from each other: θ is Cayley's vector.
TEST(ElementFrame, TheForceBetweenTwoShapesDoesTheWorkExactly) {
  each([](const Case& c, const ElementType& type, const ElementFrame& frame) {
    const int n = frame.nodes(), dofs = type.dofs, size = frame.unknowns();
    const Mat3 step = cayley(Vec3(0.5, 0.7, -0.4));
    const Nodes at0 = shaken(turned(at_start(c.x), far), 0.05, 1);
    // Another deformation, turned further.
    const Nodes at1 = turned(shaken(at0, 0.05, 2), step, Vec3(0.1, 0.2, 0.3));
    const Mat3 R0 = frame.rotation(at0.places()), R1 = frame.rotation(at1.places());
    Eigen::VectorXd d0(size), d1(size), f(size), s = Eigen::VectorXd::Random(size);
    frame.deformation(at0.places(), R0, d0.data());
    frame.deformation(at1.places(), R1, d1.data());
    // An element's own forces have no resultant, and those of a bar are along it.
    if (is_bar(type)) s = along(c, s);
    Vec3 mean = Vec3::Zero();
    for (int a = 0; a < n; ++a) mean += s.segment<3>(dofs * a) / n;
    for (int a = 0; a < n; ++a) s.segment<3>(dofs * a) -= mean;
    frame.pull_back(at0.places(), R0, at1.places(), R1, s.data(), f.data());
    double work = 0;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (int a = 0; a < n; ++a) {
      const Vec3 fa = f.segment<3>(dofs * a);
      work += fa.dot(at1.x[a] - at0.x[a]);
      force += fa, moment += (0.5 * (at0.x[a] + at1.x[a])).cross(fa);
      if (dofs == 3) continue;
      const Vec3 turn = vector_of_rotation(at1.R[a] * at0.R[a].transpose()),
                 theta = 2 * std::tan(turn.norm() / 2) * turn.normalized();
      work += f.segment<3>(dofs * a + 3).dot(theta);
      moment += f.segment<3>(dofs * a + 3);
    }
    EXPECT_NEAR(work, s.dot(d1 - d0), 1e-12 * size) << c.name;
    EXPECT_LT(force.norm(), 1e-13 * size) << c.name;
    EXPECT_LT(moment.norm(), 1e-12 * size) << c.name;
  });
}

TEST(ElementFrame, GradientAndTangentAreDifferenceQuotients) {
  each([](const Case& c, const ElementType& type, const ElementFrame& frame) {
    const int dofs = type.dofs, size = frame.unknowns();
    const Nodes at = shaken(turned(at_start(c.x), far), 0.1, 3);
    const Mat3 R = frame.rotation(at.places());
    // Forces that change with the deformation, of no particular element.
    Eigen::MatrixXd K = Eigen::MatrixXd::Random(size, size);
    for (int j = 0; is_bar(type) && j < size; ++j) K.col(j) = along(c, K.col(j));
    const auto evaluate = [&](const Nodes& n, Eigen::VectorXd& d, Eigen::VectorXd& f) {
      const Mat3 own = frame.rotation(n.places());
      d.resize(size), f.resize(size);
      frame.deformation(n.places(), own, d.data());
      const Eigen::VectorXd s = K * d;
      frame.pull_back(n.places(), own, n.places(), own, s.data(), f.data());
    };
    Eigen::VectorXd d, f, d1, f1, d2, f2;
    evaluate(at, d, f);
    Eigen::MatrixXd B, T;
    frame.gradient(at.places(), R, B);
    const Eigen::VectorXd s = K * d;
    frame.tangent(at.places(), R, s.data(), K * B, T);
    const double h = 1e-5;
    for (int j = 0; j < size; ++j) {
      evaluate(further(at, dofs, j, h), d2, f2);
      evaluate(further(at, dofs, j, -h), d1, f1);
      EXPECT_LT((B.col(j) - (d2 - d1) / (2 * h)).cwiseAbs().maxCoeff(), 2e-9) << c.name << ", unknown " << j;
      EXPECT_LT((T.col(j) - (f2 - f1) / (2 * h)).cwiseAbs().maxCoeff(), 2e-9 * size)
          << c.name << ", unknown " << j;
    }
  });
}

}  // namespace
}  // namespace tappet::fem::element_frame_test
