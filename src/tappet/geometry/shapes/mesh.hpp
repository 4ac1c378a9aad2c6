// A closed surface of triangles, from a file or from another shape.
#pragma once

#include <memory>
#include <numbers>
#include <string>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/mesh.hpp"
#include "tappet/geometry/mesh_facets.hpp"
#include "tappet/geometry/mesh_features.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

struct MeshParameters {
  std::string file = {};                        ///< STL or OBJ, relative to the model file
  double scale = 1;                             ///< length of the file's unit, m
  Vec3 position = Vec3::Zero();                 ///< of the file's origin, body coordinates, m
  double crease = 40 * std::numbers::pi / 180;  ///< rad
  double spacing = not_given;                   ///< of contact points, m
  double weld = not_given;                      ///< m
  bool repair = false;
};

class ConvexMesh;

struct MeshOptions {
  double crease = 0.7;  ///< angle between neighbouring triangles above which their edge is sharp, rad (40°)
  /// Distance of contact points on long edges and large faces, m; 0: a fortieth of the mesh's diagonal.
  double spacing = 0;
};

class Mesh final : public Shape {
 public:
  /// The mesh is closed and looks outward: see find_faults().
  explicit Mesh(TriangleMesh mesh, const MeshOptions& options = {});
  /// With mass properties that are known better than by the mesh.
  Mesh(TriangleMesh mesh, const MeshOptions& options, const SolidProperties& known);
  Mesh(const Mesh&) = delete;
  ~Mesh() override;

  const TriangleMesh mesh;  ///< body coordinates
  const SurfaceTree surface;
  const MeshFeatures features;
  const MeshFacets facets;
  const PointTree vertices;                        ///< over the mesh's vertices
  const std::unique_ptr<const ConvexMesh> convex;  ///< null when it is not

  Bounds bounds(const Pose& pose) const override;
  SolidProperties solid() const override { return solid_; }
  double size() const override { return size_; }

 private:
  SolidProperties solid_;
  double size_ = 0;
  std::vector<Vec3> hull_;  ///< corners of a box around the mesh
};

}  // namespace tappet
