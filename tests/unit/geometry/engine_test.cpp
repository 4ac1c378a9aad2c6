#include "tappet/geometry/engine.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_placements.hpp"
#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "unit/geometry/pairs/pair_properties.hpp"

namespace tappet::engine_test {
namespace {

using ::testing::HasSubstr;

const Plane floor_plane(Vec3::Zero(), Vec3::UnitZ());
const Sphere ball(Vec3(0.1, 0, 0), 0.5), small_ball(Vec3::Zero(), 0.3);
const Box box(Vec3(1, 0.7, 0.8), {}), cube(Vec3(0.6, 0.6, 0.6), {});
const Cylinder cylinder(0.4, 1.2, {}), disc(0.3, 0.8, {});
const Capsule capsule(Vec3(0, 0, -0.4), Vec3(0, 0, 0.4), 0.3);

Pair pair_of(const Shape& a, const Shape& b, std::optional<Engine> engine, double tolerance = 0) {
  Diagnostics diagnostics;
  PairMaker maker({engine, tolerance});
  Pair out = maker.make(a, b, "contact 'x'", {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return out;
}

Proximity nearest(const Pair& pair, const Pose& p, const Pose& q) {
  Proximity out;
  for (int c = 0; c < pair.candidates(); ++c)
    if (const Proximity x = pair.evaluate(p, q, c); x.gap < out.gap) out = x;
  return out;
}

struct Case {
  const char* name;
  const Shape &first, &second;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> out{
      {"ball on plane", floor_plane, ball},     {"box on plane", floor_plane, box},
      {"cylinder on plane", floor_plane, disc}, {"capsule on plane", floor_plane, capsule},
      {"ball and ball", ball, small_ball},      {"box and ball", box, small_ball},
      {"cylinder and ball", disc, small_ball},  {"box and box", box, cube},
      {"box and cylinder", box, disc},          {"cylinder and cylinder", cylinder, disc},
      {"box and capsule", box, capsule},
  };
  return out;
}

/// Poses in which the two touch lightly: the gap is within 2 % of the smaller shape's size.
std::vector<std::pair<Pose, Pose>> touching(const Case& c, const Pair& analytic, int count) {
  testing::RandomPlacements random(5);
  std::vector<std::pair<Pose, Pose>> out;
  const double size = std::min(c.first.size(), c.second.size());
  while (static_cast<int>(out.size()) < count) {
    const bool on_plane = &c.first == &floor_plane;
    const Pose p{on_plane ? Mat3(Mat3::Identity()) : random.rotation(), Vec3::Zero()};
    Pose q{random.rotation(), on_plane ? Vec3(0, 0, 0.5) : Vec3(0.6 * random.direction())};
    const double wanted = 0.02 * size * random.number();
    for (int k = 0; k < 30; ++k) {
      const Proximity x = nearest(analytic, p, q);
      q.r += (wanted - x.gap) * x.normal;
    }
    out.emplace_back(p, q);
  }
  return out;
}

TEST(Engine, NamesAreThoseOfTheModelFile) {
  EXPECT_EQ(engine_from("polygon"), Engine::polygon);
  EXPECT_EQ(engine_from("exact"), Engine::exact);
  EXPECT_FALSE(engine_from("Polygon"));
  EXPECT_EQ(engine_names()[static_cast<int>(Engine::analytic)], "analytic");
}

// The same signed distance, apart and overlapping, to the sum of both meshes' tolerances, which are 1/1000 of
// the shapes' sizes.
TEST(Engine, PolygonAgreesWithAnalyticToTheMeshesTolerance) {
  for (const Case& c : cases()) {
    const Pair analytic = pair_of(c.first, c.second, Engine::analytic),
               polygon = pair_of(c.first, c.second, Engine::polygon);
    double tolerance = 0;
    for (const Shape* s : {&c.first, &c.second})
      if (std::isfinite(s->size())) tolerance += 1e-3 * s->size();
    for (const auto& [p, q] : touching(c, analytic, 25)) {
      const Proximity wanted = nearest(analytic, p, q), x = nearest(polygon, p, q);
      ASSERT_NEAR(x.gap, wanted.gap, tolerance) << c.name;
    }
  }
}

// To rounding.
TEST(Engine, ExactAgreesWithAnalytic) {
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE";
  for (const Case& c : cases()) {
    const Pair analytic = pair_of(c.first, c.second, Engine::analytic),
               exact = pair_of(c.first, c.second, Engine::exact);
    int agreeing = 0;
    for (const auto& [p, q] : touching(c, analytic, 40)) {
      const Proximity wanted = nearest(analytic, p, q), x = nearest(exact, p, q);
      // Over a face that is not the one to leave by, a place of the analytic pair is deeper than the shortest
      // way out.
      ASSERT_GE(x.gap, wanted.gap - (1e-11)) << c.name;
      if (wanted.gap >= 0 || (x.normal - wanted.normal).norm() < 1e-6) {
        ASSERT_NEAR(x.gap, wanted.gap, 1e-11) << c.name;
        ++agreeing;
      }
      ASSERT_LT((x.on_first + x.gap * x.normal - x.on_second).norm(), 1e-12) << c.name;
    }
    EXPECT_GE(agreeing, 36) << c.name;
  }
}

// In every pose, of solids too. A pose costs up to a millisecond, so there are fewer than the 100,000 of
// other pairs.
TEST(Engine, ExactPairsHoldInEveryPose) {
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE";
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    testing::expect_pair_properties(pair_of(c.first, c.second, Engine::exact),
                                    pair_of(c.second, c.first, Engine::exact), 0.8, 200,
                                    {.same_order = false});
  }
}

// A shape that stands on a plane, as deep in it as it was put, touches in the same places by every engine.
void expect_same_places(Engine engine) {
  const struct {
    const Shape& shape;
    double height;
    int places;
    bool round;  // where it stands
  } standing[] = {{box, 0.4, 4, false}, {disc, 0.4, 3, false}, {ball, 0.5, 1, true}};
  constexpr double deep = 0.01;
  for (const auto& [shape, height, places, round] : standing) {
    SCOPED_TRACE(shape.kind());
    const Pair pair = pair_of(floor_plane, shape, engine);
    // A mesh is as near to what is round as a thousandth of its size; flat faces and their edges are what they are.
    const double error = engine == Engine::polygon && round ? 1e-3 * shape.size() : 0;
    int touching_places = 0;
    for (int c = 0; c < pair.candidates(); ++c) {
      const double gap = pair.evaluate({}, {Mat3::Identity(), Vec3(0, 0, height - deep)}, c).gap;
      if (!(gap < 0)) continue;
      ++touching_places;
      EXPECT_NEAR(gap, -deep, error + 1e-12) << c;
    }
    EXPECT_EQ(touching_places, places);
  }
}

TEST(Engine, StandingShapesTouchInTheSamePlacesByAnalytic) {
  expect_same_places(Engine::analytic);
}
TEST(Engine, StandingShapesTouchInTheSamePlacesByPolygon) {
  expect_same_places(Engine::polygon);
}
TEST(Engine, StandingShapesTouchInTheSamePlacesByExact) {
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE";
  expect_same_places(Engine::exact);
}

// Without `engine`, what needs a mesh gets one, and a ball on a mesh stays a ball.
TEST(Engine, WithoutAnEngineShapesAreWhatTheyAre) {
  const Mesh mesh(box_mesh(Vec3(0.5, 0.5, 0.5)));
  const Pose above{Mat3::Identity(), Vec3(0.1, 0.1, 0.799)};
  EXPECT_NEAR(nearest(pair_of(mesh, small_ball, {}), {}, above).gap, -1e-3, 1e-15);
  EXPECT_NEAR(nearest(pair_of(mesh, cube, {}), {}, above).gap, -1e-3, 1e-12);
  EXPECT_NEAR(nearest(pair_of(cube, small_ball, {}), {}, {Mat3::Identity(), Vec3(0, 0, 0.599)}).gap, -1e-3,
              1e-15);
}

std::string complaint(const Shape& a, const Shape& b, std::optional<Engine> engine, double tolerance = 0) {
  Diagnostics diagnostics;
  PairMaker maker({engine, tolerance});
  EXPECT_FALSE(maker.make(a, b, "contact 'x'", {}, diagnostics));
  return diagnostics.error_count() == 1 ? diagnostics.all()[0].message : "";
}

TEST(Engine, WhatCannotBeDoneIsSaid) {
  const Mesh mesh(box_mesh(Vec3(0.5, 0.5, 0.5)));
  EXPECT_THAT(complaint(floor_plane, floor_plane, Engine::polygon),
              HasSubstr("contact 'x': `engine: polygon` does not know how a plane and a plane touch"));
  EXPECT_THAT(complaint(floor_plane, mesh, Engine::analytic),
              HasSubstr("no closed form for a mesh; take `polygon`"));
  EXPECT_THAT(complaint(floor_plane, ball, Engine::polygon, 1e-9),
              HasSubstr("`mesh_tolerance` of 1e-09 m is too small for a sphere of this size"));
  if (!exact_bodies_available()) {
    EXPECT_THAT(complaint(floor_plane, ball, Engine::exact), HasSubstr("libocct-modeling-algorithms-dev"));
    return;
  }
  EXPECT_THAT(complaint(floor_plane, mesh, Engine::exact), HasSubstr("holds triangles and no surfaces"));
  EXPECT_THAT(complaint(floor_plane, Ellipsoid(Vec3(1, 2, 3), {}), Engine::exact),
              HasSubstr("has no solid for a ellipsoid; it has one for box, capsule, cylinder"));
}

}  // namespace
}  // namespace tappet::engine_test
