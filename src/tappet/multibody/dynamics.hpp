// Accelerations and reactions of a mechanism at one instant:  M u̇ = h + Jᵀ λ,  J u̇ = γ  [FloresAmbrosio2004, eqs 6–8].
#pragma once

#include <memory>
#include <vector>

#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

class PassingContacts;
class Bearings;

/// Everything recomputable about one instant; sized once. Each field names the function that fills it.
struct DynamicsWorkspace {
  explicit DynamicsWorkspace(const Mechanism& mechanism);

  Kinematics k;                          ///< frames; accelerations() or update_kinematics()
  ConstraintSystem constraints;          ///< Φ, J, γ and the factorised S; accelerations()
  std::vector<double> h;                 ///< applied and gyroscopic forces, like u; applied_forces()
  std::vector<double> a;                 ///< u̇; accelerations()
  std::vector<double> lambda;            ///< multipliers, one per row; accelerations()
  std::vector<double> rhs;               ///< γ with stabilisation, one per row; accelerations()
  std::vector<double> correction;        ///< like u; project_positions(), project_velocities()
  std::vector<double> impulses;          ///< of the constraints, one per row; project_velocities()
  std::vector<ContactInstant> contacts;  ///< one per contact; applied_forces()
  std::vector<ContactSum>
      groups;  ///< one per group of contacts; applied_forces(), or the method where it has no forces
  std::vector<double> gathered;  ///< of models with flexible bodies: forces on all frames; applied_forces()
  std::vector<CarriedInstant> carried;      ///< one per flexible body; applied_forces()
  PassingContacts* group_forces = nullptr;  ///< method smooth: forces of the groups, where there are any
  std::shared_ptr<Bearings>
      bearings;                    ///< friction in ideal joints, where there is any and methods have forces
  ForceSource* elastic = nullptr;  ///< forces of elastic parts, where there are any
  Powers powers;                   ///< where power goes; accelerations()
  int dependent_rows = 0;          ///< rows that depend on others here; accelerations()
};

/// Energy stored by gravity, force elements and contacts, J; after applied_forces().
double stored_energy(const Mechanism& mechanism, const DynamicsWorkspace& w);

/// Gathers h from gravity, gyroscopic moments and force elements at the frames w.k.
void applied_forces(const Mechanism& mechanism, DynamicsWorkspace& w);

/// Fills the whole workspace at (t, q, u, z).
void accelerations(const Mechanism& mechanism, const Stabilisation& stabilisation, double t, const double* q,
                   const double* u, const double* z, DynamicsWorkspace& w);

/// The same where the frames w.k and the constraints there are known already: forces, reactions, accelerations.
void accelerations_here(const Mechanism& mechanism, const Stabilisation& stabilisation, const double* u,
                        DynamicsWorkspace& w);

/// Auxiliary variables of constraints and forces as they start, at the frames k.
void start_auxiliaries(const Mechanism& mechanism, const Kinematics& k, double* z);

/// Rates of the auxiliary variables after accelerations().
/// `q`: positions at the workspace's frames.
void auxiliary_rates(const Mechanism& mechanism, const DynamicsWorkspace& w, const double* q, double* zdot);

/// What a projection did.
struct Projection {
  bool changed = false;
  double violation = 0;  ///< largest |Φ| that was found before
  double remaining = 0;  ///< largest |Φ| that is left
  int worst_row = -1;    ///< the row with the largest remainder
};

/// Moves q, in the metric of the masses, until every |Φ| ≤ tolerance; does nothing if it is already.
Projection project_positions(const Mechanism& mechanism, double t, double* q, const double* u,
                             const double* z, double tolerance, DynamicsWorkspace& w);
/// Moves u until every |J u + Φ_t| ≤ tolerance; does nothing if it is already. Frames and J are those of the last evaluation
/// at this q (project_positions leaves them so). `factorised` tells that S was factorised close by: that will do, since the
/// residual is that of the J here and each pass shrinks it by the small difference.
bool project_velocities(const Mechanism& mechanism, double* u, double tolerance, bool factorised,
                        DynamicsWorkspace& w);

/// Force and torque that a constraint exerts on its second body (the opposite of what it exerts on its first), world axes, at its
/// reaction point. Planar: torque about z.
struct Reaction {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
Reaction reaction(const DynamicsWorkspace& w, int constraint);

/// Friction on the second body of a contact that sticks: the multipliers of its constraint, as a vector.
Vec3 holding_force(const Mechanism& mechanism, const DynamicsWorkspace& w, int contact, const Touch& touch);

}  // namespace tappet
