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
//   normal      0 ≤ γ̇_n ⟂ F_n ≥ 0        (closed contacts)        0 ≤ γ_n⁺ + ε_n γ_n⁻ ⟂ P_n ≥ 0      (impacts, Newton)
//   friction    −F_t ∈ μ F_n Sgn(γ_t), at rest Sgn(γ̇_t)           −P_t ∈ μ P_n Sgn(γ_t⁺ + ε_t γ_t⁻)
//   Poisson     compression with ε = 0 gives P_c; then 0 ≤ γ_n⁺ ⟂ P_n − ε_n P_c ≥ 0
//
// What a contact is in is kept in its ContactState: touching (closed), stick.sticking, direction (of sliding, world axes),
// branch 1 (idle: closed, but others carry its load), impact_rate (the fastest impact so far).
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/QR>

#include "tappet/lcp/solver.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet {

class RigidContacts {
 public:
  /// `w` and `states` outlive it.
  RigidContacts(const Model& model, DynamicsWorkspace& w, std::vector<ContactState>& states);

  bool any_closed() const;

  /// Adds the reactions of closed contacts to the accelerations, multipliers, forces and powers that accelerations() left in
  /// the workspace. Throws SimulationError where friction makes the force impossible (Painlevé).
  void react(const double* q, const double* u);

  /// Brings closed contacts back to gap 0 and (sticking ones wholly) to velocity 0, past the joints. The workspace must be
  /// that of (t, q, u, z). Returns true when something was moved.
  bool project(double t, double* q, double* u, const double* z);

  /// One impact of the contacts in `set` at the workspace's state.
  struct Percussion {
    int contact = 0;
    double speed_in = 0, speed_out = 0;         ///< approach before, separation after, m/s
    double impulse = 0;                         ///< N s
    double normal_loss = 0, friction_loss = 0;  ///< J
  };
  /// Changes u; `restitution` is one number a contact of the set. `input` grows by the work that prescribed motions do.
  const std::vector<Percussion>& impact(const std::vector<int>& set, const std::vector<double>& restitution,
                                        double* u, double& input);

  /// Decides for the contacts of `set`, which are closed and do not approach, which open, stick, slip or idle. The
  /// workspace must hold the accelerations without any of them. `at_rest`: slip below this is none, m/s. `overcome`: the contact
  /// whose hold has just been (−1: none); it slips even where rounding would have it stick at the rim of its cone.
  void decide(const std::vector<int>& set, const double* q, const double* u, double at_rest, int overcome);

  /// Acceleration of a contact's gap at the workspace's state, m/s².
  double acceleration(int contact, const double* q, const double* u);

  /// How near a mode is to its end at the workspace's state: > 0 while it lasts. Closed contacts only.
  double normal_margin(int contact) const;
  double friction_margin(int contact) const;

 private:
  struct Place {  // one contact of the set
    int contact = 0;
    Touch touch;
    Vec3 axis[3];  // normal, tangents
  };
  /// Directions, A and M̂⁻¹ W of the set at the workspace's frames.
  void gather(const std::vector<int>& set);
  /// c of the set, from the workspace's accelerations.
  void gather_accelerations(const double* q, const double* u);
  /// Direction of sliding of a closed contact in its own tangents.
  Eigen::Vector2d sliding_direction(const Place& place, double at_rest) const;
  /// F with γ̇ or ξ = A F + b under the laws above. `slides[i]`: the direction of friction is given; `floor`: P_n − floor is
  /// the complementary part. Throws SimulationError when there is none.
  void solve(const Eigen::VectorXd& b, const Eigen::VectorXd& mu, const std::vector<char>& slides,
             const std::vector<Eigen::Vector2d>& direction, const Eigen::VectorXd& floor, Eigen::VectorXd& F);
  void solve_cones(const Eigen::VectorXd& b, const Eigen::VectorXd& mu, Eigen::VectorXd& F);
  [[noreturn]] void impossible() const;
  void choose_rows();
  void least_solution();

  const Model& model_;
  const Mechanism& mechanism_;
  DynamicsWorkspace& w_;
  std::vector<ContactState>& states_;
  int dim_;  // rows of a contact: 2 in the plane, 3 in space
  std::unique_ptr<lcp::Solver> lemke_, cones_;

  // Of react() and project(): rows of the unknowns, their system, right-hand side and then solution, forces.
  std::vector<int> rows_;
  Eigen::MatrixXd system_, drag_;
  Eigen::VectorXd x_, F_, reactions_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_;

  // Of the last gather(): filled there unless said otherwise.
  std::vector<Place> places_;
  Eigen::MatrixXd W_, X_, Lambda_, A_;  // nu × n, nu × n, rows × n, n × n
  Eigen::VectorXd c_;                   // n; gather_accelerations()
  Kinematics ahead_, behind_;           // frames a little later and earlier; gather_accelerations()
  std::vector<double> q_, step_, zero_;
  std::vector<int> closed_;
  std::vector<Percussion> percussions_;
};

}  // namespace tappet
