// Meshes of Abaqus and CalculiX: *NODE, *ELEMENT, *NSET and *ELSET of an .inp file and of those that it includes. Node and
// element sets are the groups; everything else (materials, steps) is left to the model file.
#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "tappet/base/text.hpp"
#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::readers::inp {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string trimmed(const std::string& text) {
  return std::string(tappet::trimmed(text));
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, ',');) out.push_back(trimmed(part));
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

struct ElementFamily {
  CellShape shape;
  bool marks =
      false;  ///< a face or a line that is no element of a structure in space: it may mark a part of a solid
};

/// Families by the beginning of the type's name; the longest that fits counts.
std::optional<ElementFamily> family_of(const std::string& type) {
  using enum CellShape;
  static const std::map<std::string, ElementFamily> known = {{"C3D8", {hexahedron}},
                                                             {"C3D20", {hexahedron20}},
                                                             {"C3D4", {tetrahedron}},
                                                             {"C3D10", {tetrahedron10}},
                                                             {"C3D6", {wedge}},
                                                             {"C3D15", {wedge15}},
                                                             {"S4", {quadrangle}},
                                                             {"S8", {quadrangle8}},
                                                             {"S3", {triangle}},
                                                             {"S6", {triangle6}},
                                                             {"STRI3", {triangle}},
                                                             {"STRI65", {triangle6}},
                                                             {"M3D4", {quadrangle}},
                                                             {"M3D8", {quadrangle8}},
                                                             {"M3D3", {triangle}},
                                                             {"M3D6", {triangle6}},
                                                             {"B31", {line}},
                                                             {"B32", {line3}},
                                                             {"B33", {line}},
                                                             {"T3D2", {line}},
                                                             {"SPRINGA", {line}},
                                                             {"MASS", {point}},
                                                             {"CPS3", {triangle, true}},
                                                             {"CPS4", {quadrangle, true}},
                                                             {"CPS6", {triangle6, true}},
                                                             {"CPS8", {quadrangle8, true}},
                                                             {"CPE3", {triangle, true}},
                                                             {"CPE4", {quadrangle, true}},
                                                             {"CPE6", {triangle6, true}},
                                                             {"CPE8", {quadrangle8, true}},
                                                             {"CAX3", {triangle, true}},
                                                             {"CAX4", {quadrangle, true}},
                                                             {"CAX6", {triangle6, true}},
                                                             {"CAX8", {quadrangle8, true}},
                                                             {"R3D3", {triangle, true}},
                                                             {"R3D4", {quadrangle, true}},
                                                             {"SFM3D3", {triangle, true}},
                                                             {"SFM3D4", {quadrangle, true}},
                                                             {"SFM3D6", {triangle6, true}},
                                                             {"SFM3D8", {quadrangle8, true}},
                                                             {"T3D3", {line3, true}},
                                                             {"R2D2", {line, true}}};
  std::size_t best = 0;
  std::optional<ElementFamily> out;
  for (const auto& [name, family] : known)
    if (type.starts_with(name) && name.size() > best) {
      // C3D8R is a C3D8, C3D80 would not be.
      if (type.size() > name.size() && std::isdigit(static_cast<unsigned char>(type[name.size()]))) continue;
      best = name.size();
      out = family;
    }
  return out;
}

/// Springs, gaps and couplings between nodes, which the model file has its own words for: left out with a warning.
bool joins_nodes(const std::string& type) {
  for (const char* name :
       {"SPRING", "DASHPOT", "GAP", "CONN", "DCOUP", "ROTARYI", "JOINTC", "HEATCAP", "DIST"})
    if (type.starts_with(name)) return true;
  return false;
}

std::string unquoted(const std::string& text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2)
                                                                      : text;
}

class InpReader {
 public:
  InpReader(const std::string& path, const std::string& content, Diagnostics& diagnostics)
      : diagnostics_(diagnostics) {
    files_.push_back({path, std::istringstream(content)});
  }

  Mesh read() {
    std::string line;
    while (next_line(line)) {
      if (line.starts_with("*")) {
        start_keyword(line);
      } else if (!keyword_.empty()) {
        data(line);
      }
    }
    finish_element();
    add_elements();
    resolve_sets();
    place_ = {files_.front().path, 0};
    if (mesh_.nodes.empty()) fault("the mesh file has no *NODE lines");
    refuse_plane();
    if (mesh_.cells.empty() && !left_out_.empty())
      fault(fmt::format("the mesh file has no elements but {}, which are not known", join_names(left_out())));
    if (!left_out_.empty())
      warn(fmt::format(
          "elements of type {} are left out: the model file has its own springs, joints and contacts",
          join_names(left_out())));
    if (lost_members_ > 0)
      warn(fmt::format("{} members of element sets are among the elements that are left out", lost_members_));
    if (!ignored_.empty())
      warn(fmt::format("only the mesh is read: {} of the file have no effect",
                       join_names({ignored_.begin(), ignored_.end()}, 10)));
    return std::move(mesh_);
  }

 private:
  /// A line of a file, for messages.
  struct FilePlace {
    std::string path;
    int line = 0;
  };
  struct File {
    std::string path;
    std::istringstream in;
    int line = 0;
  };
  struct Member {
    std::string text;
    FilePlace place;
  };
  struct Set {
    std::string name;
    bool nodes = false;
    std::vector<Member> members = {};
    enum class State { open, busy, done } state = State::open;
  };
  struct RawElement {
    CellShape shape;
    bool marks;
    std::string type, set;
    std::vector<long> numbers;  ///< its own, then those of its nodes
    FilePlace place;
  };
  static constexpr int deepest_include = 20;

  [[noreturn]] void fault(const std::string& message) const { mesh_fault(place_.path, place_.line, message); }
  void warn(const std::string& message) {
    diagnostics_.warning({std::make_shared<const std::string>(files_.front().path), 0, 0}, message);
  }
  std::vector<std::string> left_out() const { return {left_out_.begin(), left_out_.end()}; }

  bool next_line(std::string& line) {
    while (true) {
      File& file = files_.back();
      while (std::getline(file.in, line)) {
        place_ = {file.path, ++file.line};
        line = trimmed(line);
        if (!line.empty() && !line.starts_with("**")) return true;
      }
      if (files_.size() == 1) return false;
      files_.pop_back();
    }
  }

  // Looked for beside the file that includes it, then beside the first.
  void include(const std::string& name) {
    if (name.empty()) fault("*INCLUDE does not say which file: INPUT=...");
    if (files_.size() > deepest_include)
      fault(fmt::format("*INCLUDE is nested deeper than {}", deepest_include));
    for (const std::string& from : {files_.back().path, files_.front().path}) {
      const std::string path = (std::filesystem::path(from).parent_path() / name).string();
      std::ifstream in(path, std::ios::binary);
      if (!in || !std::filesystem::is_regular_file(path)) continue;
      std::stringstream text;
      text << in.rdbuf();
      files_.push_back({path, std::istringstream(text.str())});
      return;
    }
    fault(fmt::format("*INCLUDE names the file {}, which is not beside this one", quote(name)));
  }

  static std::map<std::string, std::string> options_of(const std::vector<std::string>& parts) {
    std::map<std::string, std::string> out;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto equals = parts[i].find('=');
      out[upper(trimmed(parts[i].substr(0, equals)))] =
          equals == std::string::npos ? "" : unquoted(trimmed(parts[i].substr(equals + 1)));
    }
    return out;
  }

  void start_keyword(const std::string& line) {
    finish_element();
    const std::vector<std::string> parts = fields(line);
    // What is included may go on with the lines of the keyword before it.
    if (upper(parts[0]) == "*INCLUDE") return include(options_of(parts)["INPUT"]);
    keyword_ = upper(parts[0].substr(1));
    options_ = options_of(parts);
    if (keyword_ == "ELEMENT") {
      start_elements();
    } else if (keyword_ == "NODE") {
      const std::string system = upper(options_["SYSTEM"]);
      if (!system.empty() && system != "R")
        fault(fmt::format("nodes in the coordinate system {} are not read; rectangular ones are",
                          quote(system)));
    } else if (keyword_ != "NSET" && keyword_ != "ELSET") {
      if (keyword_ == "END PART") add_elements();  // numbers of nodes may come again in the next part
      if (keyword_ != "HEADING" && keyword_ != "END PART" && keyword_ != "PART")
        ignored_.insert("*" + keyword_);
      keyword_.clear();
    }
  }

  void start_elements() {
    type_ = upper(options_["TYPE"]);
    const std::optional<ElementFamily> family = family_of(type_);
    if (!family && !joins_nodes(type_))
      fault(fmt::format(
          "elements of type {} are not known; C3D4, C3D6, C3D8, C3D10, C3D15, C3D20, S3, S4, S6, S8, B31, "
          "B32, T3D2, SPRINGA and MASS are, with their variants",
          quote(type_)));
    if (!family) {
      left_out_.insert(type_);
      keyword_.clear();
      return;
    }
    shape_ = family->shape;
    marks_ = family->marks;
  }

  long whole(const std::string& text) const {
    try {
      std::size_t used = 0;
      const long out = std::stol(text, &used);
      if (used == text.size()) return out;
    } catch (const std::exception&) {
    }
    fault(fmt::format("{} stands where a whole number should be", quote(text)));
  }
  double number(const std::string& text) const {
    if (text.empty()) return 0;
    try {
      std::size_t used = 0;
      const double out = std::stod(text, &used);
      if (used == text.size()) return out;
    } catch (const std::exception&) {
    }
    fault(fmt::format("{} stands where a number should be", quote(text)));
  }

  void data(const std::string& line) {
    const std::vector<std::string> parts = fields(line);
    if (parts.empty()) return;
    if (keyword_ == "NODE") {
      node(parts);
    } else if (keyword_ == "ELEMENT") {
      if (element_.empty()) element_place_ = place_;
      for (const std::string& part : parts) element_.push_back(whole(part));
      if (static_cast<int>(element_.size()) > node_count(shape_)) finish_element();
    } else {
      members(parts);
    }
  }

  // Coordinates that are not written are 0.
  void node(const std::vector<std::string>& parts) {
    const auto coordinate = [&](std::size_t k) { return parts.size() > k ? number(parts[k]) : 0; };
    const long label = whole(parts[0]);
    node_of_[label] = static_cast<int>(mesh_.nodes.size());
    mesh_.nodes.emplace_back(coordinate(1), coordinate(2), coordinate(3));
    mesh_.node_labels.push_back(label);
    if (options_.count("NSET")) set_of(options_["NSET"], true).members.push_back({parts[0], place_});
  }

  void members(const std::vector<std::string>& parts) {
    const std::string name = options_.count(keyword_) ? options_[keyword_] : "";
    if (name.empty()) fault(fmt::format("*{} has no name: {}=...", keyword_, keyword_));
    Set& set = set_of(name, keyword_ == "NSET");
    if (!options_.count("GENERATE")) {
      for (const std::string& part : parts)
        if (!part.empty()) set.members.push_back({unquoted(part), place_});
      return;
    }
    if (parts.size() < 2) fault("GENERATE needs first, last and step");
    const long first = whole(parts[0]), last = whole(parts[1]), step = parts.size() > 2 ? whole(parts[2]) : 1;
    if (step < 1) fault(fmt::format("a step of {} is not possible", step));
    for (long k = first; k <= last; k += step) set.members.push_back({std::to_string(k), place_});
  }

  void finish_element() {
    if (element_.empty()) return;
    const FilePlace here = place_;
    place_ = element_place_;
    const int count = node_count(shape_);
    if (static_cast<int>(element_.size()) != count + 1)
      fault(fmt::format("element {} has {} nodes; a {} has {}", element_[0], element_.size() - 1,
                        describe(shape_), count));
    raw_.push_back({shape_, marks_, type_, options_.count("ELSET") ? options_["ELSET"] : "",
                    std::move(element_), place_});
    element_.clear();
    place_ = here;
  }

  // Nodes may come after the elements that name them.
  void add_elements() {
    for (RawElement& raw : raw_) {
      place_ = raw.place;
      std::vector<int> nodes;
      for (std::size_t k = 1; k < raw.numbers.size(); ++k) {
        const auto at = node_of_.find(raw.numbers[k]);
        if (at == node_of_.end())
          fault(fmt::format("element {} refers to node {}, which the file does not have", raw.numbers[0],
                            raw.numbers[k]));
        nodes.push_back(at->second);
      }
      if (raw.shape == CellShape::line3) std::swap(nodes[1], nodes[2]);  // the middle comes last here
      const int cell = mesh_.add_cell(raw.shape, nodes, raw.numbers[0]);
      cell_of_[raw.numbers[0]] = cell;
      if (raw.marks) marking_.push_back({cell, raw.type});
      if (!raw.set.empty()) mesh_.group(raw.set).cells.push_back(cell);
    }
    raw_.clear();
  }

  /// Plane elements mark the faces of solids; by themselves they are another kind of model.
  void refuse_plane() const {
    for (const auto& [cell, type] : marking_)
      if (dimension(mesh_.cells[cell].shape) == mesh_.dimension())
        fault(
            fmt::format("elements of type {} are those of a plane, axisymmetric or rigid model, which is not "
                        "read; S3, S4, "
                        "S6 and S8 are shells",
                        quote(type)));
  }

  // --- Sets

  Set& set_of(const std::string& name, bool nodes) {
    if (Set* known = find_set(name, nodes)) return *known;
    sets_.push_back({name, nodes});
    return sets_.back();
  }
  /// Names are the same whatever their case.
  Set* find_set(const std::string& name, bool nodes) {
    for (Set& set : sets_)
      if (set.nodes == nodes && upper(set.name) == upper(name)) return &set;
    return nullptr;
  }

  // Sets may name other sets, wherever these stand.
  void resolve_sets() {
    for (Set& set : sets_) resolve(set);
  }

  void resolve(Set& set) {
    if (set.state != Set::State::open) return;
    set.state = Set::State::busy;
    for (const Member& member : set.members) {
      place_ = member.place;
      const bool is_number =
          !member.text.empty() && std::all_of(member.text.begin(), member.text.end(),
                                              [](unsigned char c) { return std::isdigit(c); });
      if (is_number)
        add_member(set, member.text);
      else
        add_set(set, member.text);
    }
    set.state = Set::State::done;
  }

  std::vector<int>& list_of(const std::string& name, bool nodes) {
    Group& group = mesh_.group(name);
    return nodes ? group.nodes : group.cells;
  }

  void add_member(const Set& set, const std::string& text) {
    const auto& known = set.nodes ? node_of_ : cell_of_;
    const auto at = known.find(whole(text));
    if (at != known.end()) return list_of(set.name, set.nodes).push_back(at->second);
    if (!set.nodes && !left_out_.empty()) {
      ++lost_members_;
      return;
    }
    fault(fmt::format("set {} names {} {}, which the file does not have", quote(set.name),
                      set.nodes ? "node" : "element", text));
  }

  void add_set(const Set& set, const std::string& name) {
    if (Set* other = find_set(name, set.nodes)) {
      if (other->state == Set::State::busy)
        fault(fmt::format("set {} names set {}, which names it in turn", quote(set.name), quote(name)));
      const FilePlace here = place_;
      resolve(*other);
      place_ = here;
    }
    for (const Group& group : mesh_.groups) {
      if (upper(group.name) != upper(name)) continue;
      const std::vector<int> from = set.nodes ? group.nodes : group.cells;
      auto& list = list_of(set.name, set.nodes);
      list.insert(list.end(), from.begin(), from.end());
      return;
    }
    if (!find_set(name, set.nodes))
      fault(fmt::format("set {} names set {}, which is not there", quote(set.name), quote(name)));
  }

  Diagnostics& diagnostics_;
  std::vector<File> files_;  ///< the one that is read last
  FilePlace place_, element_place_;
  std::string keyword_, type_;
  std::map<std::string, std::string> options_;
  CellShape shape_ = CellShape::point;
  bool marks_ = false;
  std::vector<long> element_;
  std::vector<RawElement> raw_;
  std::vector<std::pair<int, std::string>> marking_;  ///< cell and type
  std::unordered_map<long, int> node_of_, cell_of_;
  std::deque<Set> sets_;
  std::set<std::string> ignored_, left_out_;
  long lost_members_ = 0;
  Mesh mesh_;
};

Mesh read(const std::string& path, const std::string& content, Diagnostics& diagnostics) {
  return InpReader(path, content, diagnostics).read();
}

const Registration<MeshFormat> registered{{.name = ".inp", .help = "Abaqus and CalculiX", .read = read}};

}  // namespace
}  // namespace tappet::fem::readers::inp
