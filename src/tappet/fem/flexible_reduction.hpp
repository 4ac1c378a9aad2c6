// A mesh as a flexible body: Craig and Bampton's reduction of the floating mesh to its interfaces and some modes, and the integrals
// over it that motion needs (multibody/flexible_body.hpp).
//
// An interface is one node with rotations; or nodes that go with a frame as if welded to it (rigid), u_s = d + θ × (x_s − x_I); or a
// frame that is where its nodes are on average, with weights w_s in proportion to their masses:
//
//   c = Σ w_s x_s,  ξ_s = x_s − c,   θ = (Σ w_s ξ̃_sᵀ ξ̃_s)⁻¹ Σ w_s ξ_s × u_s,   d = Σ w_s u_s + θ × (x_I − c)
//
// Then its nodes stay free, and loads on it are spread by the transpose. These six rows take the place of six of its nodes' unknowns.
//
// The shapes are those of unit motions of the interfaces and modes: with all interfaces held, or those of the free body, of which
// what the interfaces do is taken off, since the former shapes have it; they contain the six rigid motions (plane: three), which the body's
// frame makes already. They are taken out
//   mean axes   by what is left perpendicular to them in the metric of the masses: the origin stays the centre of mass, p = a = 0
//   tangent     by holding one interface, where the frame then is
// and what remains is turned into normal modes.
//
// Geometric stiffening. A static load ℓ makes stress σ[ℓ], which makes K_g[ℓ]_kl = ∫ σ_ab ∂_a φ_k · ∂_b φ_l; then the displacement of
// second order does the work ℓ(u₂) = −½ qᵀ K_g[ℓ] q, and so C_a = −K_g[ρ e_a], X₂^{ab} = −K_g[ρ x_a e_b], and for unit forces at an
// interface its C_a. Loads are held by the frame: at its interface, or by inertia relief.
#pragma once

#include <string>
#include <vector>

#include "tappet/fem/body.hpp"
#include "tappet/fem/structure.hpp"
#include "tappet/multibody/flexible_body.hpp"

namespace tappet::fem {

struct FlexibleInterfaceNodes {
  std::string name;
  std::vector<int> nodes;
  Vec3 position = no_place();  ///< mesh axes; NaN: the mean of the nodes
  bool averaged = false;       ///< else rigid
  static Vec3 no_place() { return Vec3::Constant(std::nan("")); }
};

struct FlexibleOptions {
  std::vector<FlexibleInterfaceNodes> interfaces;
  int modes = 0;
  bool free_modes = false;  ///< of the free body; else with interfaces held
  double highest = 0;       ///< rad/s; 0: no limit
  int frame = -1;           ///< the interface that carries it; −1: mean axes
  bool planar = false;
  bool stiffening = true;
  std::vector<NamedPoint> points;  ///< kept with the mesh
};

/// The mesh and the shapes in normal coordinates, for drawing and stress.
struct FlexibleMesh {
  Structure structure;             ///< its nodes in the axes of the body's frame
  Eigen::MatrixXd shapes;          ///< all unknowns × m
  std::vector<NamedPoint> points;  ///< whose motion and stress can be recorded
};

struct FlexibleReduction {
  FlexibleIntegrals integrals;
  std::vector<FlexibleInterface> interfaces;
  Vec3 origin = Vec3::Zero();  ///< of the frame, mesh axes
  std::string frame;           ///< in words
  int left_out = 0;            ///< modes above the limit
  std::shared_ptr<const FlexibleMesh> mesh;
};

/// Whether stress is known for geometric stiffening; else the element types that do not say it.
std::string types_without_stiffening(const Structure& s);

/// Throws std::runtime_error with a sentence about what is wrong with the mesh or its interfaces.
FlexibleReduction reduce_flexible(Structure structure, const FlexibleOptions& options);

}  // namespace tappet::fem
