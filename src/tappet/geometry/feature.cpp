#include "tappet/geometry/feature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tappet/geometry/closest.hpp"

namespace tappet {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

struct Interval {
  double low, high;
  bool empty() const { return !(low <= high); }
  double middle() const { return (low + high) / 2; }
};

/// The part without its component along n.
Vec3 across(const Vec3& v, const Vec3& n) {
  return v - n.dot(v) * n;
}

/// The direction that is inward at the edge from corner i on, seen along n; n may point either way.
Vec3 inward(const FlatPart& part, int i, const Vec3& n) {
  const Vec3 edge = part.corner[(i + 1) % part.size] - part.corner[i];
  const Vec3 in = n.cross(edge).normalized();
  return in.dot(part.middle - part.corner[i]) < 0 ? Vec3(-in) : in;
}

/// How far p is outside a region, seen along n; ≤ 0 inside.
double outside(const FlatPart& region, const Vec3& p, const Vec3& n) {
  if (region.size == 0) return across(p - region.middle, n).norm() - region.half;
  double out = -far;
  for (int i = 0; i < region.size; ++i) out = std::max(out, -inward(region, i, n).dot(p - region.corner[i]));
  return out;
}

/// The point of the region that is nearest to p, seen along n.
Vec3 nearest_in(const FlatPart& region, const Vec3& p, const Vec3& n) {
  const Vec3 normal = region.along[0].cross(region.along[1]);
  const Vec3 q = p - normal.dot(p - region.middle) / normal.dot(n) * n;
  if (region.size == 0) {
    const Vec3 d = q - region.middle;
    const double length = d.norm();
    return length <= region.half ? q : Vec3(region.middle + region.half / length * d);
  }
  if (outside(region, q, n) <= 0) return q;
  double least = far;
  Vec3 out = q;
  for (int i = 0; i < region.size; ++i) {
    const Vec3 &a = region.corner[i], &b = region.corner[(i + 1) % region.size];
    const Vec3 foot = a + closest_on_segment(q, a, b) * (b - a);
    if (const double d = across(q - foot, n).squaredNorm(); d < least) least = d, out = foot;
  }
  return out;
}

/// What of the line p + s·d lies over the region.
Interval inside(const FlatPart& region, const Vec3& p, const Vec3& d, const Vec3& n) {
  Interval out{-far, far};
  if (region.size == 0) {
    const Vec3 r = across(p - region.middle, n), u = across(d, n);
    const double a = u.squaredNorm(), b = r.dot(u), c = r.squaredNorm() - region.half * region.half;
    const double root = b * b - a * c;
    if (root < 0) return {0, -1};
    return {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a};
  }
  for (int i = 0; i < region.size; ++i) {
    const Vec3 in = inward(region, i, n);
    const double height = in.dot(p - region.corner[i]), slope = in.dot(d);
    if (slope > 0)
      out.low = std::max(out.low, -height / slope);
    else if (slope < 0)
      out.high = std::min(out.high, -height / slope);
    else if (height < 0)
      return {0, -1};
  }
  return out;
}

/// A segment over a region: the middle of what lies over it.
double segment_in(const FlatPart& segment, const FlatPart& region, const Vec3& n, Vec3& on_segment,
                  Vec3& in_region) {
  Interval over = inside(region, segment.middle, segment.along[0], n);
  over.low = std::max(over.low, -segment.half);
  over.high = std::min(over.high, segment.half);
  // Empty only up to rounding, or nothing is opposite.
  on_segment = segment.middle + std::clamp(over.middle(), -segment.half, segment.half) * segment.along[0];
  in_region = nearest_in(region, on_segment, n);
  return across(in_region - on_segment, n).norm();
}

double crossing(const FlatPart& first, const FlatPart& second, const Vec3& n, Vec3& a, Vec3& b) {
  const Vec3 &u = first.along[0], &v = second.along[0], w = second.middle - first.middle;
  const double sine = n.dot(u.cross(v));
  double s, t;
  if (std::abs(sine) > 1e-7) {
    s = n.dot(w.cross(v)) / sine;
    t = n.dot(w.cross(u)) / sine;
  } else {
    const double at = u.dot(w), low = std::max(-first.half, at - second.half),
                 high = std::min(first.half, at + second.half);
    s = (low + high) / 2;
    t = v.dot(first.middle + s * u - second.middle);
  }
  a = first.middle + std::clamp(s, -first.half, first.half) * u;
  b = second.middle + std::clamp(t, -second.half, second.half) * v;
  return across(b - a, n).norm();
}

/// Two regions. A disc has the point of the other that is nearest to its middle; of two polygons the middle
/// of what is left of one when the other's sides have cut it.
double regions(const FlatPart& first, const FlatPart& second, const Vec3& n, Vec3& a, Vec3& b) {
  if (first.size == 0 && second.size == 0) {
    const Vec3 d = across(second.middle - first.middle, n);
    const double distance = d.norm(), low = std::max(-first.half, distance - second.half),
                 high = std::min(first.half, distance + second.half);
    a = distance > 0 ? Vec3(first.middle + (low + high) / 2 / distance * d) : first.middle;
  } else if (first.size == 0 || second.size == 0) {
    const FlatPart &disc = first.size == 0 ? first : second, &polygon = first.size == 0 ? second : first;
    a = nearest_in(polygon, disc.middle, n);
  } else {
    std::array<Vec3, 128> left, next;
    int count = first.size;
    std::copy_n(first.corner.begin(), count, left.begin());
    for (int i = 0; i < second.size && count > 0; ++i) {
      const Vec3 in = inward(second, i, n);
      const auto height = [&](const Vec3& p) { return in.dot(p - second.corner[i]); };
      int kept = 0;
      for (int k = 0; k < count; ++k) {
        const Vec3 &p = left[k], &q = left[(k + 1) % count];
        const double hp = height(p), hq = height(q);
        if (hp >= 0) next[kept++] = p;
        if ((hp < 0) != (hq < 0)) next[kept++] = p + hp / (hp - hq) * (q - p);
      }
      std::copy_n(next.begin(), kept, left.begin());
      count = kept;
    }
    a = first.middle;
    if (count > 0) {
      a = Vec3::Zero();
      for (int k = 0; k < count; ++k) a += left[k] / count;
    }
  }
  a = nearest_in(first, a, n);
  b = nearest_in(second, a, n);
  return across(b - a, n).norm();
}

}  // namespace

double opposite_points(const FlatPart& first, const FlatPart& second, const Vec3& n, Vec3& a, Vec3& b) {
  if (first.dimension > second.dimension) return opposite_points(second, first, n, b, a);
  if (first.dimension == 2) return regions(first, second, n, a, b);
  if (first.dimension == 1)
    return second.dimension == 1 ? crossing(first, second, n, a, b) : segment_in(first, second, n, a, b);
  a = b = first.middle;
  if (second.dimension == 0) b = second.middle;
  if (second.dimension == 1) {
    const double t = second.along[0].dot(a - second.middle);
    b = second.middle + std::clamp(t, -second.half, second.half) * second.along[0];
  }
  if (second.dimension == 2) b = nearest_in(second, a, n);
  return across(b - a, n).norm();
}

}  // namespace tappet
