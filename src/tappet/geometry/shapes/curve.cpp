// The curve's point with the outward normal n(θ) = (cos θ, sin θ), t(θ) = n′(θ):
//
//   by support function     r = h n + h′ t,   radius of curvature ρ = h + h″
//   by x(u), y(u)           n·r′(u) = 0,      ρ = |r′|³ / (r′ × r″)
//
// Seen from a point p, the foot is where F(θ) = n·(p − r(θ)) is highest; F′ = t·(p − r), F″ = −n·(p − r) − ρ.
#include "tappet/geometry/shapes/curve.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/geometry/placement.hpp"

namespace tappet {
namespace {

constexpr double turn = 2 * std::numbers::pi;

Vec2 direction(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// r(u), r′(u), r″(u)
struct Motion {
  Vec2 r, d1, d2;
};

Motion motion(const Expression& x, const Expression& y, double u) {
  const Jet a = x.jet(u), b = y.jet(u);
  return {{a.value, b.value}, {a.d1, b.d1}, {a.d2, b.d2}};
}

/// The angle brought between −π and π.
double wrapped(double angle) {
  return std::remainder(angle, turn);
}

}  // namespace

Curve::Curve(const Expression& h, const Pose& where)
    : ConvexShape("curve", where, true), by_support_(true), first_(h) {
  tabulate();
}

Curve::Curve(const Expression& x, const Expression& y, const Pose& where)
    : ConvexShape("curve", where, true), by_support_(false), first_(x), second_(y) {
  // The angle of the normal grows with u: for each angle of the table, bisection between the values of u
  // already passed.
  const auto angle_at = [&](double u) {
    const Vec2 d = motion(first_, second_, u).d1;
    return std::atan2(-d.x(), d.y());
  };
  const double first = angle_at(0);
  for (int i = 0; i <= samples; ++i) {
    // From `first` the normal turns by `ahead`, 0 to 2π, to reach the wanted angle.
    double ahead = wrapped(turn * i / samples - first);
    if (ahead < 0) ahead += turn;
    double low = 0, high = turn;
    for (int step = 0; step < 60; ++step) {
      const double u = (low + high) / 2;
      double turned = wrapped(angle_at(u) - first);
      if (turned < 0 && u > 1e-9) turned += turn;
      (turned < ahead ? low : high) = u;
    }
    start_[i] = (low + high) / 2;
  }
  tabulate();
}

void Curve::tabulate() {
  Vec2 sum = Vec2::Zero();
  for (int i = 0; i < samples; ++i) {
    normal_[i] = direction(turn * i / samples);
    point_[i] = at(turn * i / samples).at;
    sum += point_[i] / samples;
  }
  middle_ << sum, 0;
  size_ = flat;
  for (int i = 0; i < samples; ++i) {
    reach_ = std::max(reach_, (point_[i] - sum).norm());
    size_ = std::min(size_, normal_[i].dot(point_[i] - sum));
  }
}

/// u where the normal has this angle: Newton from the table, kept between its neighbours.
double Curve::parameter(double angle) const {
  double place = wrapped(angle) / turn * samples;
  if (place < 0) place += samples;
  const int i = std::min(static_cast<int>(place), samples - 1);
  double low = start_[i], high = start_[i + 1];
  if (high < low) high += turn;
  const Vec2 n = direction(angle);
  double u = low + (place - i) * (high - low);
  for (int step = 0; step < 60; ++step) {
    const Motion m = motion(first_, second_, u);
    const double slope = n.dot(m.d1), bend = n.dot(m.d2);
    (slope > 0 ? low : high) = u;
    double next = bend < 0 ? u - slope / bend : (low + high) / 2;
    if (!(next > low - 1e-9 && next < high + 1e-9)) next = (low + high) / 2;
    if (std::abs(next - u) < 1e-15 * turn) return next;
    u = next;
  }
  return u;
}

CurvePoint Curve::at(double angle) const {
  if (by_support_) {
    const Jet h = first_.jet(angle - turn * std::floor(angle / turn));
    const Vec2 n = direction(angle);
    return {h.value * n + h.d1 * perpendicular(n), h.value + h.d2};
  }
  const Motion m = motion(first_, second_, parameter(angle));
  const double speed = m.d1.norm();
  return {m.r, speed * speed * speed / cross(m.d1, m.d2)};
}

Vec3 Curve::support(const Vec3& d) const {
  const Vec2 p = at(std::atan2(d.y(), d.x())).at;
  return {p.x(), p.y(), 0};
}

double Curve::radius(const Vec3& n) const {
  return at(std::atan2(n.y(), n.x())).radius;
}

Mat3 Curve::round_rate(const Vec3& n) const {
  const Vec3 along(-n.y(), n.x(), 0);
  return radius(n) * along * along.transpose();
}

Foot Curve::foot(const Vec3& point) const {
  const Vec2 p = point.head<2>();
  int best = 0;
  double highest = -flat;
  for (int i = 0; i < samples; ++i)
    if (const double F = normal_[i].dot(p - point_[i]); F > highest) highest = F, best = i;

  // F′ changes its sign between the neighbours of the best.
  double low = turn * (best - 1) / samples, high = turn * (best + 1) / samples, angle = turn * best / samples;
  CurvePoint c;
  for (int step = 0; step < 60; ++step) {
    c = at(angle);
    const Vec2 n = direction(angle), away = p - c.at;
    const double slope = perpendicular(n).dot(away), bend = -n.dot(away) - c.radius;
    (slope > 0 ? low : high) = angle;
    double next = bend < 0 ? angle - slope / bend : (low + high) / 2;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - angle) < 1e-15 * turn) break;
    angle = next;
  }
  const Vec2 n = direction(angle);
  return {n.dot(p - c.at), {n.x(), n.y(), 0}, c.radius};
}

// By Green's theorem, over θ with dr = ρ t dθ; the rule of equal steps converges faster than any power for
// smooth curves.
SolidProperties Curve::solid() const {
  constexpr int steps = 2048;
  double area = 0, polar = 0;
  Vec2 first = Vec2::Zero();
  for (int i = 0; i < steps; ++i) {
    const double angle = turn * i / steps;
    const CurvePoint c = at(angle);
    const double weight = direction(angle).dot(c.at) * c.radius * turn / steps;
    area += weight / 2;
    first += weight / 3 * c.at;
    polar += weight / 4 * c.at.squaredNorm();
  }
  const Vec2 centre = first / area;
  const Vec3 inertia(0, 0, polar - area * centre.squaredNorm());
  return placed({area, {centre.x(), centre.y(), 0}, inertia.asDiagonal()}, place);
}

}  // namespace tappet

namespace tappet::shapes::curve {
namespace {

/// "" when the curve is closed, smooth and convex at 720 places all round.
std::string fault(const Expression& h) {
  double largest = 0;
  for (int i = 0; i < 720; ++i) largest = std::max(largest, std::abs(h(turn * i / 720)));
  if (!std::isfinite(largest) || !(largest > shape_length().low) || largest > shape_length().high)
    return "`support` is not a length between 1e-9 m and 1e9 m all round";
  if (!(std::abs(h(turn) - h(0.0)) < 1e-9 * largest))
    return fmt::format("`support` is {:g} at angle 0 and {:g} at 2π: the curve does not close", h(0.0),
                       h(turn));
  for (int i = 0; i < 720; ++i) {
    const Jet jet = h.jet(turn * i / 720);
    if (!(jet.value + jet.d2 > 1e-9 * largest))
      return fmt::format(
          "the curve is not convex where the normal's angle is {:g} deg: its radius of curvature is {:g} m, "
          "support + its second derivative, and must be > 0",
          i / 2.0, jet.value + jet.d2);
  }
  return "";
}

std::string fault(const Expression& x, const Expression& y) {
  double turned = 0, extent = 0, last = 0;
  const Motion begin = motion(x, y, 0), end = motion(x, y, turn);
  for (int i = 0; i <= 720; ++i) {
    const Motion m = motion(x, y, turn * i / 720);
    if (!m.r.allFinite() || !m.d1.allFinite() || !m.d2.allFinite() || m.d1.norm() == 0)
      return fmt::format("the curve has no direction at u = {:g} deg", i / 2.0);
    extent = std::max(extent, (m.r - begin.r).norm());
    if (!(cross(m.d1, m.d2) > 0))
      return fmt::format("the curve is not convex, or does not run anticlockwise, at u = {:g} deg", i / 2.0);
    const double angle = std::atan2(m.d1.y(), m.d1.x());
    if (i > 0) turned += wrapped(angle - last);
    last = angle;
  }
  if (!(extent > shape_length().low) || extent > shape_length().high)
    return "the curve's size is not between 1e-9 m and 1e9 m";
  if ((end.r - begin.r).norm() > 1e-9 * extent)
    return "the curve does not close: x and y differ between u = 0 and u = 2π";
  if (std::abs(turned - turn) > 1e-6)
    return fmt::format("the curve goes around {:.3g} times, but must once", turned / turn);
  return "";
}

std::unique_ptr<Shape> make(const CurveParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  const bool by_support = !p.support.text.empty(), has_x = !p.x.text.empty(), has_y = !p.y.text.empty();
  if (by_support == (has_x && has_y) || has_x != has_y) {
    diagnostics.error(origin.pos,
                      fmt::format("curve '{}' is given either by `support` or by `x` and `y`", origin.name));
    return nullptr;
  }
  const std::string wrong = by_support ? fault(p.support.compiled) : fault(p.x.compiled, p.y.compiled);
  if (!wrong.empty()) {
    diagnostics.error(origin.where(by_support ? "support" : "x"),
                      fmt::format("curve '{}': {}", origin.name, wrong));
    return nullptr;
  }
  if (by_support) return std::make_unique<Curve>(p.support.compiled, place);
  return std::make_unique<Curve>(p.x.compiled, p.y.compiled, place);
}

Parameter row(const std::string& name, const std::string& variable, const std::string& help) {
  return {.name = name, .kind = Kind::expression, .unit = "m", .help = help, .variables = {variable}};
}

const Registration<ShapeType> registered{
    {.name = "curve",
     .help = "A smooth closed convex curve",
     .table = planar_only(table_of<CurveParameters>(
         "a curve", "A smooth closed convex curve, by its support function or by a point that goes around",
         with_placement<CurveParameters>(
             {{&CurveParameters::support,
               row("support", "angle",
                   "distance of the tangent from the origin by the normal's angle, 0 to 2π")},
              {&CurveParameters::x,
               row("x", "u", "x of a point that goes around once, anticlockwise, while u goes from 0 to 2π")},
              {&CurveParameters::y, row("y", "u", "its y")}}))),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::curve
