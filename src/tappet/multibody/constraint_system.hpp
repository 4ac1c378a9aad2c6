// All constraints of a mechanism together: their values, and the solution of
//
//   [ W⁻¹  −Jᵀ ] [ x ]   [ f ]        W: inverse masses, x: accelerations (or velocity or position corrections),
//   [ J     0  ] [ λ ] = [ b ]        f: forces, λ: multipliers
//
// by eliminating the bodies first: S λ = b − J W f with S = J W Jᵀ, one block a joint, then x = W (f + Jᵀ λ). S inherits the
// mechanism's graph, so its block factorisation costs O(n) for a chain and for loops in a row. A body that many joints
// share (a hub) would couple all of them; such bodies stay in the system as blocks of their own.
// Dependent rows get λ = 0.
//
// A driven body (a crank on its motor) moves as its joint and its motion say, whatever the forces are: x_d = J_d⁻¹ b_d. It
// is a moving ground to the rest of the mechanism and leaves S; its multipliers follow from its own equation of motion,
// λ_d = J_d⁻ᵀ (W_d⁻¹ x_d − f_d − Σ Jᵀ λ of the others).
//
// A flexible body has a dense mass matrix that changes with its shape. W = V Vᵀ is known in factors (constraint_bending.cpp), so that
// in velocities x̂ with x = V x̂ it is as many bodies of unit mass as its 6 + m velocities fill; its rows are J V there, and
// everything above holds. Joints at its interfaces write rows against these, which are then taken to the body.
//
// A joint alone (a slider in its guide, a rod on a driven crank) holds one body that moves and that nothing else holds. It
// couples with no other joint and is solved where it stands, outside S.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "tappet/base/expression_batch.hpp"
#include "tappet/linalg/block_cholesky.hpp"
#include "tappet/linalg/block_csr.hpp"
#include "tappet/multibody/body.hpp"
#include "tappet/multibody/constraint.hpp"
#include "tappet/multibody/flexible_body.hpp"

namespace tappet {

struct Pivots;

class ConstraintSystem {
 public:
  /// Whether driven bodies are taken out of the system: for motion, not for assembly, where every body gives way.
  enum class DrivenBodies { are_free, are_eliminated };

  /// Pattern and storage for these constraints; rows of one constraint are consecutive. `held` marks bodies whose inverse mass
  /// may be 0 in factor(), other than the turning of point masses; empty: none.
  ConstraintSystem(Dimension dimension, int bodies, std::vector<const Constraint*> constraints,
                   const std::vector<char>& held = {}, DrivenBodies driven = DrivenBodies::are_free,
                   const FlexibleBodies* flexible = nullptr);

  // Rows point into the storage below.
  ConstraintSystem(const ConstraintSystem&) = delete;
  ConstraintSystem& operator=(const ConstraintSystem&) = delete;

  int rows() const { return rows_; }
  int count() const { return static_cast<int>(constraints_.size()); }
  const Constraint& constraint(int c) const { return *constraints_[c]; }
  int row_of(int c) const { return row_of_[c]; }
  /// The constraint that a row belongs to.
  const Constraint& constraint_of_row(int row) const;

  /// Φ, Φ_t, γ and J of all rows at the given frames.
  void evaluate(const Kinematics& kinematics);
  const std::vector<double>& phi() const { return phi_; }
  const std::vector<double>& phi_t() const { return phi_t_; }
  const std::vector<double>& gamma() const { return gamma_; }

  /// When the constraints' functions of time were evaluated last, and those of constraint c there, in its order.
  double functions_at() const { return functions_at_; }
  const Jet* functions(int c) const { return places_[c].prescribed; }

  /// J of constraint c against its body `slot`, row-major; null for the ground.
  const double* jacobian(int c, int slot) const;

  /// out = J u, rows of all constraints.
  void times(const double* u, double* out) const;

  /// Factorises for the inverse masses and the J of the last evaluate(). Returns the number of dependent rows. `violation`: how far
  /// the joints are from being closed, of the mechanism's size. By so much rows that repeat others may seem to differ from them: a pivot
  /// below its square would move bodies by more than that size to close what is open.
  int factor(const InverseMass& mass, double violation = 0);
  /// How far the rows that the last factor() kept are from depending on each other: 1 far, towards 0 a singular position.
  double independence() const { return smallest_pivot_; }
  /// Scalar rows that the last factor() found to depend on others.
  bool dependent(int row) const;

  /// Mass matrix and forces of a flexible body, where whoever gathers forces has them filled; then factor() need not. Without that
  /// it fills them itself, from the frames of the last evaluate().
  FlexibleInstant& instant(int flexible) { return bending_[flexible].instant; }
  void instants_filled() { instants_fresh_ = true; }
  /// Forces on frames (interfaces of flexible bodies behind the bodies) as forces on bodies and their elastic coordinates, in place, at
  /// the frames of the last evaluate(); `f` has room for both. And velocities of all frames from those of the bodies.
  void to_bodies(double* f) const;
  void frame_velocities(const double* u, double* out) const;
  /// Elastic parts implicit over a step h by the midpoint rule, 1 + ½ h D + ¼ h² Λ in place of their mass 1; 0: they are not.
  void set_elastic_step(double h) { elastic_step_ = h; }

  /// Solves for x (sized like u) and λ (rows). `f` may be null (no forces). Needs factor().
  void solve(const double* f, const double* b, double* x, double* lambda);

  /// out = H X with X the solutions for f = Hᵀ and b = 0: the velocities along the rows of H that unit impulses along them cause,
  /// joints and motions in force. H has one block column a body and at most four rows a block; out is square and symmetric.
  /// Columns are frames where bodies bend. constraint_response.cpp. Needs factor().
  void response(const BlockCsr& H, Eigen::MatrixXd& out);

 private:
  struct Incidence {  // one node acting on one body
    int node, rows, row;
    int j;  // offset of J and of G = J W, rows × width
  };
  struct Node {  // constraints with the same bodies form one block
    std::vector<int> constraints;
    std::vector<int> outer;  // bodies as constraints name them: frames
    std::vector<int>
        bodies;  // as they are here: of a flexible one, all bodies of unit mass that stand for it
    int rows = 0, row = 0;
    int drives = -1;  // the body whose motion this node alone determines
  };
  struct Driven {
    int body, node, row;
    int j;                       // J of the node against this body
    int base = -1, base_j = -1;  // the driven body it is carried by, −1: the ground
    double inverse[36] = {};     // of that J, width × width
  };
  struct Alone {
    int body, rows, row;
    int j;       // J of the joint against this body
    int factor;  // offset in alone_factors_ of S = L P Lᵀ: L, P⁻¹, and the diagonal of S
  };
  struct Term {  // an incidence of an ordinary body: not driven, not held by a joint alone, no hub
    int body, rows, row, j;
  };
  struct Product {  // S(target) += G(left) J(right)ᵀ, rows × cols
    int target, left, right, rows, cols;
  };

  struct Carried {  // rows against an interface
    int frame, flexible;
    int rows, row;
    int j;    // offset of J_I, rows × width
    int raw;  // of the rows of its body in raw_
  };
  struct Bent {  // a node that acts on a flexible body
    int flexible;
    int rows, row;
    int j;    // of J V, in blocks of rows × width
    int raw;  // of J in raw_, rows × (width + m)
  };
  struct Bending {  // a flexible body: W = V Vᵀ
    explicit Bending(const FlexibleBody& of) : body(of), instant(of) {}
    const FlexibleBody& body;
    int first = 0, count = 0;  // the bodies of unit mass that stand for it
    FlexibleInstant instant;
    Eigen::Matrix<double, 6, 6> root;            // C⁻¹, of M_rr − B Λ̂⁻¹ Bᵀ = C Cᵀ
    Eigen::Matrix<double, 6, Eigen::Dynamic> B;  // B Λ̂⁻¹
    Eigen::VectorXd elastic;                     // Λ̂^-½
  };

  void list_flexible(const FlexibleBodies* flexible);
  void build_nodes(DrivenBodies driven);
  std::vector<int> bodies_of(const std::vector<int>& frames) const;
  void place_bent(int node, int& offset);
  void carry_rows(const Kinematics& kinematics);
  void take_to_unit(const Bending& b, int rows, const double* raw, double* blocks) const;
  const BlockCsr& rows_of_unit(const BlockCsr& H);
  const InverseMass& factor_bending(const InverseMass& mass);
  void times_bent(const double* u, double* out) const;
  void solve_plain(const double* f, const double* b, double* x, double* lambda);
  void solve_bent(const double* f, const double* b, double* x, double* lambda);
  void find_driven();
  void find_alone();
  void place_rows();
  void let_go(int c);
  void find_hubs();
  void build_pattern(const std::vector<char>& held);

  Dimension dimension_;
  int bodies_, width_, rows_ = 0;
  int outer_, ground_;  // bodies of the mechanism; the ground as constraints name it
  std::vector<const Constraint*> constraints_;
  std::vector<int> row_of_;
  std::vector<ConstraintRows> places_;         // where each constraint writes
  std::vector<std::vector<int>> jacobian_of_;  // constraint, slot → offset in J_, −1 for the ground
  template <int width>
  void times_bodies(const double* u, double* out) const;
  template <int width>
  int factor_bodies(const InverseMass& mass, double threshold);
  template <int width>
  void assemble(const InverseMass& mass);
  template <int width>
  void factor_hub(const InverseMass& mass, int body);
  template <int width, class Rows>
  void factor_alone(Rows rows, const InverseMass& mass, const Alone& at, Pivots& pivots);
  template <int width>
  void solve_bodies(const double* f, const double* b, double* x, double* lambda);
  template <int width>
  void solve_blocks(const double* f, double* x, double* lambda);
  template <int width>
  void move_driven(const double* b, double* x, double* lambda);
  template <int width>
  void load_driven(const double* f, const double* x, double* lambda) const;
  template <int width>
  void move_body(int body, const double* rows, int count, double* moved);
  template <int width>
  void respond_bodies(const BlockCsr& H);
  template <int width>
  void join_responses(const BlockCsr& H, Eigen::MatrixXd& out) const;

  std::vector<Node> nodes_;  // blocks of S, then joints alone, then those of driven bodies
  int blocks_ = 0;           // how many are blocks of S
  int block_rows_ = 0;       // and their rows
  int undriven_ = 0;         // how many are not of driven bodies
  int undriven_rows_ = 0;
  std::vector<Driven> driven_;  // a body after the one that carries it
  std::vector<char> is_driven_;
  std::vector<Alone> alone_;
  std::vector<char> is_alone_;  // bodies
  std::vector<int> alone_of_;   // body → joint alone that holds it, −1: none
  std::vector<double> alone_factors_;
  std::vector<int> ordinary_bodies_;
  std::vector<std::vector<Incidence>> of_body_;
  std::vector<int> hubs_;       // bodies
  std::vector<int> hub_block_;  // body → block in the factorisation, −1: ordinary
  std::vector<std::vector<BlockCholesky::Slot>> hub_slots_;  // for each incidence of a hub
  std::vector<Term> ordinary_;                               // body after body
  std::vector<Product> products_;
  std::vector<double> phi_, phi_t_, gamma_, compliance_, J_, G_, JT_, x_;  // G = J W and Jᵀ lie as J does
  ExpressionBatch functions_;                                       // of time, constraint after constraint
  double functions_at_ = std::numeric_limits<double>::quiet_NaN();  // when they were evaluated last
  std::vector<std::pair<int, int>> soft_;  // (row, place of its diagonal entry) of compliant constraints
  const InverseMass* mass_ = nullptr;      // of the last factor()
  double smallest_pivot_ = 1;              // factor()
  std::vector<Bending> bending_;
  std::vector<CarriedInstant> interfaces_;  // evaluate()
  std::vector<Carried> carried_;
  std::vector<Bent> bent_;
  std::vector<double> raw_;                    // evaluate()
  std::vector<double> f_unit_, x_unit_;        // solve(): in velocities x̂
  mutable std::vector<double> of_interfaces_;  // to_bodies()
  BlockCsr unit_rows_;                         // response()
  std::vector<double> bent_rows_;              // response()
  InverseMass unit_;                           // factor(): with unit masses where bodies bend
  const Kinematics* kinematics_ = nullptr;     // of the last evaluate(), where bodies bend
  bool instants_fresh_ = false;
  double elastic_step_ = 0;
  BlockCholesky cholesky_;
  std::vector<BlockCholesky::Branch> branches_;  // one a block row of H; response()
  std::vector<double> along_, moved_,
      reactions_;            // Hᵀ, and how each of its bodies would move by itself, in lanes; response()
  std::vector<int> begins_;  // blocks in which a branch begins; response()
};

}  // namespace tappet
