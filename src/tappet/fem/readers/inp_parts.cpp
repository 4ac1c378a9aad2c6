#include "tappet/fem/readers/inp_parts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "tappet/base/text.hpp"
#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::inp {

namespace {

constexpr int deepest_sets = 1000;
/// Of all sets together.
constexpr std::size_t most_members = 20'000'000;

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 18 && std::all_of(text.begin(), text.end(), is_digit);
}

/// Nodes of a face as Abaqus numbers faces, S1 first; empty when the cell has no such face.
std::vector<int> face_nodes(CellShape shape, const std::string& face) {
  using Faces = std::vector<std::vector<int>>;
  static const Faces tetrahedron = {{0, 1, 2, 4, 5, 6},
                                    {0, 3, 1, 7, 8, 4},
                                    {1, 3, 2, 8, 9, 5},
                                    {2, 3, 0, 9, 7, 6}},
                     hexahedron = {{0, 1, 2, 3, 8, 9, 10, 11},   {4, 7, 6, 5, 15, 14, 13, 12},
                                   {0, 4, 5, 1, 16, 12, 17, 8},  {1, 5, 6, 2, 17, 13, 18, 9},
                                   {2, 6, 7, 3, 18, 14, 19, 10}, {3, 7, 4, 0, 19, 15, 16, 11}},
                     wedge = {{0, 1, 2, 6, 7, 8},
                              {3, 5, 4, 11, 10, 9},
                              {0, 3, 4, 1, 12, 9, 13, 6},
                              {1, 4, 5, 2, 13, 10, 14, 7},
                              {2, 5, 3, 0, 14, 11, 12, 8}};
  static const std::map<CellShape, const Faces*> all = {{CellShape::tetrahedron, &tetrahedron},
                                                        {CellShape::tetrahedron10, &tetrahedron},
                                                        {CellShape::hexahedron, &hexahedron},
                                                        {CellShape::hexahedron20, &hexahedron},
                                                        {CellShape::wedge, &wedge},
                                                        {CellShape::wedge15, &wedge}};
  std::vector<int> out;
  const int count = node_count(shape);
  const auto at = all.find(shape);
  if (at == all.end() || face.empty()) {
    // Edges of plane cells go around; shells and beams are taken whole.
    const int corners = shape == CellShape::triangle || shape == CellShape::triangle6 ? 3 : 4;
    if (dimension(shape) == 2 && face.size() == 2 && face[0] == 'S' && is_digit(face[1])) {
      const int k = face[1] - '1';
      if (k < 0 || k >= corners) return {};
      out = {k, (k + 1) % corners};
      if (count > corners) out.push_back(corners + k);
      return out;
    }
    for (int k = 0; k < count; ++k) out.push_back(k);
    return out;
  }
  if (face.size() != 2 || face[0] != 'S' || face[1] < '1' ||
      face[1] > '0' + static_cast<int>(at->second->size()))
    return {};
  for (int k : (*at->second)[face[1] - '1'])
    if (k < count) out.push_back(k);
  return out;
}

}  // namespace

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

void fault_at(const FilePlace& place, const std::string& message) {
  mesh_fault(place.path ? *place.path : std::string(), place.line, message);
}

void Part::put_node(long label, const Vec3& x) {
  const auto [at, fresh] = node_of.emplace(label, static_cast<int>(nodes.size()));
  if (!fresh) {
    nodes[at->second] = x;  // the last line counts
    return;
  }
  labels.push_back(label);
  nodes.push_back(x);
}

void Part::put_element(RawElement element) {
  const auto [at, fresh] = element_of.emplace(element.label, static_cast<int>(elements.size()));
  if (fresh)
    elements.push_back(std::move(element));
  else
    elements[at->second] = std::move(element);
}

Set* Part::find_set(const std::string& name, bool of_nodes) {
  for (Set& set : sets)
    if (set.nodes == of_nodes && upper(set.name) == upper(name)) return &set;
  return nullptr;
}

Set& Part::set_of(const std::string& name, bool of_nodes) {
  if (Set* known = find_set(name, of_nodes)) return *known;
  sets.push_back({name, of_nodes});
  return sets.back();
}

Part* Parts::find_part(const std::string& name) {
  for (Part& part : parts)
    if (&part != &root() && upper(part.name) == upper(name)) return &part;
  return nullptr;
}

int Parts::instance_called(const std::string& name) const {
  for (std::size_t i = 0; i < instances.size(); ++i)
    if (upper(instances[i].name) == upper(name)) return static_cast<int>(i);
  return -1;
}

// --- Sets

void Parts::count_members(std::size_t more, const FilePlace& place) {
  members_ += more;
  if (members_ > most_members)
    fault_at(place, fmt::format("the sets have more than {} members together", most_members));
}

void Parts::collect(int instance, Set& set, std::vector<Reference>& out, int depth) {
  if (depth > deepest_sets)
    fault_at({path_, 0}, fmt::format("sets name each other more than {} deep", deepest_sets));
  if (set.busy) {
    const Member& first = set.members.empty() ? Member{} : set.members.front();
    fault_at(first.place, fmt::format("set {} names a set which names it in turn", quote(set.name)));
  }
  set.busy = true;
  for (const Member& member : set.members) collect_member(instance, set.nodes, member, out, depth);
  for (const std::string& elements : set.of_elements) {
    std::vector<Reference> cells;
    collect_member(instance, false, {"", elements, {path_, 0}}, cells, depth);
    for (const Reference& cell : cells) {
      const Part& part = part_of(cell.instance);
      const auto at = part.element_of.find(cell.label);
      if (at == part.element_of.end()) continue;
      count_members(part.elements[at->second].nodes.size(), {path_, 0});
      for (long n : part.elements[at->second].nodes) out.push_back({cell.instance, n});
    }
  }
  set.busy = false;
}

/// Takes no longer than there are nodes or elements, however far the numbers go.
void Parts::collect_range(int target, bool nodes, const Member& member, std::vector<Reference>& out) {
  const Range& range = member.range;
  const auto& known = nodes ? part_of(target).node_of : part_of(target).element_of;
  count_members(std::min<std::size_t>(range.count(), known.size()), member.place);
  if (range.count() <= known.size()) {
    for (unsigned long k = 0; k < range.count(); ++k)
      out.push_back({target, range.first + static_cast<long>(k) * range.step});
    return;
  }
  std::vector<long> there;
  for (const auto& [number, at] : known)
    if (number >= range.first && number <= range.last && (number - range.first) % range.step == 0)
      there.push_back(number);
  std::sort(there.begin(), there.end());
  for (long number : there) out.push_back({target, number});
  long& lost = nodes ? lost_nodes_ : lost_elements_;
  lost += static_cast<long>(
      std::min<unsigned long>(range.count() - there.size(), std::numeric_limits<long>::max() / 2 - lost));
}

void Parts::collect_member(int instance, bool nodes, const Member& member, std::vector<Reference>& out,
                           int depth) {
  std::string text = member.text;
  int target = instance;
  if (!member.instance.empty()) {
    target = instance_called(member.instance);
    if (target < 0)
      fault_at(member.place, fmt::format("there is no *INSTANCE called {}", quote(member.instance)));
  }
  if (member.range.step > 0) return collect_range(target, nodes, member, out);
  if (is_number(text)) {
    count_members(1, member.place);
    out.push_back({target, std::stol(text)});
    return;
  }
  if (Set* set = part_of(target).find_set(text, nodes)) return collect(target, *set, out, depth + 1);
  // INSTANCE.MEMBER
  if (const auto dot = text.find('.'); dot != std::string::npos)
    if (const int other = instance_called(text.substr(0, dot)); other >= 0)
      return collect_member(other, nodes, {"", text.substr(dot + 1), member.place}, out, depth + 1);
  // A set of the only instance may be called without it.
  if (target < 0 && instances.size() == 1)
    if (Set* set = part_of(0).find_set(text, nodes)) return collect(0, *set, out, depth + 1);
  lost_sets_.insert(text);
}

std::vector<long> Parts::labels(Part& part, const std::string& set, bool nodes, const FilePlace& place) {
  std::vector<long> out;
  add_labels(part, set, nodes, place, out, 0);
  return out;
}

void Parts::add_labels(Part& part, const std::string& set, bool nodes, const FilePlace& place,
                       std::vector<long>& out, int depth) {
  if (depth > deepest_sets)
    fault_at(place, fmt::format("sets name each other more than {} deep", deepest_sets));
  if (is_number(set)) {
    out.push_back(std::stol(set));
    return;
  }
  Set* found = part.find_set(set, nodes);
  if (!found)
    fault_at(place,
             fmt::format("there is no {} set called {} so far", nodes ? "node" : "element", quote(set)));
  for (const Member& member : found->members) {
    if (member.range.step > 0) {
      count_members(member.range.count(), place);
      for (unsigned long k = 0; k < member.range.count(); ++k)
        out.push_back(member.range.first + static_cast<long>(k) * member.range.step);
    } else if (is_number(member.text)) {
      count_members(1, place);
      out.push_back(std::stol(member.text));
    } else if (upper(member.text) != upper(set)) {
      add_labels(part, member.text, nodes, place, out, depth + 1);
    }
  }
}

// --- The mesh

void Parts::place(Mesh& mesh, Part& part, const Eigen::Isometry3d& at, Scope& scope) const {
  scope.part = &part;
  for (std::size_t n = 0; n < part.nodes.size(); ++n) {
    scope.nodes[part.labels[n]] = static_cast<int>(mesh.nodes.size());
    mesh.nodes.push_back(at * part.nodes[n]);
    mesh.node_labels.push_back(part.labels[n]);
  }
  for (const RawElement& raw : part.elements) {
    std::vector<int> nodes;
    for (long label : raw.nodes) {
      auto found = scope.nodes.find(label);
      if (found == scope.nodes.end())
        fault_at(raw.place,
                 fmt::format("element {} refers to node {}, which the file does not have", raw.label, label));
      nodes.push_back(found->second);
    }
    nodes.resize(static_cast<std::size_t>(node_count(raw.family.shape)));
    if (raw.family.shape == CellShape::line3) std::swap(nodes[1], nodes[2]);  // the middle comes last here
    const int cell = mesh.add_cell(raw.family.shape, nodes, raw.label);
    mesh.cells[cell].use = raw.family.use;
    scope.cells[raw.label] = cell;
  }
}

std::string Parts::group_name(int instance, const std::string& name) const {
  if (instance < 0) return name;
  // The plain name where only one instance's part has it.
  const auto has = [&](const Part& part) {
    const auto called = [&](const auto& one) { return upper(one.name) == upper(name); };
    return std::any_of(part.sets.begin(), part.sets.end(), called) ||
           std::any_of(part.surfaces.begin(), part.surfaces.end(), called);
  };
  int having = has(parts.front());
  for (const Instance& other : instances) having += has(*other.part);
  return having <= 1 ? name : instances[instance].name + "_" + name;
}

void Parts::add_groups(Mesh& mesh, int instance) {
  for (Set& set : part_of(instance).sets) {
    std::vector<Reference> members;
    collect(instance, set, members);
    if (members.empty()) continue;
    Group& group = mesh.group(group_name(instance, set.name));
    for (const Reference& m : members) {
      const Scope& scope = scope_of(m.instance);
      const auto& known = set.nodes ? scope.nodes : scope.cells;
      const auto at = known.find(m.label);
      if (at != known.end())
        (set.nodes ? group.nodes : group.cells).push_back(at->second);
      else
        ++(set.nodes ? lost_nodes_ : lost_elements_);
    }
  }
  for (const Surface& surface : part_of(instance).surfaces)
    add_surface(mesh, instance, surface, group_name(instance, surface.name));
}

// A surface is a group of the nodes of its faces; where a set has its name, there is no room for it.
void Parts::add_surface(Mesh& mesh, int instance, const Surface& surface, const std::string& name) {
  if (mesh.find_group(name)) return;
  std::vector<int> nodes;
  for (const SurfacePiece& piece : surface.pieces) {
    std::vector<Reference> members;
    collect_member(instance, surface.nodes, piece.where, members);
    for (const Reference& m : members) {
      const Scope& scope = scope_of(m.instance);
      if (surface.nodes) {
        if (const auto at = scope.nodes.find(m.label); at != scope.nodes.end()) nodes.push_back(at->second);
        continue;
      }
      const auto cell = scope.cells.find(m.label);
      if (cell == scope.cells.end()) continue;
      const std::vector<int> face = face_nodes(mesh.cells[cell->second].shape, piece.face);
      if (face.empty())
        fault_at(piece.where.place, fmt::format("element {}, a {}, has no face {}", m.label,
                                                describe(mesh.cells[cell->second].shape), quote(piece.face)));
      for (int k : face) nodes.push_back(mesh.nodes_of(cell->second)[k]);
    }
  }
  if (!nodes.empty()) mesh.group(name).nodes = std::move(nodes);
}

Mesh Parts::mesh(Diagnostics& diagnostics) {
  Mesh out;
  // Without an assembly, parts stand where they are written.
  if (instances.empty())
    for (Part& part : parts)
      if (&part != &root()) instances.push_back({part.name, &part});
  scopes_.assign(instances.size() + 1, {});
  place(out, root(), Eigen::Isometry3d::Identity(), scopes_[0]);
  for (std::size_t i = 0; i < instances.size(); ++i)
    place(out, *instances[i].part, instances[i].place, scopes_[i + 1]);
  for (int i = -1; i < static_cast<int>(instances.size()); ++i) add_groups(out, i);
  const SourcePos whole = {path_, 0, 0};
  if (lost_elements_ > 0)
    diagnostics.warning(
        whole,
        fmt::format("{} members of element sets are not among the elements that are read", lost_elements_));
  if (lost_nodes_ > 0)
    diagnostics.warning(
        whole, fmt::format("{} members of node sets are nodes which the file does not have", lost_nodes_));
  if (!lost_sets_.empty())
    diagnostics.warning(whole, fmt::format("sets are named which the file does not have: {}",
                                           join_names({lost_sets_.begin(), lost_sets_.end()}, 10)));
  return out;
}

}  // namespace tappet::fem::inp
