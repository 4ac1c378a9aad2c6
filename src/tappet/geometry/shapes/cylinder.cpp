#include "tappet/geometry/shapes/cylinder.hpp"

#include <cmath>
#include <numbers>

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

// On a rim, which turns with n; nowhere else does the support point move.
Mat3 Cylinder::support_rate(const Vec3& n) const {
  const double rho = std::hypot(n.x(), n.y());
  Mat3 out = Mat3::Zero();
  if (!(rho > 1e-12)) return out;
  const Vec2 along = perpendicular(Vec2(n.x() / rho, n.y() / rho));
  out.topLeftCorner<2, 2>() = R / rho * along * along.transpose();
  return out;
}

// Points of both caps: a line of the side. Points of one cap that are far apart: the cap.
int Cylinder::flat_directions(std::span<const Vec3> supports, Vec3 directions[2]) const {
  bool side = false, cap = false;
  for (const Vec3& point : supports) {
    const Vec3 d = point - supports[0];
    side = side || std::abs(d.z()) > half;
    cap = cap || (std::abs(d.z()) <= half && std::hypot(d.x(), d.y()) > 0.3 * R);
  }
  if (cap && !side) {
    directions[0] = Vec3::UnitX(), directions[1] = Vec3::UnitY();
    return 2;
  }
  directions[0] = Vec3::UnitZ();
  return side ? 1 : 0;
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

namespace {

std::unique_ptr<Shape> make(const Object& object, Dimension dimension, Diagnostics& diagnostics) {
  return std::make_unique<Cylinder>(object.number("radius"), object.number("length"),
                                    read_placement(object, dimension, diagnostics));
}

const Registration<ShapeType> registered{
    {.name = "cylinder",
     .help = "A cylinder along the shape's z axis",
     .table = {.name = "a cylinder",
               .help = "A cylinder along the shape's z axis",
               .parameters = with_placement(
                   {{.name = "radius", .unit = "m", .help = "R", .required = true, .range = shape_length()},
                    {.name = "length",
                     .unit = "m",
                     .help = "from end face to end face",
                     .required = true,
                     .range = shape_length()}}),
               .planar = false},
     .make = make}};

}  // namespace
}  // namespace tappet
