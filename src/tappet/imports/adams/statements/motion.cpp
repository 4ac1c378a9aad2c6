// MOTION/1, JOINT = 1, ROTATION, FUNCTION = 30D*TIME: drives a joint's coordinate by a function of time.
// VELOCITY or ACCELERATION: the function is that; else it is the angle or displacement.
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::motion {
namespace {

using namespace values;

void read(const Given& given, Conversion& c) {
  if (!given.has("JOINT"))
    return c.lost(given, "motions between markers are not translated, only those of joints");
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
  const auto function = c.of_time(given, "FUNCTION", unit);
  if (!function) return;
  if (given.has("ICDISP") || given.has("ICVEL"))
    c.note(given, "ICDISP and ICVEL follow from the parts' places and velocities");
  Value out = mapping();
  add(out, "joint", scalar(joint->name));
  add(out, key, scalar(*function));
  c.add("motions", c.name_of(given, "motion"), std::move(out));
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
