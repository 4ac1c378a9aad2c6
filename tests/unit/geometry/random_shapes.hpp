// Random shapes and poses, the same in every run.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/curve.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"
#include "tappet/geometry/shapes/hull.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/polygon.hpp"
#include "tappet/geometry/shapes/profile.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet::testing {

class RandomShapes {
 public:
  RandomShapes(unsigned seed, Dimension dimension) : engine_(seed), planar_(dimension == Dimension::planar) {}

  double number() { return uniform_(engine_); }  ///< in (−1, 1)
  double length(double scale) { return scale * std::exp2(number()); }
  Vec3 vector() { return {number(), number(), planar_ ? 0 : number()}; }
  Vec3 turning() { return planar_ ? Vec3(0, 0, number()) : Vec3(number(), number(), number()); }
  Mat3 rotation() {
    if (planar_) return Eigen::AngleAxisd(std::numbers::pi * number(), Vec3::UnitZ()).toRotationMatrix();
    Eigen::Quaterniond e(normal_(engine_), normal_(engine_), normal_(engine_), normal_(engine_));
    return e.normalized().toRotationMatrix();
  }
  Pose pose(double reach) { return {rotation(), reach * vector()}; }
  Vec3 direction() {
    const Vec3 d(normal_(engine_), normal_(engine_), planar_ ? 0 : normal_(engine_));
    return d.normalized();
  }

  /// Null for a kind that this file does not know. Sizes are about `scale`.
  std::unique_ptr<Shape> shape(const std::string& kind, double scale) {
    const Dimension dimension = planar_ ? Dimension::planar : Dimension::spatial;
    const Pose place = pose(0.3 * scale);
    if (kind == "sphere") return std::make_unique<Sphere>(place.r, length(scale), dimension);
    if (kind == "capsule")
      return std::make_unique<Capsule>(place.r - length(scale) * place.R.col(0),
                                       place.r + length(scale) * place.R.col(0), length(scale / 2),
                                       dimension);
    if (kind == "plane") return std::make_unique<Plane>(place.r, place.R.col(0));
    if (kind == "profile") return profile(place, scale, dimension);
    if (kind == "polygon") return polygon(place, scale);
    if (kind == "curve") return curve(place, scale);
    if (kind == "box")
      return std::make_unique<Box>(2 * Vec3(length(scale), length(scale), length(scale)), place);
    if (kind == "cylinder") return std::make_unique<Cylinder>(length(scale), 2 * length(scale), place);
    if (kind == "ellipsoid")
      return std::make_unique<Ellipsoid>(Vec3(length(scale), length(scale), length(scale)), place);
    if (kind == "hull") return hull(place, scale);
    return nullptr;
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::normal_distribution<double> normal_;
  bool planar_;

  std::unique_ptr<Shape> profile(const Pose& place, double scale, Dimension dimension) {
    std::vector<Vec2> points;
    double x = -3 * scale;
    for (int i = 0; i < 12; ++i) {
      x += i % 3 == 2 ? 0 : scale * (0.6 + 0.5 * number());  // every third piece is a riser
      points.emplace_back(x, points.empty() ? 0
                                            : points.back().y() + scale * (i % 3 == 2 ? 0.4 + 0.2 * number()
                                                                                      : 0.2 * number()));
    }
    return std::make_unique<Profile>(points, place, dimension);
  }

  std::unique_ptr<Shape> polygon(const Pose& place, double scale) {
    const int n = 3 + static_cast<int>(2.5 * (1 + number()));
    std::vector<Vec3> corners;
    const double a = length(scale), b = length(scale);
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.3 * number()) / n;
      corners.push_back(place.point({a * std::cos(angle), b * std::sin(angle), 0}));
    }
    return std::make_unique<Polygon>(corners);
  }

  std::unique_ptr<Shape> curve(const Pose& place, double scale) {
    std::string rest;
    const std::string s = std::to_string(scale), u = std::to_string(0.2 * number());
    if (number() > 0)
      return std::make_unique<Curve>(
          Expression::parse(s + "*(1 + 0.3*" + u + "*cos(2*angle) + 0.1*" + u + "*sin(3*angle))", {"angle"},
                            rest),
          place);
    return std::make_unique<Curve>(Expression::parse(s + "*(1.2+" + u + ")*cos(u)", {"u"}, rest),
                                   Expression::parse(s + "*sin(u)", {"u"}, rest), place);
  }

  std::unique_ptr<Shape> hull(const Pose& place, double scale) {
    std::vector<Vec3> points;
    const int n = 5 + static_cast<int>(6 * (1 + number()));
    for (int i = 0; i < n; ++i) points.push_back(place.point(scale * direction()));
    std::optional<Polyhedron> polyhedron = Polyhedron::hull_of(points);
    return std::make_unique<Hull>(polyhedron ? *polyhedron : Polyhedron::box(Vec3::Constant(scale)));
  }
};

/// The pose after the time h with these velocities, world axes.
inline Pose moved(const Pose& pose, const Vec3& v, const Vec3& w, double h) {
  const double angle = w.norm() * h;
  const Mat3 turn =
      angle == 0 ? Mat3(Mat3::Identity()) : Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix();
  return {turn * pose.R, pose.r + h * v};
}

}  // namespace tappet::testing
