// Model files of the works of bench/peers that the counted works share with them.
#pragma once

#include <string>

#include <fmt/format.h>

#include "../peers/common/bench.hpp"

namespace tappet::peers {

/// W1: a ball bounces for five seconds, with a sample every `samples` seconds; h = 0 where the method takes no step.
inline std::string bouncing_ball(const std::string& method, double h, double samples) {
  namespace W = ::bench::w1;
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -{}]\nbodies: {{ball: {{mass: {}, inertia: [0.004, "
      "0.004, 0.004], "
      "position: [0, 0, {}], shapes: {{s: {{sphere: {{radius: {}}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{bounce: {{between: [ground.floor, ball.s], normal: {{restitution: {}}}}}}}\n"
      "simulation: {{method: {}, duration: {}{}}}\noutput: {{step: {}, signals: [ball.z]}}\n",
      W::g, W::m, W::z0, W::R, W::e, method, W::T, h > 0 ? fmt::format(", step: {}", h) : "", samples);
}

/// W4: n spheres above an open box; what they do in it.
inline std::string spheres_in_a_box(int n, const std::string& contact, const std::string& simulation,
                                    double seconds) {
  namespace W = ::bench::w4;
  const double h = W::side(n) / 2;
  std::string text = fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -{0}]\nground:\n  shapes:\n"
      "    floor: {{plane: {{normal: [0, 0, 1], point: [0, 0, 0]}}}}\n    left: {{plane: {{normal: [1, 0, "
      "0], point: [-{1}, 0, 0]}}}}\n"
      "    right: {{plane: {{normal: [-1, 0, 0], point: [{1}, 0, 0]}}}}\n"
      "    front: {{plane: {{normal: [0, 1, 0], point: [0, -{1}, 0]}}}}\n"
      "    back: {{plane: {{normal: [0, -1, 0], point: [0, {1}, 0]}}}}\nbodies:\n",
      W::g, h);
  int i = 0;
  for (const W::P& p : W::layout(n))
    text += fmt::format(
        "  b{}: {{density: {}, position: [{}, {}, {}], shapes: {{s: {{sphere: {{radius: {}}}}}}}}}\n", i++,
        W::rho, p.x, p.y, p.z, W::R);
  return text + fmt::format(
                    "contacts:\n  balls: {{between: [\"b*.s\", \"b*.s\"], {0}, group: true}}\n"
                    "  walls: {{between: [\"ground.*\", \"b*.s\"], {0}, group: true}}\n"
                    "simulation: {{{1}, duration: {2}}}\noutput: {{step: {2}, signals: [\"b*.x\", \"b*.y\", "
                    "\"b*.z\", \"b*.vx\", \"b*.vy\", \"b*.vz\"]}}\n",
                    contact, simulation, seconds);
}

/// They are rigid and become a pile, step by step.
inline std::string pile(int n, const std::string& tolerance, double seconds) {
  namespace W = ::bench::w4;
  return spheres_in_a_box(
      n, fmt::format("normal: {{restitution: 0}}, friction: {{coefficient: {}}}", W::mu),
      fmt::format("method: moreau, solver: nsgs, step: {}, tolerance: {}", W::dt, tolerance), seconds);
}

/// They are as soft as rubber and bounce; contacts begin and end within steps.
inline std::string soft_pile(int n, double seconds) {
  return spheres_in_a_box(n,
                          "normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5}, "
                          "friction: {law: threlfall, coefficient: 0.3, v0: 10 mm/s}",
                          "method: smooth, tolerance: 1e-6", seconds);
}

/// W7: a wall of boxes stands.
inline std::string wall(const std::string& tolerance, double seconds) {
  namespace W = ::bench::w7;
  std::string text = fmt::format("tappet: 1\ndimension: spatial\ngravity: [0, 0, -{}]\nbodies:\n", W::g);
  int i = 0;
  for (const W::P& p : W::layout())
    text += fmt::format(
        "  b{}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, {}], shapes: {{s: {{box: {{size: [{}, "
        "{}, {}]}}}}}}}}\n",
        i++, W::m, W::Ix, W::Iy, W::Iz, p.x, p.y, p.z, W::sx, W::sy, W::sz);
  return text +
         fmt::format(
             "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\ncontacts:\n  floor: "
             "{{between: "
             "[ground.floor, \"b*.s\"], "
             "normal: {{restitution: 0}}, friction: {{coefficient: {0}}}, group: true}}\n  boxes: {{between: "
             "[\"b*.s\", \"b*.s\"], normal: "
             "{{restitution: 0}}, friction: {{coefficient: {0}}}, group: true}}\nsimulation: {{method: "
             "moreau, "
             "solver: nsgs, duration: {1}, "
             "step: {2}, tolerance: {3}}}\noutput: {{step: {1}, signals: [\"b*.x\", \"b*.y\", \"b*.z\"]}}\n",
             W::mu, seconds, W::dt, tolerance);
}

}  // namespace tappet::peers
