// A flat plate of shells in a plane z = const.
#include "tappet/fem/generator.hpp"

namespace tappet::fem {

Mesh generate_plate(const Vec3& origin, double length, double width, const int n[2], bool triangles,
                    const Grading<2>& grading) {
  Mesh mesh;
  mesh.source = "plate";
  const std::vector<double> x = graded(length, n[0], grading[0]), y = graded(width, n[1], grading[1]);
  for (int j = 0; j <= n[1]; ++j)
    for (int i = 0; i <= n[0]; ++i) mesh.nodes.push_back(origin + Vec3(x[i], y[j], 0));
  const auto node = [&](int i, int j) { return i + (n[0] + 1) * j; };
  for (int j = 0; j < n[1]; ++j)
    for (int i = 0; i < n[0]; ++i) {
      const int c[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      if (!triangles) {
        mesh.add_cell(CellShape::quadrangle, c);
        continue;
      }
      const int lower[3] = {c[0], c[1], c[2]}, upper[3] = {c[0], c[2], c[3]};
      mesh.add_cell(CellShape::triangle, lower);
      mesh.add_cell(CellShape::triangle, upper);
    }
  add_side_groups(mesh);
  mesh.group("corners").nodes = {node(0, 0), node(n[0], 0), node(0, n[1]), node(n[0], n[1])};
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) mesh.group("all").cells.push_back(c);
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::plate {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  int n[2];
  if (!read_divisions(o, "divisions", 2, n, diagnostics)) return {};
  const auto &at = o.vector("origin"), &size = o.vector("size");
  if (!(size[0] > 0) || !(size[1] > 0)) {
    diagnostics.error(o.where("size"), "`size` of a plate holds a number that is not > 0");
    return {};
  }
  if (!fits((n[0] + 1.0) * (n[1] + 1.0), o, "divisions", diagnostics)) return {};
  Grading<2> grading;
  if (!read_grading(o, 2, grading.data(), diagnostics)) return {};
  return generate_plate({at[0], at[1], at[2]}, size[0], size[1], n, o.text("element") == "shell3", grading);
}

const Registration<Generator> registered{
    {.name = "plate",
     .help = "a plate in a plane z = const",
     .table = {.name = "a plate",
               .help = "A plate in a plane z = const; its edges are the groups xmin, xmax, ymin, ymax, its "
                       "corners `corners`",
               .parameters = {size_parameter(2, "lengths along x and y"),
                              origin_parameter("origin", "its lowest corner"),
                              divisions_parameter("divisions", 2, "elements along x and y"),
                              grading_parameter(2), shell_parameter()}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::plate
