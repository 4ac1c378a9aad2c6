// A flexible body at an instant: where the nodes of its mesh are, how they move, and the stress in its elements.
//
//   x_n(t) = r + R (x_n + u_n),   u_n = Σ φ_k(x_n) q_k,     v_n = ṙ + R (ω′ × (x_n + u_n) + Σ φ_k(x_n) q̇_k)
//
// Stress is linear in q: that of the displacements Σ φ_k q_k, turned into world axes by R. The displacement of second order, which
// shortens a bent beam, is left out of both: it moves no node by more than u²/L.
#pragma once

#include <vector>

#include "tappet/fem/fields.hpp"
#include "tappet/fem/flexible_reduction.hpp"

namespace tappet::fem {

/// What is drawn of it: nodes in the axes of the body's frame.
FieldMesh field_mesh(const FlexibleBody& body);

/// Where a node of its mesh is and how it moves, world axes.
struct NodeMotion {
  Vec3 position, velocity;
};
NodeMotion node_motion(const FlexibleBody& body, const Kinematics& k, int node);

/// Stress in all elements as in Fields::stress, in the body's axes.
std::vector<double> flexible_stress(const FlexibleBody& body, const Kinematics& k);

/// Fields of field_mesh(): nodes + displacement is where the nodes are in the world. Contact forces on nodes are not kept.
void flexible_fields(const FlexibleBody& body, const Kinematics& k, Fields& out);

}  // namespace tappet::fem
