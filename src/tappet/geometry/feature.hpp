// Features: what a convex shape shows in one direction. A corner, an edge, a face, a line of a cylinder's
// side, a point of a rim or of a smooth surface.
//
// The points of a shape's core that are farthest along n are
//
//   c(n) + L,   c(n) = base + round(n)
//
// round(n) moves with n on curved parts; L is flat and perpendicular to n: a point, a segment or a convex
// region (a disc, a polygon).
#pragma once

#include <array>
#include <span>

#include "tappet/base/vectors.hpp"

namespace tappet {

struct Feature {
  Vec3 base = Vec3::Zero();
  bool round = false;
  int dimension = 0;                             ///< of L
  Vec3 along[2] = {Vec3::Zero(), Vec3::Zero()};  ///< unit vectors that span L
  double half = 0;                               ///< half length of a segment, radius of a disc
  std::span<const Vec3> corners = {};            ///< of a polygon's shape: those in `loop`, anticlockwise
  std::span<const int> loop = {};                ///< seen from outside; empty: not a polygon
  double radius = 0;  ///< of curvature, as in Proximity::radius; < 0: ask the shape
};

/// The features that a shape may show within some angle of a direction, the largest first.
class Features {
 public:
  static constexpr int most = 24;
  void add(const Feature& feature) {
    if (count_ < most) all_[count_++] = feature;
  }
  const Feature* begin() const { return all_.data(); }
  const Feature* end() const { return all_.data() + count_; }

 private:
  std::array<Feature, most> all_;
  int count_ = 0;
};

/// L of a feature in common axes, with its middle c(n).
struct FlatPart {
  Vec3 middle;
  int dimension = 0;
  Vec3 along[2];
  double half = 0;
  int size = 0;  ///< corners of a polygon
  std::array<Vec3, 64> corner;
};

/// Points a and b of two flat parts, opposite to each other as seen along n, in the middle of where the parts
/// overlap. How far they miss being opposite, m.
double opposite_points(const FlatPart& first, const FlatPart& second, const Vec3& n, Vec3& a, Vec3& b);

}  // namespace tappet
