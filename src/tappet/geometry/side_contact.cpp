#include "tappet/geometry/side_contact.hpp"

#include <utility>

namespace tappet {

Side side_of(const Polygon& polygon, const Pose& pose, const Vec3& towards, int first_name) {
  const int i = polygon.side_towards(pose.local_direction(towards)), j = polygon.next(i);
  return {{pose.point(polygon.corners[i]), pose.point(polygon.corners[j])},
          {first_name + i, first_name + j},
          pose.direction(polygon.normals[i]),
          0};
}

Side side_of(const Capsule& segment, const Pose& pose, const Vec3& towards, int first_name) {
  const Vec3 along = pose.direction(segment.direction), across(-along.y(), along.x(), 0);
  return {{pose.point(segment.a), pose.point(segment.b)},
          {first_name, first_name + 1},
          across.dot(towards) < 0 ? Vec3(-across) : across,
          segment.R};
}

namespace {

/// A corner of the first over the second.
Proximity corner_over(const Vec3& corner, double margin, const Side& other) {
  Proximity out;
  out.normal = -other.normal;
  out.gap = other.normal.dot(corner - other.point[0]) - margin - other.margin;
  out.on_first = corner + margin * out.normal;
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = margin;
  out.radius[1] = flat;
  return out;
}

}  // namespace

void side_contacts(const Side& first, const Side& second, std::span<Proximity> out) {
  const Vec3 m = first.normal - second.normal, along(-m.y(), m.x(), 0);
  const Side* sides[2] = {&first, &second};
  double at[2][2];  // of the lower and the upper end
  int end[2][2];
  for (int k = 0; k < 2; ++k) {
    const double u = along.dot(sides[k]->point[0]), v = along.dot(sides[k]->point[1]);
    at[k][0] = std::min(u, v), at[k][1] = std::max(u, v);
    end[k][0] = u <= v ? 0 : 1, end[k][1] = 1 - end[k][0];
  }
  if (!(std::max(at[0][0], at[1][0]) < std::min(at[0][1], at[1][1]))) return;
  for (int upper = 0; upper < 2; ++upper) {
    const bool of_first = upper ? at[0][1] <= at[1][1] : at[0][0] >= at[1][0];
    const Side &own = of_first ? first : second, &other = of_first ? second : first;
    const int corner = end[of_first ? 0 : 1][upper];
    const Proximity found = corner_over(own.point[corner], own.margin, other);
    out[own.name[corner]] = of_first ? found : exchanged(found);
  }
}

}  // namespace tappet
