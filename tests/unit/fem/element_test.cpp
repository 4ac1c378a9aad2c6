// What every element must do: no force from rigid motion, symmetric matrices, its mass in every direction.
#include "tappet/fem/element.hpp"

#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace tappet::fem::element_test {
namespace {

struct Case {
  const char* name;
  std::vector<Vec3> x;
  double measure;  // length, area or volume; 0: not compared
  int rigid;       // motions without energy
};

/// Corners, then the middles of these edges.
std::vector<Vec3> with_middles(std::vector<Vec3> x, const std::vector<std::pair<int, int>>& edges) {
  for (const auto& [a, b] : edges) x.push_back(0.5 * (x[a] + x[b]));
  return x;
}

std::vector<Case> cases() {
  return {
      {"hex8",
       {{0, 0, 0},
        {1.1, 0.1, 0},
        {1.2, 1, 0.1},
        {-0.1, 1.1, 0},
        {0, 0, 0.9},
        {1, 0.2, 1},
        {1.1, 1, 1.2},
        {0, 1, 1}},
       0,
       6},
      {"tet4", {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0}, {0.1, 0.3, 1}}, 0, 6},
      {"tet10",
       {{0, 0, 0},
        {2, 0, 0},
        {0, 2, 0},
        {0, 0, 2},
        {1, 0, 0},
        {1, 1, 0},
        {0, 1, 0},
        {0, 0, 1},
        {1, 0, 1},
        {0, 1, 1}},
       8.0 / 6,
       6},
      {"hex20",
       with_middles(
           {{0, 0, 0},
            {1.1, 0.1, 0},
            {1.2, 1, 0.1},
            {-0.1, 1.1, 0},
            {0, 0, 0.9},
            {1, 0.2, 1},
            {1.1, 1, 1.2},
            {0, 1, 1}},
           {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}),
       0, 6},
      {"hex20",
       with_middles(
           {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0, 0, 3}, {2, 0, 3}, {2, 1, 3}, {0, 1, 3}},
           {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}),
       6, 6},
      {"wedge6", {{0, 0, 0}, {1.1, 0.1, 0}, {0.2, 1, 0.1}, {0, 0, 0.9}, {1, 0.2, 1}, {0.1, 1, 1.2}}, 0, 6},
      {"wedge6", {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {2, 0, 3}, {0, 1, 3}}, 3, 6},
      {"wedge15",
       with_middles({{0, 0, 0}, {1.1, 0.1, 0}, {0.2, 1, 0.1}, {0, 0, 0.9}, {1, 0.2, 1}, {0.1, 1, 1.2}},
                    {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}),
       0, 6},
      {"wedge15",
       with_middles({{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {2, 0, 3}, {0, 1, 3}},
                    {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}),
       3, 6},
      {"shell8",
       with_middles({{0, 0, 0}, {1.2, 0.1, 0.1}, {1.1, 0.9, 0}, {0.1, 1, 0.15}},
                    {{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
       0, 6},
      {"shell8", with_middles({{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
       2, 6},
      {"shell6", with_middles({{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1}, {1, 2}, {2, 0}}), 1, 6},
      {"beam3", {{0, 0, 0}, {1, 2, 2}, {0.5, 1, 1}}, 0, 6},
      {"shell4", {{0, 0, 0}, {1.2, 0.1, 0.1}, {1.1, 0.9, 0}, {0.1, 1, 0.15}}, 0, 6},  // warped
      {"shell4", {{0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {0, 1, 1}}, 2, 6},
      {"shell3", {{0, 0, 0}, {1.2, 0.1, 0.3}, {0.3, 1, 0.2}}, 0, 6},
      {"beam", {{0, 0, 0}, {1, 2, 2}}, 3, 6},
      {"truss", {{0, 0, 0}, {1, 2, 2}}, 3, 5},
      // In a plane, whose nodes have a third unknown that is held elsewhere.
      {"plane-stress3", {{0, 0, 1}, {2, 0, 1}, {0, 1, 1}}, 1, 3 + 3},
      {"plane-stress4", {{0, 0, 0}, {1.1, 0.1, 0}, {1.2, 1, 0}, {-0.1, 1.1, 0}}, 0, 3 + 4},
      {"plane-strain4", {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}, 2, 3 + 4},
      {"plane-stress6", with_middles({{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1}, {1, 2}, {2, 0}}), 1, 3 + 6},
      {"plane-strain6", with_middles({{0, 0, 0}, {2, 0.3, 0}, {0.1, 1, 0}}, {{0, 1}, {1, 2}, {2, 0}}), 0,
       3 + 6},
      {"plane-stress8",
       with_middles({{0, 0, 0}, {1.1, 0.1, 0}, {1.2, 1, 0}, {-0.1, 1.1, 0}},
                    {{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
       0, 3 + 8},
      {"plane-strain8",
       with_middles({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), 2,
       3 + 8},
      // Turned about y: only what moves along the axis is free. The rectangle from 1 to 3 makes a ring of 8π.
      {"ring3", {{1, 0, 0}, {2, 0.2, 0}, {1.2, 1, 0}}, 0, 1 + 3},
      {"ring4", {{1, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}}, 8 * std::numbers::pi, 1 + 4},
      {"ring6", with_middles({{0, 0, 0}, {2, 0.3, 0}, {0.1, 1, 0}}, {{0, 1}, {1, 2}, {2, 0}}), 0, 1 + 6},
      {"ring8", with_middles({{1, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}),
       8 * std::numbers::pi, 1 + 8},
      {"plane-strain3", {{0, 0, 1}, {2, 0, 1}, {0, 1, 1}}, 1, 3 + 3},
  };
}

constexpr Elastic steel{.young = 2e5, .poisson = 0.3, .density = 8};

Section section() {
  Section s;
  s.thickness = 0.1;
  s.area = 0.02, s.inertia_y = 3e-4, s.inertia_z = 1e-4, s.torsion = 2e-4;
  return s;
}

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
