// Moreau's time stepping: one step of fixed length, through impacts, sticking and sliding alike.
//
//   q_M = q_A ⊕ (1 − θ) h u_A                                     θ = ½: the midpoint
//   M (u_E − u_A) = h f(t_M, q_M, u_A) + Jᵀ Λ + Hᵀ P              velocities jump by impulses; all matrices at q_M
//   J ((1 − θ) u_A + θ u_E) + Φ_t = 0                             joints and motions
//   contacts: impulses P by the laws of impact and friction                       (nonsmooth/impact_problem.hpp)
//   q_E = q_M ⊕ θ h u_E
//
// [Moreau 1988; Jean 1999; Glocker & Studer 2005]. First order in h; between impacts and for θ = ½ the motion
// under constant forces (a ball in flight) is exact, and joints do no work: they hold the mean velocity, not
// the last one.
//
// Which contacts take part: all that are near. Nothing penetrates but by the curvature of the surfaces and nothing hovers; an impact
// happens up to one step early, which is the order of the method. Among many free bodies gaps as small as the penetrations that are
// allowed (below) count as closed. Contacts never add energy.
//
// Driven joints. At the end of the step velocities are projected onto the joints there: u ← u + M⁻¹ J_Eᵀ ν, ν = −S⁻¹ r,
// r = J_E u_E + Φ_t. Its work is ½ νᵀ (J_E u_E + J_E u) = −ν·Φ_t − ½ rᵀ S⁻¹ r. The first part is done by the motions, of the order of h²
// a step: it is booked as their input, and ν belongs to the reactions, (Λ + ν)/h. The second is of the order of h⁴, with impacts h².
//
// Friction in ideal joints is bounded by μ times the impulse that presses the joint in the same step, ‖Λ‖ + h N₀ (joint_friction.hpp). The
// contact problem is solved again with the impulses that it leads to until they stay, by a factor of about μ r over the length of the part
// each time; where they do not, friction locks the joint by itself and the run ends.
//
// Drift. What penetrates at q_E by more than 10⁻⁶ (or 0.003 of the tolerance) of the contact's length scale, since surfaces are curved or a body fell below
// another's within the step, is moved apart by the least displacement in the metric of the masses, without touching
// velocities. The work that this takes against gravity and springs is booked as a gain of the contacts, and is at most what they
// lost in the same step: energy never grows through contact, and where nothing was lost what penetrates stays. On a body that
// rolls loss and work are the same to first order: P_n |γ_nA|/2 is lost where the surface turned away within a step, and lifting by what
// that makes, |γ_nA| h/2, costs as much.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/contact/contact_statistics.hpp"
#include "tappet/multibody/contact_field.hpp"
#include "tappet/multibody/dynamics.hpp"
#include "tappet/nonsmooth/contact_problem.hpp"
#include "tappet/nonsmooth/impact_problem.hpp"

namespace tappet {

struct MoreauOptions {
  double theta = 0.5;
  ImpactLaw impact_law = ImpactLaw::newton;
  ContactSolverOptions contacts;
};

/// What a contact did in a step.
struct ContactImpulse {
  int contact = 0;                 ///< index in the mechanism; from its last contact on, slot of the field
  int group = -1;                  ///< of a contact in the field
  double normal = 0;               ///< P_n on the second body along the normal, N s
  Vec3 tangential = Vec3::Zero();  ///< P_t on the second body, world, N s
  Vec3 couple = Vec3::Zero();      ///< of rolling and spinning resistance on the second body, world, N m s
  double rate_before = 0, rate_after = 0;     ///< γ_nA, γ_nE, m/s
  double slip = 0;                            ///< |γ_tE|, m/s
  double gap = 0;                             ///< at the end of the step, m
  double normal_loss = 0, friction_loss = 0;  ///< J
};

/// What friction in an ideal joint did in a step.
struct BearingImpulse {
  int contact = 0;
  double normal = 0;               ///< ∫ N dt, N s
  Vec3 tangential = Vec3::Zero();  ///< along what slides, N s
  double loss = 0;                 ///< J
};

class MoreauStepper {
 public:
  MoreauStepper(const Mechanism& mechanism, const MoreauOptions& options);

  /// Advances (q, u, z) from t to t + h. Joints are met to the order of the step; who calls projects onto
  /// them. Throws SimulationError where the contacts contradict each other.
  void step(double t, double h, double* q, double* u, double* z, DynamicsWorkspace& w);

  /// The same in three parts, between which others, coupled to these bodies, can take part: from q to the midpoint, with the
  /// velocities that all but contacts would give; the impulses of its contacts; from the midpoint to the end.
  /// `push`: impulses on the bodies from elsewhere, force and moment about the centre of mass in world axes, 6 per body; null: none.
  void begin(double t, double h, double* q, const double* u, const double* z, DynamicsWorkspace& w,
             const double* push = nullptr);
  void collide(double t, double h, const double* u, DynamicsWorkspace& w);
  void finish(double t, double h, double* q, double* u, double* z, DynamicsWorkspace& w);
  /// Instead of collide(): impulses P of its contacts and which of them stick, and what others do to the bodies, like u.
  void take(const Eigen::VectorXd& P, std::vector<char> sticks, const double* others, const double* u,
            DynamicsWorkspace& w);
  /// After begin(): contacts that are near, and the velocities without them.
  const ContactProblem& near() const { return problem_; }
  const std::vector<double>& free_velocities() const { return free_; }

  /// After who calls has projected velocities onto the joints at the end of the step: impulses ν, which w holds, belong to the
  /// reactions, and what motions did by them to the ledger.
  void add_projection(const DynamicsWorkspace& w, double* z);

  /// Contacts that took part in the last step.
  const std::vector<ContactImpulse>& impulses() const { return impulses_; }
  /// Friction in ideal joints likewise.
  const std::vector<BearingImpulse>& bearings() const { return bearings_; }
  /// Impulses Λ of the constraints in the last step, one per row.
  const std::vector<double>& multipliers() const { return lambda_; }
  const ContactStatistics& statistics() const { return impact_.statistics; }
  void set_statistics(const ContactStatistics& statistics) { impact_.statistics = statistics; }
  /// Rows of the constraints that depend on others where joints are closed; −1 before the first step. Part of the state: counted
  /// elsewhere, it might be another number.
  int redundant() const { return redundant_; }
  void set_redundant(int rows) { redundant_ = rows; }

  /// Where the solution is sought, d numbers per contact that is near and per couple of these: the impulses of the last step.
  void guess(double* P) const;
  /// Impulses of the contacts in the last step, 3 per contact in world axes, since tangents turn with the normals: part of the state.
  std::vector<double>& warm_start() { return warm_; }
  const std::vector<double>& warm_start() const { return warm_; }
  /// Does some contact resist rolling or spinning?
  bool resists() const { return resists_; }
  /// Couples likewise; empty where none does.
  std::vector<double>& warm_couples() { return warm_couples_; }
  const std::vector<double>& warm_couples() const { return warm_couples_; }
  /// Contacts with static friction that stuck in the last step, like warm_start(); empty where there are none: part of the state.
  std::vector<char>& stuck() { return stuck_; }
  const std::vector<char>& stuck() const { return stuck_; }
  /// Did a contact that is near stick in the last step, or does it as the run begins?
  bool was_stuck(double t, int near, const Eigen::VectorXd& before) const;
  /// Contacts of groups, which come and go.
  const ContactField& field() const { return field_; }
  ContactField& field() { return field_; }
  const RigidLaw& law(int contact) const;

 private:
  void move(double time, const double* velocity, double* q);
  void free_motion(double h, const double* u, const double* push, DynamicsWorkspace& w);
  void factor(DynamicsWorkspace& w);
  void turn_gyroscopes(double h, const double* u, DynamicsWorkspace& w) const;
  void find_contacts(double h, const DynamicsWorkspace& w);
  void look_ahead(const DynamicsWorkspace& w);
  void take_mean_velocities(double t, double h, const double* q, const double* u, const double* z,
                            DynamicsWorkspace& w);
  bool may_close(const int (&bodies)[2], const Vec3& at, double gap, double length_scale, double reach);
  bool stop_may_close(const ContactPoint& stop, const Touch& touch, const Kinematics& k, double reach);
  bool contacts_close(double t, double h, const double* u);
  void solve_contacts(double t);
  void solve_with_bearings(double t, double h, DynamicsWorkspace& w);
  double bearing_loads(double h, DynamicsWorkspace& w);
  void note_bearings();
  void remember_impulses();
  void note_impulses();
  void integrate_auxiliary(double h, const double* q, const double* u_mean, double* z, DynamicsWorkspace& w);
  double* own_ledger(int contact, double* z) const;
  void choose_moved(bool all);
  void measure_gaps(const std::vector<int>& contacts);
  void find_gaps(double reach, const double* u);
  bool find_deep(double enough, double& small);
  void open_gaps(double t, double reach, double* q, const double* u, double* z, DynamicsWorkspace& w);

  /// A body's centre of mass at the midpoint, and its velocities without contacts, world axes.
  struct Ahead {
    Vec3 r = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
  };

  const Mechanism& mechanism_;
  MoreauOptions options_;
  ContactProblem problem_;
  int nu_;
  int redundant_ =
      -1;  // rows of the constraints that depend on others where joints are closed; the first begin()
  double speed_ = 0;            // largest speed of a surface that is near another; find_contacts()
  bool has_auxiliary_ = false;  // constraints or forces keep auxiliary variables
  std::vector<double> force_;   // impulses of applied forces, then of contacts too, like u
  std::vector<double> target_;  // J (u_E − u_A), one per row
  std::vector<double> change_, free_, mean_, lambda_, held_, zdot_;
  ContactField field_;
  std::vector<Ahead> ahead_;          // of the bodies and the ground; look_ahead()
  std::vector<double> of_frames_;     // velocities, where bodies bend; look_ahead()
  std::vector<double> length_scale_;  // of the contacts in the problem
  std::vector<int> slots_;            // of the contacts in the problem that belong to the field
  std::vector<int> chosen_slots_;     // measure_gaps()
  std::vector<double> slot_gap_;      // of these
  std::vector<int> chosen_;           // contacts that are moved apart, and those of the same bodies
  std::vector<char> moved_;           // bodies that are
  std::vector<double> warm_;          // 3 per contact of the mechanism and a slot of the field, world axes
  bool resists_ = false;              // some contact resists rolling or spinning
  std::vector<double> warm_couples_;  // like warm_, if so
  bool holds_ = false;                // some contact has static friction of its own
  std::vector<char> stuck_;           // one per contact and a slot, if so
  std::vector<char> sticks_;          // contacts of the problem that stick in this step
  ImpactProblem impact_;
  std::vector<RigidLaw> couple_laws_;  // of the problem's couples; contacts_close()
  Eigen::VectorXd after_;              // γ_E
  Eigen::VectorXd P_, gap_, displacement_;
  std::vector<ContactImpulse> impulses_;
  std::vector<BearingImpulse> bearings_;  // note_bearings()
  std::vector<double> loads_,
      unloaded_;  // ∫ N dt of the bearings; forces without contacts: solve_with_bearings()
  Kinematics end_;
};

}  // namespace tappet
