// Structures with unilateral contact and friction: Newmark's and Moreau's rules in one step of fixed length.
//
//   M du + C q̇ dt + K q dt = (f + h(q, q̇)) dt + W dΛ                                   [Theodosiou 2008, eqs 1–3]
//   q_E = q_A + h ((1−θ) u_A + θ u_E)                               θ = ½: Newmark with β = ¼, γ = ½
//   A (u_E − u_A) = h [f − C u_A − K (q_A + θ h u_A) + W_s F] + H P,  A = M + θ h C + θ² h² K   (γ = θ, β = θ²)
//   contacts, with the gap at q_M = q_A + (1−θ) h u_A: impulses P by the laws of nonsmooth/impact_problem.hpp        [eqs 4, 5]
//
// Impulses and relative velocities obey γ_E = γ_free + Hᵀ A⁻¹ H P, a problem of cones in space, or with
// `facets` the linear one of equation 6 (with 0 ≤ y ⟂ x ≥ 0; the printed sign of x is an error). A⁻¹ of the
// unknowns of contact nodes is kept column by column as nodes touch for the first time: constant as long as h
// is.
//
// Energy. With θ = ½, E_E − E_A = work of loads − damping + Σ P·(γ_A + γ_E)/2, and each contact's term is ≤
// 0 (nonsmooth/impact_problem.hpp): nothing is ever gained. A
// node that hits loses its own kinetic energy, which vanishes with the mesh. What oscillates then is the
// force in the contact; θ > ½ damps it at the cost of energy, and so does taking the mass off the contact
// nodes
// (`light_contact`), at none [Khenous, Laborde & Renard 2008].
//
// Unknowns c without mass have no velocity of their own. They are where they are in equilibrium with the contact forces λ when the step
// ends; u_c counts as 0 when it begins, and with d_c = Δq_c/(θh) the matrix is the same A (without damping of c):
//
//   c rows:   (A d)_c = θh [f_E − K (q_A + h u_A)]_c + H P,    P = θh λ_E
//   contacts: 0 ≤ γ_nE + g/(θh) ⟂ P_n ≥ 0,  γ_E = H d_c − (what the other side moves); P_t in its disc, opposite to the slip in the step
//
// so that gaps are closed exactly when the step ends and V(q_f) = min over q_c of the potential is C¹: nothing rings. By the
// trapezoidal rule u_cE = 2 Δq_c/h − u_cA would swing for ever. What has mass on the other side of the contact is pushed by
// h ((1−θ) λ_A + θ λ_E): λ_A is part of the state. This impulse does work with the mean relative velocity of the step: by friction, or,
// in a step in which a contact opens or closes, along the normal; for θ = ½ ½ (λ_A g_E − λ_E g_A). The latter is undone by a kick u_f += α k, k the f part
// of A⁻¹ H_n, ½ α² kᵀ M k + α uᵀ M k = what is missing: energy is kept. Where rigid bodies take part it is booked instead.
//
// Driven unknowns p (supports that move) have their displacement q_p(t) and velocity q̇_p(t) exactly at both
// ends; inside the step they go with the mean velocity v_p = Δq_p/h. For the others f then
//
//   A_ff d_f = h [f − C v − K (q_A + θ h v)]_f − M_fp Δq̇_p + H P,    v_f = u_A,f,   d_f = (u_E − u_A)_f
//
// which is of second order, and a jump of q̇_p pushes its neighbours once instead of ringing on as it would if
// u_p followed from q_p by Newmark's rule. What the support puts in: force of inertia (M d − H P)_p times the
// mean of both velocities, and force of springs and dampers times v_p; with these the ledger closes.
//
// Rigid bodies in the same model step by nonsmooth/moreau.hpp to their velocities without contacts. Where nodes
// are attached to them or touch them, rows γ = H_s u_s + H_r u_r lie across both, and
//
//   γ_E = γ_free + (H_s A⁻¹ H_sᵀ + H_r M̃⁻¹ H_rᵀ) P          M̃⁻¹: inverse mass with the joints in force
//
// for all contacts together. Attached nodes (spiders.hpp) are bilateral rows G, eliminated first: like joints
// they hold the mean velocity of the step, G ((1−θ) u_A + θ u_E) = −g_A/h, which closes what opened in the
// step before, and do no work else. In a step in which nothing of this is near the two sides do not see each
// other.
//
// Structures that turn (turning_step.hpp) make it nonlinear: with the forces at a guess d* of d,
//
//   A d = A d* + [h (f − forces(d*)) − inertia(d*)] + H P
//
// until d = d*, contacts, springs and attached bodies within each pass.
//
// Smooth nonlinear springs F(d, ḋ) act at the middle of the step: Newton's method on their few elongations,
// with the contacts' problem inside (its matrix holds the springs' tangents).
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "tappet/lcp/solver.hpp"
#include "tappet/nonsmooth/moreau.hpp"
#include "tappet/structures/spiders.hpp"
#include "tappet/structures/structure_compliance.hpp"
#include "tappet/structures/structure_contacts.hpp"
#include "tappet/structures/structure_forces.hpp"
#include "tappet/structures/structure_instant.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

/// What a node did in a step.
struct NodeImpulse {
  int contact = 0, number = 0;
  int touch = 0;                              ///< its number among what touched in the step
  Vec3 impulse = Vec3::Zero();                ///< on the node, N s
  double normal = 0, tangential = 0;          ///< the magnitudes of its parts along and across the normal
  double rate_before = 0, rate_after = 0;     ///< γ_n, m/s
  double slip = 0;                            ///< |γ_t| at the end, m/s
  double normal_loss = 0, friction_loss = 0;  ///< J
  double gap = 0;                             ///< at the middle of the step, m
};

/// The rigid bodies of the model, for one step.
struct RigidPart {
  MoreauStepper& stepper;
  DynamicsWorkspace& workspace;
  double *q, *u;
};

class NewmarkMoreau {
 public:
  /// `bodies`: positions of the rigid bodies at the start; null when there are none.
  NewmarkMoreau(const Model& model, StructureSystem& system, const MoreauOptions& options,
                const double* bodies = nullptr);

  /// One step from (t, q, u); z is the energy ledger (with rigid bodies: all auxiliary variables).
  void step(double t, double h, double* q, double* u, double* z, RigidPart* rigid = nullptr);
  /// To be called when q or u are no longer what the last step left.
  void state_changed() { prepared_ = false; }

  /// From now on all that depends on time is as at t = 0, and at rest: for statics. Structures' weight, loads and
  /// motions of supports act with this part of them.
  void stop_time(double part = 1) { stopped_ = true, part_ = part; }

  /// Of the last step; only nodes with an impulse.
  const std::vector<NodeImpulse>& impulses() const { return impulses_; }
  /// Where one of these was: NodeImpulse::touch.
  const NodeTouch& touch(int number) const { return touches_[number]; }
  /// Impulses of the last step on the nodes of a structure, 3 per node, N s; the nodes of a face share theirs.
  std::vector<double> node_impulses(int structure) const;
  double smallest_gap(int contact) const { return contacts_.smallest_gap(contact); }
  /// Impulses of attached nodes on their bodies in the last step, one entry per entry of Model::spiders.
  const std::vector<AttachmentLoad>& spider_loads() const { return spider_loads_; }
  /// Impulses of supports in the last step on the nodes of each motion, along its direction.
  const std::vector<double>& support_impulses() const { return support_impulses_; }
  const Spiders* spiders() const { return spiders_.get(); }
  /// Largest opening between attached nodes and their bodies so far, m or rad.
  double largest_opening() const { return largest_opening_; }
  void set_largest_opening(double opening) { largest_opening_ = opening; }
  const ContactStatistics& statistics() const { return impact_.statistics; }
  void set_statistics(const ContactStatistics& s) { impact_.statistics = s; }
  /// Forces of contacts on nodes without mass when the last step ended: part of the state. Empty where there are no such nodes.
  struct LightLoads {
    std::vector<double> points;  ///< λ, 3 per contact node, world axes, N
    std::vector<double> nodes;   ///< what they do to unknowns with mass on the other side, like q, N
    std::vector<double>
        bodies;  ///< and to rigid bodies: force, and moment about the centre of mass, world axes, 6 per body
  };
  LightLoads& light_loads() { return light_loads_; }
  const LightLoads& light_loads() const { return light_loads_; }
  const StructureForces& spring_dampers() const { return spring_dampers_; }
  StructureContacts& contacts() { return contacts_; }
  const StructureContacts& contacts() const { return contacts_; }
  StructureCompliance& compliance() { return compliance_; }
  const StructureCompliance& compliance() const { return compliance_; }
  /// Points of contacts with static friction that stuck in the last step: part of the state.
  std::vector<char>& stuck() { return stuck_; }
  const std::vector<char>& stuck() const { return stuck_; }
  std::vector<double>& warm_start() { return warm_; }
  const std::vector<double>& warm_start() const { return warm_; }

 private:
  using Row = StructureCompliance::Row;
  struct Spring {
    const fem::NonlinearSpring* law =
        nullptr;  // null: one of spring_dampers_, whose direction is new in each step
    int force = -1;
    Row row;
  };
  struct Way {                                 // of a driven unknown in this step
    double end = 0, velocity = 0, change = 0;  // q_E, mean velocity, u_E − u_A
  };

  void aim_forces(double h, const double* q, const double* u, const RigidPart* rigid);
  void drive(double t, double h, const double* q, const double* u);
  double work_of_supports(double h, const double* load, const double* q, const double* u);
  Row row_of(const NodeTouch& touch, const Vec3& direction);
  void turn(const double* from);
  bool turned(double t, const double* from, int pass, double& left);
  void find_contacts(double t, double h, const double* q, const double* u, const RigidPart* rigid,
                     bool again);
  void gather_rows(double h, const double* u, const double* from, RigidPart* rigid);
  bool is_light(const NodeTouch& touch) const;
  void balance_light(double h, const double* v);
  void push_by_light_loads(double h, RigidPart* rigid);
  void settle_light(double h, double* u, const RigidPart* rigid, double* z);
  double kick(double missing, double* u);
  void recall_sticking(double t, const RigidPart* rigid);
  void make_matrix();
  void eliminate_spiders(double t);
  void solve_contacts(double t, const Eigen::VectorXd& free, double h);
  void solve_springs_and_contacts(double t, double h);
  double spring_force(const Spring& s, double t, double d, double v, double* tangent, double h) const;
  bool push_structures(double h);
  void push_bodies(RigidPart& rigid);
  void note_impulses(const double* u, const RigidPart* rigid, double* z);

  const Model& model_;
  StructureSystem& system_;
  MoreauOptions options_;
  StructureContacts contacts_;
  StructureCompliance compliance_;
  std::unique_ptr<Spiders> spiders_;  // null: none
  ContactSolver solver_;
  ImpactProblem impact_;
  double h_ = 0;
  bool stopped_ = false;
  double part_ = 1;
  std::vector<Way> ways_;  // like system_.driven()
  std::vector<double> weight_and_loads_, free_, change_, middle_, work_;
  std::vector<double> rates_;  // v
  std::vector<double> guess_,
      mean_;  // change of velocities as Newton's method has it, and velocities in the step with it
  std::vector<double> forces_;  // C v + K (q + θ h v)
  bool prepared_ = false;       // these are those of the coming step
  std::vector<double> more_;    // impulses, 0 but where rows act
  std::vector<NodeTouch> near_, touches_;
  std::vector<Spring> springs_;
  StructureForces spring_dampers_;
  bool forces_on_bodies_ = false;
  Eigen::MatrixXd spring_bodies_,
      spring_changes_;  // the rigid bodies' part of the springs' rows, and M̃⁻¹ times it
  Eigen::VectorXd elongations_, spring_starts_;  // x and v of the springs as the step begins
  Eigen::VectorXd spring_rates_;                 // v with which the step moves
  Eigen::VectorXd spring_forces_, old_forces_;   // F now, and as the step began

  // Contacts that take part: those of touches_, then those among rigid bodies where all are solved together.
  struct StepContact {
    const RigidLaw* law;
    double gap;
    bool stuck;
    bool light;
    int couple_of = -1;  // a couple of this place; −1: a contact
  };
  std::vector<StepContact> places_;    // couples of rigid bodies come last
  std::vector<RigidLaw> couple_laws_;  // of these
  bool together_ = false;
  std::vector<Row> rows_;  // 3 a place; empty for those among rigid bodies
  Eigen::MatrixXd
      body_rows_;  // the rigid bodies' part of rows_, then of spiders: columns like their velocities
  Eigen::MatrixXd body_changes_;  // M̃⁻¹ times these
  Eigen::VectorXd body_change_;   // of their velocities without impulses
  Eigen::VectorXd before_, unhindered_, P_;
  // W of springs, contacts and spiders, where there is more than contacts; velocities without impulses.
  Eigen::MatrixXd all_, spider_response_;
  Eigen::VectorXd all_free_, openings_, spider_free_, spider_impulses_;
  Eigen::LDLT<Eigen::MatrixXd> spider_factor_;
  std::vector<AttachmentLoad> spider_loads_;
  std::vector<double> support_impulses_;  // one a motion
  double largest_opening_ = 0;
  lcp::ConeProblem problem_;  // of the contacts; its matrix is dense
  Eigen::MatrixXd& w() { return std::get<Eigen::MatrixXd>(problem_.W); }
  std::vector<Row> made_rows_;      // for which w() was made last, where it is of contacts alone
  unsigned long made_version_ = 0;  // of the compliance, then
  unsigned long matrices_ = 0;      // that were made
  std::vector<double> warm_;        // 3 per contact node, in its contact's axes, then the springs' forces
  std::vector<char> stuck_;         // one per contact node, if some contact has static friction of its own
  LightLoads light_loads_;
  std::vector<double> start_;      // u with 0 where there is no mass
  std::vector<double> body_push_;  // of light loads, like the bodies' velocities
  std::vector<double> kick_;       // like q; settle_light()
  Eigen::VectorXd body_start_;     // velocities of the rigid bodies as the step begins, where they take part
  std::vector<double> others_;
  std::vector<NodeImpulse> impulses_;
};

}  // namespace tappet
