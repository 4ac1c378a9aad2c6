#include "tappet/multibody/spline_curve.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

namespace tappet {
namespace {

constexpr int per_piece = 8;

}  // namespace

SplineCurve::SplineCurve(std::vector<Vec3> points, bool closed)
    : points_(std::move(points)), closed_(closed) {
  if (closed_) points_.push_back(points_.front());
  const std::size_t n = points_.size();
  s_.assign(n, 0.0);
  for (std::size_t i = 1; i < n; ++i) s_[i] = s_[i - 1] + (points_[i] - points_[i - 1]).norm();
  bend_.assign(n, Vec3::Zero());
  find_bends();
  const int places = per_piece * pieces();
  for (int k = 0; k <= places; ++k) places_.push_back(at(end() * k / places).at);
}

SplineCurve::Place SplineCurve::at(double s) const {
  if (closed_)
    s -= end() * std::floor(s / end());
  else if (s < 0 || s > end())
    return straight_on(s);
  std::size_t i = std::upper_bound(s_.begin(), s_.end(), s) - s_.begin();
  i = std::clamp<std::size_t>(i, 1, s_.size() - 1) - 1;
  const double h = s_[i + 1] - s_[i], b = (s - s_[i]) / h, a = 1 - b;
  Place out;
  out.at = a * points_[i] + b * points_[i + 1] +
           h * h / 6 * ((a * a * a - a) * bend_[i] + (b * b * b - b) * bend_[i + 1]);
  out.slope = (points_[i + 1] - points_[i]) / h +
              h / 6 * ((3 * b * b - 1) * bend_[i + 1] - (3 * a * a - 1) * bend_[i]);
  out.bend = a * bend_[i] + b * bend_[i + 1];
  return out;
}

double SplineCurve::nearest(const Vec3& p) const {
  constexpr int most = 30;
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (const double distance = (places_[k] - p).squaredNorm(); distance < least) least = distance, best = k;
  const double apart = end() / static_cast<double>(places_.size() - 1);
  double s = apart * static_cast<double>(best);
  for (int n = 0; n < most; ++n) {
    const Place c = at(s);
    const Vec3 d = c.at - p;
    const double slope = d.dot(c.slope), rise = c.slope.squaredNorm() + d.dot(c.bend);
    // Where the distance is not convex, a step of the gradient's.
    const double step = -slope / (rise > 0.1 * c.slope.squaredNorm() ? rise : c.slope.squaredNorm());
    s += std::clamp(step, -apart, apart);
    if (std::abs(step) <= 1e-15 * end()) break;
  }
  return s;
}

SplineCurve::Place SplineCurve::straight_on(double s) const {
  const double border = s < 0 ? 0 : end();
  const Place last = at(border);
  return {last.at + (s - border) * last.slope, last.slope, Vec3::Zero()};
}

// Second derivatives at the points, by elimination; of a closed curve around its seam, by elimination of the dense matrix.
void SplineCurve::find_bends() {
  const int n = pieces();
  const auto h = [&](int i) { return s_[i + 1] - s_[i]; };
  const auto turn = [&](int before, int at) -> Vec3 {
    return 6 *
           ((points_[at + 1] - points_[at]) / h(at) - (points_[before + 1] - points_[before]) / h(before));
  };
  const int unknowns = closed_ ? n : n - 1;
  if (unknowns < 1) return;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(unknowns, unknowns);
  Eigen::MatrixXd right(unknowns, 3);
  for (int r = 0; r < unknowns; ++r) {
    const int at = closed_ ? r : r + 1, before = (at + n - 1) % n;
    A(r, r) = 2 * (h(before) + h(at));
    const auto put = [&](int column, double value) {
      if (closed_)
        A(r, (column + n) % n) += value;
      else if (column >= 1 && column < n)
        A(r, column - 1) += value;
    };
    put(at - 1, h(before));
    put(at + 1, h(at));
    right.row(r) = turn(before, at).transpose();
  }
  const Eigen::MatrixXd bends = A.partialPivLu().solve(right);
  for (int r = 0; r < unknowns; ++r) bend_[closed_ ? r : r + 1] = bends.row(r).transpose();
  if (closed_) bend_.back() = bend_.front();
}

bool check_curve(const std::vector<Vec3>& points, bool closed, const Origin& origin, const std::string& key,
                 Diagnostics& diagnostics) {
  const std::size_t least = closed ? 3 : 2, n = points.size();
  if (n < least) {
    diagnostics.error(
        origin.where(key),
        fmt::format("`{}` of joint '{}' has {} points; at least {} are needed", key, origin.name, n, least));
    return false;
  }
  for (std::size_t i = 0; i + (closed ? 0 : 1) < n; ++i) {
    if ((points[(i + 1) % n] - points[i]).norm() > 0) continue;
    diagnostics.error(
        origin.where(key),
        fmt::format("points {} and {} of `{}` of joint '{}' are the same{}", i + 1, (i + 1) % n + 1, key,
                    origin.name, i + 1 == n ? "; a closed curve returns to its first point by itself" : ""));
    return false;
  }
  return true;
}

Parameter curve_parameter(const std::string& name, const std::string& whose) {
  return {.name = name,
          .kind = Kind::points,
          .unit = "m",
          .help = "points that the curve goes through, in the " + whose + " body's coordinates",
          .required = true,
          .count = 0};
}

Parameter closed_parameter(const std::string& name) {
  return {
      .name = name, .kind = Kind::boolean, .help = "does it return to its first point", .fallback = "false"};
}

}  // namespace tappet
