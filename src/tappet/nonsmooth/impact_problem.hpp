// What contacts do in one step of time stepping: the laws of impact and friction, for rigid bodies and structures alike.
//
// Who calls knows the rows H of the contacts and their response W = H M̃⁻¹ Hᵀ, and gives for each contact the gap g and the
// relative velocities as the step begins, γ_A, and as it would end without impulses, γ_F. Sought are impulses P and
//
//   γ_E = γ_F + W P,     P_n ≥ 0,     P_t in the disc of radius μ P_n
//
// A contact *closes by itself* if γ_nA < 0 and g + θh γ_nF < 0. If it does not, if others push it shut, or where ε_n = 0, the gap
// may be closed exactly and no further; a contact that opens at first may be closed as fast, so that it never gains from it:
//
//   least rate  c = −max(g/θh, γ_nA, 0);     where the contact closes by itself and ε_n > 0,  c = 0 without and −ε_n γ_nA with rebound
//
// The laws:
//   plastic   0 ≤ γ_nE − c ⟂ P_n ≥ 0, friction opposite to γ_tE on the rim of its disc                                      → P₀
//   newton    the same with rebound, friction opposite to γ_tE + ε_t γ_tA                           [Flores 2022, eqs 16–19]  → P_L
//   poisson   P_L = P₀ + P_e; the plastic problem without forces (γ_A in place of γ_F) stores P_s, and the expansion gives back
//             0 ≤ γ_nE − c ⟂ P_en − ε_n P_sn ≥ 0, friction in the disc μ P_en, opposite to γ_tE + ε_t γ_tA
//
// Weight and springs are held by P₀ and stored by nobody: a body at rest stays at rest under each law. As h → 0 all three are the
// impacts of method event-driven.
//
// No gain. Where the law's work A = P·((1−θ) γ_A + θ γ_E) would be positive, P is taken between P₀ and P_L so that it vanishes
// (lcp/scale_back.hpp). Where the law has no solution, as between walls that face each other with friction, P = P₀. P₀ itself can
// gain, of the order of h², if forces reverse the sliding within the step: then P is between P₀ and P₁, which is P₀ with friction
// opposite to (1−θ) γ_tA + θ γ_tE, and never gains at any contact.
//
// Static friction. A contact that stuck is solved with μ_s. Contacts of these that slide nevertheless get μ and the problem is solved
// again; contacts that slid and whose slip would turn round get μ_s, and μ for good if they slide even so. Each contact
// changes at most once each way. Without the second rule a body that comes to rest would slip through zero and never stick. As a run
// begins, contacts stick that touch and do not slide.
//
// Friction that depends on the speed of sliding is taken at the mean of the speeds at both ends: solved once with the speeds that are
// known before, and again with those that this gives.
//
// Rolling and spinning resistance: couples (couples.hpp) follow the contacts whose normal impulses bound them.
//
// Solutions need not be unique: with much friction and redundant contacts even γ_E may have several.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/contact/contact_statistics.hpp"
#include "tappet/model/model.hpp"
#include "tappet/nonsmooth/contact_solver.hpp"
#include "tappet/nonsmooth/couples.hpp"
#include "tappet/nonsmooth/thresholds.hpp"

namespace tappet {

/// What a run says of them. `what`: what the contacts are called.
struct ContactReport {
  std::vector<std::string> notes, warnings;
};
ContactReport report_contacts(const ContactStatistics& statistics, const char* what,
                              const RunSettings& settings);

/// A contact that takes part.
struct ImpactContact {
  const RigidLaw* law = nullptr;
  double gap = 0;      ///< in the middle of the step, m
  bool stuck = false;  ///< it stuck in the step before
  /// A side of it has no mass: there is no impact, the gap at the end of the step is g + θh γ_nE ≥ 0 whatever it was, and γ_tE is
  /// slip in the step. What such contacts do to the energy is for who calls to say.
  bool massless = false;
  int couple_of = -1;  ///< a couple of this contact: its first row is its own, g above; −1: a contact
  bool bearing =
      false;  ///< friction in an ideal joint: a couple of itself, whose g is what P holds as solve() begins
  double own = 0;  ///< of a couple: c; as solve() begins
};

/// Where the energy of a contact's impulse went, J: along the normal and by friction.
struct ImpactLoss {
  double normal = 0, friction = 0;
};
/// −P·mean of both parts. Only their sum is determined by velocities at both ends: where friction would have gained, that is taken
/// from what the normal lost, so that friction never gains.
ImpactLoss impact_loss(int dimension, const double* P, const double* mean);

/// Static friction is larger than that of sliding.
inline bool holds(const RigidLaw& law) {
  return law.static_friction > law.friction;
}
/// Does a contact stick as a run begins? `slip`: γ_t, d − 1 numbers; `speed`: of the surfaces there.
bool sticks_at_start(double gap, double length_scale, const double* slip, int dimension, double speed);

/// The least γ_nE of Newton's law, c above.
double least_rate(double restitution, double before, double unhindered, double gap, double reach);

class ImpactProblem {
 public:
  /// `theta`: weight of γ_E in the work.
  ImpactProblem(ImpactLaw law, double theta) : law_(law), theta_(theta) {}

  // To be filled by who calls, in the order of the rows.
  std::vector<ImpactContact> contacts;
  Eigen::VectorXd before, unhindered;  ///< γ_A, γ_F
  bool at_rest = false;                ///< statics: there is no impact, and what has gone too deep comes back
  /// An impact at one instant: all contacts are closed, none may approach afterwards, and γ_F = γ_A.
  bool instant = false;
  double no_solution = thresholds::no_solution;  ///< residuals above this part of the velocities are none

  /// The least rates, with θh = `reach`. False: nothing would close, and there are no impulses.
  bool closes(int dimension, double reach);
  /// γ_F less what the law asks for, of the last closes().
  const Eigen::VectorXd& approach() const { return b_; }
  /// P, which is also the guess. W, and the order of sweeps, are the cone problem's. Residuals are relative to the velocity `unit`.
  /// Throws SimulationError, of time t, where contacts contradict each other.
  void solve(double t, double unit, lcp::ConeProblem& cone, ContactSolver& solver, Eigen::VectorXd& P);
  /// γ_E of the last solution.
  const Eigen::VectorXd& after() const { return after_; }
  /// Does contact i stick? Only asked of contacts with static friction.
  bool sticks(int i) const { return sticks_[i]; }

  ContactStatistics statistics;

 private:
  struct Task {
    double t;
    lcp::ConeProblem& cone;
    ContactSolver& solver;
  };
  bool solve_law(const Task& task, Eigen::VectorXd& P);
  bool solve_newton(const Task& task, Eigen::VectorXd& P);
  bool solve_poisson(const Task& task, Eigen::VectorXd& P);
  void solve_plastic(const Task& task, Eigen::VectorXd& P);
  bool solve_cones(const Task& task, const Eigen::VectorXd* given, bool must, Eigen::VectorXd& P);
  bool is_jammed(const lcp::ConeProblem& cone, const Eigen::VectorXd& P);
  void count(const lcp::Result& result);
  void set_friction(lcp::ConeProblem& cone);
  bool change_friction(lcp::ConeProblem& cone, const Eigen::VectorXd& P);
  double sliding_friction(int i) const;
  bool set_sliding(lcp::ConeProblem& cone);
  void note_sticking(const Eigen::VectorXd& P);
  void scale_back(const Task& task, bool found, Eigen::VectorXd& P);
  bool gains(const Eigen::VectorXd& P, double tolerance) const;
  const Eigen::VectorXd& that_work(const Eigen::VectorXd& P, Eigen::VectorXd& own) const;
  double slip(int i) const;

  ImpactLaw law_;
  double theta_;
  int d_ = 2;
  bool rebounds_ = false;             // the law asks for more than the plastic one; closes()
  bool massless_ = false;             // some contact is; closes()
  std::vector<CoupleBlock> couples_;  // closes()
  bool static_ = false;               // a contact's static friction is larger; closes()
  bool curved_ = false;               // a contact's friction depends on its speed; closes()
  Eigen::VectorXd floor_;             // c of the plastic law, one per contact
  Eigen::VectorXd b_, after_;         // γ_F − c and so on of the law; γ_E
  Eigen::VectorXd scale_, guess_, P_law_, after_law_, P_plastic_, after_plastic_, stored_, given_;
  enum class Friction : char { fixed, sliding, held, broken, caught, released };
  std::vector<Friction> friction_;  // of contacts with static friction; change_friction()
  std::vector<char> sticks_;
  double slip_tolerance_ = 0;
};

}  // namespace tappet
