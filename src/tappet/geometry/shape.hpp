// Shapes: what a body's surface looks like. A shape knows its size and nothing of bodies or motion.
//
// Coordinates are those of the body that carries the shape. In the plane everything lies in z = 0, so that
// planar and spatial shapes share one interface; planar shapes never use z.
//
// A shape in shapes/ is a header with the struct of its parameters and the class, and a source with bounds, mass
// properties, the parameters' table, their checks and one registration.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/base/vectors.hpp"

namespace tappet {

/// Where a body is: turns body coordinates into world coordinates.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero();

  Vec3 point(const Vec3& body) const { return r + R * body; }
  Vec3 direction(const Vec3& body) const { return R * body; }
  Vec3 local(const Vec3& world) const { return R.transpose() * (world - r); }
  Vec3 local_direction(const Vec3& world) const { return R.transpose() * world; }
};

/// Where something is whose own place `inner` is given in the coordinates of `outer`.
inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.R * inner.R, outer.point(inner.r)};
}

/// Box along the world axes. Unbounded shapes (planes) have infinite sides.
struct Bounds {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  bool overlaps(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// Mass properties of a solid of density 1 (in the plane: of a sheet of mass 1 per area).
struct SolidProperties {
  double volume = 0;            ///< m³ (planar: m²); 0: the shape encloses nothing
  Vec3 centre = Vec3::Zero();   ///< centre of mass, body coordinates, m
  Mat3 inertia = Mat3::Zero();  ///< about the centre, m⁵ (planar: only (2,2), m⁴)
};

class Shape {
 public:
  virtual ~Shape() = default;
  /// By which pairs are found. Names of the model file may share one: a `circle` is a sphere in the plane.
  const std::string& kind() const { return kind_; }

  virtual Bounds bounds(const Pose& pose) const = 0;
  virtual SolidProperties solid() const { return {}; }
  /// A length that gaps of this shape are compared with, m: a radius, half of the smallest side; infinite for
  /// planes.
  virtual double size() const = 0;

 protected:
  explicit Shape(std::string kind) : kind_(std::move(kind)) {}

 private:
  std::string kind_;
};

/// A registered shape. `make` reports every fault to the diagnostics and then returns null.
struct ShapeType {
  std::string name;  ///< as in `shapes: {skin: {sphere: {...}}}`
  std::string help;
  Table table;
  std::unique_ptr<Shape> (*make)(const AnyParameters&, Dimension, Diagnostics&) = nullptr;
};
using ShapeRegistry = Registry<ShapeType>;

/// The mapping `{sphere: {...}}`: one key, which names the shape.
const Family& shape_family();

/// Null after an error was reported.
std::unique_ptr<Shape> make_shape(const AnyParameters& parameters, Dimension dimension,
                                  Diagnostics& diagnostics);

}  // namespace tappet
