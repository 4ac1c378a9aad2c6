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
                                   {8, 3, "8-node hexahedron"}};
  return all[static_cast<int>(shape)];
}

// Corner faces of solids, outward.
const std::vector<std::vector<int>>& solid_faces(CellShape shape) {
  static const std::vector<std::vector<int>> tetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static const std::vector<std::vector<int>> quadratic = {
      {0, 6, 4}, {6, 2, 5}, {4, 5, 1}, {4, 6, 5}, {0, 4, 7}, {4, 1, 8}, {7, 8, 3}, {4, 8, 7},
      {1, 5, 8}, {5, 2, 9}, {8, 9, 3}, {5, 9, 8}, {2, 6, 9}, {6, 0, 7}, {9, 7, 3}, {6, 7, 9}};
  static const std::vector<std::vector<int>> hexahedron = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                           {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const std::vector<std::vector<int>> none;
  if (shape == CellShape::tetrahedron) return tetrahedron;
  if (shape == CellShape::tetrahedron10) return quadratic;
  return shape == CellShape::hexahedron ? hexahedron : none;
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
  cells.push_back(
      {shape, static_cast<int>(cell_nodes.size()), label ? label : static_cast<long>(cells.size()) + 1});
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
    const CellShape shape = mesh.cells[c].shape;
    if (shape != CellShape::triangle && shape != CellShape::quadrangle) continue;
    const auto own = mesh.nodes_of(c);
    if (!std::all_of(own.begin(), own.end(), inside)) continue;
    Face face;
    std::copy(own.begin(), own.end(), face.nodes);
    out.push_back(face);
  }
  return out;
}

}  // namespace tappet::fem
