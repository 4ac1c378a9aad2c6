#include "tappet/fem/fields.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "tappet/fem/corotational.hpp"
#include "tappet/fem/structure.hpp"

namespace tappet::fem {
namespace {

int vtk_type(CellShape shape) {
  switch (shape) {
    case CellShape::point:
      return 1;
    case CellShape::line:
      return 3;
    case CellShape::line3:
      return 21;
    case CellShape::triangle:
      return 5;
    case CellShape::triangle6:
      return 22;
    case CellShape::quadrangle:
      return 9;
    case CellShape::tetrahedron:
      return 10;
    case CellShape::tetrahedron10:
      return 24;
    case CellShape::hexahedron:
      return 12;
    case CellShape::quadrangle8:
      return 23;
    case CellShape::hexahedron20:
      return 25;
    case CellShape::wedge:
      return 13;
    case CellShape::wedge15:
      return 26;
  }
  return 1;
}

/// The axes in which an element tells its stress, as columns.
Mat3 stress_axes(CellShape shape, const std::vector<Vec3>& x) {
  switch (dimension(shape)) {
    case 1: {
      const Vec3 along = (x[1] - x[0]).normalized();
      // The first axis is along the line; the others do not matter, nothing acts along them.
      const Vec3 across = along.unitOrthogonal();
      Mat3 axes;
      axes << along, across, along.cross(across);
      return axes;
    }
    case 2: {
      if (shape == CellShape::quadrangle) return shell_axes((x[2] - x[0]).cross(x[3] - x[1]).normalized());
      // With nodes on its edges: of the piece in the middle, whose stress it is.
      if (shape == CellShape::quadrangle8) return shell_axes((x[5] - x[4]).cross(x[6] - x[5]).normalized());
      if (shape == CellShape::triangle6) return shell_axes((x[4] - x[3]).cross(x[5] - x[4]).normalized());
      return shell_axes((x[1] - x[0]).cross(x[2] - x[1]).normalized());
    }
    default:
      return Mat3::Identity();
  }
}

}  // namespace

FieldMesh field_mesh(const Structure& s) {
  FieldMesh out;
  out.name = s.name;
  for (const Vec3& x : s.mesh.nodes) out.nodes.insert(out.nodes.end(), {x.x(), x.y(), x.z()});
  for (const Element& e : s.elements) {
    const auto nodes = s.nodes_of(e);
    out.cells.insert(out.cells.end(), nodes.begin(), nodes.end());
    out.ends.push_back(static_cast<int>(out.cells.size()));
    out.types.push_back(vtk_type(e.type->shape));
  }
  return out;
}

std::vector<double> node_vectors(const Structure& s, const std::vector<double>& all) {
  std::vector<double> out(3 * s.mesh.nodes.size(), 0.0);
  for (std::size_t n = 0; n < s.mesh.nodes.size(); ++n)
    for (int d = 0; d < std::min(3, s.node_unknowns[n]); ++d) out[3 * n + d] = all[s.first_unknown[n] + d];
  return out;
}

std::vector<double> element_stress(const Structure& s, const std::vector<double>& all) {
  std::vector<double> out;
  out.reserve(stress_numbers * s.elements.size());
  std::vector<Vec3> x;
  std::vector<double> u;
  for (const Element& e : s.elements) {
    ElementStress found;
    Mat3 tensor = Mat3::Zero();
    if (e.type->stress) {
      x.clear(), u.clear();
      for (int n : s.nodes_of(e)) {
        x.push_back(s.mesh.nodes[n]);
        for (int d = 0; d < e.type->dofs; ++d) u.push_back(all[s.first_unknown[n] + d]);
      }
      const Mat3 turn = s.turns ? turned_element(s, e, all, u) : Mat3(Mat3::Identity());
      e.type->stress({x, s.materials[e.material], s.sections[e.section]}, u, found);
      const auto& t = found.stress;
      tensor << t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2];
      const Mat3 axes = turn * stress_axes(e.type->shape, x);
      tensor = (axes * tensor * axes.transpose()).eval();
    }
    out.insert(out.end(), {found.von_mises, tensor(0, 0), tensor(1, 1), tensor(2, 2), tensor(0, 1),
                           tensor(1, 2), tensor(2, 0)});
  }
  return out;
}

std::array<double, 3> principal_stresses(const double* t) {
  Mat3 s;
  s << t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2];
  const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(s, Eigen::EigenvaluesOnly).eigenvalues();
  return {values[2], values[1], values[0]};
}

}  // namespace tappet::fem
