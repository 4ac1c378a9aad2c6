// Meshes of simple bodies around the origin. Vertices lie on the surface; neighbouring vertices are about h
// apart where the surface is curved, so that the mesh stays within h²/8R of it.
#pragma once

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// Ball of radius 1: rings of 4k points around each pole, as dense everywhere. 4n² + 2 vertices, 8n²
/// triangles.
TriangleMesh ball_mesh(int n);
/// Half sides.
TriangleMesh box_mesh(const Vec3& half);
/// Along z; 4n points a ring.
TriangleMesh cylinder_mesh(double radius, double half_length, int n);
/// Along z; the ends are half balls around ±half_length.
TriangleMesh capsule_mesh(double radius, double half_length, int n);

/// `n` for which a ring of 4n points of this radius stays within `tolerance` of the circle; at least 2, at
/// most 200.
int ring_quarter(double radius, double tolerance);

}  // namespace tappet
