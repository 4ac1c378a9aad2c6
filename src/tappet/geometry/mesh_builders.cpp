#include "tappet/geometry/mesh_builders.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tappet {
namespace {

constexpr double pi = std::numbers::pi;

/// Rings of 0, 4, 8, ... 4n points; ring k is at radius(k) and height(k). Looks up (side = 1) or down (side =
/// −1).
template <class Radius, class Height>
void add_dome(TriangleMesh& mesh, int n, int part, int side, const Radius& radius, const Height& height) {
  const auto index = [&, base = static_cast<int>(mesh.vertices.size())](int k, int i) {
    return k == 0 ? base : base + 1 + 2 * k * (k - 1) + i % (4 * k);
  };
  mesh.vertices.push_back(Vec3(0, 0, height(0)));
  for (int k = 1; k <= n; ++k)
    for (int i = 0; i < 4 * k; ++i) {
      const double a = 2 * pi * i / (4 * k);
      mesh.vertices.push_back(Vec3(radius(k) * std::cos(a), radius(k) * std::sin(a), height(k)));
    }
  const auto add = [&](int a, int b, int c) {
    mesh.triangles.push_back(side > 0 ? Triangle{a, b, c} : Triangle{a, c, b});
    mesh.parts.push_back(part);
  };
  for (int k = 0; k < n; ++k)
    for (int q = 0; q < 4; ++q)
      for (int j = 0; j <= k; ++j) {
        const int inner = q * k + j, outer = q * (k + 1) + j;
        add(index(k, inner), index(k + 1, outer), index(k + 1, outer + 1));
        if (j < k) add(index(k, inner), index(k + 1, outer + 1), index(k, inner + 1));
      }
}

// Rings of a half ball whose caps grow as their points do, by k²: the points are as dense at the poles as
// elsewhere.
double ring_height(int k, int n) {
  return 1 - double(k) * k / (double(n) * n);
}
double ring_radius(int k, int n) {
  const double z = ring_height(k, n);
  return std::sqrt((1 - z) * (1 + z));
}

/// The side between the rings of 4n points at −half_length and +half_length, in rows about as high as the
/// points are apart.
void add_side(TriangleMesh& mesh, double radius, double half_length, int n, int part) {
  const int rows =
      static_cast<int>(std::clamp(std::ceil(2 * half_length / (2 * pi * radius / (4 * n))), 1.0, 400.0));
  const int base = static_cast<int>(mesh.vertices.size());
  for (int r = 0; r <= rows; ++r)
    for (int i = 0; i < 4 * n; ++i) {
      const double a = 2 * pi * i / (4 * n);
      mesh.vertices.push_back(
          Vec3(radius * std::cos(a), radius * std::sin(a), half_length * (2.0 * r / rows - 1)));
    }
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < 4 * n; ++i) {
      const int a = base + r * 4 * n + i, b = base + r * 4 * n + (i + 1) % (4 * n);
      mesh.triangles.push_back({a, b, b + 4 * n});
      mesh.triangles.push_back({a, b + 4 * n, a + 4 * n});
      mesh.parts.insert(mesh.parts.end(), 2, part);
    }
}

}  // namespace

TriangleMesh ball_mesh(int n) {
  TriangleMesh mesh;
  add_dome(
      mesh, n, 0, 1, [&](int k) { return ring_radius(k, n); }, [&](int k) { return ring_height(k, n); });
  add_dome(
      mesh, n, 0, -1, [&](int k) { return ring_radius(k, n); }, [&](int k) { return -ring_height(k, n); });
  return welded(mesh, 1e-9);
}

TriangleMesh box_mesh(const Vec3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  // Corners of each side, counter-clockwise from outside.
  constexpr int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& s : sides) {
    mesh.triangles.push_back({s[0], s[1], s[2]});
    mesh.triangles.push_back({s[0], s[2], s[3]});
  }
  return mesh;
}

TriangleMesh cylinder_mesh(double radius, double half_length, int n) {
  TriangleMesh mesh;
  const auto ring = [&](int k) { return radius * k / n; };
  add_dome(mesh, n, 0, 1, ring, [&](int) { return half_length; });
  add_side(mesh, radius, half_length, n, 1);
  add_dome(mesh, n, 2, -1, ring, [&](int) { return -half_length; });
  return welded(mesh, 1e-9 * std::min(radius, half_length));
}

TriangleMesh capsule_mesh(double radius, double half_length, int n) {
  TriangleMesh mesh;
  const auto ring = [&](int k) { return radius * ring_radius(k, n); };
  const auto height = [&](int k) { return half_length + radius * ring_height(k, n); };
  add_dome(mesh, n, 0, 1, ring, height);
  add_side(mesh, radius, half_length, n, 1);
  add_dome(mesh, n, 2, -1, ring, [&](int k) { return -height(k); });
  return welded(mesh, 1e-9 * std::min(radius, half_length));
}

int ring_quarter(double radius, double tolerance) {
  // Chord over the angle a: R (1 − cos a/2) = tolerance.
  const double a = 2 * std::acos(std::clamp(1 - tolerance / radius, 0.0, 1.0));
  return static_cast<int>(std::clamp(std::ceil(2 * pi / (4 * std::max(a, 1e-9))), 2.0, 200.0));
}

}  // namespace tappet
