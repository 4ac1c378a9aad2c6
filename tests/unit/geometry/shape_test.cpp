#include "tappet/geometry/shape.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/geometry/random_shapes.hpp"
#include "unit/spec/reading.hpp"

namespace tappet::shape_test {
namespace {

using ::testing::HasSubstr;

struct Made {
  std::unique_ptr<Shape> shape;
  std::string faults;
};

Made make(const std::string& yaml, Dimension dimension) {
  Diagnostics diagnostics;
  const ReadContext context{dimension, &diagnostics};
  Object object = read_object(read_yaml_text(yaml, "m"), shape_family(), context);
  object.name = "skin";
  Made out;
  if (!diagnostics.has_errors()) out.shape = make_shape(object.parameters(), dimension, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) out.faults += diagnostic.text() + "\n";
  return out;
}

constexpr Dimension plane = Dimension::planar, space = Dimension::spatial;

TEST(Shape, FaultsHavePlaceValueAndWhatIsAllowed) {
  const struct {
    const char* yaml;
    Dimension dimension;
    const char* message;
  } faults[] = {
      {"sphere: {radius: 0}", space,
       "m:1:18: error: 'radius' is '0', but must be between 1e-09 and 1000000000 (in m)"},
      {"sphere: {radius: -1}", space, "'radius' is '-1'"},
      {"sphere: {radius: 1e400}", space, "1e400"},
      {"sphere: {radius: 1e10}", space, "between 1e-09 and 1000000000"},
      {"sphere: {radius: nan}", space, "'nan' is not a finite number"},
      {"sphere: {radius: .inf}", space, "'radius' must be a number in m: unexpected '.' in '.inf'"},
      {"sphere: {radius: 1, position: [1e300, 0, 0]}", space, "'position' is '1e300', but must be between"},
      {"capsule: {radius: 0, length: 1}", space, "'radius' is '0'"},
      {"capsule: {radius: 1, length: 0}", space, "'length' is '0'"},
      {"cylinder: {radius: 1, length: 0}", space, "'length' is '0'"},
      {"ellipsoid: {semi_axes: [1, 1, 0]}", space, "'semi_axes' is '0'"},
      {"box: {size: [1, 1, 1], orientation: [0, 0, 0, 0]}", space, "has length 0, but must have length 1"},
      {"hull: {points: [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]}", space, "on one line or at one place"},
      {"sphere: {radius: 1}", plane, "needs `dimension: spatial`"},
      {"circle: {radius: 1}", space, "needs `dimension: planar`"},
      {"box: {size: [1, 0, 1]}", space, "'size' is '0'"},
      {"box: {size: [1, 1, 1], angle: 1}", space,
       "m:1:31: error: `angle` of shape 'skin' has no meaning in a spatial model; use `orientation`"},
      {"box: {size: [1, 1], orientation: [1, 0, 0, 0]}", plane, "use `angle`"},
      {"plane: {normal: [0, 0, 0]}", space, "`normal` of plane 'skin' has no length"},
      {"segment: {points: [[1, 2], [1, 2]]}", plane, "are the same"},
      {"polygon: {points: [[0, 0], [1, 0]]}", plane, "are 2; a polygon has at least 3"},
      {"polygon: {points: [[0, 0], [1, 1], [2, 2]]}", plane, "enclose no area"},
      {"polygon: {points: [[0, 0], [2, 0], [1, 0.1], [1, 1]]}", plane, "not convex at [1, 0.1]"},
      {"polygon: {points: [[1, 0], [-0.8, 0.6], [0.3, -0.95], [0.3, 0.95], [-0.8, -0.6]]}", plane,
       "more than once"},
      {"hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}", space, "are 3; a hull needs at least 4"},
      {"hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}", space, "lie in one plane"},
      {"profile: {points: [[0, 0]]}", space, "are 1; a profile has at least 2"},
      {"profile: {points: [[0, 0], [1, 0], [0.5, 1]]}", plane, "go back from x = 1 to x = 0.5"},
      {"profile: {points: [[0, 0], [0, 1], [0, 0.5]]}", plane, "stand above each other"},
      {"curve: {support: 1 + 0.5*cos(2*angle)}", plane, "not convex where the normal's angle is 0 deg"},
      {"curve: {support: 1 + 0.01*angle}", plane, "does not close"},
      {"curve: {support: 1, x: 1}", plane, "either by `support` or by `x` and `y`"},
      {"curve: {x: cos(u), y: -sin(u)}", plane, "does not run anticlockwise"},
      {"curve: {x: cos(2*u), y: sin(2*u)}", plane, "goes around 2 times"},
  };
  for (const auto& fault : faults) {
    const Made made = make(fault.yaml, fault.dimension);
    EXPECT_EQ(made.shape, nullptr) << fault.yaml;
    EXPECT_THAT(made.faults, HasSubstr(fault.message)) << fault.yaml;
    EXPECT_THAT(made.faults, HasSubstr("m:1:")) << fault.yaml;
  }
}

// Mass properties against sums over a grid of points inside.
TEST(Shape, MassPropertiesAreThoseOfTheirPoints) {
  for (const Dimension dimension : {plane, space})
    for (const std::string kind :
         {"sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "polygon", "curve"}) {
      const bool flat_kind = kind == "polygon" || kind == "curve",
                 round_kind = kind == "sphere" || kind == "capsule";
      if (!round_kind && flat_kind != (dimension == plane)) continue;
      testing::RandomShapes random(3, dimension);
      const auto shape = random.shape(kind, 1);
      const auto& convex = dynamic_cast<const ConvexShape&>(*shape);
      const Bounds box = shape->bounds({});
      const int n = dimension == plane ? 400 : 60, layers = dimension == plane ? 1 : n;
      const Vec3 step = (box.high - box.low).cwiseQuotient(Vec3(n, n, layers));
      const double cell = dimension == plane ? step.x() * step.y() : step.prod();
      double volume = 0;
      Vec3 first = Vec3::Zero();
      Mat3 second = Mat3::Zero();
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < layers; ++k) {
            Vec3 x = box.low + step.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
            if (dimension == plane) x.z() = 0;
            if (convex.foot(convex.place.local(x)).distance > 0) continue;
            volume += cell;
            first += cell * x;
            second += cell * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
          }
      const Vec3 c = first / volume;
      const Mat3 about = second - volume * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
      const SolidProperties solid = shape->solid();
      EXPECT_NEAR(solid.volume / volume, 1, 0.01) << kind;
      EXPECT_LT((solid.centre - c).norm(), 0.01) << kind;
      const double error =
          dimension == plane ? std::abs(solid.inertia(2, 2) - about(2, 2)) : (solid.inertia - about).norm();
      EXPECT_LT(error, 0.02 * about.norm()) << kind;
    }
}

TEST(Shape, ClosedFormsOfMass) {
  const SolidProperties box = make("box: {size: [2, 3, 4], position: [1, 0, 0]}", space).shape->solid();
  EXPECT_DOUBLE_EQ(box.volume, 24);
  EXPECT_EQ(box.centre, Vec3(1, 0, 0));
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 24.0 * (4 + 9) / 12);
  const SolidProperties disc = make("circle: {radius: 2}", plane).shape->solid();
  EXPECT_DOUBLE_EQ(disc.volume, 4 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(disc.inertia(2, 2), 8 * std::numbers::pi);
  const SolidProperties round = make("curve: {support: 2}", plane).shape->solid();
  EXPECT_NEAR(round.volume, disc.volume, 1e-12);
  EXPECT_NEAR(round.inertia(2, 2), disc.inertia(2, 2), 1e-12);
  const SolidProperties cube =
      make(
          "hull: {points: "
          "[[0,0,0],[2,0,0],[0,2,0],[0,0,2],[2,2,0],[2,0,2],[0,2,2],[2,2,2],[1,1,1],[1,1,2],[1,0,0]]}",
          space)
          .shape->solid();
  EXPECT_NEAR(cube.volume, 8, 1e-12);
  EXPECT_LT((cube.centre - Vec3(1, 1, 1)).norm(), 1e-14);
  EXPECT_NEAR(cube.inertia(0, 0), 8.0 * 8 / 12, 1e-12);
}

// The nearest point of every surface, against points of the surface by brute force.
TEST(Shape, FeetAreTheNearestPoints) {
  for (const Dimension dimension : {plane, space})
    for (const std::string kind : {"capsule", "box", "cylinder", "ellipsoid", "hull", "polygon", "curve"}) {
      const bool flat_kind = kind == "polygon" || kind == "curve";
      if (kind != "capsule" && flat_kind != (dimension == plane)) continue;
      testing::RandomShapes random(5, dimension);
      for (int s = 0; s < 20; ++s) {
        const auto shape = random.shape(kind, 1);
        const auto& convex = dynamic_cast<const ConvexShape&>(*shape);
        const Vec3 p = 2 * random.vector();
        const Foot foot = convex.foot(p);
        // The foot is on the surface, and the tangent plane there leaves the shape on its other side.
        const Vec3 at = p - foot.distance * foot.normal;
        EXPECT_LT(std::abs(convex.foot(at).distance), 1e-12) << kind;
        if (foot.distance > 0) {
          const double reached = foot.normal.dot(convex.support(foot.normal)) + convex.margin();
          EXPECT_NEAR(foot.normal.dot(at), reached, 1e-12) << kind;
        }
        // From inside no direction leads out sooner.
        for (int k = 0; foot.distance < 0 && k < 100; ++k) {
          const Vec3 d = random.direction();
          EXPECT_LE(convex.foot(p + 0.999 * -foot.distance * d).distance, 1e-12) << kind;
        }
      }
    }
}

}  // namespace
}  // namespace tappet::shape_test
