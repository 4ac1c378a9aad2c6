// A convex mesh as a convex shape: support points by climbing from vertex to vertex.
#pragma once

#include <memory>
#include <vector>

#include "tappet/geometry/convex.hpp"
#include "tappet/geometry/mesh.hpp"
#include "tappet/geometry/mesh_tree.hpp"

namespace tappet {

class ConvexMesh final : public ConvexShape {
 public:
  /// Null when the mesh has hollow edges. Mesh and tree outlive it.
  static std::unique_ptr<ConvexMesh> of(const TriangleMesh& mesh, const SurfaceTree& surface);

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3&) const override { return 0; }
  int faces() const override { return static_cast<int>(normals_.size()); }
  Vec3 face_normal(int i) const override { return normals_[i]; }
  Vec3 middle() const override { return middle_; }
  double reach() const override { return reach_; }
  double size() const override { return reach_; }

 private:
  ConvexMesh(const TriangleMesh& mesh, const SurfaceTree& surface);

  const TriangleMesh* mesh_;
  const SurfaceTree* surface_;
  std::vector<int> first_, neighbours_;  ///< those of vertex v from first_[v] to first_[v + 1]
  std::vector<Vec3> normals_;            ///< of the largest flat parts
  int start_[6];                         ///< the vertices farthest along the axes
  Vec3 middle_;
  double reach_ = 0;
};

}  // namespace tappet
