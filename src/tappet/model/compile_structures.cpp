#include "tappet/model/compile_structures.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "tappet/fem/body_reader.hpp"
#include "tappet/fem/flexible_fields.hpp"
#include "tappet/geometry/polyhedron.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/model/contact_support.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/contact_laws.hpp"

namespace tappet {
namespace {

/// Carries the laws of a contact while they are read; it touches nothing.
class LawCarrier final : public ContactPoint {
 public:
  Touch find_touch(const Kinematics&) const override { return {}; }
  TouchMotion motion(const Kinematics&) const override { return {}; }
};

struct NodeGroup {
  int structure = -1;
  std::vector<int> nodes;
  std::string group;
  bool usable =
      true;  ///< false: the structure has a fault, which was reported; nothing can be said of its nodes
};

/// NAME.GROUP of a structure.
NodeGroup find_side(const Name& name, const Model& model, Diagnostics& diagnostics) {
  NodeGroup out;
  const std::size_t dot = name.text.find('.');
  for (int s = 0; s < static_cast<int>(model.structures.size()); ++s) {
    const fem::Structure& structure = model.structures[s]->structure;
    if (name.text.substr(0, dot) != structure.name) continue;
    out.structure = s;
    out.usable = model.structures[s]->finished;
    if (!out.usable) return out;
    if (dot == std::string::npos) {
      diagnostics.error(
          name.pos, fmt::format("'{}' is a structure; write '{}.GROUP' with one of its groups: {}", name.text,
                                name.text, join_names(structure.mesh.group_names(), 20)));
      return out;
    }
    out.group = name.text.substr(dot + 1);
    for (const fem::NamedPoint& p : model.structures[s]->points)
      if (p.name == out.group) out.nodes = {p.node};
    if (out.nodes.empty()) out.nodes = fem::nodes_of_group(structure, out.group, name.pos, diagnostics);
  }
  return out;
}

/// A force one of whose `bodies` is a structure, or a point of one.
bool names_structure(const Object& o, const Model& model) {
  std::vector<std::string> names;
  if (o.has("bodies"))
    for (const Name& n : o.names("bodies")) names.push_back(n.text);
  if (o.has("body")) names.push_back(o.text("body"));
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(model.structures.begin(), model.structures.end(), [&](const auto& body) {
      return name.substr(0, name.find('.')) == body->structure.name;
    });
  });
}

/// A rigid body's shape of this type with this name; null: there is none.
template <class T>
const T* find_shape(const Name& name, const Model& model) {
  for (const Surface& surface : model.mechanism.surfaces)
    if (surface.name == name.text && surface.body != model.mechanism.ground())
      return dynamic_cast<const T*>(surface.shape.get());
  return nullptr;
}

void check_faces(const Object& o, const Name& name, const NodeGroup& side, const Model& model,
                 Diagnostics& diagnostics) {
  const fem::Mesh& mesh = model.structures[side.structure]->structure.mesh;
  if (side.nodes.empty() || !fem::surface_faces(mesh, side.nodes).empty()) return;
  diagnostics.error(
      name.pos, fmt::format("contact '{}': the nodes of '{}' are not the corners of any face; the first of "
                            "`between` must be a surface",
                            o.name, name.text));
}

/// Nodes of faces that a ball can fall between.
void warn_of_small_ball(const Object& o, const StructureContact& contact, const NodeGroup& side,
                        const Name& name, const Model& model, Diagnostics& diagnostics) {
  const auto* ball = dynamic_cast<const Sphere*>(contact.surface.get());
  if (!ball || contact.body == model.mechanism.ground()) return;
  const fem::Structure& s = model.structures[side.structure]->structure;
  double widest = 0;
  for (const fem::Face& f : fem::surface_faces(s.mesh, side.nodes))
    for (int k = 1; k < f.count(); ++k)
      widest = std::max(widest, (s.mesh.nodes[f.nodes[k]] - s.mesh.nodes[f.nodes[0]]).norm());
  if (widest < 2 * ball->R) return;
  diagnostics.warning(
      name.pos, fmt::format("contact '{}': nodes of '{}.{}' lie up to {:.3g} m apart, and '{}' of {:.3g} m "
                            "radius can fall between them; write the structure first, then the "
                            "ball touches its faces",
                            o.name, s.name, side.group, widest, name.text, ball->R));
}

void compile_spider(int structure, const fem::Attachment& a, Model& model, Diagnostics& diagnostics) {
  const fem::Structure& s = model.structures[structure]->structure;
  Spider out{.group = a.group, .structure = structure, .body = -1, .nodes = a.nodes, .turns = a.turns};
  std::vector<std::string> known;
  for (int b = 0; b < model.mechanism.body_count(); ++b) {
    known.push_back(model.mechanism.bodies[b].name);
    if (known.back() == a.body) out.body = b;
  }
  if (out.body < 0) {
    const std::string near = nearest_name(a.body, known);
    diagnostics.error(
        a.body_pos,
        fmt::format("structure '{}' attaches '{}' to '{}', which is not a rigid body of this "
                    "model{}; rigid bodies: {}",
                    s.name, a.group, a.body, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                    known.empty() ? "none" : join_names(known, 12)));
    return;
  }
  if (!model.mechanism.bodies[out.body].has_inertia)
    diagnostics.error(
        a.body_pos, fmt::format("structure '{}' attaches '{}' to '{}', which has no `inertia`; a point mass "
                                "on nodes is an entry of `masses`",
                                s.name, a.group, a.body));
  for (const Spider& other : model.spiders)
    for (int n : other.nodes)
      if (other.structure == structure && std::find(a.nodes.begin(), a.nodes.end(), n) != a.nodes.end()) {
        diagnostics.error(
            a.pos, fmt::format("structure '{}' attaches a node of '{}' that '{}' attaches already", s.name,
                               a.group, other.group));
        return;
      }
  model.spiders.push_back(std::move(out));
}

// What the method cannot do with structures.
void refuse_by_method(const Model& model, Diagnostics& diagnostics) {
  const ContactSupport &attached = contact_support(ContactKind::attachment, model.settings),
                       &light = contact_support(ContactKind::light, model.settings);
  for (const auto& body : model.structures) {
    for (const fem::Attachment& a : body->attachments)
      if (!attached.runs)
        diagnostics.error(
            a.pos, fmt::format("structure '{}' attaches '{}' to '{}', which method {} does not do: "
                               "{}; use moreau",
                               body->structure.name, a.group, a.body, model.settings.method, attached.words));
    if (body->structure.turns && model.settings.method != "moreau")
      diagnostics.error(body->pos,
                        fmt::format("structure '{}' has `large_rotations`, which method {} does not "
                                    "do: its matrices change with the position; use moreau",
                                    body->structure.name, model.settings.method));
    if (!body->light_groups.empty() && !light.runs)
      diagnostics.error(body->pos,
                        fmt::format("structure '{}' has `light_contact`, which method {} does not do: "
                                    "{}; use moreau",
                                    body->structure.name, model.settings.method, light.words));
  }
}

// Method smooth: what acts on each node.
void give_force_laws(const Object& o, const ContactPoint& made, StructureContact& contact,
                     Diagnostics& diagnostics) {
  contact.normal_law = made.normal_law, contact.friction_law = made.friction_law;
  if (made.friction_law->traits().kind == FrictionKind::regularised) return;
  diagnostics.error(
      o.where("friction"),
      fmt::format("contact '{}' is one of nodes that are not followed one by one: method smooth "
                  "then needs a friction law of the sliding velocity alone, which '{}' is not; "
                  "use such a law, or method moreau",
                  o.name, o.object("friction").type));
}

}  // namespace

void compile_structures(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  const std::string folder = std::filesystem::path(spec.file).parent_path().string();
  for (const Object& o : spec.bodies) {
    if (!o.has("structure")) continue;
    auto body =
        std::make_shared<fem::Body>(fem::read_body({o, folder, spec.materials, diagnostics, model.notes}));
    body->structure.name = o.name;
    model.structures.push_back(std::move(body));
  }
  if (model.structures.empty()) return;
  refuse_by_method(model, diagnostics);
  for (int s = 0; s < static_cast<int>(model.structures.size()); ++s)
    for (const fem::Attachment& a : model.structures[s]->attachments)
      compile_spider(s, a, model, diagnostics);
  if (!model.mechanism.bodies.empty()) return;
  for (const auto* list : {&spec.joints, &spec.motions, &spec.forces, &spec.events})
    for (const Object& o : *list)
      if (list != &spec.forces || !names_structure(o, model))
        diagnostics.error(o.name_pos,
                          fmt::format("'{}' acts on rigid bodies, of which this model has none; give a "
                                      "structure `fix`, `move`, `loads` and `springs` instead",
                                      o.name));
}

bool compile_structure_force(const Object& o, const Kinematics& start, Model& model,
                             Diagnostics& diagnostics) {
  if (!names_structure(o, model)) return false;
  if (o.type != "spring-damper") {
    diagnostics.error(
        o.pos, fmt::format("force '{}' is a {}, which cannot act on a structure; a spring-damper can, "
                           "`loads` and `springs` of the structure can, and anything can act on a rigid "
                           "body that is attached to it",
                           o.name, o.type));
    return true;
  }
  StructureForce out;
  out.name = o.name;
  const Mechanism& m = model.mechanism;
  bool good = true;
  Vec3 x[2];
  for (int side = 0; side < 2; ++side) {
    StructureForce::End& end = out.ends[side];
    const Name& name = o.names("bodies")[side];
    const std::vector<double>& p = o.points("points")[side];
    const Vec3 point(p[0], p[1], p[2]);
    const NodeGroup found = find_side(name, model, diagnostics);
    if (found.structure >= 0) {
      if (!found.usable) return true;
      if (found.nodes.empty()) return true;  // was reported
      if (found.nodes.size() > 1 || !point.isZero(0)) {
        diagnostics.error(
            found.nodes.size() > 1 ? name.pos : o.where("points"),
            found.nodes.size() > 1
                ? fmt::format("force '{}' acts on '{}' of {} nodes; name a point of the structure, or "
                              "attach these nodes to a rigid body",
                              o.name, name.text, found.nodes.size())
                : fmt::format("force '{}' acts on the node '{}'; its entry of `points` must be [0, 0, 0]",
                              o.name, name.text));
        good = false;
        continue;
      }
      end.structure = found.structure, end.node = found.nodes[0];
      x[side] = model.structures[found.structure]->structure.mesh.nodes[end.node];
      if (model.structures[found.structure]->structure.node_unknowns[end.node] == 0) {
        diagnostics.error(
            name.pos, fmt::format("force '{}' acts on '{}', which belongs to no element", o.name, name.text));
        good = false;
      }
      continue;
    }
    end.point = x[side] = point;
    if (name.text == "ground") {
      end.body = m.ground();
      continue;
    }
    std::vector<std::string> known = {"ground"};
    for (int b = 0; b < m.body_count(); ++b) {
      known.push_back(m.bodies[b].name);
      if (known.back() == name.text) end.body = b;
    }
    if (end.body < 0) {
      const std::string near = nearest_name(name.text, known);
      diagnostics.error(
          name.pos,
          fmt::format("force '{}' acts on '{}', which is not a body of this model{}; rigid bodies: {}",
                      o.name, name.text, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                      join_names(known, 12)));
      good = false;
      continue;
    }
    if (!m.bodies[end.body].has_inertia && !point.isZero(0)) {
      diagnostics.error(o.where("points"),
                        fmt::format("force '{}' turns body '{}', which has no `inertia`; a point mass "
                                    "can only be pushed at its centre",
                                    o.name, name.text));
      good = false;
    }
    x[side] = start.spatial[end.body].point(point);
  }
  out.by_expression = o.has("force");
  if (out.by_expression && (o.has("stiffness") || o.has("damping"))) {
    diagnostics.error(o.where("force"),
                      fmt::format("force '{}' has `force` and also `stiffness` or `damping`; write all of "
                                  "it into `force`",
                                  o.name));
    good = false;
  } else if (!out.by_expression && !o.has("stiffness") && !o.has("damping")) {
    diagnostics.error(o.pos,
                      fmt::format("force '{}' has none of `stiffness`, `damping` and `force`", o.name));
    good = false;
  }
  if (!good) return true;
  if (out.by_expression) out.force = o.expression("force");
  if (o.has("stiffness")) out.stiffness = o.number("stiffness");
  if (o.has("damping")) out.damping = o.number("damping");
  out.length = o.has("length") ? o.number("length") : (x[1] - x[0]).norm();
  model.structure_forces.push_back(std::move(out));
  return true;
}

bool compile_structure_contact(const Object& o, const Materials& materials, Model& model,
                               Diagnostics& diagnostics) {
  if (model.structures.empty()) return false;
  const std::vector<Name>& names = o.names("between");
  NodeGroup first = find_side(names[0], model, diagnostics), second = find_side(names[1], model, diagnostics);
  if (first.structure < 0 && second.structure < 0) return false;
  if (!first.usable || !second.usable) return true;
  StructureContact contact;
  contact.name = o.name;
  const bool structure_first = second.structure < 0;
  const bool ball = structure_first && find_shape<Sphere>(names[1], model);
  const auto* solid = structure_first ? find_shape<PolyhedralShape>(names[1], model) : nullptr;
  for (const char* key : {"rolling_resistance", "spinning_resistance"})
    if (o.given(key))
      diagnostics.error(
          o.where(key),
          fmt::format("contact '{}' has `{}`, which is for rigid bodies: nodes do not roll", o.name, key));
  if (o.has("lift")) contact.lift = o.expression("lift");
  if (second.structure < 0) std::swap(first, second);
  const Name& other =
      names[0].text.find(model.structures[second.structure]->structure.name + ".") == 0 && first.structure < 0
          ? names[1]
          : names[0];
  contact.structure = second.structure;
  contact.nodes = second.nodes;
  if (ball) {
    contact.structure = -1, contact.nodes = {0};
    contact.other = second.structure, contact.face_nodes = second.nodes;
    check_faces(o, names[0], second, model, diagnostics);
  }
  // Its corners on faces, where there are any, besides the nodes on it.
  if (solid &&
      !fem::surface_faces(model.structures[second.structure]->structure.mesh, second.nodes).empty()) {
    contact.other = second.structure, contact.face_nodes = second.nodes;
    for (const Vec3& corner : solid->polyhedron.corners) contact.points.push_back(solid->place.point(corner));
  }
  if (first.structure >= 0) {
    contact.other = first.structure;
    contact.face_nodes = first.nodes;
    if (first.structure == second.structure)
      diagnostics.error(
          o.where("between"),
          fmt::format("contact '{}' is between surfaces of one structure, which is not supported", o.name));
    if (o.given("lift"))
      diagnostics.error(
          o.where("lift"),
          fmt::format("contact '{}' has `lift`, which is for structures on the ground", o.name));
    check_faces(o, names[0], first, model, diagnostics);
  } else {
    std::vector<std::string> known;
    for (const Surface& surface : model.mechanism.surfaces) {
      known.push_back(surface.name);
      if (surface.name != other.text) continue;
      contact.surface = surface.shape, contact.body = surface.body;
      if (surface.owner >= 0)
        diagnostics.error(other.pos, fmt::format("contact '{}' is between a structure and '{}' of a flexible "
                                                 "body, which is not computed; a rigid body joined to it can "
                                                 "carry the shape",
                                                 o.name, other.text));
    }
    if (!contact.surface) {
      diagnostics.error(
          other.pos,
          fmt::format("contact '{}' is between '{}', which is no surface of this model; surfaces: {}", o.name,
                      other.text,
                      known.empty() ? "none (give the ground or a body `shapes`)" : join_names(known, 12)));
    } else if (const Sphere node(Vec3::Zero(), 0); !Pair(*contact.surface, node)) {
      diagnostics.error(other.pos, fmt::format("contact '{}': nothing is known about how a {} touches a node",
                                               o.name, contact.surface->kind()));
    }
    if (!ball) warn_of_small_ball(o, contact, second, other, model, diagnostics);
    if (o.given("lift") && contact.surface && contact.body != model.mechanism.ground())
      diagnostics.error(o.where("lift"),
                        fmt::format("contact '{}' has `lift`, which is for the ground's surfaces; '{}' is "
                                    "one of a rigid body, which `motions` can move",
                                    o.name, other.text));
  }
  if (const ContactSupport& support =
          contact_support(contact.other < 0 ? ContactKind::nodes : ContactKind::faces, model.settings);
      !support.runs)
    diagnostics.error(o.where("between"),
                      fmt::format("contact '{}' is one of a structure, which method {} does not compute: {}; "
                                  "use moreau, or smooth with a law of contact",
                                  o.name, model.settings.method, support.words));
  const bool rigid = method_type(model.settings).rigid();
  std::vector<std::unique_ptr<ContactPoint>> carrier;
  carrier.push_back(std::make_unique<LawCarrier>());
  if (give_laws({contact_laws_of(o.parameters()), fmt::format("contact '{}'", o.name), materials, diagnostics,
                 rigid},
                carrier, model.notes)) {
    if (!rigid)
      give_force_laws(o, *carrier[0], contact, diagnostics);
    else if (carrier[0]->rigid)
      contact.law = *carrier[0]->rigid;
  }
  if (contact.law.restitution > 0)
    diagnostics.warning(o.object("normal").pos,
                        fmt::format("contact '{}' of a structure has restitution {:g}: its nodes rebound "
                                    "with that, besides what the structure "
                                    "does by itself, and the smaller the elements the less it matters; 0 "
                                    "leaves the rebound to the structure",
                                    o.name, contact.law.restitution));
  model.structure_contacts.push_back(std::move(contact));
  return true;
}

namespace {

/// Tables that do not last as long as the run: what they move stands still then, which is said.
void note_short_tables(Model& model) {
  const double duration = model.settings.duration;
  for (const auto& body : model.structures)
    for (const fem::SupportMotion& motion : body->motions) {
      if (!motion.table) continue;
      const double begin = motion.table->begin(), end = motion.table->end();
      std::string rests;
      if (begin > 0) rests = fmt::format("until t = {:g} s at its first", begin);
      if (end < duration)
        rests += fmt::format("{}from t = {:g} s to the end at {:g} s at its last", rests.empty() ? "" : ", ",
                             end, duration);
      if (rests.empty()) continue;
      // A table's columns share their times.
      const std::string note =
          fmt::format("structure '{}': the table that moves '{}' is shorter than the run; it holds {} row",
                      body->structure.name, motion.group, rests);
      if (std::find(model.notes.begin(), model.notes.end(), note) == model.notes.end())
        model.notes.push_back(note);
    }
}

}  // namespace

void compile_fields(const Spec& spec, Model& model, Diagnostics& diagnostics) {
  RunSettings& s = model.settings;
  note_short_tables(model);
  double bytes = 0;  // of a record: 9 numbers per node, 7 per element, 4 bytes each
  const auto count = [&](const fem::Structure& structure) {
    bytes += 36.0 * static_cast<double>(structure.mesh.nodes.size()) +
             4.0 * fem::stress_numbers * static_cast<double>(structure.elements.size());
  };
  for (const auto& body : model.structures) count(body->structure);
  for (const FlexibleBody& body : model.mechanism.flexible.bodies)
    if (body.mesh) count(body.mesh->structure);
  if (bytes == 0) {
    if (spec.output.has("fields"))
      diagnostics.warning(
          spec.output.where("fields"),
          "`output.fields` records whole structures and flexible bodies with a mesh, and this "
          "model has none");
    return;
  }
  const double samples = s.duration / s.output_step;
  if (!spec.output.has("fields")) {
    const double records = std::clamp(64e6 / bytes, 1.0, 200.0);
    s.field_samples = static_cast<long>(std::ceil(samples / records * (1 - 1e-9)));
    return;
  }
  const double interval = spec.output.number("fields");
  if (interval == 0) return;
  s.field_samples = std::max(1L, std::lround(std::min(interval / s.output_step, 1e9)));
  if (const double total = bytes * samples / static_cast<double>(s.field_samples); total > 1e9)
    diagnostics.warning(spec.output.where("fields"),
                        fmt::format("records of whole structures every {:g} s will take about {:.2g} GB",
                                    static_cast<double>(s.field_samples) * s.output_step, 1e-9 * total));
}

}  // namespace tappet
