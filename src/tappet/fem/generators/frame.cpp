// A space frame: beams along the edges of a grid of cells, with diagonals in the faces if it is braced.
#include <map>

#include "tappet/fem/generator.hpp"

namespace tappet::fem {

Mesh generate_frame(const Vec3& origin, const Vec3& size, const int n[3], int per_edge, bool braced,
                    const Grading<3>& grading) {
  Mesh mesh;
  mesh.source = "space frame";
  const auto joint = [&](int i, int j, int k) { return i + (n[0] + 1) * (j + (n[1] + 1) * k); };
  std::vector<double> x[3];
  for (int d = 0; d < 3; ++d) x[d] = graded(size[d], n[d], grading[d]);
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i) mesh.nodes.push_back(origin + Vec3(x[0][i], x[1][j], x[2][k]));
  const int joints = static_cast<int>(mesh.nodes.size());
  const auto member = [&](int a, int b) {
    int last = a;
    for (int s = 1; s <= per_edge; ++s) {
      int next = b;
      if (s < per_edge) {
        next = static_cast<int>(mesh.nodes.size());
        mesh.nodes.push_back(mesh.nodes[a] + (mesh.nodes[b] - mesh.nodes[a]) * s / per_edge);
      }
      const int c[2] = {last, next};
      mesh.add_cell(CellShape::line, c);
      last = next;
    }
  };
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i) {
        if (i < n[0]) member(joint(i, j, k), joint(i + 1, j, k));
        if (j < n[1]) member(joint(i, j, k), joint(i, j + 1, k));
        if (k < n[2]) member(joint(i, j, k), joint(i, j, k + 1));
        if (!braced) continue;
        if (i < n[0] && j < n[1]) member(joint(i, j, k), joint(i + 1, j + 1, k));
        if (i < n[0] && k < n[2]) member(joint(i, j, k), joint(i + 1, j, k + 1));
        if (j < n[1] && k < n[2]) member(joint(i, j, k), joint(i, j + 1, k + 1));
      }
  for (int j = 0; j < joints; ++j) mesh.group("joints").nodes.push_back(j);
  add_side_groups(mesh);
  mesh.group("corners").nodes = {joint(0, 0, 0), joint(n[0], 0, 0), joint(0, n[1], 0), joint(n[0], n[1], 0)};
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) mesh.group("all").cells.push_back(c);
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::frame {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  int n[3];
  if (!read_divisions(o, "cells", 3, n, diagnostics)) return {};
  const auto &at = o.vector("origin"), &size = o.vector("size");
  if (!size_is_positive(o, "a space frame", diagnostics)) return {};
  // Of each joint go up to three members, with braces six.
  const double joints = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
  const double inner = (o.boolean("braced") ? 6.0 : 3.0) * joints * (o.integer("beams") - 1);
  if (!fits(joints + inner, o, "cells", diagnostics)) return {};
  Grading<3> grading;
  if (!read_grading(o, 3, grading.data(), diagnostics)) return {};
  return generate_frame({at[0], at[1], at[2]}, {size[0], size[1], size[2]}, n, o.integer("beams"),
                        o.boolean("braced"), grading);
}

const Registration<Generator> registered{
    {.name = "space-frame",
     .help = "beams along the edges of a grid of cells",
     .table = {.name = "a space frame",
               .help = "Beams along the edges of a grid of cells; groups xmin ... zmax, `joints`, and the "
                       "four lowest `corners`",
               .parameters = {size_parameter(3, "lengths of its sides"),
                              origin_parameter("origin", "its lowest corner"),
                              divisions_parameter("cells", 3, "cells along x, y and z"),
                              grading_parameter(3),
                              {.name = "beams",
                               .kind = Kind::integer,
                               .help = "elements of one edge",
                               .fallback = "1",
                               .range = {.low = 1, .high = 1000}},
                              {.name = "braced",
                               .kind = Kind::boolean,
                               .help = "diagonals in the faces as well",
                               .fallback = "false"}}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::frame
