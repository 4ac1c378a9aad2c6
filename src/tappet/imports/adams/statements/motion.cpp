// MOTION/1, JOINT = 1, ROTATION, FUNCTION = 30D*TIME: drives a joint's coordinate by a function of time.
// VELOCITY or ACCELERATION: the function is that; else it is the angle or displacement. I, J, X in place of JOINT: of a point.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::motion {
namespace {

using namespace values;

/// X, Y or Z of I against J along the axes of J, where these are the world's axes in some order: a point of the part is moved.
void between_markers(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  const char* axes[] = {"X", "Y", "Z"};
  const auto axis = std::find_if(axes, axes + 3, [&](const char* a) { return given.has(a); });
  if (axis == axes + 3)
    return c.lost(given, "turns between markers (B1, B2, B3) are not translated: drive a joint between them");
  const bool swapped = c.part(*i).ground;
  const Marker &moved = swapped ? *j : *i, &still = swapped ? *i : *j;
  const Eigen::Vector3d along = c.in_world(*j).linear().col(axis - axes);
  Eigen::Index k;
  const double sign = along.cwiseAbs().maxCoeff(&k) > 1 - 1e-12 ? std::copysign(1.0, along[k]) : 0;
  if (!c.part(still).ground || swapped || sign == 0)
    return c.lost(given,
                  "motions between markers are translated where J is on the ground and its axes are the "
                  "world's in some order; drive a joint between them");
  if (given.has("VELOCITY") || given.has("ACCELERATION"))
    return c.lost(given, "of motions between markers only places are translated");
  const auto function = c.of_time(given, "FUNCTION", sign * c.units.length);
  if (!function) return;
  Value out = mapping();
  add(out, "body", scalar(c.part(moved).name));
  add(out, "point", values::vector(c.point(moved)));
  add(out, std::string(1, "xyz"[k]),
      scalar(fmt::format("{} + {}", exact(c.in_world(still).translation()[k]).text, *function)));
  c.add("motions", c.name_of(given, "motion"), std::move(out));
}

void read(const Given& given, Conversion& c) {
  if (!given.has("JOINT")) return between_markers(given, c);
  const JointRecord* joint = c.joint(given, given.text("JOINT"));
  if (!joint) return;
  const bool turn = given.has("ROTATIONAL") || given.has("ROTATION"),
             slide = given.has("TRANSLATIONAL") || given.has("TRANSLATION"),
             rotation = turn || (!slide && !joint->slides);
  if (rotation ? !joint->turns : !joint->slides)
    return c.fault(given, fmt::format("JOINT/{} has no {} that could be driven",
                                      plain_id(given.text("JOINT")), rotation ? "angle" : "displacement"));
  const double length = rotation ? 1 : c.units.length, time = c.units.time;
  const char* key = rotation ? "angle" : "displacement";
  double unit = length;
  const bool velocity = given.has("VELOCITY"), acceleration = given.has("ACCELERATION");
  if (velocity) key = "speed", unit = length / time;
  if (acceleration) key = "acceleration", unit = length / (time * time);
  if (joint->turns && joint->slides && (velocity || acceleration))
    return c.lost(
        given, "a rate of a joint that turns and slides is not translated: write the angle or displacement");
  // A prescribed place is one of time; what places tell may prescribe a speed.
  const auto function =
      c.function(given, "FUNCTION", unit, velocity || acceleration ? c.signals : Measures{});
  if (!function) return;
  if (given.has("ICDISP") || given.has("ICVEL"))
    c.note(given, "ICDISP and ICVEL follow from the parts' places and velocities");
  Value out = mapping();
  add(out, "joint", scalar(joint->name));
  add(out, key, scalar(*function));
  const std::string name = c.name_of(given, "motion");
  c.motions[given.statement().id] = {name, plain_id(given.text("JOINT")), rotation};
  c.add("motions", name, std::move(out));
}

const Registration<StatementType> registered{
    {.name = "MOTION",
     .stage = StatementType::couplings,
     .arguments = {"JOINT", "ROTATIONAL", "ROTATION", "TRANSLATIONAL", "TRANSLATION", "DISPLACEMENT",
                   "VELOCITY", "ACCELERATION", "FUNCTION", "ICDISP", "ICVEL", "I", "J", "X", "Y", "Z", "B1",
                   "B2", "B3"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::motion
