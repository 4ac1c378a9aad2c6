// The exact surface of a solid: distances to it, and the places where it can touch.
//
// A face of a solid is a surface x(u, v) within an outline, an edge a curve x(t) between two ends. The
// nearest point of a face is the foot of the perpendicular, x_u·(x − p) = x_v·(x − p) = 0, where that lies
// within the outline, otherwise the nearest point of its edges: closed forms for planes, cylinders, cones,
// balls and tori, for lines and circles; Newton's method for the others, begun at the nearest triangle of a
// mesh.
//
// Places that can touch a plane or be pressed into another solid:
//   corners   where sharp edges meet at an angle
//   rings     sharp edges that are whole circles: the lowest point and those 120° to its sides, so that a
//             cylinder stands on three points
//   curves    other sharp edges that bend
//   faces     those bent in both directions: balls, tori, free forms. Planes, cylinders and cones are
//             straight in one direction
//             and so never lower than their edges.
// An edge is sharp where the normals of its two faces differ; where they do not, a face counts with its
// border.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/ring.hpp"

namespace tappet {

/// The point of a surface nearest to a given one.
struct ExactFoot {
  double distance = std::numeric_limits<double>::infinity();  ///< m; < 0 inside
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitX();  ///< unit gradient of the distance
  double radius = 0;            ///< of the surface's curvature, as in Proximity::radius; 0 on sharp edges
};

/// A place on the surface.
struct ExactPlace {
  Vec3 point;
  double radius;
};

class ExactSurface {
 public:
  /// `tolerance`: of the mesh that searches begin with, m. Results do not depend on it.
  ExactSurface(const ExactBody& body, double tolerance);
  ~ExactSurface();

  ExactFoot nearest(const Vec3& p) const;

  const std::vector<Vec3>& corners() const;
  const std::vector<Ring>& rings() const;
  int curves() const;
  int faces() const;
  /// The farthest point of a curve or face along d, unless that is on a sharp border.
  std::optional<ExactPlace> farthest_of_curve(int i, const Vec3& d) const;
  std::optional<ExactPlace> farthest_of_face(int i, const Vec3& d) const;

 private:
  struct Parts;  ///< OpenCASCADE's
  std::unique_ptr<Parts> parts_;
};

}  // namespace tappet
