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
  /// Body coordinates; closed, outward; nowhere farther than about `tolerance` from the shape, m.
  TriangleMesh (*make)(const Shape& shape, double tolerance) = nullptr;
};
using TessellationRegistry = Registry<Tessellation>;

/// The distance between mesh and shape that is asked for when the user says nothing: a thousandth of the
/// shape's size.
double default_tolerance(const Shape& shape);

/// Null when nobody knows how to mesh such a shape. `tolerance` 0: the default.
std::unique_ptr<Mesh> tessellate(const Shape& shape, double tolerance = 0);

}  // namespace tappet
