// A cylindrical shell along z.
#include <cmath>
#include <numbers>

#include "tappet/fem/generator.hpp"

namespace tappet::fem {

Mesh generate_cylinder(const Vec3& origin, double radius, double length, double arc, int around, int along,
                       bool triangles, const Grading<2>& grading) {
  Mesh mesh;
  mesh.source = "cylindrical shell";
  const bool closed = arc >= 2 * std::numbers::pi * (1 - 1e-12);
  const int columns = closed ? around : around + 1;
  const std::vector<double> angle = graded(arc, around, grading[0]), up = graded(length, along, grading[1]);
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < columns; ++i) {
      const double a = angle[i];
      mesh.nodes.push_back(origin + Vec3(radius * std::cos(a), radius * std::sin(a), up[j]));
    }
  const auto node = [&](int i, int j) { return i % columns + columns * j; };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const int c[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      if (!triangles) {
        mesh.add_cell(CellShape::quadrangle, c);
        continue;
      }
      const int lower[3] = {c[0], c[1], c[2]}, upper[3] = {c[0], c[2], c[3]};
      mesh.add_cell(CellShape::triangle, lower);
      mesh.add_cell(CellShape::triangle, upper);
    }
  for (int i = 0; i < columns; ++i) {
    mesh.group("zmin").nodes.push_back(node(i, 0));
    mesh.group("zmax").nodes.push_back(node(i, along));
  }
  if (!closed)
    for (int j = 0; j <= along; ++j) {
      mesh.group("begin").nodes.push_back(node(0, j));
      mesh.group("end").nodes.push_back(node(around, j));
    }
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) mesh.group("all").cells.push_back(c);
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::cylinder {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  int n[2];
  if (!read_divisions(o, "divisions", 2, n, diagnostics)) return {};
  const auto& at = o.vector("origin");
  const double arc = o.number("arc");
  if (arc >= 2 * std::numbers::pi * (1 - 1e-12) && n[0] < 3) {
    diagnostics.error(o.where("divisions"), "`divisions` around a closed cylinder must be 3 or more");
    return {};
  }
  if (!fits((n[0] + 1.0) * (n[1] + 1.0), o, "divisions", diagnostics)) return {};
  Grading<2> grading;
  if (!read_grading(o, 2, grading.data(), diagnostics)) return {};
  return generate_cylinder({at[0], at[1], at[2]}, o.number("radius"), o.number("length"), arc, n[0], n[1],
                           o.text("element") == "shell3", grading);
}

const Registration<Generator> registered{
    {.name = "cylindrical-shell",
     .help = "a tube along z, or part of one",
     .table =
         {.name = "a cylindrical shell",
          .help =
              "A tube along z; its ends are the groups zmin and zmax, those of an open arc `begin` and `end`",
          .parameters =
              {{.name = "radius",
                .unit = "m",
                .help = "of the mid-surface",
                .required = true,
                .range = positive()},
               {.name = "length", .unit = "m", .help = "along z", .required = true, .range = positive()},
               origin_parameter("origin", "centre of its lower end"),
               {.name = "arc",
                .unit = "rad",
                .help = "angle that it covers from x on; absent: the whole circle",
                .fallback = "6.283185307179586",
                .range = {.low = 0, .high = 6.2831853072, .low_open = true}},
               divisions_parameter("divisions", 2, "elements around and along"),
               grading_parameter(2),
               shell_parameter()}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::cylinder
