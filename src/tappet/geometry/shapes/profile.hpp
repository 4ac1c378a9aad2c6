// Ground given by a height profile: stairs, rough roads. A polyline over the shape's x axis with material
// below it, level beyond its ends. In space it is as wide as the world along the shape's y axis and its
// heights are along z; in the plane heights are along y.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct ProfileParameters {
  std::vector<Vec3> points = {};  ///< x and height in order; x does not decrease, equal x makes a riser, m
  Vec3 position = Vec3::Zero();   ///< of its middle, body coordinates, m
  double angle = not_given;       ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

class Profile final : public Shape {
 public:
  /// Points (x, height) in own axes; x does not decrease, no two neighbours are the same, risers do not turn
  /// back.
  Profile(const std::vector<Vec2>& points, const Pose& place, Dimension dimension);
  const Pose place;

  /// One straight piece: anchor + u · along, low ≤ u ≤ high, material to the right of `along`.
  struct Piece {
    Vec2 anchor, along, normal;
    double low, high;
    double left, right;  ///< range of x
    bool nose;           ///< its beginning is a convex corner

    Vec2 begin() const { return anchor + low * along; }
  };
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Pieces that reach into low ≤ x ≤ high: [first, last).
  std::pair<int, int> pieces_between(double low, double high) const;
  /// Does (x, height) see the nose at the beginning of piece i, and neither of the pieces beside it?
  bool before_nose(int i, const Vec2& p) const;

  /// Own axes to the plane of the polyline and back; `y` is the place along the width.
  Vec2 flatten(const Vec3& own) const { return planar_ ? Vec2(own.x(), own.y()) : Vec2(own.x(), own.z()); }
  Vec3 unflatten(const Vec2& v, double y = 0) const {
    return planar_ ? Vec3(v.x(), v.y(), 0) : Vec3(v.x(), y, v.y());
  }

  /// The surface from a point: the nearest, with its sign.
  Foot foot(const Vec3& own) const;
  /// The surface that a ball of radius r touches, among every third piece: slot 0, 1 or 2. Infinite: nothing
  /// near.
  Foot foot(const Vec3& own, double r, int slot) const;

  Bounds bounds(const Pose& pose) const override;
  double size() const override { return std::numeric_limits<double>::infinity(); }

 private:
  bool planar_;
  std::vector<Piece> pieces_;

  struct Nearest {
    double distance = flat;
    Vec2 normal = Vec2::UnitY();
    int piece = -1;
    bool corner = false;
  };
  Nearest nearest(const Vec2& p) const;
  bool outside(const Vec2& p, const Nearest& nearest) const;
};

}  // namespace tappet
