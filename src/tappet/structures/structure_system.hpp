// All structures of a model as one linear system: free unknowns one structure after the other.
//
//   M q̈ + C q̇ + K q = f(t) + weight,   A = M + θ h C + θ² h² K factorised once for each step length
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "tappet/fem/body.hpp"
#include "tappet/fem/reduction.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"
#include "tappet/linalg/symmetric_product.hpp"
#include "tappet/model/model.hpp"
#include "tappet/structures/turning_step.hpp"

namespace tappet {

class StructureSystem {
 public:
  explicit StructureSystem(const Model& model);

  int size() const { return size_; }
  int count() const { return static_cast<int>(parts_.size()); }
  const fem::Body& body(int s) const { return *parts_[s].body; }
  /// Place of unknown d of a node of structure s; −1: held or not there.
  int unknown(int s, int node, int d) const {
    const Part& p = parts_[s];
    int k = p.body->structure.free_unknown(node, d);
    if (k >= 0 && p.reduction) k = p.kept[k];
    return k < 0 ? -1 : p.first + k;
  }
  /// Where a node is.
  Vec3 position(int s, int node, const double* q) const;
  Vec3 velocity(int s, int node, const double* u) const;

  /// Free unknowns of structure s, from reduced ones where it was reduced.
  std::vector<double> free_unknowns(int s, const double* q) const;

  /// Velocities of the unknowns as the model file gives them.
  std::vector<double> start_velocity() const;

  /// Unknowns that go where they are told, with their displacement as a function of time.
  struct Driven {
    int unknown = 0;
    const fem::SupportMotion* motion = nullptr;
    int number = 0;  ///< of the motion, counted through all structures
  };
  const std::vector<Driven>& driven() const { return driven_; }
  int motions() const { return motions_; }

  /// Unknowns without mass, those of `light_contact`: no state of their own, but where they are in equilibrium. Their row of K.
  struct Light {
    int unknown = 0;
    std::vector<std::pair<int, double>> stiffness;
  };
  const std::vector<Light>& light() const { return light_; }
  bool is_light(int unknown) const { return is_light_[unknown]; }

  // Structures whose elements turn as far as they like (turning_step.hpp): K, C and the functions below leave them out; their rotations
  // are unknown as angular velocities in the axes of the nodes.
  bool turns() const { return turns_; }
  bool turns(int s) const { return parts_[s].turning != nullptr; }
  /// Of one of them.
  const TurningStep& turning(int s) const { return *parts_[s].turning; }
  /// A step begins at q with the velocities u; v: with which it may move. Factorises what the step solves with.
  void begin_turning(const double* q, const double* u, const double* v, double h, double theta);
  /// The same about other velocities v.
  void aim_turning(const double* v);
  /// Forces as add_internal_forces() gives them, such that A d = h (f − forces) has the solution d where this is `change`.
  void turning_forces(const double* v, const double* change, double* forces);
  /// Of these, what elements and dampers do at driven unknowns: no inertia.
  void turning_loads(const double* v, const double* change, double* forces);
  void to_nodes(double* f) const;
  /// Rotation vectors at the end of a step with the velocities v.
  void turn_nodes(const double* v, double* q) const;
  /// What damping took in that step, J.
  double turning_loss() const;
  /// Rotation vectors between those of q0 and q1.
  void turned_between(const double* q0, const double* q1, double part, double* q) const;
  /// √(xᵀ M x), of the structures that turn alone.
  double turning_size(const double* x) const;

  /// y += factor · K x, and so on.
  void add_stiffness(double factor, const double* x, double* y) const;
  void add_mass(double factor, const double* x, double* y) const;
  void add_damping(double factor, const double* x, double* y) const;
  /// Sum of |K_ij q_j|: K q is rounded in proportion to this.
  double stiffness_terms(const double* q) const;
  /// y += factor · (K (q + s u) + C u).
  void add_internal_forces(double factor, const double* q, double s, const double* u, double* y) const;
  /// An unknown's own mass: the diagonal of M.
  double mass_at(int unknown) const;
  /// uᵀ C u.
  double damping_power(const double* u) const;
  /// Both, the power at v, with matrices read once where that can be.
  double add_internal_forces_and_power(double factor, const double* q, double s, const double* u, double* y,
                                       const double* v) const;
  bool damped() const { return damped_; }

  /// Of the model, for loads and springs; null: their defaults.
  const double* inputs = nullptr;
  const std::vector<double>& weight() const { return weight_; }
  /// f += the model's loads at t.
  void add_loads(double t, double* f) const;
  bool has_loads() const;

  /// Throws SimulationError if A is not positive definite.
  void factor(double h, double theta);
  /// A d = b, with driven unknowns held: what is asked of them does nothing, and their part of d becomes 0.
  /// In between, d of the unknowns in which contacts and springs act can be seen, and more put on the right
  /// there (linalg/supernodal_cholesky.hpp).
  void begin(double* b);
  void peek(double* d);
  void add(const double* b);
  void finish(double* d);
  const std::vector<int>& watched() const { return watched_list_; }
  bool is_watched(int unknown) const { return watched_[unknown] || is_driven_[unknown]; }
  /// A⁻¹ among some unknowns, in their order; of these, columns from number `first` on. 0 where an unknown is
  /// driven.
  Eigen::MatrixXd inverse_among(const std::vector<int>& unknowns, int first = 0) const;
  /// What was reduced, in words; empty: nothing.
  std::vector<std::string> notes;
  /// Numbers in the factors, in matrices.
  std::size_t factor_size() const;

  double kinetic_energy(const double* u) const;
  /// Of strain and of weight, the latter 0 where the mesh was given.
  double potential_energy(const double* q) const;
  /// Centre of mass of structure s, and its velocity: the mean weighted with mass.
  Vec3 centre(int s, const double* q) const;
  Vec3 centre_velocity(int s, const double* u) const;
  /// Largest turn of structure s from where it began, rad, taken from three distant nodes: linear elements
  /// allow little.
  double turn(int s, const double* q) const;

 private:
  struct Part {
    const fem::Body* body = nullptr;
    int first = 0;
    fem::StructureMatrices matrices;
    SymmetricProduct K, M, C;
    double alpha = 0, beta = 0;  // C = α M + β K if
    bool proportional = false;   // this
    SupernodalCholesky cholesky;
    Eigen::MatrixXd mass_share;  // free × 3: M times a unit translation, over the mass
    int corners[3] = {0, 0, 0};  // nodes far from each other
    Eigen::VectorXd start;       // velocities
    int size = 0;                // unknowns: free ones, or reduced
    std::unique_ptr<fem::Reduction> reduction;
    std::vector<int> kept;                 // free unknown → reduced one; −1: not kept
    std::unique_ptr<TurningStep> turning;  // null: linear
    SymmetricCsr tangent;                  // of its step: A − M
  };
  void reduce(int s, Part& part);
  void prepare_products(Part& part);
  void analyse(int s);
  bool factor_part(Part& part, SymmetricCsr& A) const;
  void factor_turning(Part& part, const double* v);
  std::vector<char> light_unknowns(int s, const Part& part);
  void lighten(int s, Part& part);
  static Eigen::VectorXd start_of(const fem::Body& body);

  const Model& model_;
  std::vector<Part> parts_;
  int size_ = 0;
  bool damped_ = false, turns_ = false;
  std::vector<Light> light_;
  std::vector<char> is_light_;
  std::vector<Driven> driven_;
  int motions_ = 0;
  std::vector<char> is_driven_, watched_;
  std::vector<int> watched_list_;
  std::vector<double> weight_;
  mutable std::vector<double> work_;
};

}  // namespace tappet
