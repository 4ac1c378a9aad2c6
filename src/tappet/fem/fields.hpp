// What is recorded of a whole structure: its mesh as it is drawn, and fields on it at an instant. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tappet::fem {

struct Structure;

/// Elements and their nodes, as VTK numbers them.
struct FieldMesh {
  std::string name;
  std::vector<double> nodes;  ///< 3 per node, m: undeformed
  std::vector<int> cells;     ///< nodes of element after element
  std::vector<int> ends;      ///< where each element's nodes end in `cells`
  std::vector<int> types;     ///< of each element: VTK's number of its shape
  bool carried = false;       ///< nodes are in the axes of a body of this name, whose frame moves

  std::size_t node_count() const { return nodes.size() / 3; }
  std::size_t element_count() const { return types.size(); }
  bool operator==(const FieldMesh&) const = default;
};

/// Numbers of an element in Fields::stress: von Mises, the largest over the section, then the tensor of the
/// centre in world axes: σxx σyy σzz τxy τyz τzx (of shells: the mid-surface's; of lines: the axial one), Pa.
inline constexpr std::size_t stress_numbers = 7;

struct Fields {
  std::vector<double> displacement, velocity;  ///< 3 per node: m, m/s
  std::vector<double> contact_force;           ///< 3 per node, on it: N
  std::vector<double> stress;                  ///< stress_numbers an element
};

FieldMesh field_mesh(const Structure& s);

/// The first three of the unknowns of each node; zero where it has none.
std::vector<double> node_vectors(const Structure& s, const std::vector<double>& all);
/// As Fields::stress, for displacements of all unknowns.
std::vector<double> element_stress(const Structure& s, const std::vector<double>& all);

/// Principal stresses of a tensor σxx σyy σzz τxy τyz τzx, the largest first.
std::array<double, 3> principal_stresses(const double* tensor);

}  // namespace tappet::fem
