#include "tappet/geometry/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/expansion.hpp"

namespace tappet {
namespace {

/// The cores of both shapes in the axes of the first.
struct Cores {
  const ConvexShape &A, &B;
  Pose relative;      ///< B's axes in A's
  double extent = 0;  ///< of both together, m: what rounding is measured with
  double accuracy = A.accuracy() + B.accuracy();

  Vec3 of_first(const Vec3& d) const { return A.support(d); }
  Vec3 of_second(const Vec3& d) const { return relative.point(B.support(relative.local_direction(d))); }
  /// f(n) without margins.
  double gap(const Vec3& n) const { return n.dot(of_second(-n) - of_first(n)); }
  /// How far features that touch may seem to be from touching.
  double rounding() const { return 1e-11 * extent + accuracy; }
};

struct Vertex {
  Vec3 w = Vec3::Zero();  ///< b − a
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
  Simplex simplex;
};

/// The farthest of the points b − a along d.
Vec3 difference(const Cores& cores, const Vec3& d) {
  return cores.of_second(d) - cores.of_first(-d);
}

/// `tolerance`: of the squared distance.
Nearest nearest_points(const Cores& cores, const Vec3& start, double scale, double tolerance) {
  Simplex s;
  s.v[0] = {difference(cores, start), 1};
  s.size = 1;
  Vec3 v = s.v[0].w;
  const double touching = 1e-28 * scale * scale;
  Simplex best = s;
  double best_length2 = v.squaredNorm();
  for (int iteration = 0; iteration < 128; ++iteration) {
    if (best_length2 <= touching) return {0, v, s};
    const Vec3 w = difference(cores, -v);
    // Nothing lies further along −v than what is known: v is the nearest point.
    if (best_length2 - v.dot(w) <= tolerance * best_length2 + 1e-16 * scale * std::sqrt(best_length2)) break;
    bool known = false;
    for (int i = 0; i < s.size; ++i) known = known || s.v[i].w == w;
    if (known) break;
    s.v[s.size++] = {w, 0};
    if (!reduce(s)) return {0, v, s};
    v = s.nearest();
    const double length2 = v.squaredNorm();
    if (!(length2 < best_length2)) break;
    best = s;
    best_length2 = length2;
  }
  const Vec3 nearest = best.nearest();
  return {nearest.norm(), nearest, best};
}

// ---- From a good direction to the best: the features that touch, and Newton's method ----

/// A direction with the points that it touches.
struct Touching {
  Vec3 n = Vec3::UnitX(), a = Vec3::Zero(), b = Vec3::Zero();
  double gap = 0;
  double missed = flat;  ///< how far the features are from touching with each other in this direction, m
  double radius[2] = {0, 0};
};

/// One feature of each shape.
class FeaturePair {
 public:
  FeaturePair(const Cores& cores, const Feature& first, const Feature& second, bool planar)
      : cores_(cores), first_(first), second_(second) {
    const auto fix = [&](Vec3 d) {
      if (fixed_ == 2) return;
      if (fixed_ == 1) d -= taken_[0].dot(d) * taken_[0];
      if (const double rest = d.norm(); rest > 1e-6) taken_[fixed_++] = d / rest;
    };
    if (planar) fix(Vec3::UnitZ());
    // A face says more than a line.
    const auto fix_second = [&] {
      for (int k = 0; k < second.dimension; ++k) fix(cores.relative.direction(second.along[k]));
    };
    if (second.dimension > first.dimension) fix_second();
    for (int k = 0; k < first.dimension; ++k) fix(first.along[k]);
    fix_second();
  }

  /// `accurate`: the start is all but the answer.
  Touching touching(const Vec3& start, bool accurate) const {
    Touching out;
    out.n = best_direction(accurate ? start : away_from_poles(start));
    FlatPart parts[2] = {part(first_, {}, place_of_first(out.n)),
                         part(second_, cores_.relative, place_of_second(out.n))};
    const double apart = opposite_points(parts[0], parts[1], out.n, out.a, out.b);
    out.gap = cores_.gap(out.n);
    out.missed = std::max(apart, out.n.dot(out.b - out.a) - out.gap);
    if (!(out.missed >= 0)) out.missed = std::isnan(out.missed) ? flat : 0;
    out.radius[0] = first_.radius < 0 ? cores_.A.radius(out.n) : first_.radius;
    out.radius[1] =
        second_.radius < 0 ? cores_.B.radius(cores_.relative.local_direction(-out.n)) : second_.radius;
    return out;
  }

 private:
  const Cores& cores_;
  const Feature &first_, &second_;
  Vec3 taken_[2];  ///< perpendicular to n: the flat parts' directions
  int fixed_ = 0;

  Vec3 place_of_first(const Vec3& n) const {
    return first_.round ? Vec3(first_.base + cores_.A.round(n)) : first_.base;
  }
  Vec3 place_of_second(const Vec3& n) const {
    if (!second_.round) return cores_.relative.point(second_.base);
    return cores_.relative.point(second_.base + cores_.B.round(cores_.relative.local_direction(-n)));
  }

  static FlatPart part(const Feature& feature, const Pose& pose, const Vec3& middle) {
    FlatPart out;
    out.middle = middle;
    out.dimension = feature.dimension;
    for (int k = 0; k < feature.dimension; ++k) out.along[k] = pose.direction(feature.along[k]);
    out.half = feature.half;
    // Of a longer outline, corners spread evenly around it.
    const std::size_t corners = feature.loop.size();
    out.size = static_cast<int>(std::min(corners, out.corner.size()));
    for (int k = 0; k < out.size; ++k)
      out.corner[k] = pose.point(feature.corners[feature.loop[k * corners / out.size]]);
    return out;
  }

  Vec3 straightened(Vec3 n) const {
    for (int i = 0; i < fixed_; ++i) n -= taken_[i].dot(n) * taken_[i];
    return n.normalized();
  }

  /// How far n may turn in one step.
  double room_of_first(const Vec3& n) const { return first_.round ? cores_.A.room_to_turn(n) : 1; }
  double room_of_second(const Vec3& n) const {
    return second_.round ? cores_.B.room_to_turn(cores_.relative.local_direction(-n)) : 1;
  }

  /// Near the axis of a rim any of its points is close to being the farthest; the one towards the other shape
  /// is meant.
  Vec3 away_from_poles(const Vec3& n) const {
    constexpr double near = 0.05, little = 3e-3;
    const auto tilted = [&](const Vec3& pole, const Vec3& towards) {
      const Vec3 d = towards - pole.dot(towards) * pole;
      const double length = d.norm();
      return length > 0 ? Vec3((pole + little / length * d).normalized()) : n;
    };
    const Pose& relative = cores_.relative;
    if (first_.dimension == 0 && room_of_first(n) < near)
      return tilted(first_.base.normalized(), place_of_second(n) - first_.base);
    if (second_.dimension == 0 && room_of_second(n) < near)
      return -tilted(relative.direction(second_.base.normalized()),
                     place_of_first(n) - relative.point(second_.base));
    return n;
  }

  /// Newton's method for the highest f: f′ = w, the way from c₁ to c₂; f″ = −(∂c₁/∂n + ∂c₂/∂n) − f.
  Vec3 best_direction(const Vec3& start) const {
    if (fixed_ == 2) {
      const Vec3 n = taken_[0].cross(taken_[1]).normalized();
      return n.dot(start) < 0 ? Vec3(-n) : n;
    }
    Vec3 n = straightened(start);
    double last = flat;
    for (int iteration = 0; iteration < 40; ++iteration) {
      Vec3 ways[2];
      ways[0] = fixed_ == 1 ? Vec3(n.cross(taken_[0])) : any_perpendicular(n);
      ways[1] = n.cross(ways[0]);
      const int free = 2 - fixed_;
      const Vec3 w = place_of_second(n) - place_of_first(n);
      Mat3 rate = Mat3::Zero();
      const Mat3& R = cores_.relative.R;
      if (first_.round) rate += cores_.A.round_rate(n);
      if (second_.round) rate += R * cores_.B.round_rate(R.transpose() * -n) * R.transpose();
      Eigen::Matrix2d H = Eigen::Matrix2d::Identity();
      Vec2 g = Vec2::Zero();
      for (int i = 0; i < free; ++i) {
        g[i] = ways[i].dot(w);
        for (int j = 0; j < free; ++j) H(i, j) = ways[i].dot(rate * ways[j]) + (i == j ? n.dot(w) : 0);
      }
      const double determinant = H.determinant();
      if (!(H(0, 0) > 0 && determinant > 0)) break;
      Vec2 step((H(1, 1) * g[0] - H(0, 1) * g[1]) / determinant,
                (H(0, 0) * g[1] - H(1, 0) * g[0]) / determinant);
      const double length = step.norm(), room = std::min({0.3, room_of_first(n), room_of_second(n)});
      if (length > room) step *= room / length;
      // Rounding is reached when steps no longer become smaller.
      if (length < 1e-8 && !(length < last / 2)) break;
      last = length;
      Vec3 next = n + step[0] * ways[0];
      if (free == 2) next += step[1] * ways[1];
      n = straightened(next);
      if (!(length > 1e-16)) break;
    }
    return n;
  }
};

/// The features that touch in a direction within some angle of n. Separate shapes have one such pair; of
/// overlapping ones the least deep is wanted, at best as little as is `certain`.
Touching polished(const Cores& cores, const Vec3& n, double angle, bool planar, bool overlap,
                  double certain = -flat) {
  const double enough = 1e-14 * cores.extent + cores.accuracy, rounding = cores.rounding();
  Touching best;
  best.n = n;
  best.a = cores.of_first(n);
  best.b = cores.of_second(-n);
  best.gap = n.dot(best.b - best.a);
  const double least = best.gap - rounding;  // what is found is never worse than the direction to begin with
  for (; angle < 1 && !(best.missed <= rounding); angle *= 10) {
    Features first, second;
    cores.A.features(n, angle, first);
    cores.B.features(cores.relative.local_direction(-n), angle, second);
    for (const Feature& a : first)
      for (const Feature& b : second) {
        const Touching found = FeaturePair(cores, a, b, planar).touching(n, angle < 2e-4);
        if (!(found.gap >= least)) continue;
        if (overlap && found.missed <= rounding && best.missed <= rounding) {
          if (found.gap > best.gap) best = found;
        } else if (found.missed < best.missed) {
          best = found;
        }
        if (best.missed <= enough && (!overlap || -best.gap <= certain + enough)) return best;
      }
  }
  return best;
}

// ---- Overlap ----

/// The most promising of some directions: highest f.
class Best {
 public:
  explicit Best(const Cores& cores) : cores_(cores) {}
  void offer(const Vec3& n) {
    if (const double gap = cores_.gap(n); gap > highest) highest = gap, direction = n;
  }
  Vec3 direction = Vec3::UnitX();
  double highest = -flat;

 private:
  const Cores& cores_;
};

/// In the plane the shortest way out is perpendicular to a side; a smooth shape's is near the best of some.
Vec3 best_side(const Cores& cores) {
  Best best(cores);
  for (int i = 0; i < cores.A.faces(); ++i) best.offer(cores.A.face_normal(i));
  for (int i = 0; i < cores.B.faces(); ++i) best.offer(-cores.relative.direction(cores.B.face_normal(i)));
  if (!cores.A.few_supports() || !cores.B.few_supports())
    for (int i = 0; i < 64; ++i) best.offer({std::cos(i * 0.0981747704), std::sin(i * 0.0981747704), 0});
  return best.direction;
}

Touching deepest(const Cores& cores, const Simplex& known, double scale, bool exact) {
  const auto support = [&](const Vec3& d) { return difference(cores, d); };
  Expansion expansion(support, cores.extent);
  Vec3 points[4];
  for (int i = 0; i < known.size; ++i) points[i] = known.v[i].w;
  if (!expansion.begin(points, known.size)) return polished(cores, best_side(cores), 0.1, false, true);
  Vec3 way = -expansion.nearest((exact ? 1e-12 : 1e-4) * scale);
  Touching best = polished(cores, way, exact ? 1e-6 : 3e-2, false, !exact, expansion.certain());
  if (!(best.missed <= cores.rounding())) {
    way = -expansion.nearest(1e-9 * scale);
    best = polished(cores, way, 1e-4, false, true, expansion.certain());
  }
  // Of a curved set another direction, as yet hidden behind a face, may be shorter.
  if (!exact)
    expansion.rivals(-best.gap - 1e-12 * cores.extent, -best.n, [&](const Vec3& m) {
      const Touching other = polished(cores, -m, 3e-2, false, true);
      if (other.missed <= cores.rounding() && other.gap > best.gap) best = other;
    });
  return best;
}

}  // namespace

Proximity separation(const ConvexShape& first, const Pose& p, const ConvexShape& second, const Pose& q) {
  const Pose P = p * first.place, Q = q * second.place;
  Cores cores{first, second, {P.R.transpose() * Q.R, P.local(Q.r)}};
  const double scale = std::min(first.reach(), second.reach());
  const bool planar = first.planar() && second.planar(),
             exact = first.few_supports() && second.few_supports();
  const Vec3 centres = cores.relative.point(second.middle()) - first.middle();
  cores.extent = first.reach() + second.reach() + centres.norm();
  const Vec3 start = centres.squaredNorm() > 0 ? Vec3(-centres) : Vec3(-Vec3::UnitX());
  const Nearest apart = nearest_points(cores, start, scale, exact ? 1e-15 : 1e-6);

  Touching found;
  if (apart.distance > 1e-6 * scale) {
    const Vec3 n = apart.v / apart.distance;
    found = polished(cores, n, exact ? 1e-6 : 3e-3, planar, false);
    if (!(found.missed <= cores.rounding()) && !exact) {
      const Nearest finer = nearest_points(cores, start, scale, 1e-13);
      if (finer.distance > 0) found = polished(cores, finer.v / finer.distance, 1e-5, planar, false);
    }
  } else {
    found = planar ? polished(cores, best_side(cores), exact ? 1e-6 : 0.1, planar, false)
                   : deepest(cores, apart.simplex, scale, exact);
  }
  Proximity out;
  out.normal = P.direction(found.n);
  out.gap = found.gap - first.margin() - second.margin();
  const Vec3 middle = P.point((found.a + found.b) / 2);
  out.on_first = middle + (first.margin() - found.gap / 2) * out.normal;
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = found.radius[0];
  out.radius[1] = found.radius[1];
  return out;
}

}  // namespace tappet
