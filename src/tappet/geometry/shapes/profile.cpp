// A ball whose centre p is outside touches a piece where its foot p − h n lies on the piece, at the distance
// h = n·(p − A), and a convex corner (a nose) where p sees only that: at |p − V|. In a hollow it touches both
// pieces at once; they are different candidates because a candidate looks at every third piece only. From
// inside, what is nearest counts.
#include "tappet/geometry/shapes/profile.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/geometry/placement.hpp"

namespace tappet {

Profile::Profile(const std::vector<Vec2>& points, const Pose& where, Dimension dimension)
    : Shape("profile"), place(where), planar_(dimension == Dimension::planar) {
  const auto add = [&](const Vec2& anchor, const Vec2& along, double low, double high, double left,
                       double right) {
    pieces_.push_back({anchor, along, perpendicular(along), low, high, left, right, false});
  };
  add(points.front(), Vec2::UnitX(), -flat, 0, -flat, points.front().x());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec2 d = points[i + 1] - points[i];
    add(points[i], d.normalized(), 0, d.norm(), points[i].x(), points[i + 1].x());
  }
  add(points.back(), Vec2::UnitX(), 0, flat, points.back().x(), flat);
  for (std::size_t i = 1; i < pieces_.size(); ++i)
    pieces_[i].nose = cross(pieces_[i - 1].along, pieces_[i].along) < 0;
}

std::pair<int, int> Profile::pieces_between(double low, double high) const {
  const auto first = std::lower_bound(pieces_.begin(), pieces_.end(), low,
                                      [](const Piece& piece, double x) { return piece.right < x; });
  const auto last = std::upper_bound(first, pieces_.end(), high,
                                     [](double x, const Piece& piece) { return x < piece.left; });
  return {static_cast<int>(first - pieces_.begin()), static_cast<int>(last - pieces_.begin())};
}

bool Profile::before_nose(int i, const Vec2& p) const {
  if (!pieces_[i].nose) return false;
  const Vec2 d = p - pieces_[i].begin();
  return pieces_[i - 1].along.dot(d) >= 0 && pieces_[i].along.dot(d) <= 0;
}

Profile::Nearest Profile::nearest(const Vec2& p) const {
  Nearest out;
  const auto look = [&](int i) {
    const Piece& piece = pieces_[i];
    const double u = piece.along.dot(p - piece.anchor);
    const bool beside = u < piece.low || u > piece.high;
    const Vec2 d = p - piece.anchor - std::clamp(u, piece.low, piece.high) * piece.along;
    const double distance = beside ? d.norm() : std::abs(piece.normal.dot(p - piece.anchor));
    if (distance >= out.distance) return;
    out = {distance, beside ? Vec2(distance > 0 ? Vec2(d / distance) : piece.normal) : piece.normal, i,
           beside};
    if (beside && u > piece.high) out.piece = i + 1;  // a corner belongs to the piece that begins there
  };
  const int count = static_cast<int>(pieces_.size());
  const int start = std::min(pieces_between(p.x(), p.x()).first, count - 1);
  for (int i = start; i < count && pieces_[i].left - p.x() < out.distance; ++i) look(i);
  for (int i = start - 1; i >= 0 && p.x() - pieces_[i].right < out.distance; --i) look(i);
  return out;
}

bool Profile::outside(const Vec2& p, const Nearest& found) const {
  const Piece& piece = pieces_[found.piece];
  if (!found.corner) return piece.normal.dot(p - piece.anchor) > 0;
  // At a corner the mean of both normals tells.
  const Vec2 mean = piece.normal + pieces_[std::max(found.piece - 1, 0)].normal;
  return mean.dot(p - piece.begin()) > 0;
}

Foot Profile::foot(const Vec3& own) const {
  const Vec2 p = flatten(own);
  const Nearest found = nearest(p);
  const bool out = outside(p, found);
  if (!found.corner) return {out ? found.distance : -found.distance, unflatten(found.normal), flat};
  return {out ? found.distance : -found.distance, unflatten(out ? found.normal : Vec2(-found.normal)), 0};
}

Foot Profile::foot(const Vec3& own, double r, int slot) const {
  const Vec2 p = flatten(own);
  const Nearest found = nearest(p);
  const Foot nothing{flat, Vec3::UnitX(), 0};
  if (!outside(p, found)) return found.piece % 3 == slot ? foot(own) : nothing;

  Foot best = nothing;
  const double within = std::max(found.distance, 2 * r);
  const auto [first, last] = pieces_between(p.x() - within, p.x() + within);
  for (int i = first + (slot - first % 3 + 3) % 3; i < last; i += 3) {
    const Piece& piece = pieces_[i];
    const Vec2 d = p - piece.anchor;
    const double u = piece.along.dot(d), h = piece.normal.dot(d);
    if (u >= piece.low && u <= piece.high && h > 0) {
      if (h < best.distance) best = {h, unflatten(piece.normal), flat};
    } else if (before_nose(i, p)) {
      const Vec2 away = p - piece.begin();
      const double distance = away.norm();
      if (distance > 0 && distance < best.distance) best = {distance, unflatten(away / distance), 0};
    }
  }
  return best;
}

Bounds Profile::bounds(const Pose&) const {
  const Vec3 far = Vec3::Constant(flat);
  return {-far, far};
}

}  // namespace tappet

namespace tappet::shapes::profile {
namespace {

constexpr std::size_t most_points = 100000;

/// "" or what is wrong.
std::string fault(const std::vector<Vec2>& points) {
  if (points.size() < 2) return fmt::format("are {}; a profile has at least 2", points.size());
  if (points.size() > most_points)
    return fmt::format("are {}; at most {} are allowed", points.size(), most_points);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec2 d = points[i + 1] - points[i];
    if (d.x() < 0)
      return fmt::format("go back from x = {:g} to x = {:g}; x must not decrease", points[i].x(),
                         points[i + 1].x());
    if (!(d.norm() > shape_length().low))
      return fmt::format("{} and {} are the same, [{:g}, {:g}]", i + 1, i + 2, points[i].x(), points[i].y());
    if (i > 0 && d.x() == 0 && points[i].x() == points[i - 1].x())
      return fmt::format("{}, {} and {} stand above each other; give a riser by its two ends", i, i + 1,
                         i + 2);
  }
  return "";
}

std::unique_ptr<Shape> make(const ProfileParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  std::vector<Vec2> points;
  for (const Vec3& point : p.points) points.emplace_back(point.x(), point.y());
  if (const std::string wrong = fault(points); !wrong.empty()) {
    diagnostics.error(origin.where("points"),
                      fmt::format("the `points` of profile '{}' {}", origin.name, wrong));
    return nullptr;
  }
  return std::make_unique<Profile>(points, place, dimension);
}

const Registration<ShapeType> registered{
    {.name = "profile",
     .help = "Ground by its heights: stairs, rough roads",
     .table = table_of<ProfileParameters>(
         "a profile",
         "A polyline with material below it, level beyond its ends; in space as wide as the "
         "world along the "
         "shape's y axis, with heights along z",
         with_placement<ProfileParameters>(
             {{&ProfileParameters::points,
               {.name = "points",
                .kind = Kind::points,
                .unit = "m",
                .help = "[x, height] in order; x does not decrease, equal x makes a riser",
                .required = true,
                .range = shape_coordinate(),
                .length = 2,
                .count = 0}}})),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::profile
