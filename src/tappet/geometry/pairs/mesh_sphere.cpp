// A ball on a mesh.
//
//   gap = φ(C) − R,   normal = ∇φ
//
// with φ the signed distance to the surface. Outside a convex surface its gradient is continuous. In a hollow
// one it would turn by the angle between two triangles at once; there the smooth least distance to all
// triangles near is taken, as in mesh_features.hpp, with the ε of the hollow parts.
#include "tappet/geometry/mesh_contact.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet::pairs::mesh_sphere {
namespace {

/// Replaces the least distance to the triangles by the smooth one. On the surface itself both are the same.
void smooth(const SurfaceTree& surface, const Vec3& c, double epsilon, SurfacePoint& at) {
  const double reach = at.distance + 36 * epsilon;
  SmoothSums sums(epsilon);
  surface.within(
      c, [&] { return reach * reach; },
      [&](int, const Vec3& point, double d2) {
        const double d = std::sqrt(d2);
        if (d > 0) sums.add(point, 1, 1, {d, (c - point) / d, 1});
      });
  const SmoothLeast least = sums.result(0);
  if (!(least.gradient.norm() > 0.1)) return;
  at.distance += (least.distance - at.distance) * at.distance / (at.distance + epsilon);
  at.normal = least.gradient.normalized();
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& mesh = static_cast<const Mesh&>(first);
  const auto& ball = static_cast<const Sphere&>(second);
  const Vec3 centre = q.point(ball.centre);
  SurfacePoint at = mesh.surface.nearest(p.local(centre));
  if (at.triangle < 0) return {};  // a pose that is not finite
  const double epsilon = mesh.features.hollow_smoothing;
  if (epsilon > 0 && at.distance > 0) smooth(mesh.surface, p.local(centre), epsilon, at);

  Proximity out;
  out.gap = at.distance - ball.R;
  out.normal = p.direction(at.normal);
  out.on_second = centre - ball.R * out.normal;
  out.on_first = out.on_second - out.gap * out.normal;
  out.radius[0] = mesh.features.face_radius[at.triangle];
  out.radius[1] = ball.R;
  return out;
}

const Registration<PairType> registered{{.name = "mesh|sphere",
                                         .candidates = [](const Shape&, const Shape&) { return 1; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::mesh_sphere
