// GRAPHICS/201, CYLINDER, CM = 203, LENGTH = 4, RADIUS = 0.1: shapes, which contacts refer to and pages draw.
//
//   CYLINDER    CM: the middle of one end, the axis its z axis     ELLIPSOID   CM; XSCALE …: whole diameters
//   BOX         CORNER, X, Y, Z along its axes                     PLANE       RM: the plane z = 0 of it, material below
//   FRUSTUM     CM: the middle of the BOTTOM circle, TOP           the hull of corners on its circles
//
// What only Adams draws, springs, arrows, outlines, tori and files of CAD programs, is left out, and said.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::graphics {
namespace {

using namespace values;
using Eigen::Isometry3d;
using Eigen::Vector3d;

/// Puts a shape of this kind on the marker's part.
void add_shape(const Given& given, const Marker& marker, const char* kind, Value keys, Conversion& c) {
  Part& part = c.parts.at(marker.part);
  const std::string id = given.statement().id;
  std::string name = fmt::format("g{}", id);
  Value shape = mapping();
  add(shape, kind, std::move(keys));
  add(part.shapes, name, std::move(shape));
  c.graphics[id] = {marker.part, name};
}

/// The marker's place in the body, moved by `by` along its axes.
Isometry3d place_of(const Marker& marker, const Vector3d& by, const Conversion& c) {
  Isometry3d out = Isometry3d::Identity();
  out.linear() = c.axes(marker);
  out.translation() = c.point(marker) + out.linear() * by;
  return out;
}

void cylinder(const Given& given, Conversion& c) {
  const Marker* centre = c.marker(given, "CM");
  if (!centre) return;
  const double length = c.number(given, "LENGTH", c.units.length, 0),
               radius = c.number(given, "RADIUS", c.units.length, 0);
  Value keys = mapping();
  add(keys, "radius", exact(radius));
  add(keys, "length", exact(std::abs(length)));
  add_place(keys, place_of(*centre, {0, 0, length / 2}, c));
  if (!(radius > 0) || length == 0) return c.note(given, "a cylinder without size is left out");
  add_shape(given, *centre, "cylinder", std::move(keys), c);
}

void box(const Given& given, Conversion& c) {
  const Marker* corner = c.marker(given, "CORNER");
  if (!corner) return;
  const Vector3d size(c.number(given, "X", c.units.length, 0), c.number(given, "Y", c.units.length, 0),
                      c.number(given, "Z", c.units.length, 0));
  if (size.cwiseAbs().minCoeff() == 0) return c.note(given, "a box without thickness is left out");
  Value keys = mapping();
  add(keys, "size", values::vector(size.cwiseAbs()));
  add_place(keys, place_of(*corner, size / 2, c));
  add_shape(given, *corner, "box", std::move(keys), c);
}

void ellipsoid(const Given& given, Conversion& c) {
  const Marker* centre = c.marker(given, "CM");
  if (!centre) return;
  const Vector3d size(c.number(given, "XSCALE", c.units.length, 0),
                      c.number(given, "YSCALE", c.units.length, 0),
                      c.number(given, "ZSCALE", c.units.length, 0));
  if (!(size.minCoeff() > 0)) return c.note(given, "an ellipsoid without size is left out");
  Value keys = mapping();
  if (size.maxCoeff() - size.minCoeff() <= 1e-12 * size.maxCoeff()) {
    add(keys, "radius", exact(size.x() / 2));
    add(keys, "position", values::vector(c.point(*centre)));
    return add_shape(given, *centre, "sphere", std::move(keys), c);
  }
  add(keys, "semi_axes", values::vector(size / 2));
  add_place(keys, place_of(*centre, Vector3d::Zero(), c));
  add_shape(given, *centre, "ellipsoid", std::move(keys), c);
}

/// Round ends of a frustum have so many corners.
constexpr int frustum_corners = 48;

void frustum(const Given& given, Conversion& c) {
  const Marker* base = c.marker(given, "CM");
  if (!base) return;
  const double length = c.number(given, "LENGTH", c.units.length, 0),
               radii[] = {c.number(given, "BOTTOM", c.units.length, 0),
                          c.number(given, "TOP", c.units.length, 0)};
  if (length == 0 || !(std::max(radii[0], radii[1]) > 0))
    return c.note(given, "a frustum without size is left out");
  std::vector<Value> points;
  for (int end = 0; end < 2; ++end)
    for (int n = 0; n < (radii[end] > 0 ? frustum_corners : 1); ++n) {
      const double angle = 2 * std::numbers::pi * n / frustum_corners;
      points.push_back(values::vector(
          place_of(*base, {radii[end] * std::cos(angle), radii[end] * std::sin(angle), end * length}, c)
              .translation()));
    }
  Value keys = mapping();
  add(keys, "points", list(std::move(points)));
  c.note(given, fmt::format("a frustum is the hull of {} corners on each of its circles", frustum_corners));
  add_shape(given, *base, "hull", std::move(keys), c);
}

void plane(const Given& given, Conversion& c) {
  const Marker* reference = c.marker(given, "RM");
  if (!reference) return;
  Value keys = mapping();
  add(keys, "point", values::vector(c.point(*reference)));
  add(keys, "normal", values::vector(c.axis(*reference)));
  add_shape(given, *reference, "plane", std::move(keys), c);
}

void read(const Given& given, Conversion& c) {
  if (given.has("CYLINDER")) return cylinder(given, c);
  if (given.has("BOX")) return box(given, c);
  if (given.has("ELLIPSOID")) return ellipsoid(given, c);
  if (given.has("PLANE")) return plane(given, c);
  if (given.has("FRUSTUM")) return frustum(given, c);
  c.note(given,
         "only cylinders, frusta, boxes, ellipsoids and planes are shapes of the model; this drawing is left "
         "out");
}

const Registration<StatementType> registered{
    {.name = "GRAPHICS",
     .stage = StatementType::joints,
     .arguments = {"CYLINDER", "BOX",    "ELLIPSOID", "PLANE", "FRUSTUM",  "TORUS", "CIRCLE",  "ARC",
                   "OUTLINE",  "POINT",  "SPDP",      "FORCE", "EXTERNAL", "CURVE", "CM",      "CORNER",
                   "RM",       "LENGTH", "RADIUS",    "X",     "Y",        "Z",     "XSCALE",  "YSCALE",
                   "ZSCALE",   "ANGLE",  "SEG",       "SIDES", "XMIN",     "XMAX",  "YMIN",    "YMAX",
                   "I",        "J",      "COILS",     "DA",    "DB",       "DC",    "LA",      "LB",
                   "LC",       "LD",     "ETYPE",     "EID",   "EMARKER",  "TOP",   "BOTTOM",  "MAJOR",
                   "MINOR",    "FILE",   "ELEMENT",   "CID",   "CRM",      "NSEG",  "RELATIVE"},
     .read = read,
     .moves = false}};

}  // namespace
}  // namespace tappet::adams::statements::graphics
