#include "tappet/geometry/tessellation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"
#include "tappet/geometry/shapes/hull.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

constexpr int most_quarters = 200;  ///< 320,000 triangles of a ball

template <class Of>
const Of& as(const Shape& shape) {
  return static_cast<const Of&>(shape);
}

TriangleMesh scaled(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v = v.cwiseProduct(by);
  return mesh;
}

double no_radius(const Shape&) {
  return 0;
}

const Registration<Tessellation> sphere{
    {"sphere", [](const Shape& s) { return as<Sphere>(s).R; },
     [](const Shape& s, int n) { return scaled(ball_mesh(n), Vec3::Constant(as<Sphere>(s).R)); }}};
const Registration<Tessellation> ellipsoid{
    {"ellipsoid", [](const Shape& s) { return as<Ellipsoid>(s).a.maxCoeff(); },
     [](const Shape& s, int n) { return scaled(ball_mesh(n), as<Ellipsoid>(s).a); }}};
const Registration<Tessellation> box{
    {"box", no_radius, [](const Shape& s, int) { return box_mesh(as<Box>(s).half); }}};
const Registration<Tessellation> cylinder{
    {"cylinder", [](const Shape& s) { return as<Cylinder>(s).R; },
     [](const Shape& s, int n) { return cylinder_mesh(as<Cylinder>(s).R, as<Cylinder>(s).half, n); }}};
const Registration<Tessellation> capsule{
    {"capsule", [](const Shape& s) { return as<Capsule>(s).R; },
     [](const Shape& s, int n) {
       const auto& c = as<Capsule>(s);
       TriangleMesh mesh = capsule_mesh(c.R, (c.b - c.a).norm() / 2, n);
       const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), c.direction).toRotationMatrix();
       for (Vec3& v : mesh.vertices) v = turn * v + (c.a + c.b) / 2;
       return mesh;
     }}};
const Registration<Tessellation> hull{
    {"hull", no_radius, [](const Shape& s, int) {
       TriangleMesh mesh;
       const Polyhedron& p = as<Hull>(s).polyhedron;
       mesh.vertices = p.corners;
       for (const auto& face : p.faces)
         for (std::size_t i = 2; i < face.loop.size(); ++i)
           mesh.triangles.push_back({face.loop[0], face.loop[i - 1], face.loop[i]});
       return mesh;
     }}};

/// Rings of 4n points whose gaps are within the tolerance. A ball's points are up to √2 times as far apart as
/// its equator's, and the smooth least distance (mesh_features.hpp) may add as much again as the chord.
int quarters(double radius, double tolerance) {
  constexpr double share = 0.25;
  return radius > 0 ? ring_quarter(radius, std::min(share * tolerance, radius)) : 1;
}

}  // namespace

double default_tolerance(const Shape& shape) {
  return 1e-3 * shape.size();
}

double finest_tolerance(const Shape& shape) {
  const Tessellation* known = TessellationRegistry::instance().find(shape.kind());
  const double a = std::numbers::pi / (4 * most_quarters);
  return known ? 4 * known->radius(shape) * (1 - std::cos(a)) : 0;
}

std::unique_ptr<Mesh> tessellate(const Shape& shape, double tolerance) {
  const Tessellation* known = TessellationRegistry::instance().find(shape.kind());
  if (!known) return nullptr;
  const double wanted =
      std::max(tolerance > 0 ? tolerance : default_tolerance(shape), finest_tolerance(shape));
  TriangleMesh mesh = known->make(shape, quarters(known->radius(shape), wanted));
  const Pose& place = as<ConvexShape>(shape).place;
  for (Vec3& v : mesh.vertices) v = place.point(v);
  return std::make_unique<Mesh>(std::move(mesh));
}

}  // namespace tappet
