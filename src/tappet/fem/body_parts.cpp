// What is attached to the nodes of a structure: supports and how they move, points, masses, springs, loads
// and rigid bodies.
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "tappet/fem/body_reader.hpp"

namespace tappet::fem {
namespace {

const std::vector<std::string> directions = {"x", "y", "z", "rx", "ry", "rz"};

}  // namespace

const Group* BodyReader::find_group(const std::string& name, const SourcePos& pos) {
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

void BodyReader::read_supports() {
  if (!o_.has("fix")) return;
  for (const Object& o : o_.objects("fix")) {
    Support support;
    for (const Name& n : o.names("held")) {
      const auto at = std::find(directions.begin(), directions.end(), n.text);
      if (at == directions.end())
        fault(n.pos,
              fmt::format("holds '{}' of group '{}'; x, y, z, rx, ry and rz can be held", n.text, o.name));
      else
        support.held[at - directions.begin()] = true;
    }
    std::vector<int> nodes = nodes_of(o.name, o.name_pos);
    for (int n : nodes) {
      support.node = n;
      out_.structure.supports.push_back(support);
    }
  }
}

// Points are nodes of elements.
int BodyReader::nearest(const Vec3& local) const {
  const Structure& s = out_.structure;
  const Vec3 x = place_ + turn_ * local;
  int best = -1;
  for (int n : s.element_nodes)
    if (best < 0 || (s.mesh.nodes[n] - x).norm() < (s.mesh.nodes[best] - x).norm()) best = n;
  return best;
}

void BodyReader::read_points() {
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
      mesh.nodes.push_back(place_ + turn_ * Vec3(o.vector("new")[0], o.vector("new")[1], o.vector("new")[2]));
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

// Nodes of a point or a group.
std::vector<int> BodyReader::nodes_of(const std::string& name, const SourcePos& pos) {
  for (const NamedPoint& p : out_.points)
    if (p.name == name) return {p.node};
  const Group* g = find_group(name, pos);
  return g ? g->nodes : std::vector<int>{};
}

void BodyReader::read_masses() {
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

void BodyReader::read_springs() {
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
        fault(n.pos, fmt::format("has a spring '{}' on group '{}' of {} nodes; name a point", o.name, n.text,
                                 nodes.size()));
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

void BodyReader::read_loads() {
  if (!o_.has("loads")) return;
  for (const Object& o : o_.objects("loads")) {
    NodeLoad load;
    load.name = o.name;
    load.nodes = nodes_of(o.text("on"), o.where("on"));
    if (!o.has("force") && !o.has("moment"))
      fault(o.pos, fmt::format("has a load '{}' without `force` and `moment`; give one of them", o.name));
    for (int i = 0; i < 3; ++i) {
      if (o.has("force")) load.force[i] = o.expressions("force")[i];
      if (o.has("moment")) load.moment[i] = o.expressions("moment")[i];
    }
    load.moment_pos = o.has("moment") ? o.where("moment") : SourcePos{};
    load.turns = o.has("moment");
    if (!load.nodes.empty()) out_.loads.push_back(load);
  }
}

void BodyReader::read_motions() {
  if (!o_.has("move")) return;
  for (const Object& o : o_.objects("move")) {
    SupportMotion motion;
    motion.group = o.name;
    motion.nodes = nodes_of(o.name, o.name_pos);
    motion.pos = o.name_pos;
    if (motion.nodes.empty()) continue;
    const std::size_t before = out_.motions.size();
    for (int d = 0; d < 6; ++d) {
      if (!o.has(directions[d])) continue;
      motion.direction = d;
      motion.expression = o.expression(directions[d]);
      out_.motions.push_back(motion);
    }
    if (o.has("table")) {
      const std::filesystem::path path = std::filesystem::path(in_.model_folder) / o.text("table");
      const TimeTable table = read_time_table(path.string(), o.where("table"), in_.diagnostics);
      for (std::size_t c = 0; c < table.names.size(); ++c) {
        const auto at = std::find(directions.begin(), directions.end(), table.names[c]);
        if (at == directions.end()) {
          fault(o.where("table"),
                fmt::format("is moved by the table '{}' with a column '{}'; x, y, z, rx, ry and "
                            "rz can be moved",
                            o.text("table"), table.names[c]));
          continue;
        }
        motion.direction = static_cast<int>(at - directions.begin());
        motion.expression = {};
        motion.table = std::make_shared<TimeSpline>(table.t, table.columns[c]);
        out_.motions.push_back(motion);
      }
    } else if (out_.motions.size() == before) {
      fault(o.pos, fmt::format("moves '{}' nowhere; give x, y, z, rx, ry or rz, or `table`", o.name));
    }
  }
}

// Each unknown is told once, and is there.
void BodyReader::check_motions() {
  Structure& s = out_.structure;
  std::map<int, const SupportMotion*> told;
  for (const SupportMotion& motion : out_.motions) {
    const std::string& what = directions[motion.direction];
    for (int n : motion.nodes) {
      if (motion.direction >= s.node_unknowns[n]) {
        if (s.node_unknowns[n] > 0)
          fault(motion.pos,
                fmt::format("moves {} of '{}', whose nodes have no rotations", what, motion.group));
        else
          fault(motion.pos, fmt::format("moves '{}' with a node that belongs to no element", motion.group));
        break;
      }
      const int k = s.free_unknown(n, motion.direction);
      if (k < 0) {
        fault(motion.pos, fmt::format("moves {} of '{}', which `fix` holds", what, motion.group));
        break;
      }
      const auto [at, fresh] = told.try_emplace(k, &motion);
      if (!fresh) {
        fault(motion.pos, fmt::format("moves {} of a node of '{}' that '{}' moves already", what,
                                      motion.group, at->second->group));
        break;
      }
    }
  }
  s.moved = static_cast<int>(told.size());
}

void BodyReader::check_moments() {
  for (const NodeLoad& load : out_.loads)
    if (load.turns && std::any_of(load.nodes.begin(), load.nodes.end(),
                                  [&](int n) { return out_.structure.node_unknowns[n] != 6; }))
      fault(load.moment_pos,
            fmt::format("has a load '{}' with a `moment` on nodes that do not turn; those of "
                        "beams and shells do",
                        load.name));
}

// What is made for small displacements alone.
void BodyReader::check_large_rotations() {
  const Structure& s = out_.structure;
  const SourcePos pos = o_.where("large_rotations");
  for (const Element& e : s.elements)
    if (e.type->ring) {
      fault(pos, fmt::format("has `large_rotations` and elements {}, halves of bodies of revolution, which "
                             "cannot turn",
                             e.type->name));
      break;
    }
  for (const char* key : {"reduce", "light_contact"})
    if (o_.has(key))
      fault(o_.where(key), fmt::format("has `large_rotations` and `{}`, which needs matrices that stay; "
                                       "give one of them",
                                       key));
  for (const NonlinearSpring& spring : out_.springs)
    fault(o_.where("springs"),
          fmt::format("has `large_rotations` and a spring '{}' with `axis` or `force`, whose "
                      "direction stays; a spring-damper of `forces` follows its ends",
                      spring.name));
  for (const SupportMotion& motion : out_.motions)
    if (motion.direction >= 3) {
      fault(motion.pos,
            fmt::format("has `large_rotations` and moves {} of '{}'; x, y and z can be moved then",
                        directions[motion.direction], motion.group));
      break;
    }
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    int held = 0;
    for (int d = 3; d < s.node_unknowns[n]; ++d) held += s.free_unknown(n, d) < 0;
    if (held != 1) continue;
    fault(o_.where("fix"),
          fmt::format("has `large_rotations` and one rotation of node {} held, which means "
                      "nothing once it turns about the others; hold two or three of rx, ry, rz",
                      s.mesh.label_of_node(n)));
    break;
  }
}

void BodyReader::read_attachments() {
  if (!o_.has("attach")) return;
  for (const Object& o : o_.objects("attach")) {
    Attachment out;
    out.group = o.name;
    out.body = o.text("body");
    out.nodes = nodes_of(o.name, o.name_pos);
    out.turns = o.text("turn") == "kept";
    out.pos = o.name_pos, out.body_pos = o.where("body");
    if (!out.nodes.empty()) out_.attachments.push_back(std::move(out));
  }
}

}  // namespace tappet::fem
