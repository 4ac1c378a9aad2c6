// The mass of an element of a structure that turns:  Σ m_ab v_a·v_b with the same m_ab in every direction, so that it stays as the
// element turns: the element's own of solids and shells, the one along the line of beams. Rotary inertia is a node's own, J_a in axes that
// turn with it: of shells as their matrix sums up, of beams ρ L/2 (I_y + I_z, I_y, I_z) in the element's axes.
#pragma once

#include <Eigen/Core>

#include "tappet/fem/element.hpp"

namespace tappet::fem {

/// In place of the element's own mass matrix M; `lumped_mass` makes it diagonal.
void turn_mass(const ElementType& type, const ElementInput& in, bool lumped_mass, Eigen::MatrixXd& M);

}  // namespace tappet::fem
