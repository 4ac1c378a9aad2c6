// Model files of any size.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tappet::bench {

/// n square windows in a row: n + 1 cranks, n couplers.
inline std::string four_bar_chain(int n) {
  std::string text = "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n";
  for (int i = 0; i <= n; ++i)
    text += fmt::format(
        "  r{}: {{mass: 1, inertia: 0.0833333333333333, position: [{}, 0.5], angle: 1.5707963267948966{}}}\n",
        i, i, i == 0 ? ", angular_velocity: -1" : "");
  for (int i = 0; i < n; ++i)
    text += fmt::format("  c{}: {{mass: 1, inertia: 0.0833333333333333, position: [{}.5, 1]}}\n", i, i);
  text += "joints:\n";
  for (int i = 0; i <= n; ++i)
    text +=
        fmt::format("  a{0}: {{type: revolute, bodies: [ground, r{0}], points: [[{0}, 0], [-0.5, 0]]}}\n", i);
  for (int i = 0; i < n; ++i)
    text += fmt::format(
        "  b{0}: {{type: revolute, bodies: [r{0}, c{0}], points: [[0.5, 0], [-0.5, 0]]}}\n"
        "  d{0}: {{type: revolute, bodies: [c{0}, r{1}], points: [[0.5, 0], [0.5, 0]]}}\n",
        i, i + 1);
  return text;
}

/// n rods that hang from each other, in the plane.
inline std::string planar_chain(int n) {
  std::string text = "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format("  b{}: {{mass: 1, inertia: 0.0833333333333333, position: [{}.5, 0]}}\n", i, i);
  text += "joints:\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format("  j{}: {{type: revolute, bodies: [{}, b{}], points: [[{}, 0], [-0.5, 0]]}}\n", i,
                        i ? fmt::format("b{}", i - 1) : "ground", i, i ? "0.5" : "0");
  return text;
}

/// The same in space, with axes that alternate.
inline std::string spatial_chain(int n) {
  std::string text = "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format(
        "  b{}: {{mass: 1, inertia: [0.01, 0.0833333333333333, 0.0833333333333333], position: [{}.5, 0, "
        "0]}}\n",
        i, i);
  text += "joints:\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format(
        "  j{}: {{type: revolute, bodies: [{}, b{}], points: [[{}, 0, 0], [-0.5, 0, 0]], axis: [0, {}, "
        "{}]}}\n",
        i, i ? fmt::format("b{}", i - 1) : "ground", i, i ? "0.5" : "0", 1, i % 2);
  return text;
}

}  // namespace tappet::bench
