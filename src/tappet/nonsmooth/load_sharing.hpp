// How contacts that more than carry their bodies may share the load, and how far the set of them is from letting go.
//
// Unknowns x: a normal force per contact, then the tangential ones of contacts that stick. They hold what they must,
//
//   S x = r                                   (S: what unit forces do to the accelerations that are to vanish, r: what is to be held)
//
// and where contacts repeat each other S is singular: x = x_p + Z y, x_p the least of all solutions, Z its null space. The set holds
// while some x is admissible, so its margin is the value of the programme
//
//   m = max over y of the least of     μ_i x_n − ‖x_t‖   (contacts that stick),     x_n   (contacts that slide)
//
// Couples that hold a contact against rolling or spinning are members like those that stick, with the contact's x_n.
//
// It is continuous while S changes continuously, positive while the set can hold, and one number for all contacts: none of them is
// asked by itself. Where several x are admissible, the least of them is shown: min ‖y‖².
//
// Both programmes have cones, in the plane as in space; none is replaced by a polygon, which would let go early. They are solved from
// the inside [Nesterov1994]: with s_i = μ_i x_n − m the barrier −Σ log(s_i² − ‖x_t‖²) keeps x in its cones, and
// Newton's method follows the minimum of τ (½ρ‖y‖² − m) + barrier as τ grows. The margin is then exact to ν/τ, ν twice the number of
// contacts. Forces are in units of the sum of x_p.
#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>

namespace tappet {

class LoadSharing {
 public:
  /// A contact of the set.
  struct Member {
    int tangent = -1;  ///< the first of its tangential unknowns; −1: it slides, or has no friction
    double mu = 0;     ///< of its cone, where it sticks
    int normal = -1;   ///< the unknown that is its normal force; −1: its own number
    int size = 0;      ///< of its tangential unknowns; 0: `tangents`
  };
  /// Unknown i is the normal force of member i, unless that names another. `tangents`: 1 in the plane, 2 in space.
  void set(const Eigen::MatrixXd& system, const Eigen::VectorXd& right, std::vector<Member> members,
           int tangents);

  /// x_p.
  const Eigen::VectorXd& least() const { return least_; }
  /// x_p where that is admissible, else the least x that is; where none is, the one with the largest margin.
  const Eigen::VectorXd& forces();
  /// In units of the sum of x_p; saturates at a small value: only its sign and its zero are exact.
  double margin();

 private:
  struct Barrier {  // of the programme at v = (y, m)
    double value = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  double margin_of(const Eigen::VectorXd& x) const;
  void find_freedom();
  Eigen::VectorXd at(const Eigen::VectorXd& v) const;
  bool inside(const Eigen::VectorXd& v, double& barrier) const;
  void add_barrier(const Eigen::VectorXd& v);
  /// Minimises τ (½ρ‖y‖² − m) + barrier from v, which is inside; m stays as it is where `fixed`.
  void descend(double tau, double rho, bool fixed, Eigen::VectorXd& v);
  double solve_margin(double enough, Eigen::VectorXd& v);

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
  std::vector<Member> members_;
  double unit_ = 0, margin_of_least_ = 0;
  Eigen::VectorXd least_, shared_;  // x_p; forces()
  int freedom_ = 0;                 // columns of Z
  Eigen::MatrixXd free_;            // Z; find_freedom()
  Barrier barrier_;                 // descend()
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace tappet
