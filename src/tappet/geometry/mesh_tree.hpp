// Trees of oriented boxes over triangles and over points: the search behind every contact of meshes.
//
// FCL fits and splits the boxes [Pan2012]; they are then kept as plain arrays, so that a query is a walk
// that allocates nothing and is exact to rounding.
#pragma once

#include <limits>
#include <vector>

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// A box with axes of its own. Leaves hold one primitive.
struct BoxNode {
  Mat3 axes;          ///< columns
  Vec3 centre, half;  ///< m
  int child = 0;      ///< > 0: the first of two neighbouring children; < 0: leaf of primitive −child − 1
  double reach = 0;   ///< half the diagonal, m

  bool leaf() const { return child < 0; }
  int primitive() const { return -child - 1; }
  /// Square of the distance from a point to the box, m².
  double distance2(const Vec3& p) const {
    const Vec3 outside = ((axes.transpose() * (p - centre)).cwiseAbs() - half).cwiseMax(0.0);
    return outside.squaredNorm();
  }
};

/// Boxes around boxes around triangles; around points where there are no triangles. The first is around everything.
std::vector<BoxNode> box_tree(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles);

/// The point of a surface nearest to a given one.
struct SurfacePoint {
  double distance = std::numeric_limits<double>::infinity();  ///< m; < 0 inside
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< unit gradient of the distance
  int triangle = -1;
};

/// The surface of a closed mesh, which must outlive the tree.
class SurfaceTree {
 public:
  explicit SurfaceTree(const TriangleMesh& mesh);

  /// Signed distance. It is continuous; the sign is that of the angle-weighted normal at the nearest point
  /// [Baerentzen2005]. `hint`: a triangle that may be near, or −1.
  SurfacePoint nearest(const Vec3& p, int hint = -1) const;

  /// Calls visit(triangle, nearest point of it, distance²) for the triangles whose distance² is not above
  /// `bound2()`, which may shrink on the way.
  template <class Bound, class Visit>
  void within(const Vec3& p, const Bound& bound2, const Visit& visit) const {
    if (!nodes_.empty() && nodes_[0].distance2(p) <= bound2()) descend(0, p, bound2, visit);
  }

  /// Is there a triangle between the two points? Triangles along the line and those that pass within `margin` of an end (as
  /// a part of the length) are none.
  bool between(const Vec3& from, const Vec3& to, double margin) const;

  const TriangleMesh& mesh() const { return *mesh_; }
  const std::vector<BoxNode>& nodes() const { return nodes_; }
  const Vec3& face_normal(int triangle) const { return face_normals_[triangle]; }
  /// The point of a triangle nearest to p.
  Vec3 nearest_on(int triangle, const Vec3& p) const { return foot(p, triangle).point; }

 private:
  struct Foot {
    Vec3 point;
    int where;  ///< 0 inside the triangle; 1..3 at corner where − 1; 4..6 on the edge from corner where − 4
                ///< to the next
  };
  Foot foot(const Vec3& p, int triangle) const;
  Vec3 pseudo_normal(int triangle, int where) const;

  template <class Bound, class Visit>
  void descend(int at, const Vec3& p, const Bound& bound2, const Visit& visit) const {
    const BoxNode& node = nodes_[at];
    if (node.leaf()) {
      const Foot f = foot(p, node.primitive());
      visit(node.primitive(), f.point, (f.point - p).squaredNorm());
      return;
    }
    // The nearer box first: what is found there spares us the other.
    int near = node.child, far = node.child + 1;
    double d_near = nodes_[near].distance2(p), d_far = nodes_[far].distance2(p);
    if (d_far < d_near) {
      std::swap(near, far);
      std::swap(d_near, d_far);
    }
    if (d_near <= bound2()) descend(near, p, bound2, visit);
    if (d_far <= bound2()) descend(far, p, bound2, visit);
  }

  const TriangleMesh* mesh_;
  std::vector<BoxNode> nodes_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  ///< per triangle, edge k from corner k to the next
};

/// Calls visit(triangle of the first, triangle of the second) wherever their boxes overlap. `second_in_first`: where the second
/// is, in the first's coordinates.
template <class Visit>
void meeting_triangles(const SurfaceTree& first, const SurfaceTree& second, const Pose& second_in_first,
                       const Visit& visit);
/// The same wherever their boxes are nearer than `margin`, and a little beyond, m.
template <class Visit>
void near_triangles(const SurfaceTree& first, const SurfaceTree& second, const Pose& second_in_first,
                    double margin, const Visit& visit);

/// Two surfaces that do not cross: their nearest triangles, and the points there in the first's coordinates.
struct SurfaceGap {
  double distance = std::numeric_limits<double>::infinity();  ///< m
  int first = -1, second = -1;
  Vec3 on_first = Vec3::Zero(), on_second = Vec3::Zero();
};
/// `bound`: nothing farther is looked for, m.
SurfaceGap surface_gap(const SurfaceTree& first, const SurfaceTree& second, const Pose& second_in_first,
                       double bound = std::numeric_limits<double>::infinity());

/// Points in space, to be searched for the least value of something that changes by at most 1 m per metre.
class PointTree {
 public:
  PointTree() = default;
  explicit PointTree(const std::vector<Vec3>& points);
  bool empty() const { return nodes_.empty(); }
  const std::vector<BoxNode>& nodes() const { return nodes_; }

 private:
  std::vector<BoxNode> nodes_;
};

/// Pairs of triangles without a common vertex that cross each other.
int crossing_triangles(const TriangleMesh& mesh);

/// Do two boxes overlap, the second being where `second_in_first` says? By separating axes [Gottschalk1996].
bool boxes_overlap(const BoxNode& first, const BoxNode& second, const Pose& second_in_first);

/// Descends both trees together wherever meet(box of the first, box of the second).
template <class Meet, class Visit>
void descend_both(const SurfaceTree& first, const SurfaceTree& second, const Meet& meet, const Visit& visit) {
  if (first.nodes().empty() || second.nodes().empty()) return;
  const auto descend = [&](const auto& self, int i, int j) -> void {
    const BoxNode &a = first.nodes()[i], &b = second.nodes()[j];
    if (!meet(a, b)) return;
    if (a.leaf() && b.leaf()) return visit(a.primitive(), b.primitive());
    if (b.leaf() || (!a.leaf() && a.reach > b.reach)) {
      self(self, a.child, j);
      self(self, a.child + 1, j);
    } else {
      self(self, i, b.child);
      self(self, i, b.child + 1);
    }
  };
  descend(descend, 0, 0);
}

template <class Visit>
void meeting_triangles(const SurfaceTree& first, const SurfaceTree& second, const Pose& second_in_first,
                       const Visit& visit) {
  descend_both(
      first, second, [&](const BoxNode& a, const BoxNode& b) { return boxes_overlap(a, b, second_in_first); },
      visit);
}

template <class Visit>
void near_triangles(const SurfaceTree& first, const SurfaceTree& second, const Pose& second_in_first,
                    double margin, const Visit& visit) {
  const auto meet = [&](const BoxNode& a, const BoxNode& b) {
    BoxNode wider = a;
    wider.half.array() += margin;
    wider.reach = wider.half.norm();
    return boxes_overlap(wider, b, second_in_first);
  };
  descend_both(first, second, meet, visit);
}

}  // namespace tappet
