#include "tappet/multibody/group_forces.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {

ContactLoad GroupField::load(const Place& place, const Touch& touch, const Vec3& force) const {
  return {.id = field_.name(place.slot),
          .bodies = {place.bodies[0], place.bodies[1]},
          .point = touch.at,
          .normal = touch.normal,
          .force = force,
          .gap = touch.gap};
}

// The masses as if they were points.
double GroupField::mobility(const Place& place, const Touch&) const {
  double out = 0;
  for (int body : place.bodies)
    if (body != mechanism_.ground()) out += mechanism_.inverse_mass.linear[body];
  return out;
}

double GroupField::fastest(const Kinematics&, const double* u) const {
  const int width = velocity_size(mechanism_.dimension), linear = width == 3 ? 2 : 3;
  const double arm = field_.reach();
  double out = 0;
  for (int b = 0; b < mechanism_.body_count(); ++b, u += width) {
    double speed = 0, turning = 0;
    for (int i = 0; i < width; ++i) (i < linear ? speed : turning) += u[i] * u[i];
    out = std::max(out, std::sqrt(speed) + std::sqrt(turning) * arm);
  }
  return out;
}

}  // namespace tappet
