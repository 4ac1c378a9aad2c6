// A mesh as read or generated: nodes, cells, and named groups of them. It knows nothing of material or
// motion.
//
// Nodes of a cell are numbered as in Abaqus (and VTK): of a tetrahedron the fourth lies on the side that the
// normal of the first three points to; of a hexahedron the last four above the first four, of a wedge the last three
// above the first three. Nodes on edges follow: of a tetrahedron 12, 23, 31, 14, 24, 34; of a line and of faces around
// them; of hexahedra and wedges around the lower face, around the upper one, then those between the two.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tappet/base/vectors.hpp"

namespace tappet::fem {

enum class CellShape {
  point,
  line,
  line3,
  triangle,
  triangle6,
  quadrangle,
  tetrahedron,
  tetrahedron10,
  hexahedron,
  quadrangle8,
  hexahedron20,
  wedge,
  wedge15
};

/// What a file says a cell is for, besides its shape.
enum class CellUse {
  any,
  plane_stress,
  plane_strain,
  axisymmetric,
  marks  ///< a face or a line of a rigid surface: no element, but it may mark a part of a solid
};

int node_count(CellShape shape);
/// 0 a point, 1 a line, 2 a face, 3 a solid.
int dimension(CellShape shape);
/// As in messages: "4-node quadrangle".
std::string describe(CellShape shape);

struct Cell {
  CellShape shape = CellShape::point;
  int first = 0;   ///< of its nodes in Mesh::cell_nodes
  long label = 0;  ///< its number in the file, for messages
  CellUse use = CellUse::any;
};

/// Cells and nodes under one name: a physical group of Gmsh, a set of Abaqus, a side of a generated block.
struct Group {
  std::string name;
  std::vector<int> cells;
  std::vector<int> nodes;  ///< ascending, those of the cells included
};

struct Mesh {
  std::string source;             ///< file or generator, for messages
  std::vector<Vec3> nodes;        ///< m
  std::vector<long> node_labels;  ///< numbers in the file; empty: counted from 1
  std::vector<Cell> cells;
  std::vector<int> cell_nodes;
  std::vector<Group> groups;

  std::span<const int> nodes_of(int cell) const {
    const Cell& c = cells[cell];
    return {cell_nodes.data() + c.first, static_cast<std::size_t>(node_count(c.shape))};
  }
  long label_of_node(int node) const { return node_labels.empty() ? node + 1 : node_labels[node]; }
  int add_cell(CellShape shape, std::span<const int> its_nodes, long label = 0);
  /// Null when there is none.
  const Group* find_group(const std::string& name) const;
  Group& group(const std::string& name);  ///< made when there is none
  std::vector<std::string> group_names() const;
  /// Largest dimension of a cell.
  int dimension() const;
  /// Ascending and once each, with the nodes of the groups' cells; called when a mesh is complete.
  void finish_groups();
};

/// Diagonal of the box around the nodes, m.
double extent(const Mesh& mesh);

/// The faces of solid cells that belong to one cell only, as triangles and quadrangles with outward normals;
/// then of faces the cells themselves. Only those whose nodes are all in `nodes` (ascending).
struct Face {
  int nodes[4] = {-1, -1, -1, -1};  ///< the last is −1 for a triangle
  int count() const { return nodes[3] < 0 ? 3 : 4; }
};
std::vector<Face> surface_faces(const Mesh& mesh, const std::vector<int>& nodes);

}  // namespace tappet::fem
