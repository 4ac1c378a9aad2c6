#include "tappet/fem/generator.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet::fem {

const Family& generator_family() {
  static const Family family{.key = "",
                             .noun = "mesh generator",
                             .common = {.name = "a mesh generator", .help = "", .parameters = {}},
                             .members = [] {
                               std::vector<std::pair<std::string, const Table*>> out;
                               for (const Generator& g : GeneratorRegistry::instance().entries())
                                 out.emplace_back(g.name, &g.table);
                               return out;
                             }};
  return family;
}

Parameter origin_parameter(const std::string& name, const std::string& help) {
  return {
      .name = name, .kind = Kind::vector, .unit = "m", .help = help, .fallback = "[0, 0, 0]", .length = 3};
}

Parameter size_parameter(int length, const std::string& help) {
  return {
      .name = "size", .kind = Kind::vector, .unit = "m", .help = help, .required = true, .length = length};
}

Parameter divisions_parameter(const std::string& name, int length, const std::string& help) {
  return {.name = name, .kind = Kind::vector, .help = help, .required = true, .length = length};
}

Parameter shell_parameter() {
  return {.name = "element",
          .kind = Kind::choice,
          .help = "what it is cut into",
          .fallback = "shell4",
          .choices = {"shell4", "shell3"}};
}

bool size_is_positive(const Object& object, const std::string& noun, Diagnostics& diagnostics) {
  for (double s : object.vector("size"))
    if (!(s > 0)) {
      diagnostics.error(object.where("size"),
                        fmt::format("`size` of {} holds a number that is not > 0", noun));
      return false;
    }
  return true;
}

void add_side_groups(Mesh& mesh) {
  Vec3 low = mesh.nodes[0], high = low;
  for (const Vec3& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const double near = 1e-9 * (high - low).norm();
  const char* names[3][2] = {{"xmin", "xmax"}, {"ymin", "ymax"}, {"zmin", "zmax"}};
  for (int axis = 0; axis < 3; ++axis) {
    if (!(high[axis] - low[axis] > near)) continue;
    for (int side = 0; side < 2; ++side) {
      Group& g = mesh.group(names[axis][side]);
      const double at = side ? high[axis] : low[axis];
      for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
        if (std::abs(mesh.nodes[n][axis] - at) <= near) g.nodes.push_back(n);
    }
  }
}

bool read_divisions(const Object& o, const std::string& key, int count, int* out, Diagnostics& diagnostics) {
  const std::vector<double>& v = o.vector(key);
  for (int i = 0; i < count; ++i) {
    if (!(v[i] >= 1 && v[i] <= 1e6) || v[i] != std::floor(v[i])) {
      diagnostics.error(o.where(key),
                        fmt::format("`{}` holds {:g}; whole numbers from 1 on are allowed", key, v[i]));
      return false;
    }
    out[i] = static_cast<int>(v[i]);
  }
  return true;
}

bool fits(double nodes, const Object& o, const std::string& key, Diagnostics& diagnostics) {
  if (nodes <= most_generated_nodes) return true;
  diagnostics.error(o.where(key),
                    fmt::format("`{}` makes a mesh of about {:.3g} nodes; at most {:g} are made", key, nodes,
                                most_generated_nodes));
  return false;
}

Parameter grading_parameter(int count) {
  return {.name = "grading",
          .kind = Kind::vector,
          .help = "size of the last element against the first, for each direction of the divisions",
          .fallback = count == 3 ? "[1, 1, 1]" : "[1, 1]",
          .length = count};
}

bool read_grading(const Object& o, int count, double* out, Diagnostics& diagnostics) {
  const std::vector<double>& v = o.vector("grading");
  for (int i = 0; i < count; ++i) {
    if (!(v[i] >= 1e-3 && v[i] <= 1e3)) {
      diagnostics.error(
          o.where("grading"),
          fmt::format(
              "`grading` holds {:g}; ratios of the last element to the first from 0.001 to 1000 are allowed",
              v[i]));
      return false;
    }
    out[i] = v[i];
  }
  return true;
}

// Sizes 1, r, r², ... with rⁿ⁻¹ = ratio.
std::vector<double> graded(double length, int n, double ratio) {
  std::vector<double> at(n + 1);
  const double log_r = n > 1 ? std::log(ratio) / (n - 1) : 0;
  for (int i = 0; i <= n; ++i)
    at[i] = log_r == 0 ? length * i / n : length * std::expm1(i * log_r) / std::expm1(n * log_r);
  return at;
}

}  // namespace tappet::fem
