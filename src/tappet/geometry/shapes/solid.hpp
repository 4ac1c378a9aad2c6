// A solid with exact surfaces, from a CAD file or from another shape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/exact_surface.hpp"
#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {

struct SolidParameters {
  std::string file = {};         ///< STEP or BREP, relative to the model file
  double scale = 1e-3;           ///< length of the file's unit, m
  Vec3 position = Vec3::Zero();  ///< of the file's origin, body coordinates, m
  double tolerance = not_given;  ///< of its mesh, m
};

class Solid final : public Shape {
 public:
  /// A body in body coordinates; `mesh` stands for it within `tolerance`, closed and outward.
  Solid(const ExactBody& body, TriangleMesh mesh, double tolerance);

  const ExactSurface surface;
  /// What `engine: polygon` computes with.
  const Mesh& mesh() const { return mesh_; }

  Bounds bounds(const Pose& pose) const override;
  SolidProperties solid() const override { return properties_; }
  double size() const override { return mesh_.size(); }

 private:
  Mesh mesh_;
  double tolerance_;
  SolidProperties properties_;
};

/// Another shape as a solid; null when there is none for its kind.
std::unique_ptr<Solid> solidified(const Shape& shape);
/// Kinds of shapes that can be turned into solids.
const std::vector<std::string>& solid_kinds();

}  // namespace tappet
