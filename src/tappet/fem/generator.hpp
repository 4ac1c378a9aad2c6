// Meshes that need no mesher: `generate: {block: {size: [...], divisions: [...]}}`.
//
// A generator is a file in generators/: parameter table, the mesh, one registration. Sides of blocks and
// plates are groups `xmin`, `xmax`, ...; every mesh has the group `all`.
#pragma once

#include <array>
#include <string>

#include "tappet/base/registry.hpp"
#include "tappet/fem/mesh.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::fem {

struct Generator {
  std::string name;
  std::string help;
  Table table;
  /// Reports faults to the diagnostics; the mesh is then not used.
  Mesh (*make)(const Object&, Diagnostics&) = nullptr;
};
using GeneratorRegistry = Registry<Generator>;

/// The mapping `{block: {...}}`: one key, which names the generator.
const Family& generator_family();

/// Size of the last element against the first along each direction, the same ratio from each to the next.
template <std::size_t n>
using Grading = std::array<double, n>;

Mesh generate_block(const Vec3& origin, const Vec3& size, const int divisions[3], CellShape shape,
                    const Grading<3>& grading = {1, 1, 1});
/// Along a straight line.
Mesh generate_beam(const Vec3& from, const Vec3& to, int elements);
/// In the plane z = origin.z; quadrangles, or two triangles for each.
Mesh generate_plate(const Vec3& origin, double length, double width, const int divisions[2], bool triangles,
                    const Grading<2>& grading = {1, 1});
/// A whole sphere: six patches of n × n quadrangles (a cube blown up), each into two triangles if wanted.
Mesh generate_sphere(const Vec3& centre, double radius, int n, bool triangles);
/// A tube along z, closed around; `arc` < 2π leaves it open.
Mesh generate_cylinder(const Vec3& origin, double radius, double length, double arc, int around, int along,
                       bool triangles, const Grading<2>& grading = {1, 1});
/// Lines along the edges of a grid of cells, each edge of `per_edge` lines, with or without diagonals of the
/// faces.
Mesh generate_frame(const Vec3& origin, const Vec3& size, const int cells[3], int per_edge, bool braced,
                    const Grading<3>& grading = {1, 1, 1});

// ---- for the files in generators/ ----

Parameter origin_parameter(const std::string& name,
                           const std::string& help);            ///< a point, by default the origin
Parameter size_parameter(int length, const std::string& help);  ///< `size`
Parameter divisions_parameter(const std::string& name, int length, const std::string& help);
Parameter shell_parameter();  ///< `element`: shell4 or shell3
/// `size` holds lengths; an error is reported, for `noun`, unless all of them are > 0.
bool size_is_positive(const Object& object, const std::string& noun, Diagnostics& diagnostics);

/// Adds the nodes near each plane through the bounding box as groups xmin, xmax, ...
void add_side_groups(Mesh& mesh);
/// Numbers of a list that must be whole and positive.
bool read_divisions(const Object& o, const std::string& key, int count, int* out, Diagnostics& diagnostics);
/// False, and reported at `key`, where a mesh would have more than most_generated_nodes: it is not begun then.
inline constexpr double most_generated_nodes = 1e7;
bool fits(double nodes, const Object& o, const std::string& key, Diagnostics& diagnostics);
/// `grading`, one ratio for each of `count` directions; an error is reported unless all are in range.
Parameter grading_parameter(int count);
bool read_grading(const Object& o, int count, double* out, Diagnostics& diagnostics);
/// Where the elements of a side end: 0, ..., length, with last/first = ratio.
std::vector<double> graded(double length, int divisions, double ratio);

}  // namespace tappet::fem
