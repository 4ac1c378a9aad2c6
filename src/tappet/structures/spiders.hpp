// Nodes of structures that go with a rigid body as if welded to it: bilateral rows between both.
//
//   turn: free   g = x_n − (r + R s),          ġ = v_n − v − ω × R s       3 rows per node, s: its place on the body
//   turn: kept   g = u_n − (Δr + φ × s₀),      ġ = v_n − v − φ̇ × s₀
//                g = φ_n − φ,                  ġ = φ̇_n − φ̇                 3 more where the node turns;
//                                                                          φ̇ = J(φ)⁻¹ ω
//
// φ is the rotation vector of the body since the start, s₀ = R₀ s. A structure is linear: as a whole it turns
// without strain by u = φ × s₀, so nodes that turn with the body follow that; with R s they would be pressed
// together by φ²/2. One node without rotations is a ball joint in any case, and the body may turn as far as
// it likes. Nodes of structures that turn (turning_step.hpp) follow R s too, and g = log(Rᵀ R_n) in their own axes, ġ = Ω_n − R_nᵀ ω.
// Rows are taken at the midpoint of the step, where impulses act.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "tappet/geometry/shape.hpp"
#include "tappet/multibody/kinematics.hpp"
#include "tappet/structures/structure_compliance.hpp"

namespace tappet {

class Spiders {
 public:
  /// `bodies`: positions of the rigid bodies at the start.
  Spiders(const Model& model, const double* bodies, const StructureSystem& system,
          StructureCompliance& compliance);

  int rows() const { return static_cast<int>(rows_.size()); }
  bool empty() const { return rows_.empty(); }
  /// The structures' part of row i; it never changes.
  const StructureCompliance::Row& row(int i) const { return rows_[i]; }
  /// The bodies' part of the rows at frames k, one column each, like their velocities.
  void body_rows(const Kinematics& k, Eigen::Ref<Eigen::MatrixXd> out) const;
  /// How far nodes and bodies are apart, at displacements q and positions of the bodies.
  void gaps(const double* q, const double* bodies, Eigen::VectorXd& out) const;
  /// How fast the node that is worst leaves its body at the velocities u and `bodies`, against their sizes,
  /// and which spider it belongs to.
  struct Mismatch {
    int spider = -1;
    Vec3 node = Vec3::Zero(), body = Vec3::Zero();  ///< velocities there, m/s
  };
  Mismatch mismatch(const double* u, const double* bodies, const Kinematics& k) const;
  /// Rows of spider s: the first, and how many.
  std::pair<int, int> rows_of(int s) const { return ranges_[s]; }

 private:
  struct Leg {  // of one node
    int spider = 0, structure = 0, node = 0, body = 0;
    Vec3 arm = Vec3::Zero();  // s
    bool linear = true;       // by φ × s₀
    bool turns = false;
    bool free = false;  // its structure turns as far as it likes
    int first = 0;      // row
  };
  const StructureSystem& system_;
  std::vector<Leg> legs_;
  std::vector<Pose> start_;  // of each body
  std::vector<std::pair<int, int>> ranges_;
  std::vector<StructureCompliance::Row> rows_;
};

}  // namespace tappet
