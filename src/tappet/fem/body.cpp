#include "tappet/fem/body.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/contact/material.hpp"
#include "tappet/fem/generator.hpp"
#include "tappet/fem/mesh_reader.hpp"
#include "tappet/multibody/structure_table.hpp"

namespace tappet::fem {
namespace {

std::vector<Parameter> section_parameters() {
  return {
      {.name = "material", .kind = Kind::name, .help = "of `materials`; absent: the structure's own"},
      {.name = "element",
       .kind = Kind::text,
       .help = "hex8, tet4, tet10, shell4, shell3, beam, truss or spring; absent: as the cells ask for "
               "(lines: beam)"},
      {.name = "thickness", .unit = "m", .help = "shells", .range = positive()},
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
           .variables = {"d", "v"}}}};
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
      .help = "A force on a point or, shared equally, on the nodes of a group",
      .parameters = {{.name = "on", .kind = Kind::text, .help = "a point or a group", .required = true},
                     {.name = "force",
                      .kind = Kind::expressions,
                      .unit = "N",
                      .help = "components, each a number or an expression of t",
                      .required = true,
                      .variables = {"t"},
                      .length = 3}}};
  return table;
}

bool fill_table() {
  structure_table() = {
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
            .help = "lengths of the mesh file are multiplied by this: 0.001 for millimetres",
            .fallback = "1",
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
           {.name = "light_contact",
            .kind = Kind::names,
            .help = "groups whose nodes give their mass to their neighbours",
            .count = 0},
           {.name = "damping", .kind = Kind::object, .help = "C = α M + β K", .table = &damping_table()},
           {.name = "fix",
            .kind = Kind::objects,
            .help = "supports, GROUP: [x, y, z, rx, ry, rz]",
            .table = &fix_table()},
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
  return true;
}
const bool filled = fill_table();

class BodyReader {
 public:
  explicit BodyReader(const BodyInput& in) : in_(in), o_(in.object.object("structure")) { out_.pos = o_.pos; }

  Body read() {
    Structure& s = out_.structure;
    s.name = in_.object.name;
    if (!read_mesh_of()) return std::move(out_);
    place_mesh();
    read_sections();
    read_points();
    read_supports();
    read_masses();
    read_springs();
    read_loads();
    s.lumped_mass = o_.text("mass") == "lumped";
    if (o_.has("damping")) {
      s.mass_damping = o_.object("damping").number("mass");
      s.stiffness_damping = o_.object("damping").number("stiffness");
    }
    if (in_.diagnostics.has_errors()) return std::move(out_);
    check(s, o_.pos, in_.diagnostics);
    if (in_.diagnostics.has_errors()) return std::move(out_);
    number_unknowns(s);
    if (o_.has("light_contact"))
      for (const Name& n : o_.names("light_contact")) {
        nodes_of_group(s, n.text, n.pos, in_.diagnostics);
        out_.light_groups.push_back(n.text);
      }
    if (o_.has("reduce")) {
      const Object& r = o_.object("reduce");
      out_.reduced_modes = r.integer("modes");
      if (r.has("keep"))
        for (const Name& n : r.names("keep")) {
          const std::vector<int> nodes = nodes_of(n.text, n.pos);
          out_.kept_nodes.insert(out_.kept_nodes.end(), nodes.begin(), nodes.end());
        }
    }
    out_.mass = total_mass(s, &out_.centre);
    if (s.free == 0) fault(o_.pos, "is held everywhere: nothing can move");
    if (!(out_.mass > 0)) fault(o_.pos, "has no mass: give its material a `density`");
    check_size();
    in_.notes.push_back(fmt::format("structure '{}': {} nodes, {} elements, {} unknowns, {:.6g} kg", s.name,
                                    s.mesh.nodes.size(), s.elements.size(), s.free, out_.mass));
    return std::move(out_);
  }

 private:
  void fault(const SourcePos& pos, const std::string& text) {
    in_.diagnostics.error(pos, fmt::format("structure '{}' {}", in_.object.name, text));
  }

  bool read_mesh_of() {
    if (o_.has("mesh") == o_.has("generate")) {
      fault(o_.pos, fmt::format("has {} `mesh` {} `generate`; give one of them",
                                o_.has("mesh") ? "both" : "neither", o_.has("mesh") ? "and" : "nor"));
      return false;
    }
    Mesh& mesh = out_.structure.mesh;
    if (o_.has("generate")) {
      const Object& g = o_.object("generate");
      const Generator* generator = GeneratorRegistry::instance().find(g.type);
      if (!generator || in_.diagnostics.has_errors()) return false;
      mesh = generator->make(g, in_.diagnostics);
    } else {
      const std::filesystem::path path = std::filesystem::path(in_.model_folder) / o_.text("mesh");
      mesh = read_mesh(path.string(), o_.where("mesh"), in_.diagnostics);
      for (Vec3& x : mesh.nodes) x *= o_.number("scale");
    }
    for (const Vec3& x : mesh.nodes)
      if (!x.allFinite()) {
        fault(o_.pos, "has a mesh with a coordinate that is not a finite number");
        return false;
      }
    return !mesh.nodes.empty();
  }

  void place_mesh() {
    const Object& b = in_.object;
    for (const char* key : {"mass", "density", "inertia", "shapes"})
      if (b.given(key))
        fault(b.where(key), fmt::format("has `{}`, which is for rigid bodies: mass and surfaces of a "
                                        "structure come from its mesh and material",
                                        key));
    Mat3 R = Mat3::Identity();
    if (b.has("orientation")) {
      const auto& e = b.vector("orientation");
      R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
    }
    Vec3 r = Vec3::Zero();
    if (b.has("position"))
      r = Vec3(b.vector("position")[0], b.vector("position")[1], b.vector("position")[2]);
    for (Vec3& x : out_.structure.mesh.nodes) x = r + R * x;
    place_ = r, turn_ = R;
    if (b.has("velocity"))
      out_.velocity = Vec3(b.vector("velocity")[0], b.vector("velocity")[1], b.vector("velocity")[2]);
    if (b.has("angular_velocity"))
      out_.angular_velocity = Vec3(b.vector("angular_velocity")[0], b.vector("angular_velocity")[1],
                                   b.vector("angular_velocity")[2]);
  }

  int material(const std::string& name, const SourcePos& pos) {
    std::vector<std::string> known;
    for (const Object& m : in_.materials) {
      known.push_back(m.name);
      if (m.name != name) continue;
      const Material read = read_material(m);
      if (!(read.young > 0)) fault(m.name_pos, fmt::format("is made of '{}', which has no `young`", name));
      if (!(read.poisson > -1 && read.poisson < 0.5))
        fault(m.name_pos, fmt::format("is made of '{}' with a Poisson's ratio of {:g}; it must lie between "
                                      "-1 and 0.5, without these",
                                      name, read.poisson));
      out_.structure.materials.push_back({read.young, read.poisson, read.density});
      return static_cast<int>(out_.structure.materials.size()) - 1;
    }
    const std::string near = nearest_name(name, known);
    fault(pos,
          fmt::format("is made of '{}', which is not among `materials`{}: {}", name,
                      near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(known)));
    return -1;
  }

  int material_of(const Object* section) {
    if (section && section->has("material"))
      return material(section->text("material"), section->where("material"));
    if (o_.has("material")) return material(o_.text("material"), o_.where("material"));
    fault(o_.pos, "has no `material`");
    return -1;
  }

  Section section_of(const Object& o) {
    Section s;
    s.thickness = o.number_or("thickness", 0);
    s.up = Vec3(o.vector("up")[0], o.vector("up")[1], o.vector("up")[2]);
    if (!(s.up.norm() > 0)) fault(o.where("up"), "has a section whose `up` has no direction");
    s.stiffness = o.number_or("stiffness", 0);
    s.damping = o.number_or("damping", 0);
    const auto rectangle = [](double b, double h) {
      // Saint-Venant's constant by its usual approximation, within 0.5 %.
      const double a = std::max(b, h) / 2, c = std::min(b, h) / 2, ratio = c / a;
      return a * c * c * c * (16.0 / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
    };
    if (o.has("rectangle")) {
      const double b = o.vector("rectangle")[0], h = o.vector("rectangle")[1];
      s.area = b * h, s.inertia_y = b * h * h * h / 12, s.inertia_z = h * b * b * b / 12,
      s.torsion = rectangle(b, h);
      s.reach = std::max(b, h) / 2;
    } else if (o.has("tube")) {
      const double R = o.vector("tube")[0], r = std::max(0.0, R - o.vector("tube")[1]);
      s.area = std::numbers::pi * (R * R - r * r);
      s.inertia_y = s.inertia_z = std::numbers::pi / 4 * (std::pow(R, 4) - std::pow(r, 4));
      s.torsion = 2 * s.inertia_y;
      s.shear_y = s.shear_z = r > 0.5 * R ? 0.5 : 0.9;
      s.reach = R;
    } else if (o.has("box")) {
      const double b = o.vector("box")[0], h = o.vector("box")[1], t = o.vector("box")[2];
      const double bi = std::max(0.0, b - 2 * t), hi = std::max(0.0, h - 2 * t);
      s.area = b * h - bi * hi, s.inertia_y = (b * h * h * h - bi * hi * hi * hi) / 12,
      s.inertia_z = (h * b * b * b - hi * bi * bi * bi) / 12;
      // Bredt's formula for thin walls.
      const double mid = (b - t) * (h - t);
      s.torsion = 2 * t * mid * mid / (b - t + h - t);
      s.shear_y = s.area > 0 ? 2 * b * t / s.area : 0, s.shear_z = s.area > 0 ? 2 * h * t / s.area : 0;
      s.reach = std::max(b, h) / 2;
    }
    if (o.has("area")) s.area = o.number("area");
    if (o.has("inertia_y")) s.inertia_y = o.number("inertia_y");
    if (o.has("inertia_z")) s.inertia_z = o.number("inertia_z");
    if (o.has("torsion")) s.torsion = o.number("torsion");
    return s;
  }

  void use_cells(const std::vector<int>& cells, const Object* o) {
    Structure& s = out_.structure;
    Section section = o ? section_of(*o) : Section{};
    const int number = static_cast<int>(s.sections.size());
    s.sections.push_back(section);
    const SourcePos pos = o ? o->pos : o_.pos;
    const ElementType* given = nullptr;
    if (o && o->has("element")) {
      given = ElementRegistry::instance().find(o->text("element"));
      if (!given) {
        fault(o->where("element"),
              fmt::format("has elements '{}', which do not exist; elements: {}", o->text("element"),
                          join_names(ElementRegistry::instance().names())));
        return;
      }
    }
    const int material = given && given->name == "spring" ? none() : material_of(o);
    if (material < 0) return;
    bool missing_thickness = false, missing_beam = false;
    for (int c : cells) {
      const Cell& cell = s.mesh.cells[c];
      const ElementType* type = given ? given : default_element(cell.shape);
      if (!type || type->shape != cell.shape) {
        fault(pos,
              type ? fmt::format("has a {} ({} of {}) where `element: {}` needs a {}", describe(cell.shape),
                                 cell.label, s.mesh.source, type->name, describe(type->shape))
                   : fmt::format("has a {} ({} of {}), for which there is no element", describe(cell.shape),
                                 cell.label, s.mesh.source));
        return;
      }
      missing_thickness = missing_thickness || (type->name.starts_with("shell") && !(section.thickness > 0));
      missing_beam = missing_beam || (type->name == "truss" && !(section.area > 0)) ||
                     (type->name == "beam" && !(section.area > 0 && section.inertia_y > 0 &&
                                                section.inertia_z > 0 && section.torsion > 0));
      s.add_element(*type, s.mesh.nodes_of(c), number, material, cell.label);
    }
    if (missing_thickness) fault(pos, "has shells without a `thickness` in their section");
    if (missing_beam)
      fault(pos,
            "has beams whose section has no shape: give `rectangle`, `tube` or `box`, or area, inertia_y, "
            "inertia_z and torsion");
  }

  int none() {
    out_.structure.materials.push_back({});
    return static_cast<int>(out_.structure.materials.size()) - 1;
  }

  void read_sections() {
    const Mesh& mesh = out_.structure.mesh;
    if (o_.has("sections")) {
      for (const Object& o : o_.objects("sections")) {
        const Group* group = find_group(o.name, o.name_pos);
        if (!group) continue;
        if (group->cells.empty())
          fault(o.name_pos,
                fmt::format("has a section for group '{}', which holds nodes but no cells", o.name));
        else
          use_cells(std::vector<int>(group->cells), &o);
      }
      return;
    }
    // All cells of the highest dimension; others only mark supports and surfaces.
    std::vector<int> cells;
    for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c)
      if (dimension(mesh.cells[c].shape) == mesh.dimension()) cells.push_back(c);
    use_cells(cells, o_.has("section") ? &o_.object("section") : nullptr);
  }

  const Group* find_group(const std::string& name, const SourcePos& pos) {
    const Group* group = out_.structure.mesh.find_group(name);
    if (!group) {
      const std::vector<std::string> known = out_.structure.mesh.group_names();
      const std::string near = nearest_name(name, known);
      fault(pos, fmt::format("has no group '{}' in its mesh{}; groups: {}", name,
                             near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                             known.empty() ? "none" : join_names(known, 20)));
    }
    return group;
  }

  void read_supports() {
    if (!o_.has("fix")) return;
    const std::vector<std::string> names = {"x", "y", "z", "rx", "ry", "rz"};
    for (const Object& o : o_.objects("fix")) {
      Support support;
      for (const Name& n : o.names("held")) {
        const auto at = std::find(names.begin(), names.end(), n.text);
        if (at == names.end())
          fault(n.pos,
                fmt::format("holds '{}' of group '{}'; x, y, z, rx, ry and rz can be held", n.text, o.name));
        else
          support.held[at - names.begin()] = true;
      }
      std::vector<int> nodes = nodes_of(o.name, o.name_pos);
      for (int n : nodes) {
        support.node = n;
        out_.structure.supports.push_back(support);
      }
    }
  }

  // Points are nodes of elements.
  int nearest(const Vec3& local) const {
    const Structure& s = out_.structure;
    const Vec3 x = place_ + turn_ * local;
    int best = -1;
    for (int n : s.element_nodes)
      if (best < 0 || (s.mesh.nodes[n] - x).norm() < (s.mesh.nodes[best] - x).norm()) best = n;
    return best;
  }

  void read_points() {
    if (!o_.has("points")) return;
    for (const Object& o : o_.objects("points")) {
      int node = -1;
      if (o.has("at") + o.has("group") + o.has("new") != 1) {
        fault(o.name_pos,
              fmt::format("has a point '{}' that does not say where; give one of `at`, `group` and `new`",
                          o.name));
        continue;
      }
      if (o.has("at")) {
        node = nearest(Vec3(o.vector("at")[0], o.vector("at")[1], o.vector("at")[2]));
      } else if (o.has("new")) {
        Mesh& mesh = out_.structure.mesh;
        node = static_cast<int>(mesh.nodes.size());
        mesh.nodes.push_back(place_ +
                             turn_ * Vec3(o.vector("new")[0], o.vector("new")[1], o.vector("new")[2]));
        if (!mesh.node_labels.empty())
          mesh.node_labels.push_back(1 + *std::max_element(mesh.node_labels.begin(), mesh.node_labels.end()));
      } else if (const Group* g = find_group(o.text("group"), o.where("group"))) {
        if (g->nodes.size() == 1)
          node = g->nodes[0];
        else
          fault(o.where("group"), fmt::format("has a point '{}' on group '{}' of {} nodes; one is needed",
                                              o.name, g->name, g->nodes.size()));
      }
      if (node >= 0) out_.points.push_back({o.name, node});
    }
  }

  /// Nodes of a point or a group.
  std::vector<int> nodes_of(const std::string& name, const SourcePos& pos) {
    for (const NamedPoint& p : out_.points)
      if (p.name == name) return {p.node};
    const Group* g = find_group(name, pos);
    return g ? g->nodes : std::vector<int>{};
  }

  void read_masses() {
    if (!o_.has("masses")) return;
    Structure& s = out_.structure;
    const ElementType& type = *ElementRegistry::instance().find("point-mass");
    for (const Object& o : o_.objects("masses")) {
      const std::vector<int> nodes = nodes_of(o.text("on"), o.where("on"));
      if (nodes.empty()) continue;
      Section section;
      section.mass = o.number("mass") / static_cast<double>(nodes.size());
      if (o.has("inertia"))
        for (int i = 0; i < 3; ++i)
          section.mass_inertia(i, i) = o.vector("inertia")[i] / static_cast<double>(nodes.size());
      s.sections.push_back(section);
      const int number = static_cast<int>(s.sections.size()) - 1, material = none();
      for (int n : nodes) s.add_element(type, {&n, 1}, number, material);
    }
  }

  void read_springs() {
    if (!o_.has("springs")) return;
    Structure& s = out_.structure;
    for (const Object& o : o_.objects("springs")) {
      NonlinearSpring spring;
      spring.name = o.name;
      bool good = true;
      for (int k = 0; k < 2; ++k) {
        const Name& n = o.names("between")[k];
        if (n.text == "ground") continue;
        const std::vector<int> nodes = nodes_of(n.text, n.pos);
        if (nodes.size() == 1)
          spring.nodes[k] = nodes[0];
        else if (good = false; nodes.size() > 1)
          fault(n.pos, fmt::format("has a spring '{}' on group '{}' of {} nodes; name a point", o.name,
                                   n.text, nodes.size()));
      }
      if (!good) continue;
      if (spring.nodes[0] == spring.nodes[1]) {
        fault(o.where("between"), fmt::format("has a spring '{}' that begins where it ends", o.name));
        continue;
      }
      if (o.has("axis")) {
        spring.direction = Vec3(o.vector("axis")[0], o.vector("axis")[1], o.vector("axis")[2]);
      } else if (spring.nodes[0] < 0 || spring.nodes[1] < 0) {
        fault(o.pos, fmt::format("has a spring '{}' to the ground without `axis`", o.name));
        continue;
      } else {
        spring.direction = s.mesh.nodes[spring.nodes[1]] - s.mesh.nodes[spring.nodes[0]];
      }
      if (!(spring.direction.norm() > 0)) {
        fault(o.pos, fmt::format("has a spring '{}' without a direction; give `axis`", o.name));
        continue;
      }
      spring.direction.normalize();
      const double k = o.number("stiffness"), c = o.number("damping");
      const bool plain = !o.has("force") && !o.has("axis");
      if (plain) {
        Section section;
        section.stiffness = k, section.damping = c;
        s.sections.push_back(section);
        s.add_element(*ElementRegistry::instance().find("spring"), spring.nodes,
                      static_cast<int>(s.sections.size()) - 1, none());
        continue;
      }
      if (!o.has("force")) {
        std::string rest;
        spring.force = Expression::parse(fmt::format("{:.17g}*d + {:.17g}*v", k, c), {"d", "v"}, rest);
      } else if (k == 0 && c == 0) {
        spring.force = o.expression("force");
      } else {
        fault(o.where("force"), fmt::format("has a spring '{}' with `force` and also `stiffness` or "
                                            "`damping`; write all of it into `force`",
                                            o.name));
      }
      out_.springs.push_back(spring);
    }
  }

  void read_loads() {
    if (!o_.has("loads")) return;
    for (const Object& o : o_.objects("loads")) {
      NodeLoad load;
      load.name = o.name;
      load.nodes = nodes_of(o.text("on"), o.where("on"));
      for (int i = 0; i < 3; ++i) load.force[i] = o.expressions("force")[i];
      if (!load.nodes.empty()) out_.loads.push_back(load);
    }
  }

  // A mesh in millimetres read as metres: steel parts of a kilometre, or of the weight of a ship.
  void check_size() {
    const double size = extent(out_.structure.mesh);
    if (size > 50)
      in_.diagnostics.warning(o_.pos, fmt::format("structure '{}' is {:.4g} m long and weighs {:.4g} kg; if "
                                                  "its mesh is in millimetres, give `scale: 0.001`",
                                                  in_.object.name, size, out_.mass));
    else if (size < 1e-5)
      in_.diagnostics.warning(o_.pos, fmt::format("structure '{}' is {:.4g} m long; lengths are in metres",
                                                  in_.object.name, size));
  }

  const BodyInput& in_;
  const Object& o_;
  Body out_;
  Vec3 place_ = Vec3::Zero();
  Mat3 turn_ = Mat3::Identity();
};

}  // namespace

Body read_body(const BodyInput& in) {
  return BodyReader(in).read();
}

std::vector<int> nodes_of_group(const Structure& s, const std::string& group, const SourcePos& pos,
                                Diagnostics& diagnostics) {
  if (const Group* g = s.mesh.find_group(group)) {
    std::vector<int> out;
    for (int n : g->nodes)
      if (s.node_unknowns[n] > 0) out.push_back(n);
    return out;
  }
  const std::vector<std::string> known = s.mesh.group_names();
  diagnostics.error(pos, fmt::format("structure '{}' has no group '{}' in its mesh; groups: {}", s.name,
                                     group, known.empty() ? "none" : join_names(known, 20)));
  return {};
}

}  // namespace tappet::fem
