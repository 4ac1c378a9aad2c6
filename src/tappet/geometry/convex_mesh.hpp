// A convex mesh as a convex polyhedron: its triangles joined to flat faces, support points by climbing from
// corner to corner.
#pragma once

#include <memory>

#include "tappet/geometry/mesh.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

class ConvexMesh final : public PolyhedralShape {
 public:
  /// Null when the mesh has hollow edges. The tree outlives it.
  static std::unique_ptr<ConvexMesh> of(const TriangleMesh& mesh, const SurfaceTree& surface);

  Vec3 support(const Vec3& d) const override { return polyhedron.corners[farthest(d)]; }
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3&) const override { return 0; }
  double accuracy() const override { return accuracy_; }
  Vec3 middle() const override { return middle_; }
  double reach() const override { return reach_; }
  double size() const override { return reach_; }

 private:
  ConvexMesh(Polyhedron shape, double accuracy, const SurfaceTree& surface);
  int farthest(const Vec3& d) const override;

  const SurfaceTree* surface_;
  double accuracy_;
  int start_[6];  ///< the corners farthest along the axes
  Vec3 middle_;
  double reach_ = 0;
};

}  // namespace tappet
