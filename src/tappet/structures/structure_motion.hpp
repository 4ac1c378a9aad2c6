// Structures under method smooth: an ordinary differential equation of their unknowns, with contacts by force laws.
//
//   M u̇ = f(t) + weight − K q − C u + contacts + springs,    q̇ = u
//
// M is factorised once. Supports that move have q_p(t), u_p(t) and u̇_p(t) exactly, whatever y says, and do the work of the force
// R = (M u̇ + C u + K q − f)_p that holds them there.
//
// The fastest oscillation, ω² = the largest eigenvalue of M⁻¹ K, bounds the steps of explicit integrators, to about 3/ω. Implicit ones
// solve Newton's problem with A = M + γ C + γ² K:
//
//   (I − γ J) (δq, δu) = (r, s)   ⇔   A δu = M s − γ K r,   δq = r + γ δu
//
// in which contacts, springs and bodies are left to the iteration around it.
#pragma once

#include <memory>
#include <vector>

#include "tappet/ode/elastic_block.hpp"
#include "tappet/structures/node_forces.hpp"
#include "tappet/structures/structure_forces.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

class StructureMotion final : public ElasticBlock {
 public:
  /// Throws InputError for unknowns without mass.
  explicit StructureMotion(const Model& model);

  int unknowns() const override { return system_.size(); }
  void apply(const Kinematics& k, ForceSum& sum) override;
  double accelerations(const Kinematics& k, double* a) override;
  void auxiliary_rates(double* zdot) const override;
  bool hold(double t, double* q, double* u) override;
  void error_scale(const double* u, double* of_q, double* of_u) const override;
  PassingContacts* contacts() override { return nodes_.field().entries() > 0 ? &nodes_ : nullptr; }
  void prepare_newton(double gamma) override;
  void solve_newton(const double* r, double* x) override;

  const StructureSystem& system() const { return system_; }
  NodeForces& nodes() { return nodes_; }
  const NodeForces& nodes() const { return nodes_; }
  /// Of strain, weight, springs and contacts at the last apply(), J.
  double potential_energy(const Kinematics& k) const;
  /// Of the supports' motions at the last accelerations(), N or N m.
  const std::vector<double>& support_forces() const { return support_forces_; }
  /// ω of the fastest oscillation, rad/s, from below.
  double fastest_oscillation();

 private:
  void add_springs(ForceSum& sum);

  const Model& model_;
  StructureSystem system_;
  NodeForces nodes_;
  StructureForces spring_dampers_;
  std::unique_ptr<StructureSystem> newton_;  // with A factorised; prepare_newton()
  double gamma_ = 0;
  Kinematics held_;             // with q_ and u_; apply()
  std::vector<double> q_, u_;   // with supports where they are; apply()
  std::vector<double> forces_;  // all but inertia; apply()
  std::vector<double> push_, drive_;
  std::vector<double> support_forces_;
  std::vector<double> scale_;  // of each unknown's velocity, of the fastest node's
  double length_ = 0;          // of the structures, m
};

}  // namespace tappet
