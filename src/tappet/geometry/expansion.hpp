// The shortest way out of an overlap: the point nearest to the origin on the surface of a convex set that is
// known by its support points and has the origin inside.
//
// A polytope inside the set grows: the face nearest to the origin is pushed out to the set's farthest point
// in its direction, until that is no farther [vandenBergen2001]. Its distance is then the depth, of all
// directions the least; of a curved set, to within the tolerance.
#pragma once

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "tappet/base/vectors.hpp"

namespace tappet {

/// `Support`: Vec3 → the farthest point of the set in that direction.
template <class Support>
class Expansion {
 public:
  Expansion(const Support& support, double extent) : support_(support), rounding_(1e-14 * extent) {}

  /// False where the set is flat, up to rounding. `known`: points of the set, at most four.
  bool begin(const Vec3* known, int count) {
    for (int i = 0; i < count && points_ < 4; ++i) take(known[i]);
    for (int axis = 0; axis < 3 && points_ < 4; ++axis)
      for (const double sign : {1.0, -1.0}) take(support_(sign * Vec3::Unit(axis)));
    for (int round = 0; round < 3 && points_ < 4; ++round) {
      // Away from the line or plane that the points span.
      Vec3 d = Vec3::UnitX();
      if (points_ == 2) d = (point_[1] - point_[0]).unitOrthogonal();
      if (points_ == 3) d = (point_[1] - point_[0]).cross(point_[2] - point_[0]);
      for (const double sign : {1.0, -1.0}) take(support_(sign * d));
    }
    if (points_ < 4) return false;
    middle_ = (point_[0] + point_[1] + point_[2] + point_[3]) / 4;
    return add(0, 1, 2) && add(0, 1, 3) && add(0, 2, 3) && add(1, 2, 3);
  }

  /// The outward direction, unit, in which the surface is nearest.
  Vec3 nearest(double tolerance) {
    Vec3 best = Vec3::UnitX();
    double least = HUGE_VAL;
    while (points_ < most_points) {
      const Face& face = faces_[lowest()];
      const Vec3 p = support_(face.normal);
      if (const double h = face.normal.dot(p); h < least) least = h, best = face.normal;
      if (least - face.distance <= tolerance || face.normal.dot(p) - face.distance <= rounding_ || !grow(p))
        break;
    }
    return best;
  }

  /// No direction is nearer than this: the polytope is inside the set.
  double certain() const { return faces_[lowest()].distance; }

  /// Directions of faces that are no farther than `distance`, and turned against `other` by more than a
  /// little.
  template <class Visit>
  void rivals(double distance, const Vec3& other, const Visit& visit) const {
    for (int i = 0; i < count_; ++i)
      if (faces_[i].distance < distance && faces_[i].normal.dot(other) < 0.9998) visit(faces_[i].normal);
  }

 private:
  static constexpr int most_points = 120, most_faces = 2 * most_points;
  struct Face {
    int i, j, k;
    Vec3 normal;
    double distance;
  };
  const Support& support_;
  double rounding_;
  std::array<Vec3, most_points> point_;
  std::array<Face, most_faces> faces_;
  int points_ = 0, count_ = 0;
  Vec3 middle_ = Vec3::Zero();

  /// Takes one of the first four points unless it depends on the others.
  void take(const Vec3& p) {
    if (points_ >= 4) return;
    const double away =
        points_ == 0   ? 1
        : points_ == 1 ? (p - point_[0]).norm()
        : points_ == 2
            ? (p - point_[0]).cross((point_[1] - point_[0]).normalized()).norm()
            : std::abs(
                  (p - point_[0]).dot((point_[1] - point_[0]).cross(point_[2] - point_[0]).normalized()));
    if (points_ == 0 || away > 1e6 * rounding_) point_[points_++] = p;
  }

  bool add(int i, int j, int k) {
    if (count_ == most_faces) return false;
    Vec3 n = (point_[j] - point_[i]).cross(point_[k] - point_[i]);
    const double length = n.norm();
    if (!(length > 0)) return false;
    n /= length;
    if (n.dot(point_[i] - middle_) < 0) n = -n;
    faces_[count_++] = {i, j, k, n, n.dot(point_[i])};
    return true;
  }

  int lowest() const {
    int out = 0;
    for (int i = 1; i < count_; ++i)
      if (faces_[i].distance < faces_[out].distance) out = i;
    return out;
  }

  /// Replaces the faces that see p by a cone from their outline to p.
  bool grow(const Vec3& p) {
    std::array<std::array<int, 2>, 3 * most_faces> outline;
    int edges = 0;
    const auto edge = [&](int a, int b) {
      for (int e = 0; e < edges; ++e)
        if ((outline[e][0] == b && outline[e][1] == a) || (outline[e][0] == a && outline[e][1] == b)) {
          outline[e] = outline[--edges];
          return;
        }
      outline[edges++] = {a, b};
    };
    for (int f = 0; f < count_;) {
      const Face face = faces_[f];
      if (face.normal.dot(p) - face.distance <= rounding_) {
        ++f;
        continue;
      }
      edge(face.i, face.j), edge(face.j, face.k), edge(face.k, face.i);
      faces_[f] = faces_[--count_];
    }
    const int apex = points_++;
    point_[apex] = p;
    bool whole = edges > 0;
    for (int e = 0; e < edges; ++e) whole = add(outline[e][0], outline[e][1], apex) && whole;
    return whole && count_ > 0;
  }
};

}  // namespace tappet
