// What every element must do: no force from rigid motion, symmetric matrices, its mass in every direction.
#include "tappet/fem/element.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/element_cases.hpp"

namespace tappet::fem::element_test {
namespace {

using element_cases::Case, element_cases::cases, element_cases::section, element_cases::steel;

TEST(Element, RigidMotionHasNoEnergyAndNothingElseIsFree) {
  const Section s = section();
  for (const Case& c : cases()) {
    const ElementType* type = ElementRegistry::instance().find(c.name);
    ASSERT_TRUE(type) << c.name;
    ElementMatrices m;
    type->matrices({c.x, steel, s}, m);
    const double scale = m.K.cwiseAbs().maxCoeff();
    EXPECT_LT((m.K - m.K.transpose()).cwiseAbs().maxCoeff(), 1e-12 * scale) << c.name;
    for (int r = 0; r < 6; ++r) {
      if (type->ring && r != 1) continue;
      Eigen::VectorXd u(m.K.rows());
      const Vec3 v = r < 3 ? Vec3(Vec3::Unit(r)) : Vec3(Vec3::Zero()),
                 w = r < 3 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(r - 3));
      for (std::size_t n = 0; n < c.x.size(); ++n) {
        const Vec3 turned(w.y() * c.x[n].z() - w.z() * c.x[n].y(), w.z() * c.x[n].x() - w.x() * c.x[n].z(),
                          w.x() * c.x[n].y() - w.y() * c.x[n].x());
        u.segment<3>(type->dofs * n) = v + turned;
        if (type->dofs == 6) u.segment<3>(6 * n + 3) = w;
      }
      EXPECT_LT((m.K * u).cwiseAbs().maxCoeff(), 1e-11 * scale) << c.name << ", rigid motion " << r;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m.K);
    int free = 0;
    for (double e : solver.eigenvalues()) {
      EXPECT_GT(e, -1e-10 * scale) << c.name;
      free += e < 1e-9 * scale;
    }
    EXPECT_EQ(free, c.rigid) << c.name;
  }
}

TEST(Element, MassIsWhatTheSectionWeighs) {
  const Section s = section();
  for (const Case& c : cases()) {
    const ElementType* type = ElementRegistry::instance().find(c.name);
    ElementMatrices m;
    type->matrices({c.x, steel, s}, m);
    const Eigen::VectorXd diagonal = lumped(m.M, static_cast<int>(c.x.size()), type->dofs);
    EXPECT_GT(diagonal.minCoeff(), 0) << c.name;
    double expected = 0;
    for (int d = 0; d < 3; ++d) {
      double consistent = 0, lumped_sum = 0;
      for (std::size_t i = 0; i < c.x.size(); ++i) {
        lumped_sum += diagonal[type->dofs * i + d];
        for (std::size_t j = 0; j < c.x.size(); ++j)
          consistent += m.M(type->dofs * i + d, type->dofs * j + d);
      }
      if (d == 0) expected = consistent;
      EXPECT_NEAR(consistent, expected, 1e-12 * expected) << c.name;
      EXPECT_NEAR(lumped_sum, expected, 1e-12 * expected) << c.name;
    }
    if (c.measure > 0) {
      const double per = type->ring                          ? 1
                         : type->plane                       ? s.thickness
                         : type->dofs == 6 && c.x.size() > 2 ? s.thickness
                         : c.x.size() == 2                   ? s.area
                                                             : 1;
      EXPECT_NEAR(expected, steel.density * per * c.measure, 1e-12 * expected) << c.name;
    }
  }
}

TEST(Element, EveryElementHasACase) {
  for (const ElementType& type : ElementRegistry::instance().entries()) {
    if (!type.quality) continue;  // springs and masses have no shape of their own
    const auto all = cases();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Case& c) { return type.name == c.name; }))
        << type.name;
  }
}

}  // namespace
}  // namespace tappet::fem::element_test
