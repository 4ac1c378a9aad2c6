// A set of constraint equations between bodies: Φ(q, t) = 0, Φ̇ = J u + Φ_t = 0, Φ̈ = J u̇ − γ = 0.
//
// Joints and motions are constraints. Each keeps its own file and fills its rows; nothing else knows its equations.
// Reactions enter the equations of motion as M u̇ = h + Jᵀ λ, so λ is the generalised force that the constraint exerts
// in the direction in which Φ grows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/base/expression.hpp"
#include "tappet/multibody/kinematics.hpp"

namespace tappet {

/// Where one constraint writes its rows. J[k] is row-major, rows × (3 or 6), for bodies[k]; null when that is the ground.
struct ConstraintRows {
  double* phi;
  double* phi_t;  ///< ∂Φ/∂t at fixed q
  double* gamma;
  double* J[4];
  double* compliance = nullptr;     ///< relative softness of a row, 0 unless the constraint is `compliant`
  const Jet* prescribed = nullptr;  ///< the constraint's functions of time, at the time of the frames
};

/// The rows a constraint holds to, when the initial state is sought.
enum class ConstraintLevel {
  position,     ///< Φ, Φ̇ and Φ̈
  velocity,     ///< Φ̇ and Φ̈; Φ = 0 by the start value of its auxiliary variable (prescribed speed)
  acceleration  ///< Φ̈ only (prescribed acceleration)
};

class Constraint {
 public:
  virtual ~Constraint() = default;

  std::string name;
  std::vector<int> bodies;  ///< up to 4; the number of bodies of the model means the ground
  int rows = 0;
  ConstraintLevel level = ConstraintLevel::position;
  int with_switch = -1;    ///< its number among the mechanism's switches; −1: always on
  bool compliant = false;  ///< its rows may be soft, so that redundant ones share their load
  /// A motion: the joint whose coordinate it prescribes, so that both together leave no freedom if the joint has one.
  const Constraint* drives = nullptr;

  /// The functions of time that it prescribes. Those of all constraints are evaluated together, and once for a time at which
  /// they are asked for often.
  virtual std::vector<const Expression*> functions() const { return {}; }

  /// Fills all rows from the frames.
  virtual void evaluate(const Kinematics& k, const ConstraintRows& out) const = 0;

  /// Auxiliary variables of the state that this constraint needs (at z + aux_offset): how many, where they start, their rates.
  virtual int aux_count() const { return 0; }
  virtual void start_aux(const Kinematics&, double* z) const { (void)z; }
  virtual void aux_rates(const Kinematics&, double* zdot) const { (void)zdot; }
  int aux_offset = -1;

  /// World point at which the reaction on bodies[1] is reported (planar: z = 0); none for couplings.
  virtual std::optional<Vec3> reaction_point(const Kinematics&) const { return std::nullopt; }
};

}  // namespace tappet
