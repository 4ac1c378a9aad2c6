// Does a mesh enclose a volume, and what is in the way if not.
#pragma once

#include <string>

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// What is wrong with a mesh. All zero and false: it encloses a volume.
struct MeshFaults {
  int open_edges = 0;     ///< edges of one triangle only
  int crowded_edges = 0;  ///< edges of more than two triangles
  int flipped = 0;        ///< triangles that look the other way than the rest of their surface
  int intersecting = 0;   ///< pairs of triangles that cross each other
  bool inside_out = false;

  bool closed() const { return open_edges == 0 && crowded_edges == 0; }
  bool any() const { return !closed() || flipped > 0 || intersecting > 0 || inside_out; }
  /// "12 open edges and 3 flipped triangles"; "" for none.
  std::string text() const;
};
MeshFaults find_faults(const TriangleMesh& mesh);

/// The same mesh with all triangles looking outward. Needs a closed surface.
TriangleMesh oriented(const TriangleMesh& mesh);

}  // namespace tappet
