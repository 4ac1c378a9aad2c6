// Bodies that touch by their shapes: the section `contacts`.
//
//   contacts:
//     bounce: {between: [ground.floor, ball.skin], normal: {...}, friction: {...}}
//
// Each name is BODY.SHAPE, or a pattern with `*` that stands for several: then every shape of the first list may touch
// every shape of the second, except shapes of one body. A pair of shapes has one contact point for each of its candidate
// places (geometry/pair.hpp). An entry that stands for more places than `most_followed`, or that says `group: true`, is a
// group: its places are not kept one by one but found as the bodies come near each other (contact_field.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/contact/material_pairs.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/multibody/contact_laws.hpp"
#include "tappet/multibody/contact_point.hpp"

namespace tappet {

/// A shape on a body (or on the ground).
struct Surface {
  std::string name;  ///< BODY.SHAPE
  int body = 0;
  std::shared_ptr<const Shape> shape;

  // Of a flexible body, whose surfaces are carried by frames of their own.
  int owner = -1;            ///< that body; −1: it is rigid
  std::string carrier = {};  ///< BODY.INTERFACE or BODY.GROUP.NUMBER; "": BODY
  std::string group = {};    ///< of a node: BODY.GROUP, by which contacts name it
  double spacing = 0;        ///< of a node: distance to the nearest one of its elements, m

  int body_behind() const { return owner < 0 ? body : owner; }
};

/// The ground's parameters.
struct GroundParameters {
  NamedParameters shapes = {};
};

/// Makes the shapes of a body or of the ground.
std::vector<Surface> make_surfaces(const NamedParameters& shapes, const std::string& body_name, int body,
                                   Dimension dimension, Diagnostics& diagnostics);

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
  Touch find_touch(const Kinematics& k) const override;
  TouchMotion motion(const Kinematics& k) const override;
  double clear_time(const Kinematics& k) const override;
  bool passable() const override { return true; }
  double fastest_approach(const Kinematics& k) const override;
  double room_to_overlap() const override { return shapes_[0]->size() + shapes_[1]->size(); }
  int most_places() const override {
    return candidate_ == 0 && geometry_.leaves_out() ? geometry_.candidates() : 0;
  }
  const char* offset_prefix() const override { return ""; }

 private:
  Pair geometry_;
  int candidate_;
  std::shared_ptr<const Shape> shapes_[2];
  double reach_[2];  ///< of the shapes, from their bodies' origins, m
  bool bends_;       ///< one of the bodies does: it may come into a half-space and out again
};

/// Touch of two surfaces, whose bodies move as k says, at one of their places.
Touch touch_at(const Proximity& place, int first, int second, const Kinematics& k);
/// What gaps between two surfaces are compared with, m.
double contact_length(const Surface& first, const Surface& second);

/// More places than these are not followed one by one, with signals and an impact table each.
inline constexpr int most_followed = 2000;

/// Where groups are followed all the same, at most so many.
inline constexpr int most_followed_of_groups = 200000;

/// Many surfaces that may touch each other under one pair of laws.
struct ContactGroup {
  std::string name;
  std::vector<int> first, second;  ///< surfaces: each of the first may touch each of the second
  std::optional<RigidLaw> rigid;   ///< of a non-smooth method
  std::shared_ptr<const FrictionLaw> friction_law;  ///< of method smooth: a law of the sliding velocity
  RollingResistance resists;
  NormalLawSource normal_source;  ///< of method smooth
  /// Of method smooth: the law of the normal force between surfaces of these radii.
  std::shared_ptr<const NormalLaw> normal_law(double first, double second) const {
    return normal_source.make(first, second);
  }
  int aux_offset = -1;  ///< auxiliary variables as those of a contact: impulse, normal loss, friction loss
  int aux_count() const { return ContactPoint::aux_fixed; }
};

/// What many points of contact do at one instant, in sum.
struct ContactSum {
  int touching = 0;                           ///< points that carry load
  double gap = HUGE_VAL;                      ///< smallest, m; infinite: none is near
  double normal = 0, tangential = 0;          ///< sums of the magnitudes of normal forces and of friction, N
  Vec3 force = Vec3::Zero();                  ///< sum on the second surfaces, world axes, N
  double speed = 0;                           ///< of the fastest sliding among points that carry load, m/s
  double stored = 0;                          ///< J
  double normal_loss = 0, friction_loss = 0;  ///< W

  void see(double point_gap) { gap = std::min(gap, point_gap); }
  /// A point that carries load.
  void add(double normal_force, double friction, const Vec3& total, double slip) {
    ++touching;
    normal += normal_force;
    tangential += friction;
    force += total;
    speed = std::max(speed, slip);
  }
};

/// One entry of `contacts`.
struct ContactParameters {
  std::array<std::string, 2> between = {};  ///< BODY.SHAPE each; `*` stands for any part of a name
  Formula lift = {};                        ///< m, of t: structures on the ground
  std::string engine = {};  ///< of geometry; "": closed forms, triangles or surfaces as shapes are given
  double mesh_tolerance = not_given;                       ///< m
  std::array<std::string, 2> materials = {};               ///< of the first surface and of the second
  AnyParameters normal = {}, friction = {};                ///< laws
  double rolling_resistance = 0, spinning_resistance = 0;  ///< δ_r, δ_s, m
  double rolling_velocity = 0.01;                          ///< ω₀, rad/s
  std::optional<bool> group = {};                          ///< absent: where there are more than 2000 places
};

struct SurfaceContactInput {
  const AnyParameters& contact;  ///< ContactParameters
  const std::vector<Surface>& surfaces;
  const Materials& materials;
  const Kinematics& start;  ///< for the curvature that stiffness is derived from
  Diagnostics& diagnostics;
  bool rigid = false;  ///< for a non-smooth method
  bool follow =
      false;  ///< every place is followed by itself, also where the entry is a group (method event-driven)
};

/// What one entry stands for: points, or a group. Neither after an error was reported.
struct SurfaceContacts {
  std::vector<std::unique_ptr<ContactPoint>> points;
  std::optional<ContactGroup> group;
};
SurfaceContacts make_surface_contacts(const SurfaceContactInput& in, std::vector<std::string>& notes);

}  // namespace tappet
