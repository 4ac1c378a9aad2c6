#include "tappet/geometry/tessellation.hpp"

#include <cmath>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

/// The mesh of a body around the origin, moved to where the shape has it.
TriangleMesh placed(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.point(v);
  return mesh;
}

const Registration<Tessellation> sphere{
    {"sphere", [](const Shape& shape, double tolerance) {
       const auto& s = static_cast<const Sphere&>(shape);
       return placed(ball_mesh(ring_quarter(s.R, tolerance)), {s.R * Mat3::Identity(), s.centre});
     }}};

}  // namespace

double default_tolerance(const Shape& shape) {
  return 1e-3 * shape.size();
}

std::unique_ptr<Mesh> tessellate(const Shape& shape, double tolerance) {
  const Tessellation* known = TessellationRegistry::instance().find(shape.kind());
  if (!known) return nullptr;
  return std::make_unique<Mesh>(known->make(shape, tolerance > 0 ? tolerance : default_tolerance(shape)));
}

}  // namespace tappet
