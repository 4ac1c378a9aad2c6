// A bar in which waves run at 30 m/s, and the same bar thrown at a wall, with closed forms.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tappet::testing {

/// A bar along x of `length` and one square metre, E 900 Pa, ρ 1 kg/m³, of n elements. `structure` holds further keys,
/// each after a comma; `rest` the other parts of the file.
inline std::string elastic_bar(double length, int n, const std::string& velocity,
                               const std::string& structure, const std::string& rest) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 900, poisson: 0, density: 1}}}}
bodies:
  bar:
    velocity: {}
    structure: {{generate: {{block: {{size: [{}, 1, 1], divisions: [{}, 1, 1]}}}}, material: m, fix: {{all: [y, z]}}{}}}
{})",
                     velocity, length, n, structure, rest);
}

/// 10 m long: with 10 m/s it touches at 0.5 s, presses with ρ c v A = 300 N for 2L/c, and leaves at 1.1666667 s with
/// 10 m/s. `structure` and `simulation` are further keys, each after a comma.
inline std::string bar_on_wall(const std::string& structure = "", const std::string& simulation = "",
                               int n = 100, double h = 1e-3, const std::string& output = "step: 1 ms") {
  return elastic_bar(10, n, "[-10, 0, 0]", structure,
                     fmt::format(R"(
ground: {{shapes: {{wall: {{plane: {{point: [-5, 0, 0], normal: [1, 0, 0]}}}}}}}}
contacts: {{hit: {{between: [ground.wall, bar.xmin], normal: {{law: newton, restitution: 0}}}}}}
simulation: {{method: moreau, duration: 1.5, step: {}{}}}
output: {{{}}}
)",
                                 h, simulation, output));
}

}  // namespace tappet::testing
