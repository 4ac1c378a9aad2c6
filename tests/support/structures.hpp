// Structures put together by hand, for tests that need no model file.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tappet/fem/statics.hpp"
#include "tappet/fem/structure.hpp"

namespace tappet::test {

/// Elements of one type on all cells of its shape.
inline fem::Structure one_material(fem::Mesh mesh, const char* element, const fem::Elastic& material,
                                   const fem::Section& section = {}) {
  fem::Structure s;
  s.name = "test";
  s.mesh = std::move(mesh);
  s.materials = {material};
  s.sections = {section};
  const fem::ElementType* type = fem::ElementRegistry::instance().find(element);
  if (!type) throw std::logic_error(element);
  for (int c = 0; c < static_cast<int>(s.mesh.cells.size()); ++c)
    if (s.mesh.cells[c].shape == type->shape)
      s.add_element(*type, s.mesh.nodes_of(c), 0, 0, s.mesh.cells[c].label);
  return s;
}

/// The same mesh with a node in the middle of every edge; `middle` places it, else halfway.
inline fem::Mesh with_edge_nodes(const fem::Mesh& mesh,
                                 const std::function<Vec3(const Vec3&, const Vec3&)>& middle = {}) {
  using fem::CellShape;
  struct Raised {
    CellShape shape;
    std::vector<std::array<int, 2>> edges;
  };
  static const std::map<CellShape, Raised> raised = {
      {CellShape::line, {CellShape::line3, {{0, 1}}}},
      {CellShape::triangle, {CellShape::triangle6, {{0, 1}, {1, 2}, {2, 0}}}},
      {CellShape::quadrangle, {CellShape::quadrangle8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}},
      {CellShape::hexahedron,
       {CellShape::hexahedron20,
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}}},
      {CellShape::wedge,
       {CellShape::wedge15, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}}}};
  fem::Mesh out;
  out.source = mesh.source;
  out.nodes = mesh.nodes;
  std::map<std::pair<int, int>, int> between;
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
    const auto own = mesh.nodes_of(c);
    const Raised& to = raised.at(mesh.cells[c].shape);
    std::vector<int> nodes(own.begin(), own.end());
    for (const auto& [a, b] : to.edges) {
      const auto [at, fresh] =
          between.try_emplace(std::minmax(own[a], own[b]), static_cast<int>(out.nodes.size()));
      if (fresh) {
        const Vec3 p = out.nodes[own[a]], q = out.nodes[own[b]];
        out.nodes.push_back(middle ? middle(p, q) : Vec3(0.5 * (p + q)));
      }
      nodes.push_back(at->second);
    }
    out.add_cell(to.shape, nodes);
  }
  return out;
}

/// Every brick as two wedges.
inline fem::Mesh as_wedges(const fem::Mesh& bricks) {
  fem::Mesh out;
  out.source = bricks.source;
  out.nodes = bricks.nodes;
  for (int c = 0; c < static_cast<int>(bricks.cells.size()); ++c) {
    const auto n = bricks.nodes_of(c);
    const int first[6] = {n[0], n[1], n[2], n[4], n[5], n[6]},
              second[6] = {n[0], n[2], n[3], n[4], n[6], n[7]};
    out.add_cell(fem::CellShape::wedge, first), out.add_cell(fem::CellShape::wedge, second);
  }
  return out;
}

/// Holds unknowns ("xyz" displacements, "XYZ" rotations) of the nodes that `where` picks.
inline void hold(fem::Structure& s, const char* what, const std::function<bool(const Vec3&)>& where) {
  const std::string letters = "xyzXYZ";
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    if (!where(s.mesh.nodes[n])) continue;
    fem::Support support{n, {}};
    for (const char* c = what; *c; ++c) support.held[letters.find(*c)] = true;
    s.supports.push_back(support);
  }
}

inline int nearest_node(const fem::Mesh& mesh, const Vec3& x) {
  int best = 0;
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
    if ((mesh.nodes[n] - x).norm() < (mesh.nodes[best] - x).norm()) best = n;
  return best;
}

/// Solves for point loads; throws when a mechanism is left.
struct Load {
  Vec3 at, force;
};
inline std::vector<double> solve_loads(fem::Structure& s, const std::vector<Load>& loads) {
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  std::vector<double> f(s.free, 0.0);
  for (const Load& load : loads) {
    const int node = nearest_node(s.mesh, load.at);
    for (int d = 0; d < 3; ++d)
      if (const int k = s.free_unknown(node, d); k >= 0) f[k] += load.force[d];
  }
  const fem::StaticSolution out = fem::solve_static(s, m, f);
  if (!out.mechanisms.empty()) throw std::runtime_error(out.mechanisms[0]);
  return fem::spread(s, out.q.data());
}

inline Vec3 displacement(const fem::Structure& s, const std::vector<double>& all, const Vec3& at) {
  const int first = s.first_unknown[nearest_node(s.mesh, at)];
  return {all[first], all[first + 1], all[first + 2]};
}

}  // namespace tappet::test
