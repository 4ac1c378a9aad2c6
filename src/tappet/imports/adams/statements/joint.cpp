// JOINT/1, REVOLUTE, I = 102, J = 202: one file, since all kinds differ by a word.
//
//   REVOLUTE, CYLINDRICAL, TRANSLATIONAL, PLANAR   about and along the z axis of J; angles from the x axis of J to that of I
//   SPHERICAL, FIXED                               as they stand
//   HOOKE                                          crossed axes: x of I and y of J
//   UNIVERSAL                                      crossed axes: z of I and z of J
//   SCREW                                          about the z axis of J; PITCH along it per turn
//   CONVEL                                         shafts along z of J and −z of I, which both point away from their joint
//   RACKPIN                                        the turns of I about its z axis and the slide of J along its own, by joints of their own
//
// The joint of the model has the body of J first: its coordinates are those of I against J, and its reaction is that on I.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/coupling.hpp"
#include "tappet/imports/values.hpp"
#include "tappet/multibody/coordinate.hpp"

namespace tappet::adams::statements::joint {
namespace {

using namespace values;

struct Kind {
  const char* type;  ///< of the model
  bool turns, slides;
};

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {{"REVOLUTE", {"revolute", true, false}},
                                                  {"CYLINDRICAL", {"cylindrical", true, true}},
                                                  {"TRANSLATIONAL", {"translational", false, true}},
                                                  {"PLANAR", {"planar", true, false}},
                                                  {"SPHERICAL", {"spherical", false, false}},
                                                  {"FIXED", {"fixed", false, false}},
                                                  {"HOOKE", {"universal", false, false}},
                                                  {"UNIVERSAL", {"universal", false, false}},
                                                  {"SCREW", {"screw", true, true}},
                                                  {"CONVEL", {"constant-velocity", false, false}}};
  return all;
}

/// IC = place, velocity of what turns or slides; ICROT and ICTRAN where both do.
void read_start(const Given& given, const Marker& i, const Marker& j, const JointRecord& record,
                Conversion& c) {
  InitialRates rates{record.i, record.j, 0, 0, given.statement().line};
  bool any = false;
  const auto take = [&](const char* argument, bool turns) {
    if (!given.has(argument)) return;
    const std::vector<double> n = c.numbers(given, argument, 1, 2);
    const double unit = turns ? 1 : c.units.length;
    const Eigen::Isometry3d at = c.in_world(j);
    const double now =
        turns ? c.angle(i, j) : at.linear().col(2).dot(c.in_world(i).translation() - at.translation());
    const double off = turns ? std::remainder(n[0] - now, 2 * std::numbers::pi) : n[0] * unit - now;
    if (std::abs(off) > 1e-6 * (turns ? 1 : c.units.length))
      c.lost(given,
             fmt::format("{} moves its parts to {} before the start, where they stand at {}: give their "
                         "places in the statements PART",
                         argument, n[0], now / unit));
    if (n.size() < 2) return;
    (turns ? rates.turn : rates.slide) = n[1] * unit / c.units.time;
    any = true;
  };
  take("IC", record.turns);
  take("ICTRAN", false);
  take("ICROT", true);
  if (any) c.initial_rates.push_back(rates);
}

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (c.dissolved.count(given.statement().id)) return;
  const auto kind =
      std::find_if(kinds().begin(), kinds().end(), [&](const auto& k) { return given.has(k.first); });
  if (given.has("RACKPIN")) return;  // when all joints are known
  if (kind == kinds().end()) return c.fault(given, "what kind of joint it is is missing, such as REVOLUTE");
  if (!c.pair(given, i, j)) return;
  JointRecord record{c.name_of(given, "joint"), kind->second.type,  plain_id(given.text("I")),
                     plain_id(given.text("J")), kind->second.turns, kind->second.slides};
  Value out = mapping();
  add(out, "type", scalar(record.type));
  const Value ends = c.between(*j, *i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  const Eigen::Matrix3d A = c.axes(*j), B = c.axes(*i);
  if (record.type == "universal") {
    const bool hooke = kind->first == "HOOKE";
    add(out, "axes",
        list({values::vector(hooke ? A.col(1) : A.col(2)), values::vector(hooke ? B.col(0) : B.col(2))}));
  } else if (record.type == "translational") {
    add(out, "axis", values::vector(A.col(2)));
  } else if (record.type == "screw") {
    add(out, "axis", values::vector(A.col(2)));
    add(out, "pitch", exact(c.number(given, "PITCH", c.units.length, 0)));
  } else if (record.type == "constant-velocity") {
    add(out, "axes", list({values::vector(A.col(2)), values::vector(-B.col(2))}));
  } else if (record.turns) {
    add(out, "axes", list({values::vector(A.col(2)), values::vector(B.col(2))}));
    // Where the markers' x axes are parallel the angle is 0.
    const double zero = angle_about(A.col(2), B.col(2), A * B.transpose());
    if (std::abs(zero) > 1e-15) add(out, "zero", exact(zero));
  }
  if (given.has("IC") || given.has("ICTRAN") || given.has("ICROT")) {
    if (record.type == "revolute" || record.type == "translational" || record.type == "cylindrical")
      read_start(given, *i, *j, record, c);
    else
      c.lost(given, fmt::format("how a joint of type {} moves at the start is not translated: give the "
                                "velocities of parts",
                                record.type));
  }
  c.add("joints", record.name, std::move(out));
  c.joints.emplace(given.statement().id, std::move(record));
}

/// A joint of one coordinate of the marker's part against another about or along the marker's z axis; `sign`: of its coordinate for that.
const JointRecord* joint_of(const Marker& marker, bool turns, const Conversion& c, double& sign) {
  for (const auto& [id, joint] : c.joints) {
    if (joint.turns != turns || joint.slides == turns) continue;
    const Marker &i = c.markers.at(joint.i), &j = c.markers.at(joint.j);
    const double along = c.in_world(j).linear().col(2).dot(c.in_world(marker).linear().col(2));
    if ((i.part != marker.part && j.part != marker.part) || std::abs(std::abs(along) - 1) > 1e-6) continue;
    sign = (i.part == marker.part ? 1.0 : -1.0) * along;
    return &joint;
  }
  return nullptr;
}

// The rack moves as the pinion's surface does where they meet, at the origin of J's line: Δs = ((z_I × (r_J − r_I))·z_J/|…|) PD/2 Δφ.
void rack_and_pinion(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!given.has("RACKPIN") || !c.pair(given, i, j)) return;
  double turn = 1, slide = 1;
  const JointRecord *pinion = joint_of(*i, true, c, turn), *rack = joint_of(*j, false, c, slide);
  if (!pinion || !rack)
    return c.lost(given, pinion ? "no TRANSLATIONAL joint guides its rack along the z axis of J"
                                : "no REVOLUTE joint carries its pinion about the z axis of I");
  const Eigen::Isometry3d at_i = c.in_world(*i), at_j = c.in_world(*j);
  const double surface =
      at_i.linear().col(2).cross(at_j.translation() - at_i.translation()).dot(at_j.linear().col(2));
  const double radius = c.number(given, "PD", 1, 0) / 2;
  if (radius == 0) return c.fault(given, "PD, the pitch diameter, is missing");
  const double signed_radius =
      std::abs(surface) > 1e-9 * c.units.length ? std::copysign(radius, surface) : radius;
  couple(given, {pinion->name, true, -turn * signed_radius}, {rack->name, false, slide}, c);
}

const Registration<StatementType> registered{
    {.name = "JOINT",
     .stage = StatementType::joints,
     .arguments = {"REVOLUTE", "CYLINDRICAL", "TRANSLATIONAL", "PLANAR", "SPHERICAL", "FIXED", "HOOKE",
                   "UNIVERSAL", "SCREW", "CONVEL", "RACKPIN", "I", "J", "IC", "ICTRAN", "ICROT", "PITCH",
                   "PD"},
     .read = read,
     .finish = rack_and_pinion,
     .finishing = StatementType::couplings}};

}  // namespace
}  // namespace tappet::adams::statements::joint
