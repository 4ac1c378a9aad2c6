// Closed contacts of rigid bodies: reactions, impacts and the decision which of them stay closed, stick or slip.
//
// At each contact of a set stand a normal and one or two tangents; their generalised directions are the columns of W. With
// M̂⁻¹ f the motion that forces f alone cause while the joints hold,
//
//   γ = Wᵀ u            relative velocities             A = Wᵀ M̂⁻¹ W      what unit forces at the contacts do to them
//   γ̇ = A F + c         relative accelerations          c = Wᵀ u̇(F = 0) + ẇ,   ẇ = d(Wᵀ)/dt u by central differences
//   γ⁺ = γ⁻ + A P        over an impact with percussions P
//
// Laws [Flores2022, eqs 12–19; Glocker & Studer 2005]:
//   normal      0 ≤ γ̇_n ⟂ F_n ≥ 0        (closed contacts)
//   friction    −F_t ∈ μ F_n Sgn(γ_t), at rest Sgn(γ̇_t)
// and for impacts those of nonsmooth/impact_problem.hpp, at one instant. Contacts that resist rolling or spinning have couples besides
// (couples.hpp), which hold or slide each by itself; their columns of W follow those of all contacts of the set.
//
// Contacts that share bodies, or bodies that joints connect, are a component. A component holds while some distribution of its forces
// is admissible (load_sharing.hpp); that margin is one event function for all of its contacts.
//
// Forces are found from velocities [Stewart1998]. Over a short time δ, without restitution,
//
//   γ' = γ + δ c + A P,     0 ≤ γ'_n ⟂ P_n ≥ 0,     −P_t ∈ μ P_n Sgn(γ'_t),      F = P/δ
//
// has a solution even where that of the accelerations has none (wedges, Painlevé): P then has a limit ≠ 0 as δ vanishes, which is an
// impact without collision. μ is μ_s for contacts at rest and μ for those that slide or begin to.
//
// Friction in ideal joints takes part in an impact, within μ times the impulse of the joint's reaction, as in a step of method moreau
// (moreau.hpp): a block behind those of the contacts whose own normal is given, solved again until what the reactions give stays.
//
// What a contact is in is kept in its ContactState: touching (closed), stick.sticking, direction (of sliding, world axes),
// branch 1 (idle: closed, but others carry its load), impact_rate (the fastest impact so far), rolling and spinning.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "tappet/model/model.hpp"
#include "tappet/multibody/dynamics.hpp"
#include "tappet/nonsmooth/impact_problem.hpp"
#include "tappet/nonsmooth/load_sharing.hpp"

namespace tappet {

class RigidContacts {
 public:
  /// `w` and `states` outlive it.
  RigidContacts(const Model& model, DynamicsWorkspace& w, std::vector<ContactState>& states);

  bool any_closed() const;

  /// Adds the reactions of closed contacts to the accelerations, multipliers, forces and powers that accelerations() left in
  /// the workspace.
  void react(const double* q, const double* u);

  /// Brings closed contacts back to gap 0 and (sticking ones wholly) to velocity 0, past the joints. The workspace must be
  /// that of (t, q, u, z). Returns true when something was moved.
  bool project(double t, double* q, double* u, const double* z);

  /// What an impulse at one instant did at a contact.
  struct Percussion {
    int contact = 0;
    double speed_in = 0, speed_out = 0;         ///< approach before, separation after, m/s
    double impulse = 0;                         ///< N s
    double normal_loss = 0, friction_loss = 0;  ///< J
  };
  /// One impact of the contacts in `set`, and of joints with friction, at the workspace's state. Changes u; `restitution` is one number per contact of the set.
  /// `input` grows by the work that prescribed motions do.
  const std::vector<Percussion>& impact(const std::vector<int>& set, const std::vector<double>& restitution,
                                        double* u, double& input);

  /// Friction in ideal joints that held before an impact, one per contact of the mechanism: there it holds with static friction.
  void joints_held(std::vector<char> held) { held_ = std::move(held); }

  /// Gives the contacts of `set` velocities that belong together, by the least change: none along their normals, and none along
  /// their tangents where the slip is below `slow` (one number per contact of the set, m/s) and friction can hold it.
  void bring_to_rest(const std::vector<int>& set, const std::vector<double>& slow, double* u);

  /// Decides for the contacts of `set`, which are closed and do not approach, which open, stick, slip or idle. The
  /// workspace must hold the accelerations without any of them. `at_rest`: slip below this is none, m/s. Where no forces exist
  /// an impulse changes u: it is in percussions(), and the answer is false: evaluate anew and ask again.
  bool decide(const std::vector<int>& set, const double* q, double* u, double at_rest, double& input);
  const std::vector<Percussion>& percussions() const { return percussions_; }

  /// What was met on the way; for the summary.
  struct Statistics {
    long scaled = 0;      ///< impacts whose law would have gained energy
    long plastic = 0;     ///< impacts whose law had no solution
    int most_closed = 0;  ///< contacts of the largest component
  };
  Statistics statistics() const {
    return {impact_.statistics.scaled, impact_.statistics.plastic, most_closed_};
  }
  void set_statistics(const Statistics& s) {
    impact_.statistics.scaled = s.scaled, impact_.statistics.plastic = s.plastic,
    most_closed_ = s.most_closed;
  }

  /// In space the direction of a faster slip than this turns with it, m/s.
  double turning_slip() const { return turning_slip_; }

  /// Acceleration of a contact's gap at the workspace's state, m/s².
  double acceleration(int contact, const double* q, const double* u);

  /// Closed contacts, after react(): the margin of the contact's component if it is the component's first contact, else 1; and the
  /// slip of a contact that slides along the direction of its sliding, m/s, and of its couples likewise, the least of these, else 1.
  /// Both are positive while their mode lasts.
  double hold_margin(int contact);
  double slip_margin(int contact) const;

  /// After an accepted step: directions of rolling that turned.
  void follow_turning(int contact, const Touch& touch, const Kinematics& k, double at_rest);

 private:
  /// A solution whose residual is above this part of the velocities is none.
  static constexpr double no_residual = 1e-8;

  struct ClosedContact {  // one contact of the gathered set
    int contact = 0;
    Touch touch;
    Vec3 axis[3];  // normal, tangents
    bool sticks = false;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // of sliding, in the tangents
  };
  struct Turning : Couple {  // a couple of the gathered set; `contact` is the number of its place
    int row = 0;             // the first of its columns, which is empty
    int rows = 1;            // those that follow and are not
    Eigen::Vector2d speed = Eigen::Vector2d::Zero();  // ℓ ω along its axes, m/s
    bool holds = false;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // of ω, along its axes; zero: it does nothing
    double mu() const { return resistance / length; }
  };
  struct Component {  // of the closed contacts
    std::vector<int> contacts;
    LoadSharing sharing;
    bool jams =
        false;  // friction of a contact that slides presses harder than its normal force pushes away; or one
                // has lost what it faced
  };
  struct JointBlock {  // friction in an ideal joint, in the gathered set of an impact
    int contact = 0, row = 0, directions = 1;
    double own = 1;   // c
    double load = 0;  // ‖Λ‖ of the joint's impulse
    RigidLaw law;
  };
  std::vector<std::vector<int>> components_of(const std::vector<int>& set);
  void find_closed();

  /// Directions, A and M̂⁻¹ W of the set at the workspace's frames. False where contacts face nothing there: they are left out.
  bool gather(const std::vector<int>& set);
  /// Frames a little later and earlier, for all sets gathered at this state.
  void look_around(const double* q, const double* u);
  /// c of the set, from the workspace's accelerations and those frames.
  void gather_accelerations();
  /// μ of a place at its speed of sliding.
  double sliding_friction(const ClosedContact& place) const;
  void take_modes();
  void gather_couples();
  void gather_joints();
  void fill_responses();
  void solve_impact(Eigen::VectorXd& P);
  double find_joint_loads(const Eigen::VectorXd& P);
  void book_joints(const Eigen::VectorXd& P, const Eigen::VectorXd& before, const Eigen::VectorXd& after);
  double* along(int column);
  void take_along(int column);
  std::vector<double> along_;  // gather()
  double held_turning(const ContactPoint& point, const Touch& touch) const;
  /// Columns of the gathered set.
  int columns() const { return dim_ * static_cast<int>(places_.size() + turnings_.size()); }
  /// ω that a couple resists, at these frames.
  Vec3 turning(const Turning& turning, const Touch& touch, const Kinematics& k) const;
  /// As it is remembered, along the couple's axes; zero: it holds.
  Eigen::Vector2d remembered(const Turning& turning) const;
  void remember(const Turning& turning, const Eigen::Vector2d& direction);
  /// Modes of couples whose speed decides: below `at_rest` they hold.
  void set_turning_modes(double at_rest);
  /// Direction of sliding of a closed contact in its own tangents.
  Eigen::Vector2d sliding_direction(const ClosedContact& place) const;
  /// S x = −v: forces (or impulses) of the gathered set, in the modes of its places, that make what they hold of v vanish.
  void build_system(const Eigen::VectorXd& v);
  /// The same with c for v, and who shares. False where the set jams.
  bool share(LoadSharing& sharing);
  /// Adds the forces F_ of the gathered set to the workspace.
  void add_reactions();
  void apply(const Eigen::VectorXd& P, double* u, double& input);

  /// P with γ' = A P + b under Coulomb's law. False when none was found.
  bool coulomb(const Eigen::VectorXd& b, const Eigen::VectorXd& mu, Eigen::VectorXd& P);
  bool holds(double at_rest);
  bool find_modes(double at_rest, double* u, double& input);
  bool forces_over(double delta, const Eigen::VectorXd& velocity, const Eigen::VectorXd& mu,
                   Eigen::VectorXd& P);
  void drop_what_cannot_stay(std::vector<int>& closed);
  bool lets_go(const Eigen::VectorXd& x, double worst);
  [[noreturn]] void impossible() const;

  const Model& model_;
  const Mechanism& mechanism_;
  DynamicsWorkspace& w_;
  std::vector<ContactState>& states_;
  int dim_;  // rows of a contact: 2 in the plane, 3 in space
  ContactSolver solver_;
  ImpactProblem impact_;
  std::vector<RigidLaw>
      laws_;  // of the contacts in an impact, with the restitution that it is given, and of their couples
  double turning_slip_ = 0;
  bool resists_ = false;      // some contact resists rolling or spinning
  std::vector<int> cluster_;  // of a body: bodies that joints connect have one number

  // Of the closed contacts.
  std::vector<int> closed_;
  std::vector<Component> components_;
  std::vector<int> first_of_;  // one per contact: the component that it is the first of, −1: of none

  // Of the last gather(): filled there unless said otherwise.
  std::vector<ClosedContact> places_;
  std::vector<Turning> turnings_;
  std::vector<CoupleBlock> blocks_;  // of these
  std::vector<JointBlock> joints_;   // gather_joints(); behind both
  Eigen::MatrixXd W_, X_, Lambda_;   // nu × n, nu × n, rows × n
  lcp::ConeProblem cone_;            // its matrix is A
  Eigen::MatrixXd& A() { return std::get<Eigen::MatrixXd>(cone_.W); }
  const Eigen::MatrixXd& A() const { return std::get<Eigen::MatrixXd>(cone_.W); }
  Eigen::VectorXd c_;                  // n; gather_accelerations()
  Eigen::VectorXd F_;                  // n; react(), find_modes()
  std::vector<int> rows_;              // of the unknowns of share()
  Eigen::MatrixXd system_, drag_;      // share()
  Eigen::VectorXd right_, reactions_;  // share(), add_reactions()

  Kinematics ahead_, behind_;  // look_around()
  double difference_time_ = 0;
  std::vector<double> q_, step_, zero_;
  LoadSharing trial_;  // holds(), bring_to_rest(), project()
  std::vector<Percussion> percussions_;
  std::vector<char> held_;
  int most_closed_ = 0;
};

}  // namespace tappet
