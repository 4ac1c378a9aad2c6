// What the key `structure` of a body may hold.
#include "tappet/fem/body_table.hpp"

#include <stdexcept>

#include "tappet/fem/generator.hpp"
#include "tappet/multibody/structure_table.hpp"

namespace tappet::fem {
namespace {

std::vector<Parameter> section_parameters() {
  return {
      {.name = "material", .kind = Kind::name, .help = "of `materials`; absent: the structure's own"},
      {.name = "element",
       .kind = Kind::text,
       .help = "hex8, hex20, wedge6, wedge15, tet4, tet10, shell4, shell8, shell3, shell6, beam, beam3, "
               "truss, spring, plane-stress3 to plane-stress8, plane-strain3 to plane-strain8 or ring3 to "
               "ring8; absent: as the cells ask for "
               "(lines: beam)"},
      {.name = "thickness", .unit = "m", .help = "shells and plane elements", .range = positive()},
      {.name = "rectangle",
       .kind = Kind::vector,
       .unit = "m",
       .help = "beams: width along y and height along z",
       .length = 2},
      {.name = "tube",
       .kind = Kind::vector,
       .unit = "m",
       .help = "beams: outer radius and wall; a wall of the radius is a solid bar",
       .length = 2},
      {.name = "box",
       .kind = Kind::vector,
       .unit = "m",
       .help = "beams: width, height and wall of a hollow rectangle",
       .length = 3},
      {.name = "area", .unit = "m^2", .help = "beams and trusses, instead of a shape", .range = positive()},
      {.name = "inertia_y", .unit = "m^4", .help = "beams: ∫z² dA", .range = positive()},
      {.name = "inertia_z", .unit = "m^4", .help = "beams: ∫y² dA", .range = positive()},
      {.name = "torsion", .unit = "m^4", .help = "beams: Saint-Venant's constant", .range = positive()},
      {.name = "up",
       .kind = Kind::vector,
       .help = "beams: their z axis is towards this direction",
       .fallback = "[0, 0, 1]",
       .length = 3},
      {.name = "stiffness", .unit = "N/m", .help = "springs", .range = not_negative()},
      {.name = "damping", .unit = "N s/m", .help = "springs", .range = not_negative()}};
}

const Table& section_table() {
  static const Table table{.name = "a section",
                           .help = "What elements are besides their mesh",
                           .parameters = section_parameters()};
  return table;
}

const Table& fix_table() {
  static const Table table{.name = "a support",
                           .help = "What is held",
                           .parameters = {{.name = "held",
                                           .kind = Kind::names,
                                           .help = "of x, y, z, rx, ry, rz",
                                           .required = true,
                                           .count = 0}}};
  return table;
}

const Table& damping_table() {
  static const Table table{
      .name = "`damping`",
      .help = "Rayleigh's damping, C = α M + β K",
      .parameters = {
          {.name = "mass", .unit = "1/s", .help = "α", .fallback = "0", .range = not_negative()},
          {.name = "stiffness", .unit = "s", .help = "β", .fallback = "0", .range = not_negative()}}};
  return table;
}

Parameter at_parameter() {
  return {.name = "at",
          .kind = Kind::vector,
          .unit = "m",
          .help = "the node nearest to this place of the mesh is meant",
          .length = 3};
}

const Table& point_table() {
  static const Table table{
      .name = "a point",
      .help = "A node with a name: its motion is recorded, springs and masses can be attached",
      .parameters = {at_parameter(),
                     {.name = "group", .kind = Kind::text, .help = "instead: the group's only node"},
                     {.name = "new",
                      .kind = Kind::vector,
                      .unit = "m",
                      .help = "instead: a node of its own at this place of the mesh, for masses and springs",
                      .length = 3}}};
  return table;
}

const Table& mass_table() {
  static const Table table{
      .name = "a point mass",
      .help = "Mass of a node, or shared by the nodes of a group",
      .parameters = {
          {.name = "on", .kind = Kind::text, .help = "a point or a group", .required = true},
          {.name = "mass", .unit = "kg", .help = "all of it", .required = true, .range = positive()},
          {.name = "inertia",
           .kind = Kind::vector,
           .unit = "kg m^2",
           .help = "about x, y, z, of one node",
           .length = 3}}};
  return table;
}

const Table& spring_table() {
  static const Table table{
      .name = "a spring",
      .help = "Spring and damper between two points, or a point and the ground",
      .parameters = {
          {.name = "between",
           .kind = Kind::names,
           .help = "two points, or a point and `ground`",
           .required = true,
           .count = 2},
          {.name = "axis",
           .kind = Kind::vector,
           .help = "direction from the first to the second; absent: as they lie",
           .length = 3},
          {.name = "stiffness",
           .unit = "N/m",
           .help = "k of F = k d + c v",
           .fallback = "0",
           .range = not_negative()},
          {.name = "damping", .unit = "N s/m", .help = "c", .fallback = "0", .range = not_negative()},
          {.name = "force",
           .kind = Kind::expression,
           .unit = "N",
           .help = "instead of these: an expression of the elongation d (m) and its rate v (m/s)",
           .variables = {"d", "v"},
           .inputs = Inputs::alone}}};
  return table;
}

const Table& reduce_table() {
  static const Table table{
      .name = "`reduce`",
      .help =
          "Craig and Bampton's reduction: points, contact nodes and loaded nodes stay, the rest moves with "
          "them and in modes",
      .parameters = {{.name = "modes",
                      .kind = Kind::integer,
                      .help = "of the rest, with what stays held",
                      .required = true,
                      .range = {.low = 0, .high = 5000}},
                     {.name = "keep", .kind = Kind::names, .help = "groups that stay as well", .count = 0}}};
  return table;
}

const Table& load_table() {
  static const Table table{
      .name = "a load",
      .help = "A force or moment on a point or, shared equally, on the nodes of a group",
      .parameters = {{.name = "on", .kind = Kind::text, .help = "a point or a group", .required = true},
                     {.name = "force",
                      .kind = Kind::expressions,
                      .unit = "N",
                      .help = "components, each a number or an expression of t",
                      .variables = {"t"},
                      .inputs = Inputs::alone,
                      .length = 3},
                     {.name = "moment",
                      .kind = Kind::expressions,
                      .unit = "N m",
                      .help = "components, likewise; on nodes that turn, those of beams and shells",
                      .variables = {"t"},
                      .inputs = Inputs::alone,
                      .length = 3}}};
  return table;
}

const Table& move_table() {
  static const Table table = [] {
    Table out{.name = "a motion of supports",
              .help = "Displacement of nodes from where the mesh is, a number or an expression of t",
              .parameters = {}};
    for (const char* name : {"x", "y", "z", "rx", "ry", "rz"})
      out.parameters.push_back({.name = name,
                                .kind = Kind::expression,
                                .unit = name[0] == 'r' ? "rad" : "m",
                                .help = name[0] == 'r' ? "rotation" : "displacement",
                                .variables = {"t"},
                                .no_inputs = "inputs jump, and supports cannot; a `load` may use them"});
    out.parameters.push_back({.name = "table",
                              .kind = Kind::text,
                              .help =
                                  "a text file with a column t and columns of these names, in SI units; a "
                                  "cubic spline goes through its rows"});
    return out;
  }();
  return table;
}

const Table& attach_table() {
  static const Table table{
      .name = "an attachment",
      .help = "Nodes of a group or point go with a rigid body, in the way they lie at the start (a spider)",
      .parameters = {{.name = "body", .kind = Kind::name, .help = "a rigid body", .required = true},
                     {.name = "turn",
                      .kind = Kind::choice,
                      .help = "whether rotations of the nodes, where they have any, follow the body's",
                      .fallback = "kept",
                      .choices = {"kept", "free"}}}};
  return table;
}

const Table& full_table() {
  static const Table table = {
      .name = "a structure",
      .help = "An elastic body of finite elements",
      .parameters =
          {{.name = "mesh",
            .kind = Kind::text,
            .help = "a mesh file, .msh (Gmsh) or .inp (Abaqus, CalculiX); or `generate`"},
           {.name = "generate",
            .kind = Kind::object,
            .help = "a mesh made here",
            .family = &generator_family()},
           {.name = "scale",
            .unit = "m",
            .help = "length of the mesh file's unit, such as 1 mm",
            .fallback = "1 m",
            .range = positive()},
           {.name = "material",
            .kind = Kind::name,
            .help = "of `materials`, with young, poisson and density"},
           {.name = "section", .kind = Kind::object, .help = "of all elements", .table = &section_table()},
           {.name = "sections",
            .kind = Kind::objects,
            .help = "of groups, by the group's name; other cells are then left out",
            .table = &section_table()},
           {.name = "mass",
            .kind = Kind::choice,
            .help = "mass matrix",
            .fallback = "consistent",
            .choices = {"consistent", "lumped"}},
           {.name = "large_rotations",
            .kind = Kind::boolean,
            .help = "elements turn as far as they like, each in axes of its own",
            .fallback = "false"},
           {.name = "light_contact",
            .kind = Kind::names,
            .help = "groups whose nodes give their mass to their neighbours",
            .count = 0},
           {.name = "damping", .kind = Kind::object, .help = "C = α M + β K", .table = &damping_table()},
           {.name = "fix",
            .kind = Kind::objects,
            .help = "supports, GROUP: [x, y, z, rx, ry, rz]",
            .table = &fix_table()},
           {.name = "move",
            .kind = Kind::objects,
            .help = "supports that move, GROUP: {z: EXPRESSION}",
            .table = &move_table()},
           {.name = "attach",
            .kind = Kind::objects,
            .help = "nodes that go with rigid bodies, GROUP: {body: NAME}",
            .table = &attach_table()},
           {.name = "points", .kind = Kind::objects, .help = "nodes with names", .table = &point_table()},
           {.name = "masses", .kind = Kind::objects, .help = "point masses, by name", .table = &mass_table()},
           {.name = "springs",
            .kind = Kind::objects,
            .help = "springs and dampers, by name",
            .table = &spring_table()},
           {.name = "reduce",
            .kind = Kind::object,
            .help = "step a reduced system instead of all unknowns",
            .table = &reduce_table()},
           {.name = "loads",
            .kind = Kind::objects,
            .help = "forces on nodes, by name",
            .table = &load_table()}},
      .planar = false};
  return table;
}

}  // namespace

const Parameter& structure_row(const std::string& name) {
  for (const Parameter& row : full_table().parameters)
    if (row.name == name) return row;
  throw std::logic_error("no row of that name");
}

namespace {

bool fill_table() {
  structure_table() = full_table();
  return true;
}
const bool filled = fill_table();

}  // namespace
}  // namespace tappet::fem
