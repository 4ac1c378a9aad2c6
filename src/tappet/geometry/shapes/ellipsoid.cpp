// The point x of the surface nearest to y: y − x is normal to the surface, y − x = τ (xᵢ/aᵢ²), so
//
//   xᵢ = aᵢ² yᵢ / (aᵢ² + τ),   G(τ) = Σ (aᵢ yᵢ / (aᵢ² + τ))² = 1,   τ > −a_min²
//
// 1/√G is increasing and concave there, and nearly straight: Newton's method from the left never overshoots
// and takes a handful of steps. distance = τ |x/a²|. Radius of curvature 1/√K = a₁a₂a₃ Σ xᵢ²/aᵢ⁴, K Gauss'
// curvature.
#include "tappet/geometry/shapes/ellipsoid.hpp"

#include <cmath>
#include <numbers>

#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Ellipsoid::Ellipsoid(const Vec3& semi_axes, const Pose& where)
    : ConvexShape("ellipsoid", where), a(semi_axes) {}

Vec3 Ellipsoid::support(const Vec3& d) const {
  const Vec3 scaled = a.cwiseProduct(d);
  return a.cwiseProduct(scaled) / scaled.norm();
}

// s = A² n / |A n|
Mat3 Ellipsoid::round_rate(const Vec3& n) const {
  const Vec3 squares = a.cwiseProduct(a), s = squares.cwiseProduct(n);
  const double length = a.cwiseProduct(n).norm();
  return Mat3(squares.asDiagonal()) / length - s * s.transpose() / (length * length * length);
}

namespace {

/// The root of G = 1. The smallest τ stands for a point on the axis of the smallest semi-axis, too deep
/// inside for a root.
double solve(const Vec3& a, const Vec3& y) {
  const double lowest = -a.minCoeff() * a.minCoeff();
  double tau = lowest;
  for (int i = 0; i < 3; ++i) tau = std::max(tau, a[i] * (std::abs(y[i]) - a[i]));
  for (int iteration = 0; iteration < 100; ++iteration) {
    double G = 0, slope = 0;
    for (int i = 0; i < 3; ++i) {
      if (y[i] == 0) continue;
      const double k = 1 / (a[i] * a[i] + tau), term = a[i] * y[i] * k;
      G += term * term;
      slope -= 2 * term * term * k;
    }
    if (!(G > 1)) return tau;  // at the root, or there is none
    const double root = std::sqrt(G), step = 2 * G * (1 - root) / slope;
    if (!(tau + step > tau)) return tau;
    tau += step;
  }
  return tau;
}

}  // namespace

Foot Ellipsoid::foot(const Vec3& y) const {
  int shortest = 0;
  a.minCoeff(&shortest);
  const double lowest = -a[shortest] * a[shortest], tau = solve(a, y);
  Vec3 x;
  for (int i = 0; i < 3; ++i) x[i] = y[i] == 0 ? 0 : a[i] * a[i] * y[i] / (a[i] * a[i] + tau);
  if (tau <= lowest) {
    // On the medial surface: two feet, above and below; the one above is taken.
    x[shortest] = 0;
    const double rest = 1 - x.cwiseQuotient(a).squaredNorm();
    x[shortest] = a[shortest] * std::sqrt(std::max(rest, 0.0));
  }
  const Vec3 gradient = x.cwiseQuotient(a).cwiseQuotient(a);
  const double length = gradient.norm();
  return {tau * length, gradient / length, a.prod() * length * length};
}

// Of the point x = A² n / |A n|, where A⁻² x = n / |A n|.
double Ellipsoid::radius(const Vec3& n) const {
  return a.prod() * n.squaredNorm() / a.cwiseProduct(n).squaredNorm();
}

SolidProperties Ellipsoid::solid() const {
  const double volume = 4.0 / 3 * std::numbers::pi * a.prod();
  const Vec3 s = a.cwiseProduct(a) * volume / 5;
  return placed({volume, Vec3::Zero(), Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal()},
                place);
}

}  // namespace tappet

namespace tappet::shapes::ellipsoid {
namespace {

std::unique_ptr<Shape> make(const EllipsoidParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  return std::make_unique<Ellipsoid>(p.semi_axes, placement_of(p, origin, dimension, diagnostics));
}

const Registration<ShapeType> registered{
    {.name = "ellipsoid",
     .help = "An ellipsoid",
     .table = spatial_only(table_of<EllipsoidParameters>(
         "an ellipsoid", "An ellipsoid whose axes are the shape's own",
         with_placement<EllipsoidParameters>({{&EllipsoidParameters::semi_axes,
                                               {.name = "semi_axes",
                                                .kind = Kind::vector,
                                                .unit = "m",
                                                .help = "half of its length along x, y and z",
                                                .required = true,
                                                .range = shape_length()}}}))),
     .make = made_from<make>}};

// Of F(x) = Σ xᵢ²/aᵢ² − 1: the second derivatives across n over the gradient. x is the point whose normal is n, which a witness that is off
// the surface by rounding or by the depth has too.
std::optional<Mat3> curvature(const Shape& shape, const Vec3&, const Vec3& n) {
  const auto& ellipsoid = static_cast<const Ellipsoid&>(shape);
  const Vec3 own = ellipsoid.place.local_direction(n);
  const Vec3 inverse = ellipsoid.a.cwiseAbs2().cwiseInverse();
  const double slope = ellipsoid.support(own).cwiseProduct(inverse).norm();
  const Mat3 across = Mat3::Identity() - own * own.transpose();
  const Mat3 C = across * inverse.asDiagonal() * across / slope;
  return Mat3(ellipsoid.place.R * C * ellipsoid.place.R.transpose());
}

const Registration<CurvatureType> curved{{.name = "ellipsoid", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::ellipsoid
