// The contacts of a mechanism at one instant as a complementarity problem in their impulses.
//
//   γ = H u                   relative velocities of the contacts: normal and tangent each, in space two tangents
//   u ← u + M̃⁻¹ Hᵀ P          what impulses P do to the velocities; M̃⁻¹: inverse mass with joints and motions in force
//   ξ = W P + b,              W = H M̃⁻¹ Hᵀ
//
// with Signorini's condition and Coulomb's law between ξ and P (lcp/problem.hpp). Contacts that resist rolling or spinning have couples
// besides (nonsmooth/couples.hpp), whose rows follow those of all contacts. Joints and motions are
// eliminated exactly, by the factorisation that the constraints have already; W is then dense. Bodies without
// joints have a block-diagonal mass M = L Lᵀ: there W = G Gᵀ with G = H L⁻ᵀ, which is kept as its factor and
// never multiplied out, so that thousands of contacts cost what they touch.
//
//   problem.clear(k);
//   problem.add({...});                        // for each contact that takes part
//   problem.add_couples();                     // those of the contacts that resist rolling or spinning
//   problem.velocities(u, gamma);
//   problem.prepare(constraints);
//   problem.solve(b, P);
//   problem.add_impulses(P, f);                // f += Hᵀ P, like u
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/block_kernels.hpp"
#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/mechanism.hpp"
#include "tappet/nonsmooth/contact_solver.hpp"
#include "tappet/nonsmooth/couples.hpp"

namespace tappet {

/// A contact that takes part.
struct ProblemContact {
  int id = 0;  ///< the caller's number for it
  int bodies[2] = {0, 0};
  Touch touch;
  Tangents tangents;
  double friction = 0;                         ///< μ
  const RollingResistance* resists = nullptr;  ///< null: it does not resist rolling or spinning
  double length = 1;                           ///< that couples are counted in, m
  const ContactPoint* along = nullptr;         ///< a stop: its direction is a row of this
  int row = -1;                                ///< the problem's number for that; add()
};

class ContactProblem {
 public:
  ContactProblem(const Mechanism& mechanism, const ContactSolverOptions& options);

  /// No contacts yet; those that are added were found at the frames k, at which `constraints` were evaluated where bodies bend.
  void clear(const Kinematics& k, const ConstraintSystem* constraints = nullptr);
  void add(const ProblemContact& contact);
  /// After all contacts.
  void add_couples();
  const std::vector<Couple>& couples() const { return couples_; }
  /// After all couples: friction in an ideal joint. Its normal is coupled to nothing, and takes what it is given (impact_problem.hpp).
  void add_bearing(const ContactPoint& contact);
  /// Contacts, couples and bearings: blocks of rows.
  int blocks() const { return first_bearing() + static_cast<int>(bearings_.size()); }
  int bearings() const { return static_cast<int>(bearings_.size()); }
  /// The block of the first of these.
  int first_bearing() const { return count() + static_cast<int>(couples_.size()); }
  const ContactPoint& bearing(int i) const { return *bearings_[i].contact; }
  /// What a unit of its normal does to it. Needs prepare().
  double bearing_response(int i) const { return bearings_[i].own; }
  /// First row of a couple.
  int row(int couple) const { return dimension_ * (count() + couple); }
  /// What a unit of a couple's own normal does to it. Needs prepare().
  double own_response(int couple) const { return own_[couple]; }
  int count() const { return static_cast<int>(contacts_.size()); }
  /// All contacts, in order. Needs prepare().
  const std::vector<int>& every() const { return every_; }
  /// Rows of one contact: 2, or 3 in space.
  int dimension() const { return dimension_; }
  /// The caller's number of contact i.
  int id(int i) const { return contacts_[i].id; }
  const int* bodies(int i) const { return contacts_[i].bodies; }
  const Touch& touch(int i) const { return contacts_[i].touch; }

  /// γ = H u.
  void velocities(const double* u, Eigen::VectorXd& gamma) const { velocities(u, u, gamma, inner_); }
  /// The same for two u at once.
  void velocities(const double* u, const double* v, Eigen::VectorXd& of_u, Eigen::VectorXd& of_v) const;
  /// f += Hᵀ P; with couples if P has their rows.
  void add_impulses(const Eigen::VectorXd& P, double* f) const;
  /// The friction, and the whole impulse, of contact i as a vector in world axes.
  Vec3 tangential(int i, const Eigen::VectorXd& P) const {
    const double* p = P.data() + dimension_ * i;
    return contacts_[i].tangents.vector({p[1], dimension_ == 3 ? p[2] : 0.0});
  }
  Vec3 impulse(int i, const Eigen::VectorXd& P) const {
    return P[dimension_ * i] * contacts_[i].touch.normal + tangential(i, P);
  }
  /// The impulse of a couple on the second body, world axes, N m s.
  Vec3 couple(int i, const Eigen::VectorXd& P) const {
    const Couple& own = couples_[i];
    return own.length * (P[row(i) + 1] * own.axis[0] + (dimension_ == 3 ? P[row(i) + 2] : 0.0) * own.axis[1]);
  }
  /// The components of such an impulse, d of them.
  void set_impulse(int i, const Vec3& impulse, double* P) const;

  /// Its components, of a couple in world axes.
  void set_couple(int i, const Vec3& couple, double* P) const {
    for (int r = 1; r < dimension_; ++r)
      P[row(i) + r] = couples_[i].axis[r - 1].dot(couple) / couples_[i].length;
  }

  /// W, from constraints that have been factorised here (rows may be none), and the coefficients of friction.
  void prepare(ConstraintSystem& constraints);
  /// ξ = W P + b and the laws. P is also the guess. `unit` is the velocity that the residual is relative to;
  /// 0: the largest of b.
  lcp::Result solve(const Eigen::VectorXd& b, double unit, Eigen::VectorXd& P);
  /// The same for others to fill in b and μ: W and the order of sweeps are those of the contacts. Needs prepare().
  lcp::ConeProblem& cones() { return problem_; }
  ContactSolver& solver() { return solver_; }

  /// W P: what impulses add to the contacts' velocities. Needs prepare().
  void respond(const Eigen::VectorXd& P, Eigen::VectorXd& gamma);

  /// Impulses along the normals of the contacts in `chosen`, ascending, that make each of their gap + W_nn z ≥ 0, the least in
  /// the metric of the masses: a displacement M̃⁻¹ Hᵀ P. `small` is the gap that counts as nothing. Needs prepare().
  void open_gaps(const std::vector<int>& chosen, const Eigen::VectorXd& gap, double small,
                 Eigen::VectorXd& P);
  /// How much the n-th of these gaps gained.
  double lift(int n) const { return lift_[n]; }
  /// Many contacts of free bodies: open_gaps() makes a few cheap sweeps; what they leave is left to the next step.
  bool opens_roughly() const { return !dense_ && count() >= 30; }

 private:
  /// A body's axes and centre, and how its columns are written: as those of H, or weighted as those of G.
  struct BodyColumns {
    Mat3 R = Mat3::Identity();
    Vec3 r = Vec3::Zero();
    double linear = 1;
    Mat3 angular = Mat3::Identity();  // turns moments in world axes into the columns
  };
  void add_side(BlockCsr& rows, int body, double sign, const ProblemContact& contact);
  void add_blocks(const CoordinateRow* rows, int first, int count);
  double rate(const CoordinateRow& row, const double* u) const;
  void push(const CoordinateRow& row, double impulse, double* f) const;
  void add_side(BlockCsr& rows, int body, double sign, const Couple& couple);
  void choose_order();
  void add_impulses_on_frames(const Eigen::VectorXd& P, double* f) const;

  const Mechanism& mechanism_;
  int dimension_, width_;
  bool dense_ = false;          // W is dense: there are joints or motions
  std::vector<double> weight_;  // L⁻ᵀ of each body: planar 1/√m, 1/√J; spatial 1/√m and 3 × 3
  std::vector<ProblemContact> contacts_;
  std::vector<Couple> couples_;       // add_couples()
  std::vector<CoordinateRow> stops_;  // add()
  struct Bearing {
    const ContactPoint* contact;
    CoordinateRow rows[2];  // along what slides
    double own = 1;
  };
  std::vector<Bearing> bearings_;           // add_bearing()
  const Kinematics* kinematics_ = nullptr;  // clear()
  std::vector<double>
      own_;  // of the couples: their private response; add_couples(), where W is dense prepare()
  std::vector<int> every_;          // all contacts; prepare()
  std::vector<BodyColumns> sides_;  // of the bodies and the ground; clear()
  BlockCsr h_;                      // H, one block column a body, where W is dense; add()
  lcp::ConeProblem problem_;        // prepare(), solve()
  ContactSolver solver_;
  lcp::Lcp normals_;  // the rows of the normals alone; open_gaps()
  std::unique_ptr<lcp::Solver> opener_, sweeping_opener_;
  Eigen::VectorXd z_, zero_, lift_;
  const ConstraintSystem* constraints_ = nullptr;  // null: no body bends; clear()
  mutable std::vector<double> of_frames_[2];       // velocities or impulses of all frames, where bodies bend
  mutable Eigen::VectorXd inner_;
  struct Motion {
    Two v[3] = {}, w[3] = {};
  };
  mutable std::vector<Motion> motions_;  // two of each body and the ground, in world axes; velocities()
  std::vector<int> rounds_, room_;       // choose_order()
};

}  // namespace tappet
