// Bodies that bend: a frame of reference (r, R) that floats with the body, and elastic coordinates q in it.
//
//   position  r(x) = r + R (x + u),   u = Σ φ_k(x) q_k + u₂(q)      x: material point in body axes, undeformed
//   velocity  Rᵀ v(x) = V + ω × (x + u) + u̇,   V = Rᵀ ṙ
//
// u₂ is the displacement of second order by which a bent beam shortens; rotation and loads at interfaces stiffen through it.
// Everything that motion needs of the shapes φ_k stands in a few integrals over the body (∫ρ: over its mass):
//
//   μ = ∫ρ,  s = ∫ρ x,  Y⁰ = ∫ρ x xᵀ,   p_k = ∫ρ φ_k,  X_k = ∫ρ x φ_kᵀ,  S_kl = ∫ρ φ_k φ_lᵀ
//   C_a, X₂^{ab}: ∫ρ u₂,a = ½ qᵀ C_a q,  ∫ρ x_a u₂,b = ½ qᵀ X₂^{ab} q                       [Shabana2013; SchwertassekWallrapp1999]
//
// The elastic coordinates used here are normal: M_qq = 1, K_qq = diag(ω_k²). Bodies that are given in other coordinates are
// turned into these, and what is recorded is turned back.
//
// A mechanism keeps a flexible body's frame among its rigid bodies, 6 velocities (plane: 3), and all elastic coordinates behind
// the rigid ones, in q and in u alike. Interfaces are frames that the body carries. Joints, forces and contacts see them as
// they see bodies: their indices follow those of the bodies, and the ground's follows theirs.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/multibody/kinematics.hpp"

namespace tappet::fem {
struct FlexibleMesh;
}

namespace tappet {

struct FlexibleFaces;

/// A frame that a flexible body carries.
///   r_I = r + R d,  d = x_I + Φ q + ½ Σ_a e_a qᵀC_a q;     R_I = R exp(θ̃) R⁰,  θ = Θ q + ½ Σ_a e_a qᵀD_a q
struct FlexibleInterface {
  std::string name;                      ///< "a" of "rod.a"
  Vec3 position = Vec3::Zero();          ///< x_I, m
  Mat3 orientation = Mat3::Identity();   ///< R⁰
  double angle = 0;                      ///< the same in the plane, rad
  Eigen::MatrixXd translation;           ///< Φ, 3 × m
  Eigen::MatrixXd rotation;              ///< Θ, 3 × m
  std::array<Eigen::MatrixXd, 3> shift;  ///< C_a, m × m symmetric; empty: none
  std::array<Eigen::MatrixXd, 3> turn;   ///< D_a likewise
  /// ≥ 0: the mesh's node that this is, named GROUP.NUMBER, for contacts. `rotation` is empty: it turns as the body's frame does.
  int node = -1;
  /// It is on these faces, where they are nearest to a ball: its matrices are those of the nodes there. Null: it is fixed in the body.
  std::shared_ptr<const FlexibleFaces> faces;
  int foot = -1;  ///< then: its number among Kinematics::feet
  bool of_surface() const { return node >= 0 || faces; }
};

/// The integrals, in any coordinates.
struct FlexibleIntegrals {
  double mass = 0;                                  ///< μ, kg
  Vec3 first = Vec3::Zero();                        ///< s, kg m
  Mat3 second = Mat3::Zero();                       ///< Y⁰, kg m²
  Eigen::MatrixXd p;                                ///< 3 × m
  std::array<std::array<Eigen::VectorXd, 3>, 3> X;  ///< X[a][b]_k = ∫ρ x_a φ_k,b
  std::array<std::array<Eigen::MatrixXd, 3>, 3> S;  ///< S[a][b]_kl = ∫ρ φ_k,a φ_l,b
  Eigen::MatrixXd rotary;            ///< what sections' own inertia adds to M_qq; empty: nothing
  std::array<Eigen::MatrixXd, 3> C;  ///< empty: no u₂
  std::array<std::array<Eigen::MatrixXd, 3>, 3> X2;  ///< empty: no u₂
  Eigen::MatrixXd stiffness;                         ///< K, m × m
  Eigen::MatrixXd damping;                           ///< m × m; empty: none

  int modes() const { return static_cast<int>(p.cols()); }
  /// All of them for m coordinates, as zeros.
  static FlexibleIntegrals zero(int m);
  /// M_qq.
  Eigen::MatrixXd mass_matrix() const;
};

struct FlexibleBody {
  std::string name;
  int body = 0;       ///< of the mechanism: where its frame is
  int first = 0;      ///< of its coordinates among the elastic ones
  int modes = 0;      ///< m
  int interface = 0;  ///< frame of its first interface
  std::vector<FlexibleInterface> interfaces;
  std::string frame;                              ///< which frame floats, in words
  std::shared_ptr<const fem::FlexibleMesh> mesh;  ///< to draw it and recover stress; null: it has none

  Eigen::VectorXd stiffness;  ///< ω_k², 1/s²
  Eigen::VectorXd damping;    ///< d_k, 1/s
  Eigen::MatrixXd given;      ///< coordinates as given = this × q
  std::string unit = "1";     ///< of the coordinates as given
  double amplitude = 1;       ///< of a coordinate that moves some interface by 1 m at most: 1/max |Φ|

  // From the integrals; filled by prepare().
  double mass = 0;
  Vec3 s = Vec3::Zero();
  Mat3 J0 = Mat3::Zero();               ///< inertia about the frame's origin, undeformed
  Eigen::MatrixXd p;                    ///< 3 × m
  Eigen::MatrixXd a;                    ///< 3 × m, ∫ρ x × φ_k
  std::array<Eigen::MatrixXd, 3> b;     ///< ∫ρ φ_k × φ_l, antisymmetric
  Eigen::MatrixXd J1;                   ///< m × 6: xx yy zz xy xz yz of J(q), linear part
  std::array<Eigen::MatrixXd, 6> J2;    ///< quadratic part, symmetric
  bool stiffens = false;                ///< C and E are there
  std::array<Eigen::MatrixXd, 3> C, E;  ///< E: x × u₂ from X₂
};

/// The flexible bodies of a mechanism.
struct FlexibleBodies {
  std::vector<FlexibleBody> bodies;
  int modes = 0;    ///< of all
  int carried = 0;  ///< interfaces of all
  int feet = 0;     ///< of these, those on faces
  int rigid = 0;    ///< bodies of the mechanism, those whose frames float included

  /// Of a frame of an interface.
  const FlexibleBody& carrier(int frame) const;
  const FlexibleInterface& interface(int frame) const;
};

/// Fills a body from its integrals: normal coordinates, in which interfaces are turned too. Throws std::runtime_error with a
/// sentence about what does not fit together.
void prepare(FlexibleBody& body, const FlexibleIntegrals& integrals);

/// Mass matrix and forces of one flexible body at one instant, w = 3 or 6 velocities of its frame.
///   M = [ M_rr  B ; Bᵀ  1 ]
struct FlexibleInstant {
  explicit FlexibleInstant(const FlexibleBody& body);
  Eigen::Matrix<double, 6, 6> rigid;                            ///< M_rr; plane: its first 3 × 3
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor> B;  ///< plane: its first 3 rows
  Eigen::Matrix<double, 6, 1> h;  ///< gravity and inertia, without those of the undeformed rigid body
  Eigen::VectorXd hq;             ///< likewise, with elastic forces and damping
  double loss = 0;                ///< to damping, W

  // While it is computed.
  Eigen::MatrixXd Jk;       ///< m × 6
  Eigen::MatrixXd cq, A;    ///< 3 × m
  Eigen::VectorXd product;  ///< m
};

/// Fills `out` from the frames and elastic coordinates of k. `elastic`: with elastic forces and damping.
void evaluate_flexible(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity, bool elastic,
                       FlexibleInstant& out);

/// What bending adds to the energies of the undeformed rigid body.
double flexible_kinetic_energy(const FlexibleBody& body, const Kinematics& k);
double flexible_potential_energy(const FlexibleBody& body, const Kinematics& k, const Vec3& gravity);

/// An interface at one instant: its velocities are those of its body's frame and of q by A.
///   v_I = ṙ + R (ω × d + Φ(q) q̇),   ω_I = ω + L Θ(q) q̇ (body axes);     u̇_I = A u̇ + drift
struct CarriedInstant {
  explicit CarriedInstant(const FlexibleBody& body);
  Vec3 d = Vec3::Zero();         ///< body axes
  Mat3 Q = Mat3::Identity();     ///< interface axes to body axes
  Eigen::Matrix3Xd translation;  ///< Φ(q)
  Eigen::Matrix3Xd rotation;     ///< L Θ(q)
  Vec3 drift_v = Vec3::Zero();   ///< world axes
  Vec3 drift_w = Vec3::Zero();   ///< interface axes
};
void evaluate_carried(const FlexibleBody& body, const FlexibleInterface& interface, const Kinematics& k,
                      CarriedInstant& out);

/// Frames of all interfaces, from the frames of their bodies and the elastic coordinates of k.
void place_carried(Kinematics& k);

/// What rows against an interface, J_I (rows × 3 or 6), are against its body's frame and q: J += J_I A, rows × (3 or 6 + m).
void add_carried_rows(const CarriedInstant& at, const Kinematics& k, int body, int rows, const double* J_I,
                      double* J);
/// J_I · drift of one row.
double drift_along(const CarriedInstant& at, Dimension dimension, const double* J_I);
/// f += Aᵀ f_I: a force on an interface as forces on its body's frame (3 or 6) and on q.
void add_carried_force(const CarriedInstant& at, const Kinematics& k, int body, const double* f_I,
                       double* f_rigid, double* f_q);
/// u_I = A u.
void carried_velocity(const CarriedInstant& at, const Kinematics& k, int body, const double* u_rigid,
                      const double* u_q, double* u_I);

}  // namespace tappet
