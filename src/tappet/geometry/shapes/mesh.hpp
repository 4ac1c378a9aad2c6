// A closed surface of triangles, from a file or from another shape.
#pragma once

#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <string>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/mesh.hpp"
#include "tappet/geometry/mesh_facets.hpp"
#include "tappet/geometry/mesh_features.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

struct MeshParameters {
  std::string file = {};                                  ///< STL, OBJ or COLLADA, relative to the model file
  double scale = 1;                                       ///< length of the file's unit, m
  Vec3 stretch = Vec3::Ones();                            ///< factors along the file's axes besides
  Vec3 position = Vec3::Zero();                           ///< of the file's origin, body coordinates, m
  std::optional<std::array<double, 4>> orientation = {};  ///< of the file's axes: quaternion w, x, y, z
  double crease = 40 * std::numbers::pi / 180;            ///< rad
  double spacing = not_given;                             ///< of contact points, m
  double weld = not_given;                                ///< m
  bool repair = false;
  bool convex = false;   ///< the hull of the vertices instead
  bool centred = false;  ///< moved so that its centre of mass is the body's origin
};

class ConvexMesh;

/// The file's mesh where it is in its body, closed and looking outward. Nothing after an error was reported.
std::optional<TriangleMesh> read_closed_mesh(const MeshParameters& p, const Origin& origin,
                                             Diagnostics& diagnostics);

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
