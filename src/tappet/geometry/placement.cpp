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

std::vector<Parameter> with_placement(std::vector<Parameter> rows) {
  rows.push_back(position_row());
  rows.push_back({.name = "angle", .unit = "rad", .help = "plane: how far the shape is turned in its body"});
  rows.push_back(
      {.name = "orientation",
       .kind = Kind::orientation,
       .help = "space: how the shape is turned in its body, quaternion [w, x, y, z] or {axis, angle}"});
  return rows;
}

Pose read_placement(const Object& object, Dimension dimension, Diagnostics& diagnostics) {
  Pose out;
  if (object.has("position")) out.r = to_vec3(object.vector("position"));
  const bool planar = dimension == Dimension::planar;
  const char *wrong = planar ? "orientation" : "angle", *right = planar ? "angle" : "orientation";
  if (object.given(wrong))
    diagnostics.error(object.where(wrong),
                      fmt::format("`{}` of shape '{}' has no meaning in a {} model; use `{}`", wrong,
                                  object.name, planar ? "planar" : "spatial", right));
  if (planar && object.has("angle"))
    out.R = Eigen::AngleAxisd(object.number("angle"), Vec3::UnitZ()).toRotationMatrix();
  if (!planar && object.has("orientation")) {
    const std::vector<double>& e = object.vector("orientation");
    out.R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
  }
  return out;
}

Vec3 to_vec3(const std::vector<double>& numbers) {
  return {numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0};
}

std::vector<Vec3> to_vec3s(const std::vector<std::vector<double>>& points) {
  std::vector<Vec3> out;
  for (const auto& point : points) out.push_back(to_vec3(point));
  return out;
}

}  // namespace tappet
