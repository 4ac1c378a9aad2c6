// Structures in a state, whatever method moves them: how they begin, their fields, their mass.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/fem/fields.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

/// Displacements and velocities as a run begins. Throws InputError where a support does not begin where its mesh is.
void begin_structures(const StructureSystem& system, double* q, double* u);

/// One structure whole. `contact_force`: 3 per node, N.
void structure_fields(const StructureSystem& system, int structure, const double* q, const double* u,
                      std::vector<double> contact_force, fem::Fields& out);

/// How far structures have turned from where they began, rad.
double largest_turn(const StructureSystem& system, const double* q);

/// M of the bodies, followed by that of the structures.
Eigen::MatrixXd mass_with_structures(const Eigen::MatrixXd& bodies, const StructureSystem& system);

}  // namespace tappet
