// What elements are made of: materials and sections of a structure.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/contact/material.hpp"
#include "tappet/fem/body_reader.hpp"

namespace tappet::fem {

int BodyReader::material(const std::string& name, const SourcePos& pos) {
  std::vector<std::string> known;
  for (const Object& m : in_.materials) {
    known.push_back(m.name);
    if (m.name != name) continue;
    const Material read = make_material(m.parameters());
    if (!(read.young > 0)) fault(m.name_pos, fmt::format("is made of '{}', which has no `young`", name));
    if (!(read.poisson > -1 && read.poisson < 0.5))
      fault(m.name_pos, fmt::format("is made of '{}' with a Poisson's ratio of {:g}; it must lie between "
                                    "-1 and 0.5, without these",
                                    name, read.poisson));
    out_.structure.materials.push_back({read.young, read.poisson, read.density});
    return static_cast<int>(out_.structure.materials.size()) - 1;
  }
  const std::string near = nearest_name(name, known);
  fault(pos, fmt::format("is made of '{}', which is not among `materials`{}: {}", name,
                         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(known)));
  return -1;
}

int BodyReader::material_of(const Object* section) {
  if (section && section->has("material"))
    return material(section->text("material"), section->where("material"));
  if (o_.has("material")) return material(o_.text("material"), o_.where("material"));
  fault(o_.pos, "has no `material`");
  return -1;
}

Section BodyReader::section_of(const Object& o) {
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
  // Largest shear stress per torque, in the middle of the longer side [Young & Budynas 2002].
  const auto twist_of_rectangle = [](double b, double h) {
    const double a = std::max(b, h) / 2, c = std::min(b, h) / 2, r = c / a;
    return 3 / (8 * a * c * c) * (1 + r * (0.6095 + r * (0.8865 + r * (-1.8023 + r * 0.9100))));
  };
  if (o.has("rectangle")) {
    const double b = o.vector("rectangle")[0], h = o.vector("rectangle")[1];
    s.area = b * h, s.inertia_y = b * h * h * h / 12, s.inertia_z = h * b * b * b / 12,
    s.torsion = rectangle(b, h);
    s.reach_y = b / 2, s.reach_z = h / 2;
    s.reach_twist = twist_of_rectangle(b, h) * s.torsion;
  } else if (o.has("tube")) {
    const double R = o.vector("tube")[0], r = std::max(0.0, R - o.vector("tube")[1]);
    s.area = std::numbers::pi * (R * R - r * r);
    s.inertia_y = s.inertia_z = std::numbers::pi / 4 * (std::pow(R, 4) - std::pow(r, 4));
    s.torsion = 2 * s.inertia_y;
    s.shear_y = s.shear_z = r > 0.5 * R ? 0.5 : 0.9;
    s.reach_y = s.reach_z = s.reach_twist = R;
  } else if (o.has("box")) {
    const double b = o.vector("box")[0], h = o.vector("box")[1], t = o.vector("box")[2];
    const double bi = std::max(0.0, b - 2 * t), hi = std::max(0.0, h - 2 * t);
    s.area = b * h - bi * hi, s.inertia_y = (b * h * h * h - bi * hi * hi * hi) / 12,
    s.inertia_z = (h * b * b * b - hi * bi * bi * bi) / 12;
    // Bredt's formula for thin walls.
    const double mid = (b - t) * (h - t);
    s.torsion = 2 * t * mid * mid / (b - t + h - t);
    s.shear_y = s.area > 0 ? 2 * b * t / s.area : 0, s.shear_z = s.area > 0 ? 2 * h * t / s.area : 0;
    s.reach_y = b / 2, s.reach_z = h / 2;
    s.reach_twist = mid / (b - t + h - t);
  }
  if (o.has("area")) s.area = o.number("area");
  if (o.has("inertia_y")) s.inertia_y = o.number("inertia_y");
  if (o.has("inertia_z")) s.inertia_z = o.number("inertia_z");
  if (o.has("torsion")) s.torsion = o.number("torsion");
  return s;
}

void BodyReader::use_cells(const std::vector<int>& cells, const Object* o) {
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
    const ElementType* type = given ? given : default_element(cell.shape, cell.use);
    if (!type || type->shape != cell.shape) {
      fault(pos, type
                     ? fmt::format("has a {} ({} of {}) where `element: {}` needs a {}", describe(cell.shape),
                                   cell.label, s.mesh.source, type->name, describe(type->shape))
                     : fmt::format("has a {} ({} of {}), for which there is no element", describe(cell.shape),
                                   cell.label, s.mesh.source));
      return;
    }
    missing_thickness =
        missing_thickness ||
        ((type->name.starts_with("shell") || (type->plane && !type->ring)) && !(section.thickness > 0));
    if (type->plane && !lies_in_plane(cell, *type, pos)) return;
    missing_beam = missing_beam || (type->name == "truss" && !(section.area > 0)) ||
                   (type->name.starts_with("beam") && !(section.area > 0 && section.inertia_y > 0 &&
                                                        section.inertia_z > 0 && section.torsion > 0));
    s.add_element(*type, s.mesh.nodes_of(c), number, material, cell.label);
  }
  if (missing_thickness) fault(pos, "has shells or plane elements without a `thickness` in their section");
  if (missing_beam)
    fault(pos,
          "has beams whose section has no shape: give `rectangle`, `tube` or `box`, or area, inertia_y, "
          "inertia_z and torsion");
}

bool BodyReader::lies_in_plane(const Cell& cell, const ElementType& type, const SourcePos& pos) {
  const Structure& s = out_.structure;
  if (type.ring && place_.x() != 0) {
    fault(pos,
          fmt::format(
              "has `{}` elements, which are turned about the y axis: its `position` cannot move it along x",
              type.name));
    return false;
  }
  const double slack = 1e-6 * extent(s.mesh), z = s.mesh.nodes[s.mesh.cell_nodes[cell.first]].z();
  for (int k = 0; k < node_count(cell.shape); ++k) {
    const Vec3& x = s.mesh.nodes[s.mesh.cell_nodes[cell.first + k]];
    if (std::abs(x.z() - z) > slack) {
      fault(pos,
            fmt::format(
                "has `{}` elements, which lie in a plane z = const, but element {} of {} does not; shells do "
                "not need to: `element: shell{}`",
                type.name, cell.label, s.mesh.source, node_count(cell.shape)));
      return false;
    }
    if (type.ring && x.x() < -slack) {
      fault(
          pos,
          fmt::format(
              "has `{}` elements, which are turned about the y axis, but element {} of {} has a node at x = "
              "{:.6g} m; x is the radius",
              type.name, cell.label, s.mesh.source, x.x()));
      return false;
    }
  }
  return true;
}

int BodyReader::none() {
  out_.structure.materials.push_back({});
  return static_cast<int>(out_.structure.materials.size()) - 1;
}

void BodyReader::read_sections() {
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
  const int highest = mesh.dimension();
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c)
    if (dimension(mesh.cells[c].shape) == highest) cells.push_back(c);
  use_cells(cells, o_.has("section") ? &o_.object("section") : nullptr);
}

}  // namespace tappet::fem
