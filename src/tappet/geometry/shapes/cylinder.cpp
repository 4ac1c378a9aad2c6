#include "tappet/geometry/shapes/cylinder.hpp"

#include <cmath>
#include <numbers>

#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Cylinder::Cylinder(double radius, double length, const Pose& where)
    : ConvexShape("cylinder", where), R(radius), half(length / 2) {}

Vec3 Cylinder::support(const Vec3& d) const {
  const double rho = std::hypot(d.x(), d.y()), z = d.z() < 0 ? -half : half;
  return rho > 0 ? Vec3(R * d.x() / rho, R * d.y() / rho, z) : Vec3(0, 0, z);
}

Foot Cylinder::foot(const Vec3& p) const {
  const double rho = std::hypot(p.x(), p.y());
  const Vec3 outward = rho > 0 ? Vec3(p.x() / rho, p.y() / rho, 0) : Vec3(Vec3::UnitX());
  const Vec3 up(0, 0, p.z() < 0 ? -1 : 1);
  const double side = rho - R, cap = std::abs(p.z()) - half;
  if (side > 0 && cap > 0) {
    const double distance = std::hypot(side, cap);
    return {distance, (side * outward + cap * up) / distance, 0};
  }
  return side > cap ? Foot{side, outward, flat} : Foot{cap, up, flat};
}

double Cylinder::radius(const Vec3& n) const {
  const bool on_side = std::abs(n.z()) < 1e-9, on_cap = std::hypot(n.x(), n.y()) < 1e-9;
  return on_side || on_cap ? flat : 0;
}

// The point of a circle that turns with n.
Vec3 Cylinder::round(const Vec3& n) const {
  const double rho = std::hypot(n.x(), n.y());
  return rho > 0 ? Vec3(R * n.x() / rho, R * n.y() / rho, 0) : Vec3(R, 0, 0);
}

Mat3 Cylinder::round_rate(const Vec3& n) const {
  const double rho = std::hypot(n.x(), n.y());
  Mat3 out = Mat3::Zero();
  if (!(rho > 1e-12)) return out;
  const Vec2 along = perpendicular(Vec2(n.x() / rho, n.y() / rho));
  out.topLeftCorner<2, 2>() = R / rho * along * along.transpose();
  return out;
}

// An end face, a line of the side, a point of a rim.
void Cylinder::features(const Vec3& n, double angle, Features& out) const {
  const double up = n.z() < 0 ? -half : half;
  if (std::hypot(n.x(), n.y()) < angle)
    out.add({.base = Vec3(0, 0, up),
             .dimension = 2,
             .along = {Vec3::UnitX(), Vec3::UnitY()},
             .half = R,
             .radius = flat});
  const bool on_side = std::abs(n.z()) < angle;
  if (on_side)
    out.add({.round = true, .dimension = 1, .along = {Vec3::UnitZ()}, .half = half, .radius = flat});
  out.add({.base = Vec3(0, 0, up), .round = true});
  if (on_side) out.add({.base = Vec3(0, 0, -up), .round = true});
}

Vec3 Cylinder::rim_point(int i, const Vec3& d) const {
  static constexpr double cosine[3] = {1, -0.5, -0.5},
                          sine[3] = {0, 0.86602540378443865, -0.86602540378443865};
  const double rho = std::hypot(d.x(), d.y());
  const Vec2 e = rho > 0 ? Vec2(d.x() / rho, d.y() / rho) : Vec2(1, 0);
  const Vec2 at = R * (cosine[i % 3] * e + sine[i % 3] * perpendicular(e));
  return {at.x(), at.y(), i < 3 ? half : -half};
}

SolidProperties Cylinder::solid() const {
  const double volume = std::numbers::pi * R * R * 2 * half;
  const double along = volume * R * R / 2, across = volume * (R * R / 4 + half * half / 3);
  return placed({volume, Vec3::Zero(), Vec3(across, across, along).asDiagonal()}, place);
}

}  // namespace tappet

namespace tappet::shapes::cylinder {
namespace {

std::unique_ptr<Shape> make(const CylinderParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  return std::make_unique<Cylinder>(p.radius, p.length, placement_of(p, origin, dimension, diagnostics));
}

const Registration<ShapeType> registered{
    {.name = "cylinder",
     .help = "A cylinder along the shape's z axis",
     .table = spatial_only(table_of<CylinderParameters>(
         "a cylinder", "A cylinder along the shape's z axis",
         with_placement<CylinderParameters>(
             {{&CylinderParameters::radius,
               {.name = "radius", .unit = "m", .help = "R", .required = true, .range = shape_length()}},
              {&CylinderParameters::length,
               {.name = "length",
                .unit = "m",
                .help = "from end face to end face",
                .required = true,
                .range = shape_length()}}}))),
     .make = made_from<make>}};

// Round on its side, flat on its ends; on the rims between the normal is neither.
std::optional<Mat3> curvature(const Shape& shape, const Vec3&, const Vec3& n) {
  constexpr double same = 1e-9;
  const auto& cylinder = static_cast<const Cylinder&>(shape);
  const Vec3 axis = cylinder.place.direction(Vec3::UnitZ());
  const double along = std::abs(axis.dot(n));
  if (along <= same) return curved_around(axis, n, cylinder.R);
  if (along >= 1 - same) return Mat3::Zero();
  return std::nullopt;
}

const Registration<CurvatureType> curved{{.name = "cylinder", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::cylinder
