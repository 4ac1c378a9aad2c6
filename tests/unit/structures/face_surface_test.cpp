#include "tappet/structures/face_surface.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::face_surface_test {
namespace {

struct Surface {
  std::shared_ptr<const Model> model;
  StructureSystem system;
  std::vector<double> q;
  FaceSurface faces;

  Surface(const std::string& generate, const std::string& section, const std::string& group)
      : model(model_of_text(R"(
tappet: 1
dimension: spatial
materials: {m: {young: 1e9, poisson: 0.3, density: 1000}}
bodies: {part: {structure: {material: m, )" +
                            section + "generate: " + generate + R"(}}}
simulation: {method: moreau, duration: 1, step: 1}
)")),
        system(*model),
        q(system.size(), 0.0),
        faces(system, 0, system.body(0).structure.mesh.find_group(group)->nodes) {}
};

TEST(FaceSurface, NearestPointIsOnFaceEdgeOrNode) {
  const Surface s("{block: {size: [1, 1, 1], divisions: [4, 3, 2]}}", "", "all");
  EXPECT_EQ(s.faces.faces().size(), 2u * (12 + 8 + 6));
  const struct {
    Vec3 x, at;
  } cases[] = {{{0.3, 0.4, 1.5}, {0.3, 0.4, 1}},  // face
               {{0.3, 0.5, 0.9}, {0.3, 0.5, 1}},  // from inside
               {{1.3, 0.4, 1.2}, {1, 0.4, 1}},    // edge
               {{-1, -2, -0.5}, {0, 0, 0}}};      // corner
  for (const auto& [x, at] : cases)
    // Among all, and downhill from anywhere.
    for (int begin : {-1, 0, 20, 50}) {
      const FaceSurface::Foot foot = s.faces.nearest(x, s.q.data(), begin, 10);
      if (begin >= 0 && x.z() == 0.9) continue;  // inside there are several valleys
      ASSERT_GE(foot.face, 0);
      EXPECT_NEAR((foot.at - at).norm(), 0, 1e-12) << begin;
      EXPECT_NEAR(foot.distance, (x - at).norm(), 1e-12);
      EXPECT_FALSE(s.faces.beside(foot, x, 1, true));  // a closed surface has no rim
    }
  EXPECT_EQ(s.faces.nearest({3, 0, 0}, s.q.data(), -1, 1).face, -1);
  // A sharp edge leaves each side its own normal.
  const FaceSurface::Foot edge = s.faces.nearest({0.99, 0.4, 1.1}, s.q.data(), -1, 10);
  EXPECT_NEAR((s.faces.normal(edge, s.q.data()) - Vec3(0, 0, 1)).norm(), 0, 1e-12);
}

TEST(FaceSurface, NormalsGoOverSmoothly) {
  const int around = 24;
  const Surface s(fmt::format("{{cylindrical-shell: {{radius: 1, length: 1, divisions: [{}, 4]}}}}", around),
                  "section: {thickness: 1 mm}, ", "all");
  // Those of the cylinder at nodes and in the middle of faces, and never far from them.
  for (int k = 0; k < 97; ++k) {
    const double a = 2 * std::acos(-1.0) * k / 97;
    const Vec3 out(std::cos(a), std::sin(a), 0), x = 1.2 * out + Vec3(0, 0, 0.3);
    FaceSurface::Foot foot = s.faces.nearest(x, s.q.data(), -1, 10);
    EXPECT_LT((s.faces.normal(foot, s.q.data()) - out).norm(), 0.025);
    // A ball of radius 0.2 within a facet's sag, its normal through its centre.
    Vec3 normal;
    ASSERT_TRUE(s.faces.smooth(x, s.q.data(), foot, normal)) << k;
    EXPECT_NEAR((foot.at + foot.distance * normal - x).norm(), 0, 1e-12);
    EXPECT_NEAR(foot.distance, 0.2, 0.01);
  }
}

TEST(FaceSurface, BeyondTheRimIsBeside) {
  const Surface s("{plate: {size: [1, 1], divisions: [2, 2]}}", "section: {thickness: 1 mm}, ", "all");
  const auto beside = [&](const Vec3& x, double side, bool before) {
    return s.faces.beside(s.faces.nearest(x, s.q.data(), -1, 10), x, side, before);
  };
  EXPECT_FALSE(beside({0.5, 0.5, 0.1}, 1, true));
  EXPECT_FALSE(beside({1, 0.5, 0.1}, 1, true));     // above the rim
  EXPECT_FALSE(beside({1.04, 0.5, 0.1}, 1, true));  // leaning over it
  EXPECT_TRUE(beside({1.06, 0.5, 0.1}, 1, true));
  EXPECT_TRUE(beside({1.001, 0.5, -0.1}, 1, true));    // going down outside
  EXPECT_FALSE(beside({1.001, 0.5, -0.1}, 1, false));  // pushed through the rim
  EXPECT_TRUE(beside({1.02, 0.5, -0.1}, 1, false));
}

}  // namespace
}  // namespace tappet::testing::face_surface_test
