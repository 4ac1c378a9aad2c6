// Convex hulls of many points, as triangles.
#pragma once

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// The hull's triangles: indices of three of the points, looking outward. Empty when the points lie in one plane, up to
/// rounding. Every point is tried against every triangle.
std::vector<Triangle> hull_triangles(const std::vector<Vec3>& points);

/// The hull of a mesh's vertices as a closed mesh. Its corners are vertices of the mesh, and it is left out by at most
/// `hull_tolerance` of the diagonal, or has `most_hull_corners`. Empty when the vertices lie in one plane.
TriangleMesh hull_mesh(const std::vector<Vec3>& points);
inline constexpr double hull_tolerance = 1e-4;
inline constexpr int most_hull_corners = 1000;

}  // namespace tappet
