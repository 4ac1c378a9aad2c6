// Elliptic contact from both principal curvatures: shapes, radii given in the law, signals of the patch; against Hertz' equations with
// elliptic integrals by quadrature [Johnson 1985, section 4.2].
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::hertz_ellipse_test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

constexpr double E_steel = 207e9, nu = 0.3, m = 4, g = 10, F = m * g;
const double modulus = E_steel / (2 * (1 - nu * nu));  // E*

struct Ellipse {
  double a = 0, b = 0, depth = 0, peak = 0;
};

// Under the force F: κ by bisection of R′/R″ = (κ² E − K)/(K − E), then a, b and δ.
Ellipse hertz(double large, double small) {
  double K = pi / 2, E = pi / 2;
  const auto integrate = [&](double aspect) {
    constexpr int n = 4000;
    const double e2 = 1 - 1 / (aspect * aspect);
    K = E = 0;
    for (int i = 0; i < n; ++i) {
      const double s = std::sin(pi / 2 * (i + 0.5) / n), root = std::sqrt(1 - e2 * s * s);
      K += pi / 2 / n / root, E += pi / 2 / n * root;
    }
  };
  double low = 1 + 1e-9, high = large / small;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    integrate(middle);
    ((middle * middle * E - K) / (K - E) < large / small ? low : high) = middle;
  }
  const double k = low, e2 = 1 - 1 / (k * k);
  // ½ √(1/(R′R″)) = (3F/(2π a b E*)) (b/(a² e²)) √(…): for a.
  const double root = std::sqrt((k * k * E - K) * (K - E));
  const double a = std::cbrt(3 * F / (pi * modulus) * std::sqrt(large * small) * root / e2), b = a / k;
  const double peak = 1.5 * F / (pi * a * b);
  return {a, b, peak / modulus * b * K, peak};
}

// A body of this shape on the ground's, at rest where its weight is carried at `z` above.
std::string resting(const std::string& shape, const std::string& ground, double z,
                    const std::string& law = "law: hertz") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, {}]\nmaterials: {{steel: {{young: 207 GPa, poisson: "
      "0.3}}}}\n"
      "bodies: {{body: {{mass: {}, inertia: [0.04, 0.04, 0.04], position: [0, 0, {:.17g}], velocity: [0, 0, "
      "0], shapes: {{skin: {}}}}}}}\n"
      "ground: {{shapes: {{floor: {}}}}}\n"
      "contacts: {{c: {{between: [ground.floor, body.skin], materials: [steel, steel], normal: {{{}}}}}}}\n"
      "simulation: {{duration: 0.002}}\noutput: {{step: 0.001}}\n",
      -g, m, z, shape, ground, law);
}

const char* const plane = "{plane: {normal: [0, 0, 1]}}";

void expect_ellipse(const Recording& r, const Ellipse& by) {
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(0, "c.normal"), F, 1e-6 * F);
  EXPECT_NEAR(r.value(0, "c.patch_major"), by.a, 1e-7 * by.a);
  EXPECT_NEAR(r.value(0, "c.patch_minor"), by.b, 1e-7 * by.b);
  EXPECT_NEAR(r.value(0, "c.patch_radius"), std::sqrt(by.a * by.b), 1e-7 * by.a);
  EXPECT_NEAR(r.value(0, "c.peak_pressure"), by.peak, 1e-6 * by.peak);
  EXPECT_NEAR(r.value(0, "c.mean_pressure"), F / (pi * by.a * by.b), 1e-6 * by.peak);
  // It stays there: its weight is carried.
  EXPECT_NEAR(r.last("c.normal"), F, 1e-4 * F);
}

TEST(HertzEllipse, OfAnEllipsoidOnAPlane) {
  // At its lowest point an ellipsoid has the radii aₓ²/a_z and a_y²/a_z.
  const double x = 0.3, y = 0.1, z = 0.06;
  const Ellipse by = hertz(x * x / z, y * y / z);
  expect_ellipse(run_text(resting(fmt::format("{{ellipsoid: {{semi_axes: [{}, {}, {}]}}}}", x, y, z), plane,
                                  z - by.depth)),
                 by);
}

TEST(HertzEllipse, OfABallOnARoundBar) {
  // A ball on a round bar: 1/R′ = 1/R_b, 1/R″ = 1/R_b + 1/R_c.
  const double ball = 0.05, bar = 0.02, small = 1 / (1 / ball + 1 / bar);
  const Ellipse by = hertz(ball, small);
  for (const char* kind : {"capsule", "cylinder"})
    expect_ellipse(
        run_text(resting(fmt::format("{{sphere: {{radius: {}}}}}", ball),
                         fmt::format("{{{}: {{radius: {}, length: 1, orientation: [0.7071067811865476, 0, "
                                     "0.7071067811865476, 0], position: [0, 0, {}]}}}}",
                                     kind, bar, -bar),
                         ball - by.depth)),
        by);
}

// Equal cylinders at right angles touch in a circle, as a ball of their radius touches a plane.
TEST(HertzEllipse, OfCrossedEqualCylindersIsACircle) {
  const double R = 0.05, K = 4.0 / 3 * modulus * std::sqrt(R), depth = std::pow(F / K, 2.0 / 3),
               a = std::sqrt(R * depth);
  const Recording r =
      run_text(resting(fmt::format("{{capsule: {{radius: {}, length: 1, orientation: [0.7071067811865476, 0, "
                                   "0.7071067811865476, 0]}}}}",
                                   R),
                       fmt::format("{{capsule: {{radius: {}, length: 1, orientation: [0.7071067811865476, "
                                   "0.7071067811865476, 0, 0], position: [0, 0, {}]}}}}",
                                   R, -R),
                       R - depth));
  expect_ellipse(r, {a, a, depth, 1.5 * F / (pi * a * a)});
}

// Crossed at another angle φ the gap has the curvatures (1 ± cos φ)/R.
TEST(HertzEllipse, OfCylindersAtAnAngle) {
  const double R = 0.05, phi = pi / 6;
  const Ellipse by = hertz(R / (1 - std::cos(phi)), R / (1 + std::cos(phi)));
  const double h = std::sqrt(0.5), c = std::cos(phi / 2), s = std::sin(phi / 2);
  // About z by φ after z was laid along x.
  const std::string turned = fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}]", c * h, -s * h, c * h, s * h);
  const Recording r =
      run_text(resting(fmt::format("{{capsule: {{radius: {}, length: 1, orientation: {}}}}}", R, turned),
                       fmt::format("{{capsule: {{radius: {}, length: 1, orientation: [0.7071067811865476, 0, "
                                   "0.7071067811865476, 0], position: [0, 0, {}]}}}}",
                                   R, -R),
                       R - by.depth));
  expect_ellipse(r, by);
}

TEST(HertzEllipse, OfRadiiThatTheLawIsGiven) {
  const Ellipse by = hertz(0.3, 0.07);
  for (const char* law :
       {"law: hertz, radii: [0.3, 0.07]", "law: hertz, radii: [70 mm, 300 mm]",
        "law: flores, restitution: 0.5, radii: [0.3, 0.07]", "law: impact, radii: [0.3, 0.07]"})
    expect_ellipse(run_text(resting("{sphere: {radius: 0.05}}", plane, 0.05 - by.depth, law)), by);
}

TEST(HertzEllipse, IsRefusedWhereItIsALine) {
  const std::string lying =
      "{cylinder: {radius: 0.05, length: 1, orientation: [0.7071067811865476, 0, 0.7071067811865476, 0]}}";
  try {
    model_of_text(resting(lying, plane, 0.05));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the surfaces touch along a line"));
  }
  EXPECT_NO_THROW(model_of_text(resting(lying, plane, 0.05, "law: hertz, stiffness: 1e10")));
}

}  // namespace
}  // namespace tappet::testing::hertz_ellipse_test
