// Corners of a polyhedron or polygon as candidates of contact, each a ball of radius 0.
#pragma once

#include "tappet/geometry/polyhedron.hpp"
#include "tappet/geometry/shapes/polygon.hpp"

namespace tappet {

inline int corner_count(const PolyhedralShape& shape) {
  return shape.corner_count();
}
inline int corner_count(const Polygon& shape) {
  return shape.count();
}
inline const Vec3& corner(const PolyhedralShape& shape, int i) {
  return shape.polyhedron.corners[i];
}
inline const Vec3& corner(const Polygon& shape, int i) {
  return shape.corners[i];
}

}  // namespace tappet
