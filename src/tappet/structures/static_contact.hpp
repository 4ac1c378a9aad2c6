// Equilibrium of structures that rest on each other or on the ground: unilateral contact without time.
//
// One step of structures/newmark_moreau.hpp with θ = 1 from rest is a proximal step of the static problem,
//
//   (K + M/h²) Δq = f − K q + H P/h²,   gap(q + Δq) ≥ 0 ⟂ P_n ≥ 0,
//
// so steps from rest, with h a few periods long, converge to equilibrium: fast where K holds, and also where
// only contact does. Friction is that of the steps on the way there. Rigid bodies take part in the same way,
// K being that of what holds them; their own contacts and joints too.
//
// What is left of equilibrium after a step is the force M Δq/h². Steps end when that is below 1e-9 of the forces that act, and
// displacements, rotations and the ways of rigid bodies change by less than 1e-9 of themselves; or by less than the rounding of
// coordinates, of which displacements may be a small part. Both are ratios of like quantities: units, sizes and loads do not matter.
//
// Faces and normals of contacts are those at the beginning of each step. Where the way is long they are wrong in the
// first ones: then weight, loads and moved supports grow in increments.
#pragma once

#include <vector>

#include "tappet/model/model.hpp"
#include "tappet/structures/newmark_moreau.hpp"

namespace tappet {

struct StaticContact {
  bool converged = false;
  int steps = 0;
  double moved = 0;      ///< in the last step, against the largest displacement
  double imbalance = 0;  ///< largest force M Δq/h² on an unknown, against the largest force that acts
  std::vector<std::vector<double>> q;              ///< free unknowns of each structure
  std::vector<Vec3> bodies;                        ///< how far each rigid body moved, m
  std::vector<Vec3> turned;                        ///< and its rotation vector in world axes, rad
  std::vector<std::vector<double>> contact_force;  ///< on the nodes of each structure, 3 per node, N
  std::vector<double> normal;                      ///< of each contact, N
  std::vector<std::vector<NodeImpulse>> nodes;     ///< of each contact; impulses are forces, N
};

struct StaticOptions {
  int increments =
      1;  ///< in which weight, loads and moved supports of structures grow to what they are at t = 0
  int most_steps = 400;  ///< of each
};

StaticContact solve_static_contact(const Model& model, const StaticOptions& options = {});

}  // namespace tappet
