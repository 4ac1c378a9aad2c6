// The bar that hits a wall, with a closed form.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tappet::testing {

/// E 900, ρ 1, L 10, A 1: waves run at 30 m/s. With 10 m/s the bar touches at 0.5 s, presses with ρ c v A =
/// 300 N for 2L/c, and leaves at 1.1666667 s with 10 m/s. `structure` and `simulation` are further keys, each
/// after a comma; n elements.
inline std::string bar_on_wall(const std::string& structure = "", const std::string& simulation = "",
                               int n = 100, double h = 1e-3, const std::string& output = "step: 1 ms") {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 900, poisson: 0, density: 1}}}}
bodies:
  bar:
    velocity: [-10, 0, 0]
    structure: {{generate: {{block: {{size: [10, 1, 1], divisions: [{}, 1, 1]}}}}, material: m, fix: {{all: [y, z]}}{}}}
ground: {{shapes: {{wall: {{plane: {{point: [-5, 0, 0], normal: [1, 0, 0]}}}}}}}}
contacts: {{hit: {{between: [ground.wall, bar.xmin], normal: {{law: newton, restitution: 0}}}}}}
simulation: {{method: moreau, duration: 1.5, step: {}{}}}
output: {{{}}}
)",
                     n, structure, h, simulation, output);
}

}  // namespace tappet::testing
