// Convex polyhedra: corners, flat faces, edges.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tappet/geometry/convex.hpp"

namespace tappet {

struct Polyhedron {
  struct Face {
    Vec3 normal;            ///< unit, outward
    double offset;          ///< normal · x on the face, m
    std::vector<int> loop;  ///< corners, anticlockwise seen from outside
  };

  std::vector<Vec3> corners;
  std::vector<Face> faces;

  /// Convex hull; null when the points lie in one plane, up to rounding.
  static std::optional<Polyhedron> hull_of(const std::vector<Vec3>& points);
  static Polyhedron box(const Vec3& half);

  /// The corner that is farthest along d.
  int farthest(const Vec3& d) const;
  Foot foot(const Vec3& point) const;
  SolidProperties solid() const;
  /// The face whose normal is nearest to d.
  int face_towards(const Vec3& d) const;
};

/// A convex shape with flat faces.
class PolyhedralShape : public ConvexShape {
 public:
  static constexpr int most_corners = 256;
  const Polyhedron polyhedron;  ///< in own axes

  Vec3 support(const Vec3& d) const override { return polyhedron.corners[farthest(d)]; }
  Foot foot(const Vec3& point) const override { return polyhedron.foot(point); }
  double radius(const Vec3& n) const override;
  void features(const Vec3& n, double angle, Features& out) const override;
  int faces() const override { return static_cast<int>(polyhedron.faces.size()); }
  Vec3 face_normal(int i) const override { return polyhedron.faces[i].normal; }
  double reach() const override { return reach_; }
  int corner_count() const { return static_cast<int>(polyhedron.corners.size()); }
  /// The corners at the other ends of a corner's edges.
  std::span<const int> neighbours(int corner) const {
    return std::span(neighbours_).subspan(around_[corner], around_[corner + 1] - around_[corner]);
  }
  SolidProperties solid() const override { return placed(polyhedron.solid(), place); }

 protected:
  PolyhedralShape(std::string kind, Polyhedron polyhedron, const Pose& place);
  /// The corner that is farthest along d.
  virtual int farthest(const Vec3& d) const;

 private:
  double reach_ = 0;
  std::vector<int> around_;                 ///< where a corner's part of the next two begins
  std::vector<int> neighbours_, faces_at_;  ///< the next corner on a face's loop, and the face
};

}  // namespace tappet
