#include "tappet/geometry/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tappet/geometry/closest.hpp"

namespace tappet {
namespace {

/// The cores of both shapes in the axes of the first, the second moved by `shift`.
struct Cores {
  const ConvexShape &A, &B;
  Pose relative;  ///< B's axes in A's
  Vec3 shift = Vec3::Zero();

  Vec3 of_first(const Vec3& d) const { return A.support(d); }
  Vec3 of_second(const Vec3& d) const { return relative.point(B.support(relative.local_direction(d))); }
  /// f(n) without margins and shift.
  double gap(const Vec3& n) const { return n.dot(of_second(-n) - of_first(n)); }
};

struct Vertex {
  Vec3 w = Vec3::Zero();                      ///< b − a + shift
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();    ///< b without shift
  double weight = 0;
};

struct Simplex {
  std::array<Vertex, 4> v;
  int size = 0;

  Vec3 nearest() const {
    Vec3 out = Vec3::Zero();
    for (int i = 0; i < size; ++i) out += v[i].weight * v[i].w;
    return out;
  }
};

// ---- The point of a simplex nearest to the origin; what does not carry it is dropped ----

void keep(Simplex& s, std::initializer_list<std::pair<int, double>> carried) {
  std::array<Vertex, 4> out;
  int n = 0;
  for (const auto& [i, weight] : carried) {
    out[n] = s.v[i];
    out[n++].weight = weight;
  }
  s.v = out;
  s.size = n;
}

void reduce_segment(Simplex& s) {
  const Vec3 &a = s.v[0].w, &b = s.v[1].w;
  const Vec3 ab = b - a;
  const double t = -ab.dot(a), length2 = ab.squaredNorm();
  if (t <= 0) return keep(s, {{0, 1}});
  if (t >= length2) return keep(s, {{1, 1}});
  keep(s, {{0, 1 - t / length2}, {1, t / length2}});
}

/// Regions of a triangle [Ericson2005, section 5.1.5].
void reduce_triangle(Simplex& s) {
  const Vec3 &a = s.v[0].w, &b = s.v[1].w, &c = s.v[2].w;
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return keep(s, {{0, 1}});
  const double d3 = -ab.dot(b), d4 = -ac.dot(b);
  if (d3 >= 0 && d4 <= d3) return keep(s, {{1, 1}});
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return keep(s, {{0, -d3 / (d1 - d3)}, {1, d1 / (d1 - d3)}});
  const double d5 = -ab.dot(c), d6 = -ac.dot(c);
  if (d6 >= 0 && d5 <= d6) return keep(s, {{2, 1}});
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return keep(s, {{0, -d6 / (d2 - d6)}, {2, d2 / (d2 - d6)}});
  const double va = d3 * d6 - d5 * d4, e1 = d4 - d3, e2 = d5 - d6;
  if (va <= 0 && e1 >= 0 && e2 >= 0) return keep(s, {{1, e2 / (e1 + e2)}, {2, e1 / (e1 + e2)}});
  const double sum = va + vb + vc;
  keep(s, {{0, va / sum}, {1, vb / sum}, {2, vc / sum}});
}

/// False when the origin is inside.
bool reduce_tetrahedron(Simplex& s) {
  static constexpr int sides[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Simplex best;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& k : sides) {
    const Vec3 &a = s.v[k[0]].w, &b = s.v[k[1]].w, &c = s.v[k[2]].w, &d = s.v[k[3]].w;
    const Vec3 n = (b - a).cross(c - a);
    const double origin = -n.dot(a), other = n.dot(d - a);
    if (origin * other > 0) continue;  // the origin is on the inner side
    Simplex side;
    side.size = 3;
    for (int i = 0; i < 3; ++i) side.v[i] = s.v[k[i]];
    reduce_triangle(side);
    if (const double length2 = side.nearest().squaredNorm(); length2 < nearest) nearest = length2, best = side;
  }
  if (best.size == 0) return false;
  s = best;
  return true;
}

bool reduce(Simplex& s) {
  switch (s.size) {
    case 1:
      s.v[0].weight = 1;
      return true;
    case 2:
      reduce_segment(s);
      return true;
    case 3:
      reduce_triangle(s);
      return true;
    default:
      return reduce_tetrahedron(s);
  }
}

// ---- Distance of separate cores ----

struct Nearest {
  double distance = 0;  ///< 0: they overlap
  Vec3 v = Vec3::Zero();
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};

Vertex support(const Cores& cores, const Vec3& d) {
  Vertex out;
  out.a = cores.of_first(-d);
  out.b = cores.of_second(d);
  out.w = out.b + cores.shift - out.a;
  return out;
}

/// `scale`: the size of the shapes, against which rounding is seen.
Nearest nearest_points(const Cores& cores, const Vec3& start, double scale) {
  Simplex s;
  s.v[0] = support(cores, start);
  s.v[0].weight = 1;
  s.size = 1;
  Vec3 v = s.v[0].w;
  const double touching = 1e-28 * scale * scale;
  Simplex best = s;
  double best_length2 = v.squaredNorm();
  for (int iteration = 0; iteration < 128; ++iteration) {
    if (best_length2 <= touching) return {};
    const Vertex w = support(cores, -v);
    // Nothing lies further along −v than what is known: v is the nearest point.
    if (best_length2 - v.dot(w.w) <= 1e-15 * best_length2 + 1e-16 * scale * std::sqrt(best_length2)) break;
    bool known = false;
    for (int i = 0; i < s.size; ++i) known = known || s.v[i].w == w.w;
    if (known) break;
    s.v[s.size++] = w;
    if (!reduce(s)) return {};
    v = s.nearest();
    const double length2 = v.squaredNorm();
    if (!(length2 < best_length2)) break;
    best = s;
    best_length2 = length2;
  }
  Nearest out;
  out.v = best.nearest();
  out.distance = out.v.norm();
  for (int i = 0; i < best.size; ++i) out.a += best.v[i].weight * best.v[i].a, out.b += best.v[i].weight * best.v[i].b;
  return out;
}

// ---- Overlap ----

/// The most promising direction: highest f.
class Best {
 public:
  explicit Best(const Cores& cores) : cores_(cores) {}
  void offer(const Vec3& n) {
    if (const double gap = cores_.gap(n); gap > highest) highest = gap, direction = n;
  }
  Vec3 direction = Vec3::UnitX();
  double highest = -std::numeric_limits<double>::infinity();

 private:
  const Cores& cores_;
};

Vec3 first_direction(const Cores& cores, bool planar) {
  Best best(cores);
  const Vec3 centres = cores.relative.point(cores.B.middle()) - cores.A.middle();
  if (const double length = centres.norm(); length > 0) best.offer(centres / length);
  for (int i = 0; i < cores.A.faces(); ++i) best.offer(cores.A.face_normal(i));
  for (int i = 0; i < cores.B.faces(); ++i) best.offer(-cores.relative.direction(cores.B.face_normal(i)));
  for (int axis = 0; axis < (planar ? 2 : 3); ++axis)
    for (double sign : {1.0, -1.0}) {
      best.offer(sign * Vec3::Unit(axis));
      best.offer(sign * cores.relative.R.col(axis));
    }
  return best.direction;
}

struct Deepest {
  Vec3 n, a, b;
};

Deepest deepest_points(Cores cores, Vec3 n, double scale) {
  Deepest out{n, cores.of_first(n), cores.of_second(-n)};
  double gap = n.dot(out.b - out.a);
  for (int iteration = 0; iteration < 100; ++iteration) {
    cores.shift = (std::max(1e-3 * scale, -0.5 * gap) - gap) * n;
    const Nearest found = nearest_points(cores, -n, scale);
    if (!(found.distance > 0)) break;
    const Vec3 next = found.v / found.distance;
    const double better = cores.gap(next), turned = (next - n).norm();
    if (better < gap - 1e-15 * scale) break;  // rounding has the last word
    const bool arrived = turned < 1e-12 || (iteration > 0 && better <= gap);
    out = {next, found.a, found.b};
    n = next;
    gap = std::max(gap, better);
    if (arrived) break;
  }
  return out;
}

}  // namespace

Proximity separation(const ConvexShape& first, const Pose& p, const ConvexShape& second, const Pose& q) {
  const Pose P = p * first.place, Q = q * second.place;
  const Cores cores{first, second, {P.R.transpose() * Q.R, P.local(Q.r)}};
  const double scale = std::min(first.reach(), second.reach());
  const bool planar = first.planar() && second.planar();
  const Vec3 centres = cores.relative.point(second.middle()) - first.middle();
  const Nearest apart = nearest_points(cores, centres.squaredNorm() > 0 ? Vec3(-centres) : Vec3(-Vec3::UnitX()), scale);

  Vec3 n, a = apart.a, b = apart.b;
  if (apart.distance > 1e-3 * scale) {
    n = apart.v / apart.distance;
  } else {
    const Vec3 start = apart.distance > 1e-9 * scale ? Vec3(apart.v / apart.distance) : first_direction(cores, planar);
    const Deepest deep = deepest_points(cores, start, scale);
    n = deep.n, a = deep.a, b = deep.b;
  }
  const double core_gap = cores.gap(n);
  Proximity out;
  out.normal = P.direction(n);
  out.gap = core_gap - first.margin() - second.margin();
  const Vec3 middle = P.point((a + b) / 2);
  out.on_first = middle + (first.margin() - core_gap / 2) * out.normal;
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = first.radius(n);
  out.radius[1] = second.radius(cores.relative.local_direction(-n));
  return out;
}

}  // namespace tappet
