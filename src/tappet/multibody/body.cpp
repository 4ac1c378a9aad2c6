#include "tappet/multibody/body.hpp"

#include <Eigen/LU>

#include "tappet/base/sections.hpp"
#include "tappet/geometry/shape.hpp"
#include "tappet/multibody/flexible_table.hpp"
#include "tappet/multibody/structure_table.hpp"

namespace tappet {
namespace {

const Table& body_table() {
  using P = BodyParameters;
  static const Table table = table_of<P>(
      "a body", "A rigid body; its coordinates have their origin in the centre of mass",
      {{&P::mass,
        {.name = "mass",
         .unit = "kg",
         .help = "mass; absent: from `density` and `shapes`",
         .range = positive()}},
       {&P::density,
        {.name = "density",
         .unit = "kg/m^3",
         .help = "instead of mass and inertia: these follow from the shapes (plane: kg/m^2)",
         .range = positive()}},
       {&P::inertia,
        {.name = "inertia",
         .kind = Kind::inertia,
         .unit = "kg m^2",
         .help = "about the centre of mass; plane: a number; space: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, "
                 "Ixz, Iyz] or "
                 "3×3; absent: a point mass, which does not turn"}},
       {&P::position,
        {.name = "position",
         .kind = Kind::vector,
         .unit = "m",
         .help = "centre of mass at the start, world axes; absent: "
                 "the origin"}},
       {&P::angle,
        {.name = "angle", .unit = "rad", .help = "plane: orientation at the start", .fallback = "0"}},
       {&P::orientation,
        {.name = "orientation",
         .kind = Kind::orientation,
         .help = "space: quaternion [w, x, y, z] or {axis, angle}"}},
       {&P::velocity,
        {.name = "velocity",
         .kind = Kind::vector,
         .unit = "m/s",
         .help = "of the centre of mass at the start; absent: from the joints and motions"}},
       {&P::angular_velocity,
        {.name = "angular_velocity",
         .kind = Kind::spin,
         .unit = "rad/s",
         .help = "at the start; plane: a number; space: three, world axes; absent: from the joints and "
                 "motions"}},
       {&P::structure,
        {.name = "structure",
         .kind = Kind::object,
         .help = "an elastic body of finite elements, instead of mass and shapes",
         .table = &structure_table()}},
       {&P::flexible,
        {.name = "flexible",
         .kind = Kind::object,
         .help = "a body that bends while it turns, instead of mass and shapes; joints hold it at its "
                 "interfaces, "
                 "BODY.INTERFACE",
         .table = &flexible_table()}},
       {&P::shapes,
        {.name = "shapes",
         .kind = Kind::objects,
         .help = "its surfaces, by name",
         .family = &shape_family()}}});
  return table;
}

// Elastic coordinates give way in assembly where nothing else closes the joints: of a rigid displacement's share this part.
constexpr double yielding = 1e-4;

const bool bodies_registered = (register_table("bodies", &body_table()), true);

}  // namespace

Table& structure_table() {
  static Table table;
  return table;
}

Table& flexible_table() {
  static Table table;
  return table;
}

InverseMass InverseMass::of(const std::vector<Body>& bodies) {
  InverseMass out;
  for (const Body& body : bodies) {
    out.linear.push_back(1 / body.mass);
    Mat3 inverse = Mat3::Zero();
    // Planar bodies fill only (2, 2); a point mass has no entry and so never turns.
    if (body.has_inertia) {
      if (body.inertia(0, 0) == 0)
        inverse(2, 2) = 1 / body.inertia(2, 2);
      else
        inverse = body.inertia.inverse();
    }
    out.angular.push_back(inverse);
  }
  return out;
}

InverseMass InverseMass::uniform(int bodies, double length) {
  InverseMass out;
  out.linear.assign(bodies, 1.0);
  out.angular.assign(bodies, Mat3::Identity() / (length * length));
  out.elastic = yielding;
  return out;
}

}  // namespace tappet
