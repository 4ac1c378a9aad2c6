// What `flexible` of a body may hold.
#include "tappet/multibody/flexible_table.hpp"

#include "tappet/fem/body_table.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet::flexible_tables {
namespace {

Parameter square_matrix(const std::string& name, const std::string& help) {
  return {.name = name, .kind = Kind::matrix, .help = help, .length = any_length, .count = 0};
}

Parameter component_vector(const std::string& name, const std::string& help) {
  return {.name = name, .kind = Kind::vector, .help = help, .length = any_length};
}

Table components(const std::string& name, const std::string& help, bool matrices) {
  Table out{.name = name, .help = help, .parameters = {}};
  for (const char* pair : {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}) {
    const std::string text = std::string("component ") + pair + ", absent: 0";
    out.parameters.push_back(matrices ? square_matrix(pair, text) : component_vector(pair, text));
  }
  return out;
}

const Table& axes_table() {
  static const Table table{.name = "second-order matrices",
                           .help = "m × m, symmetric, one per axis",
                           .parameters = {square_matrix("x", "along or about x"), square_matrix("y", "y"),
                                          square_matrix("z", "z")}};
  return table;
}

const Table& arrays_table() {
  static const Table X = components("`X`", "∫ρ x_a φ_k,b, m numbers each", false);
  static const Table S = components("`S`", "∫ρ φ_k,a φ_l,b, m × m each", true);
  static const Table X2 =
      components("`X2`", "2 ∫ρ x_a u₂,b of the second-order displacement, m × m each", true);
  static const Table table{
      .name = "`arrays`",
      .help = "A flexible body by the integrals over it, in SI units; x are its points, φ_k its shapes",
      .parameters = {
          {.name = "mass", .unit = "kg", .help = "∫ρ", .required = true, .range = positive()},
          {.name = "first_moment",
           .kind = Kind::vector,
           .unit = "kg m",
           .help = "∫ρ x: mass times the centre of mass from the frame's origin",
           .fallback = "0"},
          {.name = "inertia",
           .kind = Kind::inertia,
           .unit = "kg m^2",
           .help = "undeformed, about the frame's origin",
           .required = true},
          square_matrix("p", "∫ρ φ_k, a row per axis"),
          {.name = "X", .kind = Kind::object, .help = "∫ρ x_a φ_k,b", .table = &X},
          {.name = "S", .kind = Kind::object, .help = "∫ρ φ_k,a φ_l,b", .required = true, .table = &S},
          square_matrix("rotary", "what the turning of sections adds to the mass matrix of the shapes"),
          [] {
            Parameter p = square_matrix("stiffness", "m × m");
            p.required = true;
            return p;
          }(),
          square_matrix("damping", "m × m, diagonal in the normal modes"),
          {.name = "C",
           .kind = Kind::object,
           .help = "2 ∫ρ u₂ of the second-order displacement",
           .table = &axes_table()},
          {.name = "X2", .kind = Kind::object, .help = "2 ∫ρ x_a u₂,b likewise", .table = &X2}}};
  return table;
}

const Table& interface_table() {
  static const Table table{
      .name = "an interface",
      .help = "A frame of a flexible body that joints and forces act on, as BODY.NAME",
      .parameters = {
          {.name = "group", .kind = Kind::text, .help = "of a mesh: its nodes"},
          {.name = "at",
           .kind = Kind::vector,
           .unit = "m",
           .help = "of a mesh, instead: the node nearest to this place of the mesh",
           .length = 3},
          {.name = "kind",
           .kind = Kind::choice,
           .help = "of a mesh: its nodes go with it as if welded to it, or it goes with their average",
           .fallback = "rigid",
           .choices = {"rigid", "averaged"}},
          {.name = "position",
           .kind = Kind::vector,
           .unit = "m",
           .help = "of its origin, undeformed: in the body's frame, or where there is a mesh in the mesh's "
                   "axes; absent: the body's origin, or the mean of the nodes"},
          {.name = "angle", .unit = "rad", .help = "plane: of its axes, undeformed", .fallback = "0"},
          {.name = "orientation",
           .kind = Kind::orientation,
           .help = "space: of its axes, quaternion [w, x, y, z] or {axis, angle}"},
          square_matrix("translation", "of `arrays`: its displacement per coordinate, a row per axis"),
          square_matrix("rotation",
                        "of `arrays`: its rotation per coordinate; plane: one row; space: a row per axis"),
          {.name = "shift",
           .kind = Kind::object,
           .help = "of `arrays`: its second-order displacement, ½ qᵀ C q per axis",
           .table = &axes_table()},
          {.name = "turn",
           .kind = Kind::object,
           .help = "of `arrays`: its second-order rotation, ½ qᵀ D q per axis",
           .table = &axes_table()},
          {.name = "shapes",
           .kind = Kind::objects,
           .help = "surfaces that it carries, by name, in its axes",
           .family = &shape_family()}}};
  return table;
}

const Table& damping_table() {
  static const Table table{
      .name = "`damping`",
      .help = "Of elastic coordinates; rigid motion is not damped",
      .parameters = {
          component_vector("ratio", "of critical damping: [one number for all modes], or one per mode"),
          {.name = "mass", .unit = "1/s", .help = "Rayleigh's α", .fallback = "0", .range = not_negative()},
          {.name = "stiffness",
           .unit = "s",
           .help = "Rayleigh's β",
           .fallback = "0",
           .range = not_negative()}}};
  return table;
}

bool fill() {
  flexible_table() = {
      .name = "a flexible body",
      .help = "A body that bends: a frame of reference and elastic coordinates in it",
      .parameters = {
          fem::structure_row("mesh"),
          fem::structure_row("generate"),
          fem::structure_row("scale"),
          fem::structure_row("material"),
          fem::structure_row("section"),
          fem::structure_row("sections"),
          fem::structure_row("mass"),
          fem::structure_row("points"),
          fem::structure_row("masses"),
          {.name = "modes",
           .kind = Kind::integer,
           .help =
               "of a mesh: modes with all interfaces held, beside the shapes that displace and turn these",
           .fallback = "0",
           .range = {.low = 0, .high = 500}},
          {.name = "boundary",
           .kind = Kind::choice,
           .help = "of a mesh: these modes have all interfaces held, or are those of the free body",
           .fallback = "fixed",
           .choices = {"fixed", "free"}},
          {.name = "highest",
           .unit = "Hz",
           .help = "of a mesh: normal modes above it are left out; absent: none",
           .range = positive()},
          {.name = "frame",
           .kind = Kind::text,
           .help = "of a mesh: `mean` axes, which float in the middle of the body, or the name of the "
                   "interface that "
                   "carries its frame",
           .fallback = "mean"},
          {.name = "matrices",
           .kind = Kind::text,
           .help = "instead of a mesh: an HDF5 file with the integrals of `arrays`; or"},
          {.name = "arrays", .kind = Kind::object, .help = "these integrals here", .table = &arrays_table()},
          {.name = "interfaces",
           .kind = Kind::objects,
           .help = "frames that joints and forces act on, by name",
           .table = &interface_table()},
          component_vector("coordinates", "elastic coordinates at the start, as given; absent: 0"),
          component_vector("rates", "their rates at the start; absent: 0"),
          {.name = "damping", .kind = Kind::object, .help = "of the modes", .table = &damping_table()},
          {.name = "geometric_stiffening",
           .kind = Kind::boolean,
           .help = "whether rotation and loads at interfaces stiffen it, by its second-order displacement",
           .fallback = "true"},
          {.name = "large_rotations",
           .kind = Kind::boolean,
           .help = "refused here: elements that turn without reduction are those of `structure`",
           .fallback = "false"}}};
  return true;
}

const bool filled = fill();

}  // namespace
}  // namespace tappet::flexible_tables
