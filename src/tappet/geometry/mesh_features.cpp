#include "tappet/geometry/mesh_features.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include <Eigen/Eigenvalues>

#include "tappet/geometry/mesh_edges.hpp"

namespace tappet {
namespace {

constexpr double flat_angle = 5e-4;  ///< rad; coordinates with seven digits bend a plane by less
constexpr double infinite = std::numeric_limits<double>::infinity();

/// What is known of a mesh on the way to its features.
struct Survey {
  const TriangleMesh& mesh;
  double crease, spacing;
  std::vector<MeshEdge> edges;
  std::vector<bool> is_crease = {};               ///< per edge: another face begins here
  std::vector<std::vector<int>> creases_at = {};  ///< per vertex: its creases
  std::vector<std::vector<int>> edges_at = {};    ///< per vertex
  std::vector<bool> is_corner = {};               ///< per vertex
  std::vector<int> face_of = {};                  ///< per triangle
  int faces = 0;
  std::vector<double> radius = {};  ///< per vertex, of the smooth surface around it

  int other_end(int edge, int vertex) const { return edges[edge].vertex[edges[edge].vertex[0] == vertex]; }
  Vec3 along(int edge, int from) const {
    return (mesh.vertices[other_end(edge, from)] - mesh.vertices[from]).normalized();
  }
};

void find_creases(Survey& s) {
  s.is_crease.resize(s.edges.size());
  s.creases_at.resize(s.mesh.vertices.size());
  s.edges_at.resize(s.mesh.vertices.size());
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    const MeshEdge& e = s.edges[i];
    s.is_crease[i] = e.count != 2 || std::abs(e.angle) > s.crease;
    for (const int v : e.vertex) {
      s.edges_at[v].push_back(static_cast<int>(i));
      if (s.is_crease[i]) s.creases_at[v].push_back(static_cast<int>(i));
    }
  }
  s.is_corner.resize(s.mesh.vertices.size());
  for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
    const auto& at = s.creases_at[v];
    if (at.empty()) continue;
    const int vertex = static_cast<int>(v);
    s.is_corner[v] =
        at.size() != 2 || -s.along(at[0], vertex).dot(s.along(at[1], vertex)) < std::cos(s.crease);
  }
}

/// Faces: triangles that are connected without crossing a crease.
void find_faces(Survey& s) {
  std::vector<std::vector<int>> neighbours(s.mesh.triangles.size());
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    if (s.is_crease[i]) continue;
    neighbours[s.edges[i].triangle[0]].push_back(s.edges[i].triangle[1]);
    neighbours[s.edges[i].triangle[1]].push_back(s.edges[i].triangle[0]);
  }
  s.face_of.assign(s.mesh.triangles.size(), -1);
  std::vector<int> found;
  for (std::size_t start = 0; start < s.face_of.size(); ++start) {
    if (s.face_of[start] >= 0) continue;
    found.assign(1, static_cast<int>(start));
    s.face_of[start] = s.faces;
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const int n : neighbours[found[i]])
        if (s.face_of[n] < 0) {
          s.face_of[n] = s.faces;
          found.push_back(n);
        }
    ++s.faces;
  }
}

// Radius at a vertex from the bending of the edges around it: mean curvature H = Σ θ h / (4 A) with A a third
// of the area of the triangles around, Gaussian K from the angles missing from 2π. On a surface of principal
// radii R₁, R₂ it is √(R₁R₂) = 1/√K; where K is none (a cylinder) the surface is flat along one line and the
// radius is infinite.
void find_radii(Survey& s) {
  std::vector<double> bend(s.mesh.vertices.size()), area(s.mesh.vertices.size()),
      missing(s.mesh.vertices.size(), 2 * std::numbers::pi);
  for (const MeshEdge& e : s.edges)
    for (const int v : e.vertex) bend[v] += e.angle * e.length;
  for (std::size_t t = 0; t < s.mesh.triangles.size(); ++t) {
    const int i = static_cast<int>(t);
    for (int k = 0; k < 3; ++k) {
      const int v = s.mesh.triangles[t][k];
      const Vec3 a = s.mesh.corner(i, (k + 1) % 3) - s.mesh.vertices[v],
                 b = s.mesh.corner(i, (k + 2) % 3) - s.mesh.vertices[v];
      area[v] += s.mesh.area_vector(i).norm() / 6;
      missing[v] -= std::atan2(a.cross(b).norm(), a.dot(b));
    }
  }
  // Each with its neighbours: a vertex where more or fewer triangles meet than around says too much or too
  // little.
  s.radius.resize(s.mesh.vertices.size());
  for (std::size_t v = 0; v < s.radius.size(); ++v) {
    double A = area[v], B = bend[v], M = missing[v];
    for (const int e : s.edges_at[v]) {
      const int n = s.other_end(e, static_cast<int>(v));
      if (!s.creases_at[n].empty()) continue;
      A += area[n];
      B += bend[n];
      M += missing[n];
    }
    const double mean = A > 0 ? B / (4 * A) : 0, gauss = A > 0 ? M / A : 0;
    const bool round = gauss > 0.02 * mean * mean && mean != 0;
    s.radius[v] = round ? std::copysign(1 / std::sqrt(gauss), mean) : infinite;
  }
}

bool hollow(const Survey& s, int vertex) {
  bool bent = false;
  for (const int e : s.edges_at[vertex]) {
    if (s.edges[e].angle > flat_angle) return false;
    bent = bent || s.edges[e].angle < -flat_angle;
  }
  return bent;
}

bool is_flat(const Survey& s, int vertex) {
  return std::all_of(s.edges_at[vertex].begin(), s.edges_at[vertex].end(),
                     [&](int e) { return std::abs(s.edges[e].angle) <= flat_angle; });
}

/// Points strictly between a and b, not farther apart than the spacing.
void subdivide(const Vec3& a, const Vec3& b, double spacing, std::vector<Vec3>& out) {
  const int pieces = static_cast<int>(std::clamp(std::ceil((b - a).norm() / spacing), 1.0, 1000.0));
  for (int i = 1; i < pieces; ++i) out.push_back(a + double(i) / pieces * (b - a));
}

/// The segments of an edge, not longer than the spacing.
void add_segments(const Vec3& a, const Vec3& b, double spacing, MeshFeature& f) {
  const int pieces = static_cast<int>(std::clamp(std::ceil((b - a).norm() / spacing), 1.0, 1000.0));
  const Vec3 half = 0.5 / pieces * (b - a);
  for (int i = 0; i < pieces; ++i) {
    f.points.push_back(a + (2 * i + 1) * half);
    f.halves.push_back(half);
  }
  f.longest_half = std::max(f.longest_half, half.norm());
}

MeshFeature corner_feature(const Survey& s, int vertex) {
  MeshFeature f;
  f.points = {s.mesh.vertices[vertex]};
  f.radius = {0};
  return f;
}

/// The circle through all these points, if there is one: the plane in which they scatter, and in it the least
/// squares of x² + y² = 2 x a + 2 y b + c.
std::optional<Ring> circle_through(const std::vector<Vec3>& points) {
  if (points.size() < 12) return std::nullopt;
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  Mat3 scatter = Mat3::Zero();
  for (const Vec3& p : points) scatter += (p - mean) * (p - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(scatter);
  const Vec3 x = axes.eigenvectors().col(2), y = axes.eigenvectors().col(1),
             axis = axes.eigenvectors().col(0);
  Mat3 A = Mat3::Zero();
  Vec3 rhs = Vec3::Zero();
  for (const Vec3& p : points) {
    const Vec3 row(2 * x.dot(p - mean), 2 * y.dot(p - mean), 1);
    A += row * row.transpose();
    rhs += (p - mean).squaredNorm() * row;
  }
  const Vec3 found = A.ldlt().solve(rhs);
  Ring ring{mean + found[0] * x + found[1] * y, axis, 0};
  ring.radius = std::sqrt(std::max(0.0, found[2] + found[0] * found[0] + found[1] * found[1]));
  for (const Vec3& p : points) {
    const Vec3 r = p - ring.centre;
    if (!(std::abs(axis.dot(r)) < 1e-4 * ring.radius &&
          std::abs(r.norm() - ring.radius) < 1e-4 * ring.radius))
      return std::nullopt;
  }
  return ring;
}

/// The curve that begins with this crease and runs both ways to corners, or round; marks its creases as used.
MeshFeature curve_feature(const Survey& s, int start, std::vector<bool>& used, bool& convex,
                          std::vector<Ring>& rings) {
  MeshFeature f;
  std::vector<Vec3> ends;  // of its segments
  f.kind = MeshFeature::Kind::curve;
  double most = 0;  // h θ
  convex = false;
  const auto take = [&](int edge) {
    used[edge] = true;
    const MeshEdge& e = s.edges[edge];
    convex = convex || e.angle > -flat_angle;
    for (const int v : e.vertex) ends.push_back(s.mesh.vertices[v]);
    add_segments(s.mesh.vertices[e.vertex[0]], s.mesh.vertices[e.vertex[1]], s.spacing, f);
  };
  take(start);
  for (const int first : s.edges[start].vertex) {
    int vertex = first, edge = start;
    while (!s.is_corner[vertex]) {
      const auto& at = s.creases_at[vertex];
      const int next = at[0] == edge ? at[1] : at[0];
      const double turn = std::acos(std::clamp(-s.along(edge, vertex).dot(s.along(next, vertex)), -1.0, 1.0));
      if (turn > flat_angle) {
        f.curved = true;
        most = std::max(most, turn * std::min(s.edges[edge].length, s.spacing));
      }
      if (used[next]) break;
      take(next);
      edge = next;
      vertex = s.other_end(next, vertex);
    }
    if (s.is_corner[vertex])
      f.border.push_back(s.mesh.vertices[vertex]);
    else
      break;  // round: the second way would be the first again
  }
  f.radius.assign(f.points.size(), 0.0);
  f.smoothing = most / 4;
  if (f.curved) f.shift = 0.5;
  if (convex && f.curved && f.border.empty())
    if (const std::optional<Ring> ring = circle_through(ends)) {
      f.ring = static_cast<int>(rings.size());
      rings.push_back(*ring);
    }
  return f;
}

/// Curved faces with their points: vertices, and points on long bent edges. Flat ones keep none.
std::vector<MeshFeature> face_features(const Survey& s) {
  std::vector<MeshFeature> out(s.faces);
  std::vector<double> most(s.faces);  // h θ
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    const MeshEdge& e = s.edges[i];
    if (s.is_crease[i]) {
      for (const int t : e.triangle) {
        if (t < 0) continue;
        std::vector<Vec3>& border = out[s.face_of[t]].border;
        subdivide(s.mesh.vertices[e.vertex[0]], s.mesh.vertices[e.vertex[1]], s.spacing, border);
        for (const int v : e.vertex) border.push_back(s.mesh.vertices[v]);
      }
      continue;
    }
    const int face = s.face_of[e.triangle[0]];
    if (std::abs(e.angle) <= flat_angle) continue;
    out[face].curved = true;
    most[face] = std::max(most[face], std::abs(e.angle) * std::min(e.length, s.spacing));
    if (e.angle < 0) continue;
    const std::size_t before = out[face].points.size();
    subdivide(s.mesh.vertices[e.vertex[0]], s.mesh.vertices[e.vertex[1]], s.spacing, out[face].points);
    const double radius = 0.5 * (s.radius[e.vertex[0]] + s.radius[e.vertex[1]]);
    out[face].radius.insert(out[face].radius.end(), out[face].points.size() - before, radius);
  }
  for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v) {
    const int vertex = static_cast<int>(v);
    if (s.edges_at[v].empty() || !s.creases_at[v].empty()) continue;
    MeshFeature& f = out[s.face_of[s.edges[s.edges_at[v][0]].triangle[0]]];
    if (!f.curved || is_flat(s, vertex) || hollow(s, vertex)) continue;
    f.points.push_back(s.mesh.vertices[v]);
    f.radius.push_back(s.radius[v]);
  }
  for (int face = 0; face < s.faces; ++face) {
    MeshFeature& f = out[face];
    f.kind = MeshFeature::Kind::face;
    f.smoothing = most[face] / 4;
    f.shift = 1;
    f.curved = std::any_of(f.radius.begin(), f.radius.end(), [](double r) { return std::isfinite(r); });
  }
  return out;
}

/// What the pairs ask of the triangles: how bent they are.
void measure(const Survey& s, const std::vector<MeshFeature>& faces, MeshFeatures& out) {
  out.face_radius.assign(s.mesh.triangles.size(), infinite);
  for (std::size_t t = 0; t < s.mesh.triangles.size(); ++t) {
    if (!faces[s.face_of[t]].curved) continue;
    // Vertices on a crease bend with the crease and say nothing of the face.
    double sum = 0;
    int n = 0;
    for (const int v : s.mesh.triangles[t])
      if (s.creases_at[v].empty()) {
        sum += 1 / s.radius[v];
        ++n;
      }
    if (n > 0 && sum != 0) out.face_radius[t] = n / sum;
  }
  for (std::size_t i = 0; i < s.edges.size(); ++i)
    if (!s.is_crease[i] && s.edges[i].angle < -flat_angle)
      out.hollow_smoothing = std::max(out.hollow_smoothing, -s.edges[i].angle * s.edges[i].length / 4);
}

/// The triangle across each edge of each triangle; −1 where there is none.
std::vector<Triangle> neighbours(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges) {
  std::vector<Triangle> out(mesh.triangles.size(), Triangle{-1, -1, -1});
  for (const MeshEdge& e : edges)
    for (int side = 0; side < 2 && e.count == 2; ++side) {
      const Triangle& t = mesh.triangles[e.triangle[side]];
      for (int k = 0; k < 3; ++k)
        if (std::minmax(t[k], t[(k + 1) % 3]) == std::minmax(e.vertex[0], e.vertex[1]))
          out[e.triangle[side]][k] = e.triangle[1 - side];
    }
  return out;
}

std::vector<std::array<int, 2>> convex_neighbours(const Survey& s) {
  std::vector<std::array<int, 2>> out;
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    const MeshEdge& e = s.edges[i];
    if (!s.is_crease[i] || e.count != 2 || !(e.angle > 0)) continue;
    const auto [low, high] = std::minmax(s.face_of[e.triangle[0]], s.face_of[e.triangle[1]]);
    if (low != high) out.push_back({low, high});
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

MeshFeatures find_features(const TriangleMesh& mesh, double crease, double spacing) {
  Survey s{.mesh = mesh, .crease = crease, .spacing = spacing, .edges = edges_of(mesh)};
  find_creases(s);
  find_faces(s);
  find_radii(s);

  MeshFeatures out;
  out.face = s.face_of;
  out.faces = s.faces;
  out.across = neighbours(mesh, s.edges);
  out.convex_faces = convex_neighbours(s);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (s.is_corner[v] && !hollow(s, static_cast<int>(v)))
      out.all.push_back(corner_feature(s, static_cast<int>(v)));
  out.corners = static_cast<int>(out.all.size());

  std::vector<bool> used(s.edges.size());
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    if (!s.is_crease[i] || used[i]) continue;
    bool convex = false;
    MeshFeature f = curve_feature(s, static_cast<int>(i), used, convex, out.rings);
    if (convex && !f.points.empty()) out.all.push_back(std::move(f));
  }
  out.curves = static_cast<int>(out.all.size()) - out.corners;

  std::vector<MeshFeature> faces = face_features(s);
  measure(s, faces, out);
  for (MeshFeature& f : faces)
    if (f.curved && !f.points.empty()) {
      ++out.curved_faces;
      out.all.push_back(std::move(f));
    }
  for (MeshFeature& f : out.all) {
    f.tree = PointTree(f.points);
    f.border_tree = PointTree(f.border);
    if (f.kind == MeshFeature::Kind::corner) out.corner_points.push_back(f.points[0]);
  }
  return out;
}

}  // namespace tappet
