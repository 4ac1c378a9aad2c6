#include "tappet/multibody/joint.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"

namespace tappet {
namespace {

// A direction must have a length; 1 is returned for the components of one that has none, after saying so.
template <class V>
V unit(const V& a, const Origin& origin, const std::string& key, Diagnostics& diagnostics) {
  const double length = a.norm();
  if (length > 0) return a / length;
  diagnostics.error(origin.where(key),
                    fmt::format("`{}` of joint '{}' has no length: a direction needs at least "
                                "one number that is not 0",
                                key, origin.name));
  return V::Unit(0);
}

const Family& joint_family() {
  static const Family family{
      .key = "type",
      .noun = "joint type",
      .common = {.name = "a joint", .help = "A connection between two bodies", .parameters = {}},
      .fallback = "",
      .members =
          [] {
            std::vector<std::pair<std::string, const Table*>> out;
            for (const JointType& type : JointRegistry::instance().entries())
              out.emplace_back(type.name, &type.table);
            return out;
          },
  };
  return family;
}

const bool joints_registered = (register_family("joints", &joint_family()), true);

}  // namespace

Vec2 JointInput::axis2() const {
  return unit(Vec2(axis.head<2>()), origin, "axis", diagnostics);
}

std::pair<Vec3, Vec3> JointInput::axes3() const {
  if (!std::isnan(axes[0].x()))
    return {unit(axes[0], origin, "axes", diagnostics), unit(axes[1], origin, "axes", diagnostics)};
  if (std::isnan(axis.x())) {
    diagnostics.error(origin.pos,
                      fmt::format("joint '{}' needs `axis` (or `axes`) in a spatial model", origin.name));
    return {Vec3::UnitZ(), Vec3::UnitZ()};
  }
  const Vec3 first = unit(axis, origin, "axis", diagnostics);
  const Vec3 second = start.spatial[j].R.transpose() * (start.spatial[i].R * first);
  return {first, second};
}

Parameter bodies_parameter() {
  return {.name = "bodies",
          .kind = Kind::names,
          .help = "first and second body; `ground` is one of them if need be",
          .required = true,
          .count = 2};
}

Parameter points_parameter() {
  return {.name = "points",
          .kind = Kind::points,
          .unit = "m",
          .help = "the joint's point on each body, in that body's coordinates",
          .required = true,
          .count = 2};
}

Parameter axis_parameter(const std::string& help, bool required) {
  return {.name = "axis", .kind = Kind::vector, .help = help, .required = required};
}

Parameter axes_parameter(const std::string& help) {
  return {.name = "axes", .kind = Kind::points, .help = help, .count = 2};
}

Parameter zero_parameter(const std::string& unit, const std::string& name) {
  return {.name = name,
          .unit = unit,
          .help = unit == "rad"
                      ? "the angle between the bodies' own axes that counts as 0: signals, motions and "
                        "springs count from there"
                      : "the displacement of the second point from the first that counts as 0: signals, "
                        "motions and springs count from there",
          .fallback = "0"};
}

}  // namespace tappet
