// Places that a body brings into a contact with another, whatever the other is: corners, and three points of
// each ring. Meshes and solids have them; they touch where the signed distance φ to the other's surface says.
//
//   corner x, ring point x    gap = φ(x),   normal = ∇φ
//
// A `Surface` is a body where it is: corners(), rings(), pose, and nearest(x) in world coordinates.
#pragma once

#include <algorithm>
#include <tuple>

#include "tappet/geometry/foot.hpp"
#include "tappet/geometry/ring.hpp"

namespace tappet {

template <class Surface>
int own_places(const Surface& side) {
  return static_cast<int>(side.corners().size() + 3 * side.rings().size());
}

/// The direction, in the ring's plane, of its point that is lowest over the other's surface: where the slope
/// φ′(a) = ∇φ·x′(a) changes its sign, downhill from the point below the ring's centre. Regula falsi
/// (Illinois), then halving, since the slope may jump: the other may have edges.
template <class Surface>
Vec3 lowest_direction(const Ring& ring, const Pose& pose, const Surface& other) {
  const Vec3 from = ring.across(pose.local_direction(-other.nearest(pose.point(ring.centre)).normal));
  const auto slope = [&](double a) {
    const Vec3 x = ring.at(from, a), along = ring.axis.cross(x - ring.centre);
    return pose.local_direction(other.nearest(pose.point(x)).normal).dot(along) / ring.radius;
  };
  const auto found = [&](double a) { return Vec3(ring.at(from, a) - ring.centre); };
  double a = 0, at_a = slope(0);
  if (std::abs(at_a) < 1e-14) return from;
  double b = at_a > 0 ? -0.05 : 0.05, at_b = slope(b);
  while (at_a * at_b > 0) {
    if (std::abs(b) > 1.5) return found(b);
    a = b;
    at_a = at_b;
    b *= 2;
    at_b = slope(b);
  }
  for (int k = 0; k < 60 && std::abs(b - a) > 1e-13 && at_b != 0; ++k) {
    const double c = k < 12 ? (a * at_b - b * at_a) / (at_b - at_a) : 0.5 * (a + b), at_c = slope(c);
    if (at_c * at_b < 0) {
      a = b;
      at_a = at_b;
    } else {
      at_a *= 0.5;
    }
    b = c;
    at_b = at_c;
  }
  return found(b);
}

/// Place i of `of` at the surface of `other`, which is first.
template <class Surface>
Proximity own_place(const Surface& of, int i, const Surface& other) {
  const int corners = static_cast<int>(of.corners().size());
  Vec3 x;
  if (i < corners) {
    x = of.corners()[i];
  } else {
    const Ring& ring = of.rings()[(i - corners) / 3];
    x = ring.point((i - corners) % 3, lowest_direction(ring, of.pose, other));
  }
  x = of.pose.point(x);
  const Foot foot = other.nearest(x);
  return std::isfinite(foot.distance) ? touch(foot, Pose{}, x, 0) : Proximity{};
}

/// Is some corner or ring of either as near as this? Then they say where it touches.
template <class Surface>
bool own_places_are_as_near(const Surface& a, const Surface& b, double gap) {
  for (int i = 0; i < own_places(b); ++i)
    if (own_place(b, i, a).gap <= gap) return true;
  for (int i = 0; i < own_places(a); ++i)
    if (own_place(a, i, b).gap <= gap) return true;
  return false;
}

/// Candidate i of two bodies: the places of both, then the nearest place unless it is one of those.
template <class Surface, class NearestPlace>
Proximity place_of_both(const Surface& a, const Surface& b, int i, double size,
                        const NearestPlace& nearest_place) {
  const int of_a = own_places(a), of_b = own_places(b);
  if (i < of_a) return exchanged(own_place(a, i, b));
  if (i < of_a + of_b) return own_place(b, i - of_a, a);
  const Proximity place = nearest_place();
  return std::isfinite(place.gap) && own_places_are_as_near(a, b, place.gap + 1e-9 * size) ? Proximity{}
                                                                                           : place;
}

/// Weights w of the first m columns whose combination is nearest to `wanted`: least squares by orthogonal
/// projections; columns that say nothing new get none.
inline Vec3 combination(const Mat3& columns, int m, const Vec3& wanted) {
  Mat3 Q = Mat3::Zero(), R = Mat3::Zero();
  int used[3], count = 0;
  for (int i = 0; i < m; ++i) {
    Vec3 q = columns.col(i);
    const double length = q.norm();
    for (int j = 0; j < count; ++j) {
      R(j, count) = Q.col(j).dot(q);
      q -= R(j, count) * Q.col(j);
    }
    if (!(q.norm() > 1e-6 * length)) continue;
    R(count, count) = q.norm();
    Q.col(count) = q / q.norm();
    used[count++] = i;
  }
  Vec3 out = Vec3::Zero(), y = Vec3::Zero();
  for (int j = count - 1; j >= 0; --j) {
    double sum = Q.col(j).dot(wanted);
    for (int i = j + 1; i < count; ++i) sum -= R(j, i) * y[i];
    y[j] = sum / R(j, j);
    out[used[j]] = y[j];
  }
  return out;
}

/// A point projected to and fro between two bodies that stand clear of each other, the second being moved by
/// `shift`, until it rests: the points of both, the second's without the shift. Along nearly parallel lines a
/// projection gains little, so each step is drawn from the last four [Anderson1965].
template <class Surface>
std::pair<Vec3, Vec3> to_and_fro(const Surface& a, const Surface& b, const Vec3& shift, Vec3 on_b,
                                 double near) {
  constexpr int most = 60, memory = 3;
  const Vec3 start = on_b;
  bool plain = false;
  Vec3 on_a = Vec3::Zero(), x = on_b, last_x = x, last_move = Vec3::Zero();
  Mat3 moves, places;  // differences of steps and of where they led, in columns
  int known = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    const Foot at_a = a.nearest(x + shift);
    on_a = x + shift - at_a.distance * at_a.normal;
    const Foot at_b = b.nearest(on_a - shift);
    on_b = on_a - shift - at_b.distance * at_b.normal;
    // A step too far, into one of them: from the beginning, and by projections alone.
    if (!plain && (at_a.distance < 0 || at_b.distance < 0)) {
      plain = true;
      x = start;
      continue;
    }
    const Vec3 move = on_b - x;
    if (move.norm() <= near) break;
    // A step that led astray: begin again from here without what is remembered.
    if (move.norm() > 2 * least) known = 0;
    least = known == 0 ? move.norm() : std::min(least, move.norm());
    if (k > 0 && (known > 0 || move.norm() <= 2 * least)) {
      moves.col(known % memory) = move - last_move;
      places.col(known % memory) = on_b - (last_x + last_move);
      ++known;
    }
    last_x = x;
    last_move = move;
    x = on_b;
    if (known > 0 && !plain) {
      const int m = std::min(known, memory);
      const Vec3 weights = combination(moves, m, move);
      for (int i = 0; i < m; ++i) x -= weights[i] * places.col(i);
    }
  }
  return {on_a, on_b};
}

/// From a place that is nearly the nearest to the nearest. Where bodies overlap, the second is moved by s
/// along n until they are `clear` apart, the way between them found there, and n turned into it, until it is
/// the same. The larger `clear` the quicker, but bodies with hollows must not be moved into what else is
/// near.
template <class Surface>
Proximity refined_place(const Surface& a, const Surface& b, const Proximity& start, double size,
                        double clear) {
  Vec3 n = start.normal, on_a = start.on_first, on_b = start.on_second;
  double gap = start.gap;
  for (int k = 0; k < 40; ++k) {
    const double s = std::max(0.0, clear - gap);
    std::tie(on_a, on_b) = to_and_fro(a, b, s * n, on_b, 1e-13 * size);
    const Vec3 way = on_b + s * n - on_a, next = way.normalized();
    const double turned = (next - n).norm();
    n = next;
    gap = n.dot(on_b - on_a);
    if (turned < 1e-12) break;
  }
  // Not at rest, and the bodies are separate: the last of the way without moving the second.
  if (gap > 0 && (on_a + gap * n - on_b).norm() > 1e-12 * size) {
    std::tie(on_a, on_b) = to_and_fro(a, b, Vec3::Zero(), on_b, 1e-13 * size);
    const Vec3 way = on_b - on_a;
    if (way.norm() > 0) gap = way.norm(), n = way / gap;
  }
  // So deep that the other side is as near: what it began with is the better answer.
  if (!(n.dot(start.normal) > 0.5)) return start;
  Proximity out;
  out.gap = gap;
  out.normal = n;
  out.on_first = on_a;
  out.on_second = on_a + gap * n;
  out.radius[0] = a.nearest(on_a).radius;
  out.radius[1] = b.nearest(on_b).radius;
  return out;
}

}  // namespace tappet
