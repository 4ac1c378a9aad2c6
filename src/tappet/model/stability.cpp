// The stability margin of walking machines [McGhee1968]: the shortest distance from the projection of the
// centre of mass to the edge of the support polygon. The polygon is the convex hull, by Andrew's monotone
// chain, against the clock.
#include "tappet/model/stability.hpp"

#include <algorithm>
#include <limits>

namespace tappet {

namespace {

double cross2(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Corners without repetition; two of them where all points lie on a line.
std::vector<Vec2> hull_of(std::vector<Vec2> points) {
  const auto before = [](const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  const auto add = [&](const Vec2& p, std::size_t least) {
    while (hull.size() > least && cross2(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
      hull.pop_back();
    hull.push_back(p);
  };
  for (const Vec2& p : points) add(p, 1);
  const std::size_t lower = hull.size();
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, lower);
  hull.pop_back();
  return hull;
}

double distance(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 ab = b - a;
  const double length2 = ab.squaredNorm();
  const double part = length2 > 0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  return (p - a - part * ab).norm();
}

}  // namespace

double stability_margin(std::vector<Vec2> points, const Vec2& centre) {
  if (points.empty()) return 0;
  const std::vector<Vec2> hull = hull_of(std::move(points));
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = hull.size() > 2;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 &a = hull[i], &b = hull[(i + 1) % hull.size()];
    nearest = std::min(nearest, distance(centre, a, b));
    inside = inside && cross2(b - a, centre - a) >= 0;
  }
  return inside ? nearest : -nearest;
}

}  // namespace tappet
