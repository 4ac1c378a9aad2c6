// A scene in space as a picture: faces and lines, seen from afar (parallel projection), as SVG.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/vectors.hpp"

namespace tappet {

struct SceneFace {
  std::vector<Vec3> corners;             ///< m; counter-clockwise seen from outside
  Vec3 colour = Vec3(0.62, 0.69, 0.78);  ///< red, green, blue: 0 … 1
  bool outside_only = false;             ///< a face of a closed surface: not seen from behind
  bool background = false;               ///< behind everything else: the ground
};

struct SceneLine {
  Vec3 from, to;
  Vec3 colour = Vec3(0.25, 0.3, 0.36);
  double width = 1;  ///< pixels
};

struct Scene {
  std::string title, caption;
  std::vector<SceneFace> faces;
  std::vector<SceneLine> lines;
  Vec3 from = Vec3(1, -2, 0.8);  ///< where the viewer stands, seen from the scene; any length, not along z
  double most = 0;               ///< of the quantity that colours show; 0: they show none
  std::string quantity;          ///< its name with its unit
};

/// Colour of a part 0 … 1 of Scene::most, from blue over green to yellow.
Vec3 scale_colour(double part);

/// SVG's text. Nearer faces hide farther ones, each as a whole: faces that pass through each other may be in the wrong order. Lines are
/// drawn over all faces.
std::string svg_of(const Scene& scene, int width = 620);

}  // namespace tappet
