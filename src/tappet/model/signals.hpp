// The quantities a run can record, by name.
#pragma once

#include <string>
#include <vector>

#include "tappet/model/model.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet {

/// Where a signal's value comes from. The state kinds need only the frames; the others the whole dynamics.
struct SignalSource {
  enum class Kind {
    position,
    angle,
    quaternion,
    velocity,
    omega,  // state of a body
    acceleration,
    alpha,  // of a body, needs dynamics
    reaction_force,
    reaction_torque,  // of a constraint
    multiplier,       // of a constraint's row
    power,            // that a motion puts in
    joint_angle,
    joint_displacement,  // of a joint, state
    gap,
    penetration,
    normal,
    tangential,
    speed,
    offset,
    contact_force,  // of a contact
    contact_normal_loss,
    contact_friction_loss,  // of a contact, since the run began
    group_touching,
    group_normal,
    group_penetration,
    group_normal_loss,
    group_friction_loss,  // of a group of contacts
    margin,               // of static stability
    kinetic,
    potential,
    input,
    damping_loss,
    normal_loss,
    friction_loss,
    residual,  // energy
    centre,
    centre_velocity,  // of a structure's mass
    point_position,
    point_displacement,
    point_velocity,
    point_acceleration,  // of a structure's named point
    support_force,       // of nodes that are moved, on them
    spider_force,        // of nodes attached to a rigid body, on that body
    spider_torque,
    nodes_contact  // of a structure's contact, by NodesSignal
  };
  /// Components of Kind::nodes_contact.
  enum NodesSignal {
    nodes_gap,
    nodes_normal,
    nodes_fx,
    nodes_fy,
    nodes_fz,
    nodes_slip,
    nodes_loaded,
    nodes_normal_loss,
    nodes_friction_loss
  };
  std::string name, unit;
  Kind kind = Kind::position;
  int index = 0;      ///< body, joint or constraint
  int component = 0;  ///< axis or row
  int part = 0;       ///< point of a structure

  bool is_state() const { return kind <= Kind::omega; }
};

/// All signals of a model in their fixed order: bodies, joints, motions, energy.
std::vector<SignalSource> all_signals(const Model& model);

/// Energy at the start, which the ledger compares with.
struct EnergyStart {
  double total = 0;
};

/// Value of a state signal from frames alone.
double state_signal(const SignalSource& source, const Kinematics& k, const double* q);

/// Values of `sources` after accelerations() at (t, q, u, z).
void evaluate_signals(const Model& model, const std::vector<SignalSource>& sources,
                      const DynamicsWorkspace& w, const double* q, const double* z, double energy_at_start,
                      double* out);

/// Residual of the ledger: energy now − energy at the start − input + losses.
double ledger_residual(double energy_now, double energy_at_start, const double* z);

}  // namespace tappet
