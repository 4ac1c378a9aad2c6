// BEAM/1, I = 204, J = 205, LENGTH = 1, AREA, IXX, IYY, IZZ, EMODULUS, GMODULUS, ASY, ASZ, CRATIO: a massless beam from J along its x axis to I.
//
// ASY, ASZ: the area over the part of it that carries shear; CRATIO: damping over stiffness, s.
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::beam {
namespace {

using namespace values;

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  const Units& u = c.units;
  const double area = u.length * u.length, pressure = u.force / area, second = area * area;
  if (given.has("CMATRIX"))
    return c.lost(given, "its damping by CMATRIX is not translated, only that by CRATIO");
  const double y = c.number(given, "ASY", 1, 0), z = c.number(given, "ASZ", 1, 0);
  if (y != z) return c.lost(given, "ASY and ASZ differ, and the model's beam has one shear area");
  const Eigen::Isometry3d from = c.in_world(*j), to = c.in_world(*i);
  const Eigen::Vector3d along = to.translation() - from.translation();
  if (!(along.cross(from.linear().col(0)).norm() <= 1e-6 * along.norm()) ||
      along.dot(from.linear().col(0)) <= 0 || !(to.linear() - from.linear()).isZero(1e-6))
    return c.lost(
        given, "it is bent at the start: ours goes from J to I as they stand, with both markers' axes alike");
  Value out = mapping();
  add(out, "type", scalar("beam"));
  const Value ends = c.between(*j, *i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  const double A = c.number(given, "AREA", area, 0);
  add(out, "young", exact(c.number(given, "EMODULUS", pressure, 0)));
  add(out, "area", exact(A));
  add(out, "second_moments",
      list({exact(c.number(given, "IYY", second, 0)), exact(c.number(given, "IZZ", second, 0))}));
  add(out, "shear", exact(c.number(given, "GMODULUS", pressure, 0)));
  add(out, "torsion_constant", exact(c.number(given, "IXX", second, 0)));
  if (y > 0) add(out, "shear_area", exact(A / y));
  add(out, "length", exact(c.number(given, "LENGTH", u.length, along.norm())));
  add(out, "up", values::vector(c.axes(*j).col(1)));
  if (given.has("CRATIO")) add(out, "damping_time", exact(c.number(given, "CRATIO", u.time, 0)));
  c.add("forces", c.name_of(given, "beam"), std::move(out));
}

const Registration<StatementType> registered{
    {.name = "BEAM",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "LENGTH", "AREA", "IXX", "IYY", "IZZ", "EMODULUS", "GMODULUS", "ASY", "ASZ",
                   "CRATIO", "CMATRIX"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::beam
