// Two boxes: corners of faces that lie on each other, or the nearest place (face_contact.hpp).
//
// Seen along a unit vector n, boxes with half sides a and b whose centres are t apart have the gap
//
//   f(n) = |n·t| − Σ aᵢ |n·Aᵢ| − Σ bⱼ |n·Bⱼ|          A, B: their axes
//
// Of boxes that overlap the highest f is at one of 15 directions: the axes, and those perpendicular to an edge of each
// [Gottschalk1996]. So is that of boxes apart, unless they are nearest at two corners or a corner and an edge. Whatever n is, f(n) is
// no more than their distance: a place with this gap, between faces that are opposite along n, is the nearest one. Where there is none,
// the general search finds it (separation.hpp).
#include "tappet/geometry/shapes/box.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/geometry/face_contact.hpp"

namespace tappet::pairs::box_box {
namespace {

struct Direction {
  Vec3 n;
  double gap;
};

/// The best of the 15 in the axes of the first; `relative`: the second's.
Direction best_direction(const Vec3& a, const Vec3& b, const Pose& relative) {
  const Mat3& R = relative.R;
  const Vec3& t = relative.r;
  const Mat3 size = R.cwiseAbs();
  const Vec3 s = R.transpose() * t;
  const Vec3 across_first = t.cwiseAbs() - a - size * b,
             across_second = s.cwiseAbs() - b - size.transpose() * a;
  int i = 0, j = 0;
  Direction best{Vec3::Zero(), across_first.maxCoeff(&i)};
  best.n[i] = t[i] < 0 ? -1 : 1;
  if (const double gap = across_second.maxCoeff(&j); gap > best.gap)
    best = {(s[j] < 0 ? -1 : 1) * R.col(j), gap};

  // Aᵢ × Bⱼ = Bⱼ's other two components, exchanged; its length and f follow without it where the edges are far from parallel. What
  // comes near is measured along it.
  const double near = 1e-6 * (a.maxCoeff() + b.maxCoeff());
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j) {
      const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, o = (j + 2) % 3;
      const double seen = std::abs(t[l] * R(k, j) - t[k] * R(l, j)) - a[k] * size(l, j) - a[l] * size(k, j) -
                          b[m] * size(i, o) - b[o] * size(i, m);
      if (!(seen > std::min(0.0, best.gap - near))) continue;  // whatever the length, at most 1, is
      const double length = std::sqrt(R(k, j) * R(k, j) + R(l, j) * R(l, j));
      if (!(seen > (best.gap - near) * length) || !(length > 1e-12)) continue;
      Vec3 n = Vec3::Zero();
      n[k] = -R(l, j) / length, n[l] = R(k, j) / length;
      const double way = n.dot(t);
      const double gap = std::abs(way) - a.dot(n.cwiseAbs()) - b.dot((R.transpose() * n).cwiseAbs());
      if (gap > best.gap) best = {way < 0 ? Vec3(-n) : n, gap};
    }
  return best;
}

const Box& box(const Shape& shape) {
  return static_cast<const Box&>(shape);
}

void contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
              std::span<Proximity> out) {
  const Box &A = box(first), &B = box(second);
  const Pose P = p * A.place, Q = q * B.place, relative{P.R.transpose() * Q.R, P.local(Q.r)};
  const Direction best = best_direction(A.half, B.half, relative);
  opposite_faces(A, B, P, relative, best.n, out);
  if (!contains_nearest(best.gap, 0, std::min(A.reach(), B.reach()), out))
    polyhedra_contacts(A, p, B, q, out);
}

const Registration<PairType> registered{
    {.name = "box|box",
     .candidates = [](const Shape& a, const Shape& b) { return polyhedra_candidates(box(a), box(b)); },
     .evaluate_all = contacts}};

}  // namespace
}  // namespace tappet::pairs::box_box
