#include "tappet/geometry/exact_body.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_faults.hpp"

namespace tappet::exact_body_test {
namespace {

TEST(ExactBody, MeshesOfSimpleBodiesAreClosedAndConverge) {
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE";
  const double pi = std::numbers::pi;
  struct Case {
    std::unique_ptr<ExactBody> body;
    double volume;
  };
  Case cases[] = {
      {exact_ball(2), 4.0 / 3 * pi * 8}, {exact_box(Vec3(1, 2, 3)), 48}, {exact_cylinder(1, 2), 4 * pi}};
  for (const Case& c : cases) {
    EXPECT_NEAR(c.body->properties().volume / c.volume, 1, 1e-9);
    double before = 1;
    for (const double tolerance : {0.05, 0.005, 0.0005}) {
      const TriangleMesh mesh = c.body->mesh(tolerance);
      const MeshFaults faults = find_faults(mesh);
      EXPECT_FALSE(faults.any()) << faults.text();
      const double error = std::abs(solid_properties(mesh).volume / c.volume - 1);
      EXPECT_LE(error, std::max(before, 1e-12));
      EXPECT_LT(error, 5 * tolerance);
      before = error;
    }
  }
}

}  // namespace
}  // namespace tappet::exact_body_test
