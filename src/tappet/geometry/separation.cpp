#include "tappet/geometry/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

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
  Vec3 w = Vec3::Zero();                    ///< b − a + shift
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< b without shift
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

/// Is the origin inside? A tetrahedron that is flat up to rounding has no inside.
bool encloses(const Simplex& s) {
  const Vec3 &a = s.v[0].w, &b = s.v[1].w, &c = s.v[2].w, &d = s.v[3].w;
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const double volume = ab.cross(ac).dot(ad);
  if (std::abs(volume) <= 1e-11 * ab.norm() * ac.norm() * ad.norm()) return false;
  const double sign = volume > 0 ? 1 : -1;
  return sign * ab.cross(ac).dot(a) < 0 && sign * ac.cross(ad).dot(a) < 0 && sign * ad.cross(ab).dot(a) < 0 &&
         sign * (d - b).cross(c - b).dot(b) < 0;
}

/// False when the origin is inside.
bool reduce_tetrahedron(Simplex& s) {
  static constexpr int sides[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  if (encloses(s)) return false;
  Simplex best;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& k : sides) {
    Simplex side;
    side.size = 3;
    for (int i = 0; i < 3; ++i) side.v[i] = s.v[k[i]];
    reduce_triangle(side);
    if (const double length2 = side.nearest().squaredNorm(); length2 < nearest)
      nearest = length2, best = side;
  }
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
  Simplex simplex;
};

Vertex support(const Cores& cores, const Vec3& d) {
  Vertex out;
  out.a = cores.of_first(-d);
  out.b = cores.of_second(d);
  out.w = out.b + cores.shift - out.a;
  return out;
}

/// `scale`: the size of the shapes, against which rounding is seen. `tolerance`: of the squared distance.
Nearest nearest_points(const Cores& cores, const Vec3& start, double scale, double tolerance) {
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
    if (best_length2 - v.dot(w.w) <= tolerance * best_length2 + 1e-16 * scale * std::sqrt(best_length2))
      break;
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
  out.simplex = best;
  out.v = best.nearest();
  out.distance = out.v.norm();
  for (int i = 0; i < best.size; ++i)
    out.a += best.v[i].weight * best.v[i].a, out.b += best.v[i].weight * best.v[i].b;
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

/// A direction with the points that it touches: combinations of the supports of a simplex.
struct Touching {
  Vec3 n, a, b;
  Simplex simplex;
};

Touching deepest_points(Cores cores, Vec3 n, double scale, double tolerance, int rounds) {
  Touching out{n, cores.of_first(n), cores.of_second(-n), {}};
  double gap = n.dot(out.b - out.a);
  for (int iteration = 0; iteration < rounds; ++iteration) {
    cores.shift = (std::max(1e-3 * scale, -0.5 * gap) - gap) * n;
    const Nearest found = nearest_points(cores, -n, scale, tolerance);
    if (!(found.distance > 0)) break;
    const Vec3 next = found.v / found.distance;
    const double better = cores.gap(next), turned = (next - n).norm();
    if (better < gap - 1e-9 * scale) break;  // rounding has the last word
    const bool arrived = turned < 1e-12 || better <= gap;
    out = {better >= gap ? next : n, found.a, found.b, found.simplex};
    n = out.n;
    gap = std::max(gap, better);
    if (arrived) break;
  }
  return out;
}

// ---- Smooth shapes: from a good direction to the best, by Newton's method ----

/// Straight directions at the place of contact, in the first shape's axes: n stays perpendicular to them.
struct Flats {
  Vec3 direction[4];
  int of_first = 0, count = 0;
};

Flats flats(const Cores& cores, const Simplex& s) {
  Flats out;
  std::array<Vec3, 4> points;
  for (int i = 0; i < s.size; ++i) points[i] = s.v[i].a;
  out.of_first = out.count = cores.A.flat_directions(std::span(points).first(s.size), out.direction);
  for (int i = 0; i < s.size; ++i) points[i] = cores.relative.local(s.v[i].b);
  Vec3 own[2];
  const int more = cores.B.flat_directions(std::span(points).first(s.size), own);
  for (int k = 0; k < more; ++k) out.direction[out.count++] = cores.relative.direction(own[k]);
  return out;
}

/// Unit vectors perpendicular to n and to the flats: the ways in which n may turn. How many.
int ways_to_turn(const Flats& flats, const Vec3& n, Vec3 ways[2]) {
  Vec3 taken[3] = {n};
  int used = 1;
  for (int k = 0; k < flats.count && used < 3; ++k) {
    Vec3 d = flats.direction[k];
    for (int i = 0; i < used; ++i) d -= taken[i].dot(d) * taken[i];
    if (const double rest = d.norm(); rest > 1e-6) taken[used++] = d / rest;
  }
  if (used == 3) return 0;
  if (used == 2) {
    ways[0] = taken[0].cross(taken[1]);
    return 1;
  }
  ways[0] = any_perpendicular(n);
  ways[1] = n.cross(ways[0]);
  return 2;
}

/// n made perpendicular to the flats.
Vec3 straightened(const Flats& flats, Vec3 n) {
  Vec3 taken[2];
  int used = 0;
  for (int k = 0; k < flats.count && used < 2; ++k) {
    Vec3 d = flats.direction[k];
    for (int i = 0; i < used; ++i) d -= taken[i].dot(d) * taken[i];
    if (const double rest = d.norm(); rest > 1e-6) taken[used++] = d / rest;
  }
  for (int i = 0; i < used; ++i) n -= taken[i].dot(n) * taken[i];
  return n.normalized();
}

/// Newton's method for the highest f: f′ = w, the way from support to support; f″ = −(∂s₁/∂n + ∂s₂/∂n) − f.
Vec3 refined(const Cores& cores, const Flats& flats, const Vec3& start) {
  Vec3 n = straightened(flats, start);
  for (int iteration = 0; iteration < 20; ++iteration) {
    Vec3 ways[2];
    const int free = ways_to_turn(flats, n, ways);
    if (free == 0) break;
    const Vec3 w = cores.of_second(-n) - cores.of_first(n);
    const Mat3& R = cores.relative.R;
    const Mat3 rate = cores.A.support_rate(n) + R * cores.B.support_rate(R.transpose() * -n) * R.transpose();
    Eigen::Matrix2d H = Eigen::Matrix2d::Identity();
    Vec2 g = Vec2::Zero();
    for (int i = 0; i < free; ++i) {
      g[i] = ways[i].dot(w);
      for (int j = 0; j < free; ++j) H(i, j) = ways[i].dot(rate * ways[j]) + (i == j ? n.dot(w) : 0);
    }
    const double determinant = H.determinant();
    if (!(H(0, 0) > 0 && determinant > 0)) break;
    const Vec2 step((H(1, 1) * g[0] - H(0, 1) * g[1]) / determinant,
                    (H(0, 0) * g[1] - H(1, 0) * g[0]) / determinant);
    Vec3 next = n + step[0] * ways[0];
    if (free == 2) next += step[1] * ways[1];
    n = straightened(flats, next);
    if (!(step.norm() > 1e-15)) break;
  }
  return n;
}

/// How far the two points, on the cores, are from the surfaces.
double off_surface(const Cores& cores, const Vec3& n, const Vec3& a, const Vec3& b) {
  const Vec3 x = a + cores.A.margin() * n, y = cores.relative.local(b - cores.B.margin() * n);
  return std::abs(cores.A.foot(x).distance) + std::abs(cores.B.foot(y).distance);
}

/// The best direction near `coarse`, with its points: the middle of what was found, or a support point of
/// either shape and what is opposite, whichever lies on both surfaces.
Touching polished(const Cores& cores, const Touching& coarse, double scale) {
  Vec3 n = refined(cores, flats(cores, coarse.simplex), coarse.n);
  if (!(cores.gap(n) >= cores.gap(coarse.n) - 1e-13 * scale)) n = coarse.n;
  const double gap = cores.gap(n);
  const Vec3 middle = (coarse.a + coarse.b) / 2;
  Touching out{n, middle - gap / 2 * n, middle + gap / 2 * n, coarse.simplex};
  double least = off_surface(cores, n, out.a, out.b);
  if (least <= 1e-12 * scale) return out;
  const auto offer = [&](const Vec3& a, const Vec3& b) {
    if (const double off = off_surface(cores, n, a, b); off < least) least = off, out.a = a, out.b = b;
  };
  const Vec3 a = cores.of_first(n), b = cores.of_second(-n);
  offer(a, a + gap * n);
  offer(b - gap * n, b);
  return out;
}

}  // namespace

Proximity separation(const ConvexShape& first, const Pose& p, const ConvexShape& second, const Pose& q) {
  const Pose P = p * first.place, Q = q * second.place;
  const Cores cores{first, second, {P.R.transpose() * Q.R, P.local(Q.r)}};
  const double scale = std::min(first.reach(), second.reach());
  const bool planar = first.planar() && second.planar(),
             exact = first.few_supports() && second.few_supports();
  const double tolerance = exact ? 1e-15 : 1e-9;
  const Vec3 centres = cores.relative.point(second.middle()) - first.middle();
  const Nearest apart = nearest_points(
      cores, centres.squaredNorm() > 0 ? Vec3(-centres) : Vec3(-Vec3::UnitX()), scale, tolerance);

  Touching found;
  if (apart.distance > 1e-3 * scale) {
    found = {apart.v / apart.distance, apart.a, apart.b, apart.simplex};
  } else {
    const Vec3 start =
        apart.distance > 1e-6 * scale ? Vec3(apart.v / apart.distance) : first_direction(cores, planar);
    found = deepest_points(cores, start, scale, tolerance, exact ? 100 : 12);
  }
  found = polished(cores, found, scale);
  const double core_gap = cores.gap(found.n);
  Proximity out;
  out.normal = P.direction(found.n);
  out.gap = core_gap - first.margin() - second.margin();
  const Vec3 middle = P.point((found.a + found.b) / 2);
  out.on_first = middle + (first.margin() - core_gap / 2) * out.normal;
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = first.radius(found.n);
  out.radius[1] = second.radius(cores.relative.local_direction(-found.n));
  return out;
}

}  // namespace tappet
