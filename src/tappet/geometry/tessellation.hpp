// Shapes as meshes: what `engine: polygon` computes with.
#pragma once

#include <memory>
#include <string>

#include "tappet/base/registry.hpp"
#include "tappet/geometry/shape.hpp"
#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {

/// Registered under a shape's kind.
struct Tessellation {
  std::string name;
  /// The largest radius of curvature that triangles replace, m; 0: the shape has flat faces only.
  double (*radius)(const Shape& shape) = nullptr;
  /// The shape in its own axes, closed, outward, with rings of 4n points.
  TriangleMesh (*make)(const Shape& shape, int n) = nullptr;
};
using TessellationRegistry = Registry<Tessellation>;

/// The distance between mesh and shape that is asked for when the user says nothing: a thousandth of the
/// shape's size.
double default_tolerance(const Shape& shape);
/// The least tolerance that can be kept, m.
double finest_tolerance(const Shape& shape);

/// Null when nobody knows how to mesh such a shape. `tolerance` 0: the default.
std::unique_ptr<Mesh> tessellate(const Shape& shape, double tolerance = 0);

}  // namespace tappet
