// A block of bricks, or of tetrahedra: six to a brick, all around one diagonal so that neighbours fit.
#include <array>
#include <map>

#include "tappet/fem/generator.hpp"

namespace tappet::fem {
namespace {

/// Mid-edge nodes, each made once.
class MidNodes {
 public:
  explicit MidNodes(Mesh& mesh) : mesh_(mesh) {}
  int between(int a, int b) {
    const auto [at, fresh] = made_.try_emplace(std::minmax(a, b), static_cast<int>(mesh_.nodes.size()));
    if (fresh) mesh_.nodes.push_back(0.5 * (mesh_.nodes[a] + mesh_.nodes[b]));
    return at->second;
  }

 private:
  Mesh& mesh_;
  std::map<std::pair<int, int>, int> made_;
};

}  // namespace

Mesh generate_block(const Vec3& origin, const Vec3& size, const int n[3], CellShape shape,
                    const Grading<3>& grading) {
  Mesh mesh;
  mesh.source = "block";
  std::vector<double> x[3];
  for (int d = 0; d < 3; ++d) x[d] = graded(size[d], n[d], grading[d]);
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i) mesh.nodes.push_back(origin + Vec3(x[0][i], x[1][j], x[2][k]));
  const auto node = [&](int i, int j, int k) { return i + (n[0] + 1) * (j + (n[1] + 1) * k); };
  MidNodes mid(mesh);
  // Paths along x, y, z in every order from one corner of the brick to the opposite one.
  static constexpr int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        if (shape == CellShape::hexahedron) {
          const int c[8] = {
              node(i, j, k),     node(i + 1, j, k),     node(i + 1, j + 1, k),     node(i, j + 1, k),
              node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)};
          mesh.add_cell(shape, c);
          continue;
        }
        for (const auto& path : paths) {
          int at[3] = {i, j, k}, c[10] = {node(i, j, k)};
          for (int step = 0; step < 3; ++step) {
            ++at[path[step]];
            c[step + 1] = node(at[0], at[1], at[2]);
          }
          const Vec3 a = mesh.nodes[c[1]] - mesh.nodes[c[0]], b = mesh.nodes[c[2]] - mesh.nodes[c[0]],
                     d = mesh.nodes[c[3]] - mesh.nodes[c[0]];
          if (a.dot(Vec3(b.y() * d.z() - b.z() * d.y(), b.z() * d.x() - b.x() * d.z(),
                         b.x() * d.y() - b.y() * d.x())) < 0)
            std::swap(c[1], c[2]);
          static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
          if (shape == CellShape::tetrahedron10)
            for (int e = 0; e < 6; ++e) c[4 + e] = mid.between(c[edges[e][0]], c[edges[e][1]]);
          mesh.add_cell(shape, {c, static_cast<std::size_t>(node_count(shape))});
        }
      }
  add_side_groups(mesh);
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) mesh.group("all").cells.push_back(c);
  mesh.finish_groups();
  return mesh;
}

}  // namespace tappet::fem

namespace tappet::fem::generators::block {
namespace {

Mesh make(const Object& o, Diagnostics& diagnostics) {
  int n[3];
  if (!read_divisions(o, "divisions", 3, n, diagnostics)) return {};
  const auto &at = o.vector("origin"), &size = o.vector("size");
  if (!size_is_positive(o, "a block", diagnostics)) return {};
  const std::string& element = o.text("element");
  const CellShape shape = element == "tet4"    ? CellShape::tetrahedron
                          : element == "tet10" ? CellShape::tetrahedron10
                                               : CellShape::hexahedron;
  // With the middles of edges: in each brick 3 of its own edges, 3 diagonals of its sides and one through it.
  const double corners = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
  if (!fits(shape == CellShape::tetrahedron10 ? 8 * corners : corners, o, "divisions", diagnostics))
    return {};
  Grading<3> grading;
  if (!read_grading(o, 3, grading.data(), diagnostics)) return {};
  return generate_block({at[0], at[1], at[2]}, {size[0], size[1], size[2]}, n, shape, grading);
}

const Registration<Generator> registered{
    {.name = "block",
     .help = "a block along the axes",
     .table = {.name = "a block",
               .help = "A block along the axes; its sides are the groups xmin, xmax, ymin, ymax, zmin, zmax",
               .parameters = {size_parameter(3, "lengths of its sides"),
                              origin_parameter("origin", "its lowest corner"),
                              divisions_parameter("divisions", 3, "elements along x, y and z"),
                              grading_parameter(3),
                              {.name = "element",
                               .kind = Kind::choice,
                               .help = "what it is cut into",
                               .fallback = "hex8",
                               .choices = {"hex8", "tet4", "tet10"}}}},
     .make = make}};

}  // namespace
}  // namespace tappet::fem::generators::block
