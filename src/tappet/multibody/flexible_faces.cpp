#include "tappet/multibody/flexible_faces.hpp"

#include <cmath>
#include <limits>

#include "tappet/multibody/surface_contact.hpp"

namespace tappet {

std::array<double, 3> nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double on_ab = d1 * d4 - d3 * d2;
  if (on_ab <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double on_ac = d5 * d2 - d1 * d6;
  if (on_ac <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double on_bc = d3 * d6 - d5 * d4;
  if (on_bc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return {0, 1 - w, w};
  }
  const double sum = on_ab + on_ac + on_bc;
  return {on_bc / sum, on_ac / sum, on_ab / sum};
}

FaceFoot find_foot(const FlexibleBody& body, const FlexibleFaces& faces, const Kinematics& k) {
  const Vec3 c = k.spatial[faces.probe].point(faces.centre);
  FaceFoot out{0, {1, 0, 0}};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < faces.triangles.size(); ++f) {
    const auto& t = faces.triangles[f];
    const Vec3 x[3] = {k.spatial[body.interface + t[0]].r, k.spatial[body.interface + t[1]].r,
                       k.spatial[body.interface + t[2]].r};
    const std::array<double, 3> w = nearest_on_triangle(c, x[0], x[1], x[2]);
    const double distance = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2] - c).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    out.face = static_cast<int>(f);
    for (int i = 0; i < 3; ++i) out.weight[i] = w[i];
  }
  return out;
}

FaceContact::FaceContact(int foot, int ball, const Vec3& centre, double radius)
    : centre_(centre), radius_(radius) {
  bodies[0] = foot, bodies[1] = ball;
  pair.radius[1] = radius;
  length_scale = radius;
}

Touch FaceContact::find_touch(const Kinematics& k) const {
  const Vec3 foot = k.spatial[bodies[0]].r, c = k.spatial[bodies[1]].point(centre_), off = c - foot;
  const double distance = off.norm();
  // A centre on a face knows no normal.
  if (!(distance > 1e-9 * radius_)) return {.gap = length_scale};
  Proximity place;
  place.gap = distance - radius_;
  place.normal = off / distance;
  place.on_first = foot;
  place.on_second = c - radius_ * place.normal;
  place.radius[0] = std::numeric_limits<double>::infinity(), place.radius[1] = radius_;
  return touch_at(place, bodies[0], bodies[1], k);
}

double FaceContact::fastest_approach(const Kinematics& k) const {
  const SpatialFrame &fi = k.spatial[bodies[0]], &fj = k.spatial[bodies[1]];
  return (fj.v - fi.v).norm() + fi.w.norm() * radius_ + (fj.w - fi.w).norm() * centre_.norm();
}

}  // namespace tappet
