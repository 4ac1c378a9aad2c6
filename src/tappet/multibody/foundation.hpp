// A journal in a bearing whose surfaces press on each other as a bed of springs (Winkler's foundation), along their whole circumference, and
// wear. In the plane.
//
//   α           angle in the bearing, u(α) the unit vector, t(α) = u turned by +90°;  N nodes at equal distances, each with the area
//               A = R L 2π/N;  R, L of the bearing, c the radial clearance
//   d_b, d_j ≥ 0   depth worn off the bearing at its nodes and off the journal at its own, which turn with it; linear in between
//   h = c + d_b(α − θ_b) + d_j(α − θ_j) − e·u(α),   p = ⟨−K_W h − b ḣ⟩ where h < 0
//   U = ½ K_W ∫ ⟨−h⟩² dA,   the journal gets −∂U/∂e = −∫ p u dA and the moment −∂U/∂θ_j = −∫ p d_j′ dA
//
//   v = R (ω_j − ω_b) + t·(ė − ω_b ẑ×e)    sliding at a node; friction −μ(|v|) p v/|v| along t, from the same node sums
//   ḋ = m k p |v|                           wear at both nodes (contact/wear_law.hpp), m what each revolution stands for
//
// m is a number, or it changes from cycle to cycle (run/wear_cycles.hpp). It then is an auxiliary variable, as are what belongs to it: those of
// the first foundation that wears serve all of them.
//
// With a constant μ the worn volume is m k/μ times the work of friction, to rounding, since both are integrals of one sum. What the
// springs give back as they are worn away, ∫ p ḋ dA, is lost: the ledger's entry `energy.wear_loss`.
// d_b and d_j are auxiliary variables: part of the state, saved and compared as all of it. [Archard 1953; Mukras et al. 2010]
#pragma once

#include <memory>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/wear_law.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet {

/// What the surfaces do at one instant.
struct FoundationInstant {
  Vec2 offset = Vec2::Zero();                                   ///< e, m
  Vec2 force = Vec2::Zero();                                    ///< on the journal, N
  double load = 0;                                              ///< ∫ p dA, N
  double peak_pressure = 0;                                     ///< Pa
  double friction_moment = 0;                                   ///< on the journal, N m
  double friction_power = 0, normal_power = 0, wear_power = 0;  ///< lost, W
  double moment = 0;                                            ///< all on the journal about its centre, N m
  double energy = 0;                                            ///< stored, J
  int touching = 0;                                             ///< nodes
};

class Foundation final : public ForceElement {
 public:
  Vec2 pi = Vec2::Zero(), pj = Vec2::Zero();
  double radius = 0, length = 0, clearance = 0;  ///< R, L, c
  double stiffness = 0, damping = 0;             ///< K_W, Pa/m; b, Pa s/m
  int nodes = 0;
  std::shared_ptr<const FrictionLaw> friction;  ///< null: none
  std::shared_ptr<const WearLaw> wear;          ///< null: none
  const Foundation* leader = nullptr;           ///< whose `Cycle` counts; null: m is a number
  double period = 0;                            ///< of a cycle, s
  double counts = 1;                            ///< what a cycle counts: revolutions

  /// Auxiliary variables of the leader, after its depths.
  enum Cycle { pace, revolutions, error, cycles, second, cycle_size };
  /// Of each foundation with a `life`: when it was reached, s, and after how many revolutions; below 0: it was not.
  enum Life { life_time, life_revolutions, life_size };

  void apply(const Kinematics& k, ForceSum& sum) const override;
  double potential(const Kinematics& k) const override;
  int aux_count() const override;
  void start_aux(const Kinematics& k, double* z) const override;
  void aux_rates(const Kinematics& k, double* zdot) const override;

  bool wears(int side) const { return wear && wear->wears(side); }
  /// Depth of a surface at its node in the auxiliary variables z of the state; 0 where it does not wear.
  double depth(const double* z, int side, int node) const;
  double deepest(const double* z, int side) const;
  double worn_volume(const double* z, int side) const;  ///< m³
  int depths() const { return (wears(0) + wears(1)) * nodes; }
  /// Places in z: of the depths, of these as a block of cycles began, as a trial of it left them, of Life; of Cycle in the leader.
  int start_offset() const { return aux_offset + depths(); }
  int trial_offset() const { return aux_offset + 2 * depths(); }
  int life_offset() const { return aux_offset + (leader ? 3 : 1) * depths(); }
  int cycle_offset() const { return life_offset() + (has_life() ? life_size : 0); }
  bool has_life() const;
  /// m at this instant.
  double pace_at(const double* z) const;
  double node_area() const;
  FoundationInstant instant(const Kinematics& k) const;

 private:
  template <class Visit>
  FoundationInstant over_nodes(const Kinematics& k, const Visit& visit) const;
};

}  // namespace tappet
