#include "tappet/geometry/placement.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace tappet {

Parameter position_row(const std::string& help) {
  return {.name = "position",
          .kind = Kind::vector,
          .unit = "m",
          .help = help,
          .fallback = "0",
          .range = shape_coordinate()};
}

Parameter angle_row() {
  return {.name = "angle", .unit = "rad", .help = "plane: how far the shape is turned in its body"};
}

Parameter orientation_row() {
  return {.name = "orientation",
          .kind = Kind::orientation,
          .help = "space: how the shape is turned in its body, quaternion [w, x, y, z] or {axis, angle}"};
}

Pose place_in_body(const Placement& p, const Origin& origin, Dimension dimension, Diagnostics& diagnostics) {
  Pose out;
  out.r = p.position;
  const bool planar = dimension == Dimension::planar, turned = !std::isnan(p.angle);
  const char *wrong = planar ? "orientation" : "angle", *right = planar ? "angle" : "orientation";
  if (planar ? p.orientation.has_value() : turned)
    diagnostics.error(origin.where(wrong),
                      fmt::format("`{}` of shape '{}' has no meaning in a {} model; use `{}`", wrong,
                                  origin.name, planar ? "planar" : "spatial", right));
  if (planar && turned) out.R = Eigen::AngleAxisd(p.angle, Vec3::UnitZ()).toRotationMatrix();
  if (!planar && p.orientation) {
    const std::array<double, 4>& e = *p.orientation;
    out.R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
  }
  return out;
}

}  // namespace tappet
