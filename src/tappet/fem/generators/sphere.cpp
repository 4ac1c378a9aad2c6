// A spherical shell without poles: the faces of a cube, each n × n, blown up to the sphere by equal angles.
#include <cmath>
#include <map>
#include <numbers>

#include "tappet/fem/generator.hpp"

namespace tappet::fem {

Mesh generate_sphere(const Vec3& centre, double radius, int n, bool triangles) {
  Mesh mesh;
  mesh.source = "spherical shell";
  // Points of the cube's surface by their whole coordinates, so that faces share their edges.
  std::map<std::array<int, 3>, int> made;
  const auto node = [&](const std::array<int, 3>& at) {
    const auto [found, fresh] = made.try_emplace(at, static_cast<int>(mesh.nodes.size()));
    if (fresh) {
      Vec3 p;
      for (int i = 0; i < 3; ++i) p[i] = std::tan(std::numbers::pi / 4 * (2.0 * at[i] / n - 1));
      mesh.nodes.push_back(centre + radius * p.normalized());
    }
    return found->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          // Corners in turn, seen from outside.
          const int a = (axis + 1) % 3, b = (axis + 2) % 3;
          int c[4];
          const int du[4] = {0, 1, 1, 0}, dv[4] = {0, 0, 1, 1};
          for (int k = 0; k < 4; ++k) {
            std::array<int, 3> at{};
            at[axis] = side * n;
            at[a] = i + (side ? du[k] : dv[k]);
            at[b] = j + (side ? dv[k] : du[k]);
            c[k] = node(at);
          }
          if (!triangles) {
            mesh.add_cell(CellShape::quadrangle, c);
            continue;
          }
          const int lower[3] = {c[0], c[1], c[2]}, upper[3] = {c[0], c[2], c[3]};
          mesh.add_cell(CellShape::triangle, lower);
          mesh.add_cell(CellShape::triangle, upper);
        }
  // The lowest and the highest node are of use to most who look at a ball.
  int low = 0, high = 0;
  for (int k = 0; k < static_cast<int>(mesh.nodes.size()); ++k) {
    if (mesh.nodes[k].z() < mesh.nodes[low].z()) low = k;
    if (mesh.nodes[k].z() > mesh.nodes[high].z()) high = k;
  }
  mesh.group("bottom").nodes = {low};
  mesh.group("top").nodes = {high};
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) mesh.group("all").cells.push_back(c);
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::sphere {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  const double n = o.integer("divisions");
  if (!fits(6 * n * n, o, "divisions", diagnostics)) return {};
  const auto& at = o.vector("centre");
  return generate_sphere({at[0], at[1], at[2]}, o.number("radius"), o.integer("divisions"),
                         o.text("element") == "shell3");
}

const Registration<Generator> registered{
    {.name = "spherical-shell",
     .help = "a hollow sphere",
     .table = {.name = "a spherical shell",
               .help = "A hollow sphere of 6 n² quadrangles; groups `bottom` and `top` are its lowest and "
                       "highest node",
               .parameters = {{.name = "radius",
                               .unit = "m",
                               .help = "of the mid-surface",
                               .required = true,
                               .range = positive()},
                              origin_parameter("centre", "its centre"),
                              {.name = "divisions",
                               .kind = Kind::integer,
                               .help = "n: elements along a quarter of a great circle",
                               .required = true,
                               .range = {.low = 1, .high = 1000}},
                              shell_parameter()}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::sphere
