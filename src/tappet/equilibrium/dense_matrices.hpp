// M and J of a mechanism as dense matrices, in the coordinates of u: for whoever looks at a mechanism as a whole, not for steps.
#pragma once

#include <Eigen/Core>

#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// M at the frames k. In space a body's angular velocity is in its own axes. A point mass does not turn: its rows are 0 there.
Eigen::MatrixXd dense_mass(const Mechanism& mechanism, const Kinematics& k);

/// J of the last evaluate(), all rows; those of contacts that do not stick are 0.
Eigen::MatrixXd dense_jacobian(const Mechanism& mechanism, const ConstraintSystem& constraints);

/// How far each velocity of u, as a displacement of 1, moves or turns something, m: turning by the mechanism's length. An elastic
/// coordinate counts by what it does to its interfaces, and by no less than the most that another of its body's moves one.
Eigen::VectorXd reach_of_coordinates(const Mechanism& mechanism);

}  // namespace tappet
