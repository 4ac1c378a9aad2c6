// The slider-crank with an elastic rod of the test set for initial value problems [Simeon1996; MazziaMagherini2008]: its rod as a
// flexible body given by its integrals.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tappet::testing {

struct FlexibleCrank {
  double young = 1;          ///< times Young's modulus of the original
  bool rigid_start = false;  ///< all elastic coordinates and their rates 0, instead of the published start
  std::string rod = "";      ///< further keys of `flexible`
  std::string simulation = "duration: 0.1, tolerance: 1e-10";
  std::string output = "output: {step: 0.01}";
  std::string wrist = "";  ///< further keys of the joint of slider and rod, each with a comma before it

  std::string text() const {
    constexpr double pi = 3.1415927;  // as in the original
    constexpr double M1 = 0.36, M2 = 0.151104, M3 = 0.075552, L1 = 0.15, L2 = 0.30, J1 = 0.002727,
                     J2 = 0.0045339259, E = 0.2e12, b = 0.008, h = 0.008, density = 7870;
    const double fm = density * b * h * L2, fk = young * E * b * h / L2, ratio = (h / L2) * (h / L2),
                 pi2 = pi * pi;
    const double q3 = rigid_start ? 0 : 1.03339863e-5, q4 = rigid_start ? 0 : 1.69327969e-5;
    const std::string start =
        rigid_start ? ""
                    : fmt::format(
                          ", coordinates: [0, 0, {:.17g}, {:.17g}], rates: [0.4448961125815990, "
                          "4.634339319238670e-3, -1.785910760000550e-6, -2.689386719979040e-6]",
                          q3, q4);
    const std::string arrays = fmt::format(
        "{{mass: {M2}, first_moment: [{s:.17g}, 0], inertia: {J2}, "
        "p: [[0, 0, {p3:.17g}, {p4:.17g}], [{p1:.17g}, 0, 0, 0]], "
        "X: {{xx: [0, 0, {x3:.17g}, {x4:.17g}], xy: [{x1:.17g}, {x2:.17g}, 0, 0]}}, "
        "S: {{xx: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, {a8:.17g}, {a1:.17g}], [0, 0, {a1:.17g}, {a2:.17g}]], "
        "yy: [[{half:.17g}, 0, 0, 0], [0, {half:.17g}, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], "
        "xy: [[0, 0, 0, 0], [0, 0, 0, 0], [{s31:.17g}, 0, 0, 0], [{s41:.17g}, {s42:.17g}, 0, 0]]}}, "
        "stiffness: [[{k1:.17g}, 0, 0, 0], [0, {k2:.17g}, 0, 0], [0, 0, {k33:.17g}, {k34:.17g}], "
        "[0, 0, {k34:.17g}, {k44:.17g}]]}}",
        fmt::arg("M2", M2), fmt::arg("s", M2 * L2 / 2), fmt::arg("J2", J2), fmt::arg("p3", fm * 2 / 3),
        fmt::arg("p4", fm / 6), fmt::arg("p1", fm * 2 / pi), fmt::arg("x3", fm * L2 / 3),
        fmt::arg("x4", fm * L2 / 6), fmt::arg("x1", fm * L2 / pi), fmt::arg("x2", -fm * L2 / (2 * pi)),
        fmt::arg("a8", 8 * fm), fmt::arg("a1", fm), fmt::arg("a2", 2 * fm), fmt::arg("half", fm / 2),
        fmt::arg("s31", 16 * fm / (pi2 * pi)), fmt::arg("s41", fm * (1 / pi - 8 / (pi2 * pi))),
        fmt::arg("s42", -fm / (2 * pi)), fmt::arg("k1", fk * pi2 * pi2 / 24 * ratio),
        fmt::arg("k2", fk * pi2 * pi2 * 2 / 3 * ratio), fmt::arg("k33", fk * 16 / 3),
        fmt::arg("k34", -fk * 8 / 3), fmt::arg("k44", fk * 7 / 3));
    return fmt::format(R"(
tappet: 1
dimension: planar
bodies:
  crank: {{mass: {M1}, inertia: {Jc:.17g}, position: [{half_L1}, 0]}}
  rod:
    position: [{L1}, 0]
    velocity: [0, 22.5]
    angular_velocity: {w2}
    flexible: {{arrays: {arrays}, interfaces: {{
      a: {{position: [0, 0], translation: [[0, 0, 0, 0], [0, 0, 0, 0]]}},
      b: {{position: [{L2}, 0], translation: [[0, 0, 0, 1], [0, 0, 0, 0]]}}}}{start}{rod}}}
  slider: {{mass: {M3}, inertia: 1e-4, position: [{x3:.17g}, 0]}}
joints:
  main: {{type: revolute, bodies: [ground, crank], points: [[0, 0], [-{half_L1}, 0]]}}
  pin: {{type: revolute, bodies: [crank, rod.a], points: [[{half_L1}, 0], [0, 0]]}}
  guide: {{type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  wrist: {{type: revolute, bodies: [slider, rod.b], points: [[0, 0], [0, 0]]{wrist}}}
motions:
  motor: {{joint: main, speed: 150}}
simulation: {{{simulation}}}
{output}
)",
                       fmt::arg("M1", M1), fmt::arg("Jc", J1 - M1 * L1 * L1 / 4), fmt::arg("half_L1", L1 / 2),
                       fmt::arg("L1", L1), fmt::arg("w2", rigid_start ? "-75" : "-74.99576703969453"),
                       fmt::arg("arrays", arrays), fmt::arg("L2", L2), fmt::arg("start", start),
                       fmt::arg("rod", rod), fmt::arg("M3", M3), fmt::arg("x3", L1 + L2 + q4),
                       fmt::arg("wrist", wrist), fmt::arg("simulation", simulation),
                       fmt::arg("output", output));
  }
};

}  // namespace tappet::testing
