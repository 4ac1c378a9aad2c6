#include "tappet/results/vtk.hpp"

#include <fstream>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

namespace tappet {
namespace {

int vtk_type(fem::CellShape shape) {
  switch (shape) {
    case fem::CellShape::point:
      return 1;
    case fem::CellShape::line:
      return 3;
    case fem::CellShape::line3:
      return 21;
    case fem::CellShape::triangle:
      return 5;
    case fem::CellShape::triangle6:
      return 22;
    case fem::CellShape::quadrangle:
      return 9;
    case fem::CellShape::tetrahedron:
      return 10;
    case fem::CellShape::tetrahedron10:
      return 24;
    case fem::CellShape::hexahedron:
      return 12;
  }
  return 1;
}

}  // namespace

std::vector<Vec3> node_vectors(const fem::Structure& s, const std::vector<double>& all) {
  std::vector<Vec3> out(s.mesh.nodes.size(), Vec3::Zero());
  for (std::size_t n = 0; n < out.size(); ++n)
    if (s.node_unknowns[n] > 0)
      for (int d = 0; d < 3; ++d) out[n][d] = all[s.first_unknown[n] + d];
  return out;
}

std::vector<double> element_stress(const fem::Structure& s, const std::vector<double>& all) {
  std::vector<double> out;
  std::vector<Vec3> x;
  std::vector<double> u;
  for (const fem::Element& e : s.elements) {
    fem::ElementStress stress;
    if (e.type->stress) {
      x.clear(), u.clear();
      for (int n : s.nodes_of(e)) {
        x.push_back(s.mesh.nodes[n]);
        for (int d = 0; d < e.type->dofs; ++d) u.push_back(all[s.first_unknown[n] + d]);
      }
      e.type->stress({x, s.materials[e.material], s.sections[e.section]}, u, stress);
    }
    out.push_back(stress.von_mises);
  }
  return out;
}

void write_vtk(const std::string& path, const fem::Structure& s, const std::vector<NodeField>& fields,
               const std::vector<double>& stress) {
  std::string text =
      fmt::format("# vtk DataFile Version 3.0\n{}\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                  s.name, s.mesh.nodes.size());
  for (const Vec3& x : s.mesh.nodes) text += fmt::format("{:.9g} {:.9g} {:.9g}\n", x.x(), x.y(), x.z());
  text += fmt::format("CELLS {} {}\n", s.elements.size(), s.elements.size() + s.element_nodes.size());
  for (const fem::Element& e : s.elements) {
    text += std::to_string(e.count);
    for (int n : s.nodes_of(e)) text += fmt::format(" {}", n);
    text += '\n';
  }
  text += fmt::format("CELL_TYPES {}\n", s.elements.size());
  for (const fem::Element& e : s.elements) text += fmt::format("{}\n", vtk_type(e.type->shape));
  text += fmt::format("POINT_DATA {}\n", s.mesh.nodes.size());
  for (const NodeField& field : fields) {
    text += fmt::format("VECTORS {} double\n", field.name);
    for (const Vec3& v : field.values) text += fmt::format("{:.9g} {:.9g} {:.9g}\n", v.x(), v.y(), v.z());
  }
  text += fmt::format("CELL_DATA {}\nSCALARS von_mises double 1\nLOOKUP_TABLE default\n", s.elements.size());
  for (double v : stress) text += fmt::format("{:.9g}\n", v);
  std::ofstream out(path, std::ios::binary);
  if (!(out << text)) refuse(path, "cannot be written");
}

}  // namespace tappet
