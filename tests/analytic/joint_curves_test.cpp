// Joints along curves, motions in six components and cables, against closed forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::joint_curves_test {
namespace {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;
const char* const methods[] = {"method: smooth, tolerance: 1e-10",
                               "method: smooth, tolerance: 1e-10, integrator: bdf",
                               "method: event-driven, tolerance: 1e-10", "method: moreau, step: 0.5 ms"};
double error_of(const std::string& method) {
  return method.find("moreau") == std::string::npos ? 1e-6 : 2e-3;
}

std::string fault(const std::string& text) {
  try {
    model_of_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// Points of a circle, all round.
std::string circle(double x, double y, double radius, int count) {
  std::string out;
  for (int n = 0; n < count; ++n)
    out += fmt::format("{}[{:.17g}, {:.17g}]", n ? ", " : "", x + radius * std::cos(2 * pi * n / count),
                       y + radius * std::sin(2 * pi * n / count));
  return "[" + out + "]";
}

// A bead on a wire that is a helix (R cos φ, R sin φ, c φ): its speed along grows by g sin λ, φ̈ = −g c/(R² + c²).
std::string bead(const char* method) {
  std::string curve;
  for (int n = -300; n <= 300; ++n) {
    const double angle = n * pi / 100;
    curve += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", n > -300 ? ", " : "", std::cos(angle),
                         std::sin(angle), 0.25 * angle);
  }
  return fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {{b: {{mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, 0]}}}}
joints: {{wire: {{type: point-on-curve, bodies: [ground, b], point: [0, 0, 0], curve: [{}]}}}}
simulation: {{{}, duration: 2}}
output: {{step: 0.1}}
)",
                     curve, method);
}

TEST(PointOnCurve, InSpaceIsABeadOnAHelix) {
  for (const char* method : methods) {
    const Recording r = run_text(bead(method));
    const double a = -9.81 * 0.25 / (1 + 0.25 * 0.25);
    for (const auto& row : r.rows) {
      const double t = row[0], angle = 0.5 * a * t * t, rate = a * t;
      EXPECT_NEAR(row[r.column("b.x")], std::cos(angle), 2 * error_of(method)) << method << t;
      EXPECT_NEAR(row[r.column("b.z")], 0.25 * angle, error_of(method)) << method << t;
      if (t == 0 || error_of(method) > 1e-4) continue;
      // What the wire pulls towards the axis: the force across, m φ̇² R.
      const double x = row[r.column("b.x")], y = row[r.column("b.y")];
      EXPECT_NEAR(x * row[r.column("wire.fx")] + y * row[r.column("wire.fy")], -2 * rate * rate,
                  2e-4 * (1 + rate * rate))
          << method << t;
    }
    EXPECT_LT(std::abs(r.last("energy.residual")), 10 * error_of(method)) << method;
  }
  expect_resumes(*model_of_text(bead("method: smooth")), 4);
}

// A cam, a disc of radius R whose centre is e beside its axis, lifts a flat follower by R + e sin φ and needs m (g + ÿ) for it. The curvature of a
// spline through points that are h apart is (h/R)²/12 off, 2.1e-5 of it with 400 of them, and the force by m ω² R times that, 5.1e-5 N.
std::string cam(const char* method, bool flip) {
  return fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  cam: {{mass: 1, inertia: 0.01, position: [0, 0]}}
  valve: {{mass: 0.5, inertia: 0.01, position: [0, 0.05]}}
joints:
  shaft: {{type: revolute, bodies: [ground, cam], points: [[0, 0], [0, 0]]}}
  guide: {{type: translational, bodies: [ground, valve], points: [[0, 0], [0, 0]], axis: [0, 1]}}
  touch: {{type: curve-on-curve, bodies: [cam, valve], curve: {}, closed: true, second_curve: {}}}
motions: {{drive: {{joint: shaft, speed: 10 rad/s}}}}
simulation: {{{}, duration: 1.5}}
output: {{step: 0.01}}
)",
                     circle(0.01, 0, 0.05, 400),
                     flip ? "[[0.3, 0], [0.1, 0], [-0.3, 0]]" : "[[-0.3, 0], [-0.1, 0], [0.3, 0]]", method);
}

TEST(CurveOnCurve, IsACamUnderAFlatFollower) {
  for (const bool flip : {false, true})
    for (const char* method : methods) {
      const Recording r = run_text(cam(method, flip));
      ASSERT_TRUE(r.summary.completed) << method << r.summary.stop_reason;
      for (const auto& row : r.rows) {
        const double t = row[0], lift = 0.01 * std::sin(10 * t);
        EXPECT_NEAR(row[r.column("valve.y")], 0.05 + lift, 0.1 * error_of(method)) << method << t;
        if (error_of(method) > 1e-4) continue;
        EXPECT_NEAR(row[r.column("touch.fy")], 0.5 * (9.81 - 100 * lift), 6e-5) << method << t;
        // The cam's centre is where the push acts: the torque of the shaft.
        EXPECT_NEAR(row[r.column("drive.torque")], 0.5 * (9.81 - 100 * lift) * 0.01 * std::cos(10 * t), 1e-6)
            << method << t;
      }
    }
  expect_resumes(*model_of_text(cam("method: smooth", false)), 4);
}

// Two discs whose centres are beside their axes: they touch as long as a rod of both radii joins the centres, which is a four-bar mechanism.
std::string discs(bool touch, const char* method) {
  return fmt::format(
      R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 1, inertia: 0.02, position: [0, 0]}}
  b: {{mass: 1, inertia: 0.03, position: [0.5, 0]}}
joints:
  one: {{type: revolute, bodies: [ground, a], points: [[0, 0], [0, 0]]}}
  two: {{type: revolute, bodies: [ground, b], points: [[0.5, 0], [0, 0]]}}
  link: {{bodies: [a, b], {}}}
motions: {{drive: {{joint: one, speed: 3 rad/s}}}}
simulation: {{{}, duration: 3}}
output: {{step: 0.05, signals: ["*", "*_rate"]}}
)",
      touch ? "type: curve-on-curve, closed: true, second_closed: true, curve: " + circle(0.05, 0, 0.2, 200) +
                  ", second_curve: " + circle(0, 0.2, std::hypot(0.45, 0.2) - 0.2, 200)
            : "type: distance, points: [[0.05, 0], [0, 0.2]]",
      method);
}

TEST(CurveOnCurve, OfDiscsIsARodBetweenTheirCentres) {
  for (const char* method : methods) {
    const Recording touching = run_text(discs(true, method)), rod = run_text(discs(false, method));
    ASSERT_TRUE(touching.summary.completed) << method << touching.summary.stop_reason;
    for (const auto& row : touching.rows) {
      EXPECT_NEAR(row[touching.column("two.angle")], rod.value(row[0], "two.angle"), error_of(method))
          << method;
      EXPECT_NEAR(row[touching.column("two.angle_rate")], rod.value(row[0], "two.angle_rate"),
                  10 * error_of(method))
          << method;
      if (error_of(method) < 1e-4) {
        EXPECT_NEAR(row[touching.column("drive.torque")], rod.value(row[0], "drive.torque"), 1e-5) << method;
      }
    }
  }
}

TEST(CurveOnCurve, SaysWhatItCannot) {
  const auto model = [](const std::string& second) {
    return R"(tappet: 1
dimension: planar
bodies: {b: {mass: 1, inertia: 1, position: [0, 0]}}
joints: {j: {type: curve-on-curve, bodies: [ground, b], curve: [[-1, 0], [1, 0]], second_curve: )" +
           second + "}}\nsimulation: {duration: 1}\n";
  };
  EXPECT_THAT(fault(model("[[0, 0]]")), HasSubstr("`second_curve` of joint 'j' has 1 points; at least 2"));
  EXPECT_THAT(fault(model("[[0, 0], [0, 0]]")),
              HasSubstr("points 1 and 2 of `second_curve` of joint 'j' are the same"));
  // A line on a line touches everywhere.
  std::string said;
  try {
    said = run_text(model("[[-1, 0], [1, 0]]")).summary.stop_reason;
  } catch (const std::exception& error) {
    said = error.what();
  }
  EXPECT_THAT(said, HasSubstr("curves of joint 'j'"));
}

// Turned by prescribed angles, R = R_x R_y R_z: angular velocity and momentum by differences of that; couples by virtual work.
TEST(GeneralMotion, TurnsInSpaceAsItsAnglesSay) {
  const auto angles = [](double t) {
    return Vec3(0.6 * std::sin(2 * t), 0.5 * std::cos(3 * t), 1.5 * t * t);
  };
  const auto R = [&](double t) -> Mat3 {
    const Vec3 a = angles(t);
    return (Eigen::AngleAxisd(a[0], Vec3::UnitX()) * Eigen::AngleAxisd(a[1], Vec3::UnitY()) *
            Eigen::AngleAxisd(a[2], Vec3::UnitZ()))
        .toRotationMatrix();
  };
  constexpr double h = 1e-4;
  const auto omega = [&](double t) {
    const Mat3 W = (R(t + h) - R(t - h)) / (2 * h) * R(t).transpose();
    return Vec3(0.5 * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)));
  };
  const Vec3 J(2, 3, 4);
  const auto momentum = [&](double t) { return Vec3(R(t) * J.asDiagonal() * R(t).transpose() * omega(t)); };
  for (const char* moved :
       {"body: b, point: [0, 0, 0], x: 0.1*sin(5*t), y: 0.2*t, z: 0, ",
        "bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], x: 0.1*sin(5*t), y: 0.2*t, z: 0, "})
    for (const char* method : {"method: smooth, tolerance: 1e-10", "method: kinematic"}) {
      const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies: {{b: {{mass: 3, inertia: [2, 3, 4], orientation: {{axis: [0, 1, 0], angle: 0.5}}}}}}
motions: {{shaker: {{{}rx: 0.6*sin(2*t) rad, ry: 0.5*cos(3*t) rad, rz: 1.5*t^2 rad}}}}
simulation: {{{}, duration: 2}}
output: {{step: 0.1}}
)",
                                               moved, method));
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      for (const auto& row : r.rows) {
        const double t = row[0];
        const Vec3 w = omega(t), torque = (momentum(t + h) - momentum(t - h)) / (2 * h), a = angles(t);
        const char* names[] = {"x", "y", "z"};
        const Mat3 Rx = Eigen::AngleAxisd(a[0], Vec3::UnitX()).toRotationMatrix(),
                   Ry = Eigen::AngleAxisd(a[1], Vec3::UnitY()).toRotationMatrix();
        const Vec3 about[] = {Vec3::UnitX(), Rx * Vec3::UnitY(), Rx * Ry * Vec3::UnitZ()};
        for (int n = 0; n < 3; ++n) {
          EXPECT_NEAR(row[r.column(std::string("b.w") + names[n])], w[n], 1e-6) << t;
          EXPECT_NEAR(row[r.column(std::string("shaker.t") + names[n])], torque.dot(about[n]), 1e-5) << t;
        }
        EXPECT_NEAR(row[r.column("shaker.fx")], -3 * 2.5 * std::sin(5 * t), 1e-8) << t;
        EXPECT_NEAR(row[r.column("b.y")], 0.2 * t, 1e-9) << t;
      }
      // A kinematic run sums up its energies over samples.
      if (std::string(method).find("kinematic") == std::string::npos) {
        EXPECT_LT(r.largest("energy.residual"), 1e-6) << method;
      }
    }
}

// A second table on a first one that moves as well: in the first one's axes, seen from the world.
TEST(GeneralMotion, IsSeenFromTheFirstBody) {
  for (const char* method : methods) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 1, inertia: 0.5, position: [0, 0]}}
  b: {{mass: 2, inertia: 0.3, position: [1, 0.2]}}
motions:
  first: {{body: a, x: 0.3*t, y: 0, rz: 0.4*sin(2*t) rad}}
  second: {{bodies: [a, b], points: [[0.5, 0], [0, 0.1]], x: 0.5 + 0.1*sin(3*t), y: 0.3, rz: 2*t rad}}
simulation: {{{}, duration: 1}}
output: {{step: 0.1}}
)",
                                             method));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    for (const auto& row : r.rows) {
      const double t = row[0], turn = 0.4 * std::sin(2 * t), own = turn + 2 * t;
      const double u = 1 + 0.1 * std::sin(3 * t), v = 0.3;
      EXPECT_NEAR(row[r.column("b.angle")], own, 1e-8) << method;
      EXPECT_NEAR(row[r.column("b.x")],
                  0.3 * t + std::cos(turn) * u - std::sin(turn) * v + 0.1 * std::sin(own), 1e-8)
          << method;
      EXPECT_NEAR(row[r.column("b.y")], std::sin(turn) * u + std::cos(turn) * v - 0.1 * std::cos(own), 1e-8)
          << method;
    }
    EXPECT_LT(std::abs(r.last("energy.residual")), 100 * error_of(method)) << method;
  }
}

TEST(GeneralMotion, SaysWhatItCannot) {
  const auto model = [](const char* dimension, const char* motion) {
    const bool planar = std::string(dimension) == "planar";
    return fmt::format(
        "tappet: 1\ndimension: {}\nbodies: {{a: {{mass: 1, inertia: {}}}}}\nmotions: {{m: "
        "{{{}}}}}\nsimulation: {{duration: 1}}\n",
        dimension, planar ? "1" : "[1, 1, 1]", motion);
  };
  EXPECT_THAT(fault(model("planar", "body: a, rx: t rad")),
              HasSubstr("`rx` of motion 'm' has no meaning in a planar"));
  EXPECT_THAT(fault(model("spatial", "bodies: [ground, b], rx: t rad")),
              HasSubstr("body 'b', which does not exist"));
  EXPECT_THAT(fault(model("spatial", "bodies: [a, a], rx: t rad")), HasSubstr("two bodies are needed"));
  EXPECT_THAT(fault(model("spatial", "body: a, rx: t rad, speed: 3")),
              HasSubstr("`speed` of motion 'm' has no meaning"));
  EXPECT_THAT(fault(model("spatial", "body: a, rx: t m")), HasSubstr("rad"));
  const Recording r = run_text(model("spatial", "body: a, rx: 0.1*t rad, ry: t rad, rz: 0 rad"));
  EXPECT_TRUE(r.summary.completed);
  EXPECT_THAT(
      run_text(model("spatial", "body: a, rx: 0.1*t rad, ry: 2*t rad, rz: 0 rad")).summary.stop_reason,
      HasSubstr("ry = 90 deg"));
}

// A weight on a loose pulley: the rope carries half of it in each part, and the weight swings on it with 4 k.
std::string tackle(const char* method, bool planar, double start, const char* more = "") {
  return fmt::format(
      R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{hook: {{mass: 2, inertia: {}, position: {}, velocity: {}}}}}
joints: {{guide: {{type: translational, bodies: [ground, hook], points: [{}, {}], axis: {}}}}}
forces: {{rope: {{type: cable, bodies: [ground, hook, ground], points: [{}, {}, {}], stiffness: 500, length: 4{}}}}}
simulation: {{{}, duration: 1}}
output: {{step: 0.05}}
)",
      planar ? "planar" : "spatial", planar ? "[0, -10]" : "[0, 0, -10]", planar ? "1" : "[1, 1, 1]",
      planar ? fmt::format("[0, {}]", start) : fmt::format("[0, 0, {}]", start),
      planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]",
      planar ? "[0, 1]" : "[0, 0, 1]", planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]",
      planar ? "[0, 0]" : "[0, 0, 0]", more, method);
}

TEST(Cable, OverAPulleyCarriesHalf) {
  for (const bool planar : {true, false})
    for (const char* method : methods) {
      // k x = m g/2, x = 2 s: at rest s = 0.01 below 2; let go 2 mm below that.
      const Recording r = run_text(tackle(method, planar, -2.012));
      const double w = std::sqrt(4 * 500 / 2.0);
      for (const auto& row : r.rows)
        EXPECT_NEAR(row[r.column(planar ? "hook.y" : "hook.z")], -2.01 - 0.002 * std::cos(w * row[0]),
                    0.1 * error_of(method))
            << method << row[0];
    }
  expect_resumes(*model_of_text(tackle("method: smooth", true, -2.012)), 4);
}

TEST(Cable, DoesNotPush) {
  for (const char* method : {"method: smooth, tolerance: 1e-9", "method: event-driven, tolerance: 1e-9"}) {
    // Falls freely for 0.1 m, then is caught, and lost by the damper.
    const Recording r = run_text(tackle(method, true, -1.9, ", damping: 40"));
    EXPECT_NEAR(r.value(0.1, "hook.y"), -1.95, 1e-9) << method;
    EXPECT_LT(r.last("hook.y"), -1.99) << method;
    EXPECT_LT(std::abs(r.last("energy.residual")), 1e-6) << method;
    EXPECT_GT(r.last("energy.damping_loss"), 1) << method;
  }
}

TEST(Cable, SaysWhatItCannot) {
  EXPECT_THAT(fault(R"(tappet: 1
dimension: planar
bodies: {a: {mass: 1, inertia: 1}}
forces: {rope: {type: cable, bodies: [ground, a], points: [[0, 0]], stiffness: 1}}
simulation: {duration: 1}
)"),
              HasSubstr("cable 'rope' has 2 bodies and 1 points"));
}

}  // namespace
}  // namespace tappet::testing::joint_curves_test
