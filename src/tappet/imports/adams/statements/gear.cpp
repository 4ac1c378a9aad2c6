// GEAR/1, JOINTS = 1, 2, CV = 301: two wheels, or a wheel and a rack, whose surfaces have one velocity along the z axis of marker CV.
//
//   k_a ċ_a = k_b ċ_b,   k = (a × (r_CV − r_joint))·z of a joint that turns about a, k = a·z of one that slides along it
//
// The joints share a carrier, on which CV is; a joint counts backwards where the carrier has its marker I.
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/coupling.hpp"

namespace tappet::adams::statements::gear {
namespace {

/// Speed of the joint's wheel at CV along z per rate of its coordinate, against the carrier.
double surface_speed(const JointRecord& joint, const Marker& contact, Conversion& c) {
  const Marker &i = c.markers.at(joint.i), &j = c.markers.at(joint.j);
  const Eigen::Isometry3d at = c.in_world(contact), place = c.in_world(j);
  const Eigen::Vector3d a = place.linear().col(2), z = at.linear().col(2);
  const double sign = i.part == contact.part ? -1 : 1;
  if (!joint.turns) return sign * a.dot(z);
  return sign * a.cross(at.translation() - place.translation()).dot(z) / c.units.length;
}

void read(const Given& given, Conversion& c) {
  const Argument* ids = given.find("JOINTS");
  if (!ids || ids->values.size() != 2) return c.fault(given, "JOINTS takes the numbers of two joints");
  const JointRecord *a = c.joint(given, ids->values[0]), *b = c.joint(given, ids->values[1]);
  const Marker* contact = c.marker(given, "CV");
  if (!a || !b || !contact) return;
  for (const JointRecord* one : {a, b})
    if (c.markers.at(one->i).part != contact->part && c.markers.at(one->j).part != contact->part)
      return c.fault(given, fmt::format("marker CV is on PART/{}, to which joint '{}' is not fixed",
                                        contact->part, one->name));
  const double ka = surface_speed(*a, *contact, c), kb = surface_speed(*b, *contact, c);
  if (ka == 0 || kb == 0)
    return c.fault(given, "at marker CV one of its wheels does not move along the marker's z axis");
  couple(given, {a->name, a->turns, ka}, {b->name, b->turns, -kb}, c);
}

const Registration<StatementType> registered{
    {.name = "GEAR", .stage = StatementType::couplings, .arguments = {"JOINTS", "CV"}, .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::gear
