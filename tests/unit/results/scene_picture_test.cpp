#include "tappet/results/scene_picture.hpp"

#include <gtest/gtest.h>

namespace tappet::scene_picture_test {
namespace {

std::size_t count(const std::string& text, const std::string& of) {
  std::size_t out = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++out;
  return out;
}

SceneFace square(double x, const Vec3& colour) {
  SceneFace face;
  face.corners = {{x, 0, 0}, {x, 1, 0}, {x, 1, 1}, {x, 0, 1}};
  face.colour = colour;
  return face;
}

const Vec3 red(1, 0, 0), blue(0, 0, 1);

// Somebody who looks along -x sees y to the right and z upwards; the square at x = 1 hides that at x = 0.
TEST(ScenePicture, NearerFacesAreDrawnLater) {
  Scene scene;
  scene.from = Vec3(2, 0, 0);
  for (const bool turned : {false, true}) {
    scene.faces =
        turned ? std::vector{square(1, red), square(0, blue)} : std::vector{square(0, blue), square(1, red)};
    const std::string svg = svg_of(scene, 428);
    EXPECT_EQ(count(svg, "<path"), 2u);
    EXPECT_LT(svg.find("fill=\"#0000"), svg.rfind("<path"));  // the blue one first
    EXPECT_EQ(svg.find("#0000", svg.rfind("<path")), std::string::npos);
  }
}

// 400 pixels between margins of 14: but a picture is at most nine tenths as high as wide, 360 here; it begins 34 below the top.
TEST(ScenePicture, KeepsProportions) {
  Scene scene;
  scene.from = Vec3(2, 0, 0);
  scene.faces = {square(0, red)};
  EXPECT_NE(svg_of(scene, 428).find("M34.0 394.0L394.0 394.0L394.0 34.0L34.0 34.0Z"), std::string::npos)
      << svg_of(scene, 428);
}

TEST(ScenePicture, ClosedSurfacesAreSeenFromOutside) {
  Scene scene;
  scene.faces = {square(0, red)};  // looks along +x
  for (const bool inside : {false, true}) {
    scene.from = Vec3(inside ? -2 : 2, 1, 0);
    scene.faces[0].outside_only = true;
    EXPECT_EQ(count(svg_of(scene), "<path"), inside ? 0u : 1u);
    scene.faces[0].outside_only = false;
    EXPECT_EQ(count(svg_of(scene), "<path"), 1u);
  }
}

TEST(ScenePicture, LinesOfOneColourAreOnePath) {
  Scene scene;
  scene.lines = {{.from = {0, 0, 0}, .to = {0, 1, 0}}, {.from = {0, 1, 0}, .to = {0, 1, 1}}};
  EXPECT_EQ(count(svg_of(scene), "<path"), 1u);
  scene.lines[1].colour = red;
  EXPECT_EQ(count(svg_of(scene), "<path"), 2u);
}

TEST(ScenePicture, WordsAreEscapedAndColoursExplained) {
  Scene scene;
  scene.title = "a < b & c";
  scene.quantity = "stress [MPa]";
  EXPECT_NE(svg_of(scene).find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg_of(scene).find("stress"), std::string::npos);
  scene.most = 2.5;
  EXPECT_NE(svg_of(scene).find("stress [MPa]: 0 to 2.5"), std::string::npos);
  EXPECT_EQ(scale_colour(-1), scale_colour(0));
  EXPECT_EQ(scale_colour(2), scale_colour(1));
  EXPECT_NE(scale_colour(0.5), scale_colour(0.75));
}

}  // namespace
}  // namespace tappet::scene_picture_test
