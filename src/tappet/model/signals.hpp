// The quantities a run can record, by name.
//
// Whatever has signals offers them: one file per family in run/signals/, each with a SignalProvider. A signal is plain data with
// the function that evaluates it, so that a new one touches the file of its family alone.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet {

struct StructureInstant;  // structures/structure_instant.hpp

/// One instant as signals see it.
struct SignalContext {
  const Model& model;
  const Kinematics& k;
  const double *q = nullptr, *z = nullptr;       ///< positions and auxiliary variables
  const DynamicsWorkspace* w = nullptr;          ///< for signals that need forces: filled at this instant
  double kinetic = 0, potential = 0;             ///< energy of everything, J; only where w is given
  double energy_at_start = 0;                    ///< J
  const StructureInstant* structures = nullptr;  ///< of models with structures

  /// What a signal worked out and its neighbours ask for again.
  int reaction_of = -1, touch_of = -1, force_of = -1;  ///< constraint; contact; contact
  Reaction reaction = {};
  Touch touch = {};
  ContactForce force = {};

  /// Of the places of one contact, the first of which is `total_of`.
  struct Total {
    double gap = 0, normal = 0, tangential = 0, speed = 0, normal_loss = 0, friction_loss = 0;
    int touching = 0;
    Vec3 force = Vec3::Zero(), at = Vec3::Zero(), moment = Vec3::Zero();
  };
  int total_of = -1;
  Total total = {};

  /// Of the elements of one flexible body, as in fem::Fields.
  int stress_of = -1;
  std::vector<double> stress = {};
};

struct SignalDefinition {
  std::string name, unit;
  bool needs_forces =
      true;       ///< false: places, speeds and auxiliary variables are enough, so that events can watch it
  int index = 0;  ///< body, joint, constraint, contact or structure
  int component = 0;  ///< axis or row
  int part = 0;       ///< point of a structure
  double (*evaluate)(SignalContext&, const SignalDefinition&) = nullptr;
  bool on_request = false;  ///< recorded only where `output.signals` asks for it
  std::string rate = "";  ///< the signal that is its rate and that places and speeds tell; "": there is none
  bool by_law = false;    ///< needs the force of a contact alone, which a law gives from places and speeds
};

/// A family of signals. Those of a lower `order` come first in a result.
struct SignalProvider {
  std::string name;
  int order = 0;
  void (*offer)(const Model&, std::vector<SignalDefinition>& out) = nullptr;
  bool of_structures = false;  ///< needs SignalContext::structures
};
using SignalRegistry = Registry<SignalProvider>;

/// All signals of a model in their fixed order.
std::vector<SignalDefinition> all_signals(const Model& model);

/// What a signal of the last version is called now: "hit.nodes" is "hit.touching". Empty where nothing of that name was renamed.
std::string renamed_signal(const std::string& name);

/// "x", "y", "z"
inline constexpr const char* axis_names[] = {"x", "y", "z"};

void evaluate_signals(const std::vector<SignalDefinition>& signals, SignalContext& context, double* out);

/// All that was lost, J.
double ledger_losses(const Mechanism& mechanism, const double* z);
/// Residual of the ledger: energy now − energy at the start − input + losses.
double ledger_residual(const Mechanism& mechanism, double energy_now, double energy_at_start,
                       const double* z);

}  // namespace tappet
