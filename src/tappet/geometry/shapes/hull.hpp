// The convex hull of given points.
#pragma once

#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

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
