// Where two meshes overlap, how deep, and in which direction.
//
// The shortest way out of an overlap says nothing about how the bodies met: two plates of equal thickness that meet edge to edge
// are 0 mm deep across their thickness, however far one has gone into the other. What says how they met is the closed curve in
// which their surfaces cross. With A the first mesh, B the second, Ω = A ∩ B,
//
//   S = ½ ∮ (x − c) × dx        over the curve, each piece along N_A × N_B; c its middle
//   n = S/|S|                   from A to B                                                         unit: S m²
//
// S is the area vector of any surface that the curve bounds, of A's part inside B as of B's part inside A: of two plates it lies in
// their plane, whatever their faces do. Depth is then measured along n. Let T(x) ≥ 0 be the length along n from a point of B's
// surface inside A to A's surface. From three of its moments over B's surface inside A,
//
//   M_k = ∫ T^k (−N_B·n) dA,   k = 2, 3, 4                                                          unit: m^(k+2)
//   1/δ = 4 M₃/M₄ − 3 M₂/M₃
//
// Where the area that is deeper than s is S (1 − s/δ)^β, M_(k+1)/M_k = (k + 1) δ/(β + k + 1), and δ is the largest depth for
// every β: two flat faces (0), line contact (½), a ball or an edge on a face (1), a corner on a face (2). Nobody needs to know which.
// Parts of B that look along n count negatively. From k = 2 on a triangle that enters does so with weight 0.
//
// δ's derivatives. At a place fixed across n, T grows by −v·N_B/(N_B·n) where B moves; at the patch's edge T = 0 adds nothing:
//
//   g_k = −k ∫ T^(k−1) (−N_B·n) u dA,    m_k likewise of x × u,    u = N_B/(N_B·n)
//   c₂ = 3δ²/M₃,   c₃ = −δ² (4/M₄ + 3M₂/M₃²),   c₄ = 4δ² M₃/M₄²
//   g = Σ c_k g_k,   m = Σ c_k m_k:      δ̇ = g·v + m·ω        (B against A)
//
// A force law F(δ, δ̇) with the wrench −F (g, m) on B has the power −F δ̇: what a law stores and loses is what the bodies feel. As
// one force it acts along −g, |g| times F, at (g × m)/|g|²; what is left of m along g is none where the surface measured from is
// flat, and dropped elsewhere. |g| = 1 for the family above.
//
// Measured from A (T ends on A's surface) n belongs to A, and g is the whole derivative if A's patch is flat; measured from B the
// same with the roles exchanged. With f = |S|/(true area of a patch) both are mixed,
//
//   δ = w_A δ_A + w_B δ_B,   w ∝ f⁸     (f of the patch measured from), g and m likewise
//
// Where neither is flat (tip on tip) n turns as the bodies move, and its part is added, from f = 0.95 down to 0.85:
//
//   ∂δ/∂n = −n × (m_A − m_B),   h = (∂δ/∂n)/|S|      (m_A: as m_B, of A's surface)
//   g += Σ l (N_B·h)/(ν·N_A) N_A,   m += S × h + Σ l (N_B·h)/(ν·N_A) x × N_A      over pieces l of the curve,
//   ν ⟂ piece in B's surface, ν·N_A > 0
//
// and left out where it makes a sliver of more than 6 (up to 8: gradually) times the force. The derivatives of w are left out.
//
// Places. One crossing curve makes one place; curves that cross the same face of A and the same face of B in like directions
// make one together (facets of a shaft in a facetted bore), so that the stiffness of a law does not depend on triangles. A *face* is
// what sharp edges enclose (mesh_features.hpp). Flanks of different teeth are different faces: each pair of teeth is a place. Faces that
// meet in a concave edge, the sides of a groove, are each measured along the area vector of their own part of the patch.
//
// Coplanar faces are left out (|N·n| < 1e-6). They may leave the curve open, by pieces that rounding decides on; so
// triangles that continue each other inside the other body belong to one curve, and open curves on the same two faces too.
#pragma once

#include <span>
#include <vector>

#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {

/// A place where two meshes overlap, in the coordinates of the first.
struct Overlap {
  double depth = 0;       ///< δ, m
  Vec3 g = Vec3::Zero();  ///< ∂δ/∂(velocity of the second)
  Vec3 m = Vec3::Zero();  ///< ∂δ/∂(angular velocity of the second about the origin), m
  Vec3 direction =
      Vec3::Zero();            ///< unit, from the first to the second: the force's, n of one side of a groove
  Vec3 centre = Vec3::Zero();  ///< of the patch, weighted by depth
  int face[2] = {
      0, 0};  ///< the lowest number of the faces that meet here, of each mesh: what tells places apart
  int triangle[2] = {0, 0};               ///< where it is deepest
  int first_corner = 0, last_corner = 0;  ///< of Overlaps::corners

  /// Along which the force on the second acts, and where.
  Vec3 normal() const { return -g.normalized(); }
  Vec3 at() const;
};

/// A corner of the patch in which two surfaces face each other: half-way between them.
struct PatchCorner {
  Vec3 at = Vec3::Zero();
  double depth = 0;  ///< T there, m
};

struct Overlaps {
  static constexpr int most = 48;
  std::vector<Overlap> all;  ///< by their faces, ascending; at most so many, the deepest
  std::vector<PatchCorner> corners;
  bool crossing =
      false;  ///< the surfaces cross, even where no place was found: too deep for one direction, or by rounding only
};

/// What the sides of a groove are, both of which a part touches that goes into it. As one place their moments are added: nothing jumps
/// where the second side is met or left. As two, each has its own direction.
enum class Grooves { one_place, two_places };

/// Pure but for the room it works in, which each thread keeps; valid until the thread's next call.
const Overlaps& find_overlaps(const Mesh& first, const Mesh& second, const Pose& second_in_first,
                              Grooves grooves = Grooves::one_place);

}  // namespace tappet
