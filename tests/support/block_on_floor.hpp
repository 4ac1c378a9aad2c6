// A soft block that lands on the floor.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tappet::testing {

/// `mesh`: keys of the generator; `body`, `contact` and `simulation`: further keys of these.
inline std::string block_on_floor(const std::string& mesh, const std::string& body,
                                  const std::string& contact, const std::string& simulation) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 1 MPa, poisson: 0.4, density: 1000}}}}
bodies: {{block: {{structure: {{generate: {{block: {{{}}}}}, material: m}}, {}}}}}
ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}
contacts: {{rub: {{between: [ground.floor, block.zmin], normal: {{law: newton, restitution: 0}}, {}}}}}
simulation: {{method: moreau, {}}}
output: {{step: 0.05 ms}}
)",
                     mesh, body, contact, simulation);
}

}  // namespace tappet::testing
