// A ball on faces of a flexible body, in its current shape.
//
// Of all triangles between nodes x_s that the body carries, the point P = Σ w_s x_s that is nearest to the ball's centre c is where
// they face each other:
//
//   gap = |c − P| − R,   n = (c − P)/|c − P|,   rate = n · (v_c − Σ w_s v_s)
//
// the last since neither a foot that moves on its face nor the turning of n changes the distance to first order. The body carries a
// frame at P, whose rows are those of the nodes by their weights, so that the force is shared among them as the rate wants.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/flexible_body.hpp"

namespace tappet {

/// Triangles, and what they look at.
struct FlexibleFaces {
  std::string contact;                        ///< whose these are
  std::vector<std::array<int, 3>> triangles;  ///< of the body's interfaces, which are nodes
  int probe = 0;                              ///< the rigid body of the ball
  Vec3 centre = Vec3::Zero();                 ///< of the ball, in its body's axes, m
};

/// The point of the triangle abc that is nearest to p, as weights of the corners [Ericson 2005, section 5.1.5].
std::array<double, 3> nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The nearest point of the faces at the frames k, of which nodes and the ball's body are known.
FaceFoot find_foot(const FlexibleBody& body, const FlexibleFaces& faces, const Kinematics& k);

class FaceContact final : public ContactPoint {
 public:
  /// `foot`: the frame that is at P.
  FaceContact(int foot, int ball, const Vec3& centre, double radius);
  Touch find_touch(const Kinematics& k) const override;
  /// Not known: friction laws that hold by constraints are refused here.
  TouchMotion motion(const Kinematics&) const override { return {}; }
  bool passable() const override { return true; }
  double fastest_approach(const Kinematics& k) const override;
  double room_to_overlap() const override { return radius_; }
  const char* offset_prefix() const override { return ""; }

 private:
  Vec3 centre_;
  double radius_;
};

}  // namespace tappet
