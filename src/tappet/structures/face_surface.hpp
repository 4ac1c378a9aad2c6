// A surface made of faces of a structure, in its current shape: the point of it that is nearest to another.
//
// That point may lie inside a face, on an edge or at a node; which face it is on is found by going downhill from
// face to face. The normal is the mean of those of the faces around each node, taken between the nodes as positions
// are; so it does not jump where something slides from face to face. Faces that meet at more than 30° in the mesh as
// given keep normals of their own: an edge between them is meant.
#pragma once

#include <vector>

#include "tappet/fem/mesh.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

class FaceSurface {
 public:
  /// Of the faces between these nodes of a structure.
  FaceSurface(const StructureSystem& system, int structure, const std::vector<int>& nodes);

  struct Foot {
    int face = -1;  ///< −1: none is within the limit
    double weight[4] = {};
    Vec3 at = Vec3::Zero();
    Vec3 flat = Vec3::Zero();  ///< the face's own normal there
    double distance = 0;       ///< m
  };
  /// The nearest point to x; from face `begin` downhill, or, where that is −1, among all that are nearer than `limit`.
  Foot nearest(const Vec3& x, const double* q, int begin, double limit) const;
  /// The point where a ball around x touches: x is on the mean normal there, not only on that of a face, so that a ball
  /// in a hollow does not hop between the faces around it. Sets `normal`, towards x. From `foot`, the nearest point;
  /// false, with nothing changed, at edges that are meant and where the ball does not fit.
  bool smooth(const Vec3& x, const double* q, Foot& foot, Vec3& normal) const;
  /// The mean normal there.
  Vec3 normal(const Foot& foot, const double* q) const;
  /// normal · (X + u − foot) for what the mesh puts at X and moves by u. Positions are rounded in proportion to their distance from
  /// the origin, which may be more than all displacements together; so the gap of the mesh as given and its change are taken apart:
  ///
  ///   g = n₀·(X − Σ w P) + (n − n₀)·(X − Σ w P) + n·(u − Σ w u_P)       P: nodes of the face as given, n₀: their normal at w
  ///
  /// and the first term is 0 where it is not more than rounding of coordinates: surfaces that lie on each other do so exactly.
  double gap(const Foot& foot, const Vec3& X, const Vec3& u, const Vec3& normal, const double* q) const;
  /// x is not above or below the surface but beyond its rim; above is on this `side` (1: where normals point, −1: the
  /// other side, 0: either). What leans outwards over the rim is above it, since the faces of a round body that ends at a
  /// plane of symmetry lean too: up to 0.5 above, and below, where x was not beside it `before`, up to 0.1.
  bool beside(const Foot& foot, const Vec3& x, double side, bool before) const;
  /// An edge of one face alone is nearest.
  bool on_rim(const Foot& foot) const;
  /// Longest edge or diagonal of a face from its first node, m.
  double size(int face) const { return size_[face]; }

  const std::vector<fem::Face>& faces() const { return faces_; }

 private:
  Vec3 flat_normal(int face, const double* q) const;
  Vec3 mesh_normal(const Foot& foot) const;
  /// Nearest point of one face; its own coordinates stay within ±limit: 1 keeps the point on the face. True when it
  /// lies inside (a little beyond the edges counts).
  bool foot_on(int face, const Vec3& x, const double* q, double limit, Foot& out) const;

  const StructureSystem& system_;
  int structure_;
  std::vector<fem::Face> faces_;
  std::vector<double> size_;                  // of each face, m
  std::vector<Vec3> mesh_normals_;            // 4 a face: the mean normal at the node, of the mesh as given
  double rounding_ = 0;                       // of the mesh's coordinates, m
  std::vector<std::vector<int>> neighbours_;  // of each face, with itself
  std::vector<std::vector<int>> smooth_;      // 4 a face: faces around the node whose normals are averaged
  std::vector<char> rim_;  // 4 a face: the edge from this node to the next is that of no other face
};

}  // namespace tappet
