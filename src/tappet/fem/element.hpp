// Finite elements: what an element is, as assembly sees it, and the registry of them.
//
// An element is a file in elements/: equations and citation, the matrices, one registration. Displacements
// are small; a structure may move far, but not turn far. Unknowns of a node are its displacement (m) and, for
// 6, its rotation vector (rad), in world axes.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/base/registry.hpp"
#include "tappet/fem/mesh.hpp"

namespace tappet::fem {

/// What a section is made of.
struct Elastic {
  double young = 0;    ///< E, Pa
  double poisson = 0;  ///< ν
  double density = 0;  ///< ρ, kg/m³
};

/// Everything that elements ask about themselves besides their nodes and material. Each uses its part.
struct Section {
  double thickness = 0;  ///< shells, m

  // Beams; trusses use the area alone. Local x along the beam, z towards `up`, y completes.
  double area = 0;                              ///< m²
  double inertia_y = 0, inertia_z = 0;          ///< ∫z² dA and ∫y² dA, m⁴
  double torsion = 0;                           ///< Saint-Venant's constant, m⁴
  double shear_y = 5.0 / 6, shear_z = 5.0 / 6;  ///< shear area / area
  Vec3 up = Vec3::UnitZ();
  double reach_y = 0, reach_z = 0;  ///< of the section's edge along y and z, for stress by bending, m
  double reach_twist = 0;           ///< largest shear stress by a torque over torque/torsion, m

  // Springs and dampers between two nodes, along their line; point masses.
  double stiffness = 0, damping = 0;  ///< N/m, N s/m
  double mass = 0;                    ///< kg
  Mat3 mass_inertia = Mat3::Zero();   ///< kg m²
};

struct ElementInput {
  std::span<const Vec3> x;  ///< nodes
  const Elastic& material;
  const Section& section;
};

/// Unknowns are ordered node by node. C is empty unless the element damps.
struct ElementMatrices {
  Eigen::MatrixXd K, M, C;  ///< M is consistent
};

/// At the element's centre.
struct ElementStress {
  /// Solids: σxx σyy σzz τxy τyz τzx, world axes. Shells: of the mid-surface in shell_axes(). Trusses and
  /// beams: σxx along the axis.
  std::array<double, 6> stress{};
  /// Shells: ∫σ z dz, N: mxx myy mxy. Beams: torque and the moments about y and z, N m.
  std::array<double, 3> moment{};
  double von_mises = 0;  ///< largest over the section, Pa
};

/// A point of an element with its part of the mass, and how the element's unknowns displace it, world axes.
struct MassPoint {
  double mass = 0;
  Vec3 x = Vec3::Zero();
  Eigen::Matrix3Xd rows;
};

struct ElementType {
  std::string name;
  std::string help;
  std::string citation;  ///< key in docs/references.bib
  CellShape shape = CellShape::point;
  int dofs = 3;  ///< unknowns of a node: 3 or 6
  void (*matrices)(const ElementInput&, ElementMatrices&) = nullptr;
  /// Smallest Jacobian determinant over the element's size to its dimension: ≤ 0 inverted, near 0 collapsed.
  /// Null: cannot fail.
  double (*quality)(std::span<const Vec3>) = nullptr;
  /// From the element's displacements. Null: has none.
  void (*stress)(const ElementInput&, std::span<const double> u, ElementStress&) = nullptr;
  /// Points that integrate its translational mass exactly. Null: one shape function per node for all directions, so that
  /// the mass matrix itself says it.
  void (*mass_points)(const ElementInput&, std::vector<MassPoint>&) = nullptr;
  /// Geometric stiffness: ∫ σ_ab ∂_a φ · ∂_b φ for the stress of displacements u. Null: not known.
  void (*geometric)(const ElementInput&, std::span<const double> u, Eigen::MatrixXd& out) = nullptr;
  bool plane = false;  ///< lies in a plane z = const; nodes that have no other elements stay in it
  bool ring = false;   ///< is turned about the y axis
};
using ElementRegistry = Registry<ElementType>;

/// The element that a cell becomes when nobody says otherwise; lines are beams. Null: no element for it.
const ElementType* default_element(CellShape shape, CellUse use = CellUse::any);

/// Diagonal of a mass matrix that keeps the mass: the consistent diagonal, scaled so that the translations of
/// each direction sum to the element's mass [Hinton 1976].
Eigen::VectorXd lumped(const Eigen::MatrixXd& consistent, int nodes, int dofs);

/// Axes of a shell element with normal n: the first is the world's x (or y, where n is along x) brought into
/// its plane.
Mat3 shell_axes(const Vec3& n);

/// Axes of a beam along the unit vector `along`: that, and z towards `up`; y completes.
Mat3 beam_axes(const Vec3& along, Vec3 up);

double von_mises(const std::array<double, 6>& s);

}  // namespace tappet::fem
