// PART/2, MASS = 1, CM = 201, IP = 0.04, 0.1, 0.1, QG = 0, 0, 0, REULER = 0, 0, 0, VX = 1, WZ = 2: a rigid body.
//
// IP is the inertia about the origin and along the axes of marker IM, which is CM unless it is named; products of inertia are positive
// integrals, Ixy = ∫ x y dm, so that the tensor has −Ixy. About the centre of mass, with d from there to the origin of IM:
//
//   J = R_IM I R_IMᵀ − m (|d|² 1 − d dᵀ)
//
// POINT_MASS/3, MASS = 1, CM = 301: the same without turning.
//
// VX … are along the world's axes (or those of marker VM), WX … along those of CM (or WM).
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/placement.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::part {
namespace {

using namespace values;
using Eigen::Matrix3d;
using Eigen::Vector3d;

void read(const Given& given, Conversion& c) {
  Part out;
  out.ground = given.has("GROUND");
  out.place = read_placement(given, 'G', c);
  out.shapes = mapping();
  out.line = given.statement().line;
  out.name = out.ground ? "ground" : c.name_of(given, "part");
  if (!c.parts.emplace(given.statement().id, std::move(out)).second)
    c.fault(given, "there are two of this number");
}

/// The marker that an argument names, which has to be on this part.
const Marker* own_marker(const Given& given, const std::string& argument, Conversion& c) {
  const Marker* marker = c.marker(given, argument);
  if (!marker || marker->part == given.statement().id) return marker;
  c.fault(given, fmt::format("{} = {} is a marker of PART/{}", argument, given.text(argument), marker->part));
  return nullptr;
}

/// About the centre of mass, in the part's axes.
Matrix3d inertia(const Given& given, double mass, const Marker& centre, Conversion& c) {
  const Marker* reference = given.has("IM") ? own_marker(given, "IM", c) : &centre;
  if (!reference) return Matrix3d::Identity();
  std::vector<double> n = c.numbers(given, "IP", 3, 6);
  n.resize(6, 0.0);
  const double unit = c.units.mass * c.units.length * c.units.length;
  Matrix3d I;
  I << n[0], -n[3], -n[4], -n[3], n[1], -n[5], -n[4], -n[5], n[2];
  const Matrix3d R = reference->place.linear();
  const Vector3d d = reference->place.translation() - centre.place.translation();
  return unit * (R * I * R.transpose()) - mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

void add_velocities(const Given& given, const Marker& centre, Part& part, Conversion& c, Value& body) {
  const auto components = [&](const char* x, const char* y, const char* z, double unit) {
    return Vector3d(c.number(given, x, unit, 0), c.number(given, y, unit, 0), c.number(given, z, unit, 0));
  };
  const auto axes_of = [&](const char* argument, const Matrix3d& absent) {
    if (!given.has(argument)) return absent;
    const Marker* marker = c.marker(given, argument);
    return marker ? Matrix3d(c.in_world(*marker).linear()) : absent;
  };
  if (given.has("VX") || given.has("VY") || given.has("VZ")) {
    part.velocity =
        axes_of("VM", Matrix3d::Identity()) * components("VX", "VY", "VZ", c.units.length / c.units.time);
    add(body, "velocity", values::vector(*part.velocity));
  }
  if (given.has("WX") || given.has("WY") || given.has("WZ")) {
    part.angular_velocity =
        axes_of("WM", (part.place * centre.place).linear()) * components("WX", "WY", "WZ", 1 / c.units.time);
    add(body, "angular_velocity", values::vector(*part.angular_velocity));
  }
}

/// POINT_MASS: against the ground as it stands, by z along z and x square to y.
void hold_orientation(const Part& part, Conversion& c) {
  const Matrix3d R = part.place.linear();
  const auto direction = [&](const char* type, int ours, int worlds) {
    Value out = mapping();
    add(out, "type", scalar(type));
    add(out, "bodies", list({scalar("ground"), scalar(part.name)}));
    add(out, "axes", list({values::vector(R.col(worlds)), values::vector(Vector3d::Unit(ours))}));
    c.add("joints", fmt::format("{}_keeps_{}", part.name, "xyz"[ours]), std::move(out));
  };
  direction("parallel", 2, 2);
  direction("perpendicular", 0, 1);
}

void finish(const Given& given, Conversion& c) {
  Part& part = c.parts.at(given.statement().id);
  if (part.ground || !part.carrier.empty()) return;
  const double mass = c.number(given, "MASS", c.units.mass, 0);
  if (!(mass > 0))
    return c.lost(given, "a part without mass cannot be a body, unless it is fixed to one that has mass");
  const Marker* centre = own_marker(given, "CM", c);
  if (!centre) return;
  part.centre = centre->place.translation();
  const bool point = given.statement().name.starts_with("PO");
  if (!point && !given.has("IP")) return c.lost(given, "a body needs moments of inertia, and IP is missing");
  // A point keeps its orientation, so that its inertia never acts: any will do.
  const Matrix3d J = point ? Matrix3d(mass * c.units.length * c.units.length * Matrix3d::Identity())
                           : inertia(given, mass, *centre, c);
  Value body = mapping();
  add(body, "mass", exact(mass));
  std::vector<Value> moments = {exact(J(0, 0)), exact(J(1, 1)), exact(J(2, 2))};
  // What the rotation leaves by rounding is zero.
  const double small = 1e-15 * J.diagonal().maxCoeff();
  if (std::abs(J(0, 1)) > small || std::abs(J(0, 2)) > small || std::abs(J(1, 2)) > small)
    for (double product : {J(0, 1), J(0, 2), J(1, 2)}) moments.push_back(exact(product));
  add(body, "inertia", list(std::move(moments)));
  add(body, "position", values::vector(part.place * part.centre));
  if (!part.place.linear().isIdentity(1e-15)) add(body, "orientation", quaternion(part.place.linear()));
  add_velocities(given, *centre, part, c, body);
  if (given.has("EXACT"))
    c.note(given, "EXACT is not needed: positions move as little as the joints ask for, of all parts alike");
  c.add("bodies", part.name, std::move(body));
  if (point) hold_orientation(part, c);
}

const Registration<StatementType> registered{
    {.name = "PART",
     .stage = StatementType::parts,
     .arguments = {"GROUND", "MASS", "CM", "IM", "IP", "QG", "REULER", "XG", "ZG", "VX", "VY", "VZ", "WX",
                   "WY", "WZ", "VM", "WM", "EXACT", "MATERIAL"},
     .read = read,
     .finish = finish}};
const Registration<StatementType> point{
    {.name = "POINT_MASS",
     .stage = StatementType::parts,
     .arguments = {"MASS", "CM", "QG", "REULER", "XG", "ZG", "VX", "VY", "VZ", "VM", "EXACT", "MATERIAL"},
     .read = read,
     .finish = finish}};

}  // namespace
}  // namespace tappet::adams::statements::part
