// Bodies that touch by their shapes: the section `contacts`.
//
//   contacts:
//     bounce: {between: [ground.floor, ball.skin], normal: {...}, friction: {...}}
//
// Each name is BODY.SHAPE, or a pattern with `*` that stands for several: then every shape of the first list may touch
// every shape of the second, except shapes of one body. A pair of shapes has one contact point for each of its candidate
// places (geometry/pair.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/contact/material_pairs.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/multibody/contact_point.hpp"

namespace tappet {

/// A shape on a body (or on the ground).
struct Surface {
  std::string name;  ///< BODY.SHAPE
  int body = 0;
  std::shared_ptr<const Shape> shape;
};

/// Reads the `shapes` of a body or of the ground.
std::vector<Surface> read_surfaces(const Object& carrier, const std::string& body_name, int body, Dimension dimension,
                                   Diagnostics& diagnostics);

/// Where a body is, for its shapes.
inline Pose pose_of(const Kinematics& k, int body) {
  if (k.dimension == Dimension::spatial) return {k.spatial[body].R, k.spatial[body].r};
  const PlanarFrame& f = k.planar[body];
  Pose pose;
  pose.R << f.c, -f.s, 0, f.s, f.c, 0, 0, 0, 1;
  pose.r << f.r.x(), f.r.y(), 0;
  return pose;
}

/// One candidate place of two surfaces.
class SurfaceContact final : public ContactPoint {
 public:
  SurfaceContact(const Surface& first, const Surface& second, const Pair& geometry, int candidate);
  Touch touch(const Kinematics& k) const override;
  TouchMotion motion(const Kinematics& k) const override;
  const char* offset_prefix() const override { return ""; }

 private:
  Pair geometry_;
  int candidate_;
};

struct SurfaceContactInput {
  const Object& object;  ///< one entry of `contacts`
  const std::vector<Surface>& surfaces;
  const Materials& materials;
  const Kinematics& start;  ///< for the curvature that stiffness is derived from
  Diagnostics& diagnostics;
  bool rigid = false;  ///< for a non-smooth method
};

/// The contact points of one entry; empty after an error was reported.
std::vector<std::unique_ptr<ContactPoint>> make_surface_contacts(const SurfaceContactInput& in,
                                                                 std::vector<std::string>& notes);

}  // namespace tappet
