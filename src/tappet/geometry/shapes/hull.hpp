// The convex hull of given points.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

struct HullParameters {
  std::vector<Vec3> points = {};                          ///< at least four, not in one plane, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

class Hull final : public PolyhedralShape {
 public:
  /// Corners in body coordinates.
  explicit Hull(Polyhedron polyhedron);

  Vec3 middle() const override { return centre_; }
  double reach() const override { return reach_; }
  double size() const override { return size_; }

 private:
  Vec3 centre_;
  double reach_ = 0, size_ = 0;
};

}  // namespace tappet
