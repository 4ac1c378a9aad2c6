// Structures of elements that turn: nothing else than the linear ones where they turn little, nothing at all where they only turn.
#include "tappet/fem/corotational.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/element_cases.hpp"
#include "support/structures.hpp"
#include "support/turned_nodes.hpp"
#include "tappet/fem/fields.hpp"
#include "tappet/fem/turned_mass.hpp"

namespace tappet::fem::corotational_test {
namespace {

using namespace element_cases;
using turned_nodes::further, turned_nodes::Nodes;

/// A structure of one element that no support holds.
Structure alone(const Case& c) {
  Structure s;
  s.name = c.name;
  s.turns = true;
  s.mesh.nodes = c.x;
  s.materials = {steel}, s.sections = {section()};
  std::vector<int> nodes;
  for (int n = 0; n < static_cast<int>(c.x.size()); ++n) nodes.push_back(n);
  s.add_element(*ElementRegistry::instance().find(c.name), nodes, 0, 0);
  number_unknowns(s);
  return s;
}

template <class Use>
void each(Use&& use) {
  for (const Case& c : cases())
    if (const ElementType& type = *ElementRegistry::instance().find(c.name); !type.ring) use(c, type);
}

TurnedShape shape_of(const Corotational& elements, const Nodes& n) {
  TurnedShape out;
  out.x = n.x, out.R = n.R;
  elements.deform(out);
  return out;
}

double largest(const std::vector<double>& v) {
  double out = 0;
  for (double x : v) out = std::max(out, std::abs(x));
  return out;
}

TEST(Corotational, ARotationByAnyAngleGivesNoForce) {
  each([](const Case& c, const ElementType& type) {
    const Structure s = alone(c);
    const Corotational elements(s);
    ElementMatrices m;
    type.matrices({c.x, steel, s.sections[0]}, m);
    for (double angle : {0.2, 1.0, 2.0, 3.0, 3.14159}) {
      const Mat3 Q = rotation_of_vector(angle * Vec3(0.36, 0.48, -0.8));
      const TurnedShape at =
          shape_of(elements, turned_nodes::turned(turned_nodes::at_start(c.x), Q, Vec3(1, 2, -3)));
      EXPECT_LT(largest(elements.forces(at)), 1e-12 * m.K.cwiseAbs().maxCoeff() * m.K.rows())
          << c.name << " at " << angle;
      EXPECT_LT(elements.energy(at), 1e-24 * m.K.cwiseAbs().maxCoeff() * m.K.rows()) << c.name;
    }
  });
}

// f(ε u) = ε K u + O(ε²): the quotient of both errors is that of ε.
TEST(Corotational, SmallDisplacementsAreThoseOfTheLinearElement) {
  each([](const Case& c, const ElementType& type) {
    const Structure s = alone(c);
    const Corotational elements(s);
    ElementMatrices m;
    type.matrices({c.x, steel, s.sections[0]}, m);
    Eigen::VectorXd u = Eigen::VectorXd::Random(m.K.rows());
    if (type.plane)
      for (int n = 0; n < static_cast<int>(c.x.size()); ++n) u[3 * n + 2] = 0;
    const Eigen::VectorXd linear = m.K * u;
    const auto error = [&](double e) {
      const Eigen::VectorXd scaled = e * u;
      const std::vector<double> all(scaled.data(), scaled.data() + scaled.size()),
          f = elements.forces(elements.shape(all));
      return (Eigen::Map<const Eigen::VectorXd>(f.data(), u.size()) / e - linear).norm() / linear.norm();
    };
    EXPECT_LT(error(1e-6), 1e-4) << c.name;
    EXPECT_LT(error(1e-6), 0.2 * error(1e-5) + 1e-9) << c.name;
  });
}

TEST(Corotational, TangentIsTheDifferenceQuotientOfTheForce) {
  each([](const Case& c, const ElementType& type) {
    const Structure s = alone(c);
    const Corotational elements(s);
    const int dofs = type.dofs;
    const Nodes at = turned_nodes::shaken(
        turned_nodes::turned(turned_nodes::at_start(c.x), rotation_of_vector(Vec3(-1, 2, 0.5))), 0.05, 7);
    Eigen::MatrixXd T;
    elements.each_tangent(shape_of(elements, at), 1, 0, true,
                          [&](const std::vector<int>&, const Eigen::MatrixXd& own) { T = own; });
    const double h = 1e-5, scale = T.cwiseAbs().maxCoeff();
    for (int j = 0; j < T.cols(); ++j) {
      const std::vector<double> more = elements.forces(shape_of(elements, further(at, dofs, j, h))),
                                less = elements.forces(shape_of(elements, further(at, dofs, j, -h)));
      for (int i = 0; i < T.rows(); ++i)
        EXPECT_NEAR(T(i, j), (more[i] - less[i]) / (2 * h), 3e-8 * scale) << c.name << ": " << i << ", " << j;
    }
  });
}

TEST(Corotational, ForcesAreThoseOfTheEnergyAndHaveNoMoment) {
  each([](const Case& c, const ElementType& type) {
    const Structure s = alone(c);
    const Corotational elements(s);
    const int dofs = type.dofs;
    const Nodes at = turned_nodes::shaken(
        turned_nodes::turned(turned_nodes::at_start(c.x), rotation_of_vector(Vec3(2, 1, 0.5))), 0.1, 11);
    const std::vector<double> f = elements.forces(shape_of(elements, at));
    const double scale = largest(f), h = 1e-5;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t a = 0; a < c.x.size(); ++a) {
      const Vec3 own = Eigen::Map<const Vec3>(f.data() + dofs * a);
      force += own, moment += at.x[a].cross(own);
      if (dofs == 6) moment += Eigen::Map<const Vec3>(f.data() + 6 * a + 3);
    }
    EXPECT_LT(force.norm(), 1e-12 * scale) << c.name;
    EXPECT_LT(moment.norm(), 1e-11 * scale) << c.name;
    for (int j = 0; j < static_cast<int>(f.size()); ++j)
      EXPECT_NEAR(f[j],
                  (elements.energy(shape_of(elements, further(at, dofs, j, h))) -
                   elements.energy(shape_of(elements, further(at, dofs, j, -h)))) /
                      (2 * h),
                  1e-7 * scale)
          << c.name << ", unknown " << j;
  });
}

// A block of distorted bricks under uniform strain, turned by 3 rad: no forces inside, and the stress turns with it.
TEST(Corotational, APatchUnderUniformStrainMayTurn) {
  for (const char* name : {"hex8", "tet4", "tet10", "hex20", "wedge6", "wedge15"}) {
    const auto all = cases();
    const Case& c =
        *std::find_if(all.begin(), all.end(), [&](const Case& one) { return one.name == std::string(name); });
    const Structure s = alone(c);
    const Mat3 e{{1e-3, 2e-4, -1e-4}, {2e-4, -5e-4, 3e-4}, {-1e-4, 3e-4, 8e-4}},
        Q = rotation_of_vector(Vec3(1.8, -2.4, 0));
    const double lambda = steel.young * steel.poisson / ((1 + steel.poisson) * (1 - 2 * steel.poisson)),
                 G = steel.young / (2 * (1 + steel.poisson));
    const Mat3 sigma = Q * (lambda * e.trace() * Mat3::Identity() + 2 * G * e) * Q.transpose();
    std::vector<double> u;
    for (const Vec3& x : c.x) {
      const Vec3 way = Q * (x + e * x) - x;
      u.insert(u.end(), way.data(), way.data() + 3);
    }
    const std::vector<double> told = element_stress(s, u);
    const double scale = sigma.norm();
    EXPECT_NEAR(told[1], sigma(0, 0), 1e-10 * scale) << name;
    EXPECT_NEAR(told[2], sigma(1, 1), 1e-10 * scale) << name;
    EXPECT_NEAR(told[3], sigma(2, 2), 1e-10 * scale) << name;
    EXPECT_NEAR(told[4], sigma(0, 1), 1e-10 * scale) << name;
    EXPECT_NEAR(told[5], sigma(1, 2), 1e-10 * scale) << name;
    EXPECT_NEAR(told[6], sigma(2, 0), 1e-10 * scale) << name;
  }
}

// As a rigid body an element has the inertia of its points of mass: of a beam ρ A L (L²/12), and ρ L (I_y + I_z, I_y, I_z) besides.
TEST(Corotational, MassIsThatOfTheBodyHoweverItTurns) {
  Case beam{"beam", {{0, 0, 0}, {3, 0, 0}}, 3, 6};
  const Structure s = alone(beam);
  const StructureMatrices m = assemble(s);
  const Section& of = s.sections[0];
  const double rho = steel.density, L = 3, mass = rho * of.area * L;
  EXPECT_NEAR(total_mass(s), mass, 1e-14 * mass);
  const Vec3 inertia(rho * L * (of.inertia_y + of.inertia_z), mass * L * L / 12 + rho * L * of.inertia_y,
                     mass * L * L / 12 + rho * L * of.inertia_z);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> u(12, 0.0), Mu(12, 0.0);
    for (int n = 0; n < 2; ++n) {
      Eigen::Map<Vec3>(u.data() + 6 * n) = Vec3(Vec3::Unit(axis)).cross(s.mesh.nodes[n] - Vec3(1.5, 0, 0));
      u[6 * n + 3 + axis] = 1;
    }
    multiply_add(m.M, 1, u.data(), Mu.data());
    EXPECT_NEAR(Eigen::Map<Eigen::VectorXd>(u.data(), 12).dot(Eigen::Map<Eigen::VectorXd>(Mu.data(), 12)),
                inertia[axis], 1e-13 * inertia[axis]);
  }
  each([](const Case& c, const ElementType& type) {
    const Structure one = alone(c);
    ElementMatrices own;
    type.matrices({c.x, steel, one.sections[0]}, own);
    Eigen::MatrixXd M = own.M;
    turn_mass(type, {c.x, steel, one.sections[0]}, one.lumped_mass, M);
    // The same in every direction.
    for (std::size_t a = 0; a < c.x.size(); ++a)
      for (std::size_t b = 0; b < c.x.size(); ++b) {
        const Mat3 block = M.block<3, 3>(type.dofs * a, type.dofs * b);
        EXPECT_EQ((block - block(0, 0) * Mat3::Identity()).norm(), 0) << c.name;
      }
    double before = 0, after = 0;
    for (std::size_t a = 0; a < c.x.size(); ++a)
      for (std::size_t b = 0; b < c.x.size(); ++b)
        before += own.M(type.dofs * a, type.dofs * b), after += M(type.dofs * a, type.dofs * b);
    EXPECT_NEAR(after, before, 1e-13 * before) << c.name;
  });
}

}  // namespace
}  // namespace tappet::fem::corotational_test
