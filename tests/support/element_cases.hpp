// One or two elements of every type, for what each of them must do.
#pragma once

#include <numbers>
#include <utility>
#include <vector>

#include "tappet/fem/element.hpp"

namespace tappet::fem::element_cases {

struct Case {
  const char* name;
  std::vector<Vec3> x;
  double measure;  // length, area or volume; 0: not compared
  int rigid;       // motions without energy
};

/// Corners, then the middles of these edges.
inline std::vector<Vec3> with_middles(std::vector<Vec3> x, const std::vector<std::pair<int, int>>& edges) {
  for (const auto& [a, b] : edges) x.push_back(0.5 * (x[a] + x[b]));
  return x;
}

inline std::vector<Case> cases() {
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

inline constexpr Elastic steel{.young = 2e5, .poisson = 0.3, .density = 8};

inline Section section() {
  Section s;
  s.thickness = 0.1;
  s.area = 0.02, s.inertia_y = 3e-4, s.inertia_z = 1e-4, s.torsion = 2e-4;
  return s;
}

}  // namespace tappet::fem::element_cases
