// What convex shapes of finite size have in common: support points, and their surface seen from a point.
//
// They have axes of their own, placed in the body by `place`; support() and foot() speak of those axes. A
// ball or a capsule is a core (a point, a segment) with a margin around it: support() is the core's, foot()
// the surface's.
#pragma once

#include "tappet/geometry/feature.hpp"
#include "tappet/geometry/foot.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

class ConvexShape : public Shape {
 public:
  const Pose place;  ///< the shape's own axes in body coordinates

  /// The core's farthest point along d; d needs no unit length and is not zero.
  virtual Vec3 support(const Vec3& d) const = 0;
  virtual double margin() const { return 0; }
  /// The surface from a point in space (in the plane: from a point of the plane).
  virtual Foot foot(const Vec3& point) const = 0;
  /// Radius of curvature where the outward normal is n.
  virtual double radius(const Vec3& n) const = 0;

  /// Is the core a polyhedron (a point, a segment), so that support() is always one of a few points?
  virtual bool few_supports() const { return true; }
  /// The features that the core may show to directions within some angle of n, unit; the largest first.
  virtual void features(const Vec3& n, double angle, Features& out) const = 0;
  /// How far the features may be from the surface, m: of a mesh that is flat or convex up to some digits.
  virtual double accuracy() const { return 0; }
  /// The curved part of the features' place c(n), and how it moves as n turns: ∂c/∂n.
  virtual Vec3 round(const Vec3&) const { return Vec3::Zero(); }
  virtual Mat3 round_rate(const Vec3&) const { return Mat3::Zero(); }
  /// The angle by which n may turn while that rate is of use.
  virtual double room_to_turn(const Vec3&) const { return 1; }

  /// Outward normals of flat faces: directions in which an overlap is likely to be undone.
  virtual int faces() const { return 0; }
  virtual Vec3 face_normal(int) const { return Vec3::UnitX(); }
  /// Where the shape is, roughly, and how far it reaches from there.
  virtual Vec3 middle() const { return Vec3::Zero(); }
  virtual double reach() const = 0;
  bool planar() const { return planar_; }

  Bounds bounds(const Pose& pose) const override;

 protected:
  ConvexShape(std::string kind, const Pose& where, bool planar = false)
      : Shape(std::move(kind)), place(where), planar_(planar) {}

 private:
  bool planar_;
};

/// Mass properties given in own axes, in body coordinates.
SolidProperties placed(SolidProperties solid, const Pose& place);

}  // namespace tappet
