// An elastic structure: elements on a mesh, supports, and the matrices that they make.
//
//   M q̈ + C q̇ + K q = f                          C = α M + β K + discrete dampers
//
// Unknowns of free nodes come first to last node by node; those that supports hold are left out. A mesh that
// is wrong is refused with every fault counted and listed.
#pragma once

#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fem/element.hpp"
#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet::fem {

struct Element {
  const ElementType* type = nullptr;
  int first = 0;  ///< of its nodes in Structure::element_nodes
  int count = 0;
  int section = 0, material = 0;
  long label = 0;
};

/// Held unknowns of a node.
struct Support {
  int node = 0;
  bool held[6] = {false, false, false, false, false, false};
};

struct Structure {
  std::string name;
  Mesh mesh;
  std::vector<Elastic> materials;
  std::vector<Section> sections;
  std::vector<Element> elements;
  std::vector<int> element_nodes;
  std::vector<Support> supports;
  double mass_damping = 0, stiffness_damping = 0;  ///< α 1/s, β s
  bool lumped_mass = false;
  bool turns = false;  ///< `large_rotations`: elements in axes of their own (fem/corotational.hpp)

  // Filled by number_unknowns().
  std::vector<int> first_unknown;  ///< of each node among all; −1: the node has none
  std::vector<int> node_unknowns;  ///< 0, 3 or 6 per node
  std::vector<int> free_of;        ///< of each unknown: its place among the free ones; −1: held
  int unknowns = 0, free = 0;
  int moved = 0;  ///< of the free ones: go where they are told (fem/body.hpp)

  void add_element(const ElementType& type, std::span<const int> nodes, int section, int material,
                   long label = 0);
  /// Elements of the type on every cell of a group (empty name: all cells of that shape).
  std::span<const int> nodes_of(const Element& e) const {
    return {element_nodes.data() + e.first, static_cast<std::size_t>(e.count)};
  }
  /// Place of unknown d (0–5) of a node among the free ones; −1: held, or not there.
  int free_unknown(int node, int d) const {
    return d < node_unknowns[node] ? free_of[first_unknown[node] + d] : -1;
  }
};

/// Faults of mesh and elements, as sentences: nodes without elements (dropped, a warning), inverted and
/// collapsed elements (errors).
void check(const Structure& s, const SourcePos& pos, Diagnostics& diagnostics);

/// Gives every node its unknowns, and leaves out the held ones.
void number_unknowns(Structure& s);

/// Matrices of the free unknowns; one pattern for all.
struct StructureMatrices {
  SymmetricCsr K, M, C;
};
StructureMatrices assemble(const Structure& s);

/// Total mass, kg, and centre of mass, m.
double total_mass(const Structure& s, Vec3* centre = nullptr);

/// f += M g for a uniform acceleration: the weight of the free unknowns, what they share with held ones included.
void add_weight(const Structure& s, const SymmetricCsr& M, const Vec3& g, double* f);
/// The same for all unknowns.
std::vector<double> weights(const Structure& s, const Vec3& g);

/// All unknowns from the free ones; held ones are 0.
std::vector<double> spread(const Structure& s, const double* free);

/// In words what a displacement (of the free unknowns) is: "translation along x", "rotation about the axis
/// [..] through [..]", or where a part moves by itself.
std::string describe_motion(const Structure& s, const double* q);

}  // namespace tappet::fem
