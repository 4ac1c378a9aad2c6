#include "tappet/fem/mesh.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace tappet::fem {
namespace {

struct ShapeFacts {
  int nodes, dimension;
  const char* text;
};

const ShapeFacts& facts(CellShape shape) {
  static const ShapeFacts all[] = {{1, 0, "point"},
                                   {2, 1, "2-node line"},
                                   {3, 1, "3-node line"},
                                   {3, 2, "3-node triangle"},
                                   {6, 2, "6-node triangle"},
                                   {4, 2, "4-node quadrangle"},
                                   {4, 3, "4-node tetrahedron"},
                                   {10, 3, "10-node tetrahedron"},
                                   {8, 3, "8-node hexahedron"},
                                   {8, 2, "8-node quadrangle"},
                                   {20, 3, "20-node hexahedron"},
                                   {6, 3, "6-node wedge"},
                                   {15, 3, "15-node wedge"}};
  return all[static_cast<int>(shape)];
}

/// Faces with nodes on their edges (corners first, then around), as triangles at the corners and what is left in the middle.
std::vector<std::vector<int>> pieces(const std::vector<std::vector<int>>& faces) {
  std::vector<std::vector<int>> out;
  for (const std::vector<int>& face : faces) {
    const std::size_t n = face.size() / 2;
    std::vector<int> middle;
    for (std::size_t k = 0; k < n; ++k) {
      out.push_back({face[k], face[n + k], face[n + (k + n - 1) % n]});
      middle.push_back(face[n + k]);
    }
    out.push_back(middle);
  }
  return out;
}

// Faces of solids, outward.
const std::vector<std::vector<int>>& solid_faces(CellShape shape) {
  static const std::vector<std::vector<int>> tetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const std::vector<std::vector<int>> quadratic = {
      {0, 6, 4}, {6, 2, 5}, {4, 5, 1}, {4, 6, 5}, {0, 4, 7}, {4, 1, 8}, {7, 8, 3}, {4, 8, 7},
      {1, 5, 8}, {5, 2, 9}, {8, 9, 3}, {5, 9, 8}, {2, 6, 9}, {6, 0, 7}, {9, 7, 3}, {6, 7, 9}};
  static const std::vector<std::vector<int>> hexahedron = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                           {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const std::vector<std::vector<int>> hexahedron20 = pieces({{0, 3, 2, 1, 11, 10, 9, 8},
                                                                    {4, 5, 6, 7, 12, 13, 14, 15},
                                                                    {0, 1, 5, 4, 8, 17, 12, 16},
                                                                    {1, 2, 6, 5, 9, 18, 13, 17},
                                                                    {2, 3, 7, 6, 10, 19, 14, 18},
                                                                    {3, 0, 4, 7, 11, 16, 15, 19}});
  static const std::vector<std::vector<int>> wedge = {
      {0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<std::vector<int>> wedge15 = pieces({{0, 2, 1, 8, 7, 6},
                                                               {3, 4, 5, 9, 10, 11},
                                                               {0, 1, 4, 3, 6, 13, 9, 12},
                                                               {1, 2, 5, 4, 7, 14, 10, 13},
                                                               {2, 0, 3, 5, 8, 12, 11, 14}});
  static const std::vector<std::vector<int>> none;
  switch (shape) {
    case CellShape::tetrahedron:
      return tetrahedron;
    case CellShape::tetrahedron10:
      return quadratic;
    case CellShape::hexahedron:
      return hexahedron;
    case CellShape::hexahedron20:
      return hexahedron20;
    case CellShape::wedge:
      return wedge;
    case CellShape::wedge15:
      return wedge15;
    default:
      return none;
  }
}

/// Of a face that is a cell by itself; none for other cells.
const std::vector<std::vector<int>>& face_pieces(CellShape shape) {
  static const std::vector<std::vector<int>> triangle = {{0, 1, 2}}, quadrangle = {{0, 1, 2, 3}};
  static const std::vector<std::vector<int>> triangle6 = pieces({{0, 1, 2, 3, 4, 5}});
  static const std::vector<std::vector<int>> quadrangle8 = pieces({{0, 1, 2, 3, 4, 5, 6, 7}});
  static const std::vector<std::vector<int>> none;
  switch (shape) {
    case CellShape::triangle:
      return triangle;
    case CellShape::quadrangle:
      return quadrangle;
    case CellShape::triangle6:
      return triangle6;
    case CellShape::quadrangle8:
      return quadrangle8;
    default:
      return none;
  }
}

}  // namespace

int node_count(CellShape shape) {
  return facts(shape).nodes;
}
int dimension(CellShape shape) {
  return facts(shape).dimension;
}
std::string describe(CellShape shape) {
  return facts(shape).text;
}

int Mesh::add_cell(CellShape shape, std::span<const int> its_nodes, long label) {
  cells.push_back({shape, static_cast<int>(cell_nodes.size()),
                   label ? label : static_cast<long>(cells.size()) + 1, CellUse::any});
  cell_nodes.insert(cell_nodes.end(), its_nodes.begin(), its_nodes.end());
  return static_cast<int>(cells.size()) - 1;
}

const Group* Mesh::find_group(const std::string& name) const {
  for (const Group& g : groups)
    if (g.name == name) return &g;
  return nullptr;
}

Group& Mesh::group(const std::string& name) {
  for (Group& g : groups)
    if (g.name == name) return g;
  groups.push_back({name, {}, {}});
  return groups.back();
}

std::vector<std::string> Mesh::group_names() const {
  std::vector<std::string> out;
  for (const Group& g : groups) out.push_back(g.name);
  return out;
}

int Mesh::dimension() const {
  int out = 0;
  for (const Cell& c : cells) out = std::max(out, fem::dimension(c.shape));
  return out;
}

void Mesh::finish_groups() {
  for (Group& g : groups) {
    for (int c : g.cells)
      for (int n : nodes_of(c)) g.nodes.push_back(n);
    for (auto* list : {&g.cells, &g.nodes}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
}

double extent(const Mesh& mesh) {
  if (mesh.nodes.empty()) return 0;
  Vec3 low = mesh.nodes[0], high = low;
  for (const Vec3& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return (high - low).norm();
}

std::vector<Face> surface_faces(const Mesh& mesh, const std::vector<int>& nodes) {
  const auto inside = [&](int n) { return std::binary_search(nodes.begin(), nodes.end(), n); };
  // A face inside the solid is met twice.
  std::map<std::array<int, 4>, std::pair<int, Face>> met;
  std::vector<Face> out;
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
    const auto own = mesh.nodes_of(c);
    const CellShape shape = mesh.cells[c].shape;
    for (const auto& corners : solid_faces(shape)) {
      Face face;
      std::array<int, 4> key = {-1, -1, -1, -1};
      for (std::size_t k = 0; k < corners.size(); ++k) key[k] = face.nodes[k] = own[corners[k]];
      if (!std::all_of(key.begin(), key.begin() + static_cast<long>(corners.size()), inside)) continue;
      std::sort(key.begin(), key.end());
      auto& entry = met[key];
      ++entry.first;
      entry.second = face;
    }
  }
  for (const auto& [key, entry] : met)
    if (entry.first == 1) out.push_back(entry.second);
  if (!out.empty()) return out;
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
    const auto own = mesh.nodes_of(c);
    if (!std::all_of(own.begin(), own.end(), inside)) continue;
    for (const auto& piece : face_pieces(mesh.cells[c].shape)) {
      Face face;
      for (std::size_t k = 0; k < piece.size(); ++k) face.nodes[k] = own[piece[k]];
      out.push_back(face);
    }
  }
  return out;
}

}  // namespace tappet::fem
