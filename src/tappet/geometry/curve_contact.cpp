#include "tappet/geometry/curve_contact.hpp"

#include <cmath>
#include <numbers>

namespace tappet {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr int samples = 24;  // around a curve: maxima are sought between two of them

Vec2 unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// f and its derivatives at one angle, with what it is made of.
struct HeightAt {
  double f = -flat, slope = 0, bend = 0;
  Vec2 on_first = Vec2::Zero(), on_second = Vec2::Zero();
  double radius[2] = {0, 0};
  double angle = 0;
};

/// The maximum between two angles with f′ ≥ 0 at the first and ≤ 0 at the second.
template <class Look>
HeightAt highest_between(double low, double high, const Look& look) {
  HeightAt seen = look((low + high) / 2);
  for (int step = 0; step < 80; ++step) {
    (seen.slope > 0 ? low : high) = seen.angle;
    double next = seen.bend < 0 ? seen.angle - seen.slope / seen.bend : (low + high) / 2;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - seen.angle) < 1e-15 * full_turn) break;
    seen = look(next);
  }
  return seen;
}

Proximity world(const HeightAt& best, const Pose& P, double margin) {
  const auto lift = [](const Vec2& v) { return Vec3(v.x(), v.y(), 0); };
  Proximity out;
  out.normal = P.direction(lift(unit(best.angle)));
  out.gap = best.f - margin;
  out.on_first = P.point(lift(best.on_first));
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = best.radius[0];
  out.radius[1] = best.radius[1];
  return out;
}

}  // namespace

Proximity curve_and_corners(const Curve& curve, const Pose& p, std::span<const Vec3> corners, double margin) {
  const Pose P = p * curve.place;
  const int n = static_cast<int>(corners.size());
  const auto corner = [&](int i) { return Vec2(P.local(corners[i % n]).head<2>()); };
  const auto seen_from = [&](const Vec2& v, double angle) {
    const CurvePoint c = curve.at(angle);
    const Vec2 direction = unit(angle), d = v - c.at;
    HeightAt out;
    out.f = direction.dot(d), out.slope = perpendicular(direction).dot(d), out.bend = -out.f - c.radius;
    out.on_first = c.at, out.on_second = v;
    out.radius[0] = c.radius, out.radius[1] = margin;
    out.angle = angle;
    return out;
  };
  // The direction from the curve to a side is opposite to the side's outward normal.
  const auto against = [&](int i) {
    const Vec2 side = corner(i + 1) - corner(i);
    return std::atan2(side.x(), -side.y());
  };
  HeightAt best, any;
  for (int i = 0; i < n; ++i) {
    const double angle = against(i);
    const Vec2 v = corner(i + 1);
    // Flat on the side: the curve's point lies between its ends.
    const HeightAt start = seen_from(corner(i), angle), end = seen_from(v, angle);
    if (start.f > any.f) any = start;
    if (start.slope >= 0 && end.slope <= 0 && start.f > best.f) {
      best = start;
      best.radius[1] = flat;
    }
    // At the corner that ends the side, between this side's normal and the next's.
    double turned = std::remainder(against((i + 1) % n) - angle, full_turn);
    if (turned <= 0) turned += full_turn;
    // Seen from outside f has one maximum there, in an overlap there may be several.
    const HeightAt last = seen_from(v, angle + turned);
    const int parts = end.f > 0 && last.f > 0 ? 1 : 1 + static_cast<int>(turned / (full_turn / samples));
    HeightAt before = end;
    for (int k = 1; k <= parts; ++k) {
      const HeightAt here = k == parts ? last : seen_from(v, angle + turned * k / parts);
      if (before.slope >= 0 && here.slope <= 0) {
        const HeightAt found =
            highest_between(before.angle, here.angle, [&](double a) { return seen_from(v, a); });
        if (found.f > best.f) best = found;
      }
      before = here;
    }
  }
  return world(best.f > -flat ? best : any, P, margin);
}

Proximity curve_and_curve(const Curve& first, const Pose& p, const Curve& second, const Pose& q) {
  const Pose P = p * first.place, Q = q * second.place;
  const Pose relative{P.R.transpose() * Q.R, P.local(Q.r)};
  const double turned = std::atan2(relative.R(1, 0), relative.R(0, 0));
  const auto look = [&](double angle) {
    const CurvePoint a = first.at(angle), b = second.at(angle + full_turn / 2 - turned);
    const Vec2 n = unit(angle), at = relative.point({b.at.x(), b.at.y(), 0}).head<2>();
    HeightAt out;
    out.f = n.dot(at - a.at), out.slope = perpendicular(n).dot(at - a.at),
    out.bend = -out.f - a.radius - b.radius;
    out.on_first = a.at, out.on_second = at;
    out.radius[0] = a.radius, out.radius[1] = b.radius;
    out.angle = angle;
    return out;
  };
  // Each rise that is followed by a fall has a maximum between.
  HeightAt best, before = look(0);
  for (int i = 1; i <= samples; ++i) {
    const HeightAt here = look(full_turn * i / samples);
    if (before.slope >= 0 && here.slope <= 0) {
      const HeightAt found = highest_between(before.angle, here.angle, look);
      if (found.f > best.f) best = found;
    }
    before = here;
  }
  return world(best, P, 0);
}

}  // namespace tappet
