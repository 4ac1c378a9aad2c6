// Plates cut from sheet: stars, gears, ratchet wheels; as outlines, as meshes and as STL files.
#pragma once

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "tappet/base/vectors.hpp"
#include "tappet/geometry/mesh.hpp"

namespace tappet::testing {

using Outline = std::vector<Vec2>;  ///< anticlockwise, seen whole from the origin, m

inline Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Tips on the larger radius, one of them on the x axis.
inline Outline star(int tips, double outer, double inner) {
  Outline out;
  for (int k = 0; k < 2 * tips; ++k) out.push_back(polar(k % 2 ? inner : outer, k * std::numbers::pi / tips));
  return out;
}

/// An involute gear, teeth of which the first is on the x axis, each flank of so many straight pieces. At the pitch circle the teeth
/// are thinner than the spaces by `backlash`/2.
struct Gear {
  int teeth = 20;
  double module = 2e-3, pressure_angle = 20 * std::numbers::pi / 180, backlash = 4e-5;
  int pieces = 8;

  double pitch_radius() const { return 0.5 * module * teeth; }
  double base_radius() const { return pitch_radius() * std::cos(pressure_angle); }
  /// Half of the angle that a tooth takes at a radius.
  double half_tooth(double radius) const {
    const auto involute = [](double a) { return std::tan(a) - a; };
    return std::numbers::pi / (2 * teeth) - backlash / (4 * pitch_radius()) + involute(pressure_angle) -
           involute(std::acos(std::min(1.0, base_radius() / radius)));
  }
  /// One tooth, from its right foot over the tip to its left foot.
  Outline tooth(int i) const {
    const double root = pitch_radius() - 1.25 * module, tip = pitch_radius() + module;
    const double start = std::max(base_radius(), root) * (1 + 1e-9),
                 middle = 2 * std::numbers::pi * i / teeth;
    const auto roll = [&](double r) { return std::sqrt(r * r / (base_radius() * base_radius()) - 1); };
    std::vector<std::pair<double, double>> flank;  // radius, half of the tooth's angle; from the foot
    if (root < 0.999 * base_radius()) flank.push_back({root, half_tooth(start) + 0.1 / teeth});
    for (int k = 0; k <= pieces; ++k) {
      const double t = roll(start) + (roll(tip) - roll(start)) * k / pieces;
      const double r = base_radius() * std::sqrt(1 + t * t);
      flank.push_back({r, half_tooth(r)});
    }
    Outline out;
    for (const auto& [r, half] : flank) out.push_back(polar(r, middle - half));
    for (auto at = flank.rbegin(); at != flank.rend(); ++at)
      out.push_back(polar(at->first, middle + at->second));
    return out;
  }
  Outline outline() const {
    Outline out;
    for (int i = 0; i < teeth; ++i)
      for (const Vec2& p : tooth(i)) out.push_back(p);
    return out;
  }
};

/// A wheel with teeth that rise slowly, anticlockwise, from the inner to the outer radius and fall at once.
inline Outline ratchet_wheel(int teeth, double outer, double inner, double rise = 0.93) {
  Outline out;
  for (int i = 0; i < teeth; ++i) {
    out.push_back(polar(inner, 2 * std::numbers::pi * i / teeth));
    out.push_back(polar(outer, 2 * std::numbers::pi * (i + rise) / teeth));
  }
  return out;
}

/// A plate of this outline, its middle plane at z = 0.
inline TriangleMesh plate(const Outline& outline, double thickness) {
  TriangleMesh mesh;
  const int n = static_cast<int>(outline.size());
  for (const double z : {-thickness / 2, thickness / 2})
    for (const Vec2& p : outline) mesh.vertices.push_back({p.x(), p.y(), z});
  for (const double z : {-thickness / 2, thickness / 2}) mesh.vertices.push_back({0, 0, z});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    for (const Triangle& t : {Triangle{i, j, n + j}, Triangle{i, n + j, n + i}, Triangle{2 * n, j, i},
                              Triangle{2 * n + 1, n + i, n + j}})
      mesh.triangles.push_back(t);
  }
  return mesh;
}

/// As a text STL file, in mm.
inline void write_stl(const TriangleMesh& mesh, const std::string& path) {
  std::ofstream out(path);
  out.precision(17);
  out << "solid plate\n";
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    const Vec3 n = mesh.area_vector(t).normalized();
    out << "facet normal " << n.transpose() << "\nouter loop\n";
    for (int k = 0; k < 3; ++k) out << "vertex " << 1e3 * mesh.corner(t, k).transpose() << "\n";
    out << "endloop\nendfacet\n";
  }
  out << "endsolid plate\n";
}

}  // namespace tappet::testing
