// Meshes of Abaqus and CalculiX: *NODE, *ELEMENT, *NSET and *ELSET of an .inp file. Node and element sets are
// the groups; everything else (materials, steps) is left to the model file.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::readers::inp {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, ',');) out.push_back(trimmed(part));
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// Families by the beginning of the type's name; the longest that fits counts.
bool shape_of(const std::string& type, CellShape& shape) {
  static const std::map<std::string, CellShape> known = {
      {"C3D8", CellShape::hexahedron}, {"C3D4", CellShape::tetrahedron}, {"C3D10", CellShape::tetrahedron10},
      {"S4", CellShape::quadrangle},   {"S3", CellShape::triangle},      {"M3D4", CellShape::quadrangle},
      {"M3D3", CellShape::triangle},   {"B31", CellShape::line},         {"T3D2", CellShape::line},
      {"SPRINGA", CellShape::line},    {"MASS", CellShape::point},       {"STRI3", CellShape::triangle}};
  std::size_t best = 0;
  for (const auto& [name, s] : known)
    if (type.starts_with(name) && name.size() > best) {
      // C3D8R is a C3D8, C3D80 would not be.
      if (type.size() > name.size() && std::isdigit(static_cast<unsigned char>(type[name.size()]))) continue;
      best = name.size();
      shape = s;
    }
  return best > 0;
}

class InpReader {
 public:
  InpReader(const std::string& path, const std::string& content, Diagnostics& diagnostics)
      : path_(path), in_(content), diagnostics_(diagnostics) {}

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
    resolve_sets();
    if (mesh_.nodes.empty()) fault("the mesh file has no *NODE lines");
    if (!ignored_.empty())
      diagnostics_.warning({std::make_shared<const std::string>(path_), 0, 0},
                           fmt::format("only the mesh is read: {} of the file have no effect",
                                       join_names({ignored_.begin(), ignored_.end()}, 10)));
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fault(const std::string& message) const { mesh_fault(path_, line_number_, message); }

  bool next_line(std::string& line) {
    while (std::getline(in_, line)) {
      ++line_number_;
      line = trimmed(line);
      if (!line.empty() && !line.starts_with("**")) return true;
    }
    return false;
  }

  void start_keyword(const std::string& line) {
    finish_element();
    const std::vector<std::string> parts = fields(line);
    keyword_ = upper(parts[0].substr(1));
    options_.clear();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto equals = parts[i].find('=');
      options_[upper(trimmed(parts[i].substr(0, equals)))] =
          equals == std::string::npos ? "" : trimmed(parts[i].substr(equals + 1));
    }
    if (keyword_ == "ELEMENT") {
      const std::string type = upper(options_["TYPE"]);
      if (!shape_of(type, shape_))
        fault(
            fmt::format("elements of type {} are not known; C3D8, C3D4, C3D10, S4, S3, B31, T3D2, SPRINGA "
                        "and MASS are, with their variants",
                        quote(type)));
    } else if (keyword_ == "INCLUDE") {
      fault("*INCLUDE is not followed; put the mesh into one file");
    } else if (keyword_ != "NODE" && keyword_ != "NSET" && keyword_ != "ELSET") {
      if (keyword_ != "HEADING" && keyword_ != "END PART" && keyword_ != "PART")
        ignored_.insert("*" + keyword_);
      keyword_.clear();
    }
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
      if (parts.size() < 3) fault("a node needs its number and its coordinates");
      const long label = whole(parts[0]);
      node_of_[label] = static_cast<int>(mesh_.nodes.size());
      mesh_.nodes.emplace_back(number(parts[1]), number(parts[2]), parts.size() > 3 ? number(parts[3]) : 0);
      mesh_.node_labels.push_back(label);
      if (options_.count("NSET")) mesh_.group(options_["NSET"]).nodes.push_back(node_of_[label]);
    } else if (keyword_ == "ELEMENT") {
      for (const std::string& part : parts) element_.push_back(whole(part));
      if (static_cast<int>(element_.size()) > node_count(shape_)) finish_element();
    } else {
      const bool nodes = keyword_ == "NSET";
      const std::string name = options_.count(keyword_) ? options_[keyword_] : "";
      if (name.empty()) fault(fmt::format("*{} has no name: {}=...", keyword_, keyword_));
      auto& list = sets_[{name, nodes}];
      if (options_.count("GENERATE")) {
        if (parts.size() < 2) fault("GENERATE needs first, last and step");
        const long first = whole(parts[0]), last = whole(parts[1]),
                   step = parts.size() > 2 ? whole(parts[2]) : 1;
        if (step < 1) fault(fmt::format("a step of {} is not possible", step));
        for (long k = first; k <= last; k += step) list.push_back({std::to_string(k), line_number_});
      } else {
        for (const std::string& part : parts) list.push_back({part, line_number_});
      }
    }
  }

  void finish_element() {
    if (element_.empty()) return;
    const int count = node_count(shape_);
    if (static_cast<int>(element_.size()) != count + 1)
      fault(fmt::format("element {} has {} nodes; a {} has {}", element_[0], element_.size() - 1,
                        describe(shape_), count));
    std::vector<int> nodes;
    for (int k = 1; k <= count; ++k) {
      const auto at = node_of_.find(element_[k]);
      if (at == node_of_.end())
        fault(fmt::format("element {} refers to node {}, which the file does not have", element_[0],
                          element_[k]));
      nodes.push_back(at->second);
    }
    const int cell = mesh_.add_cell(shape_, nodes, element_[0]);
    cell_of_[element_[0]] = cell;
    if (options_.count("ELSET")) mesh_.group(options_["ELSET"]).cells.push_back(cell);
    element_.clear();
  }

  // Sets may name other sets, and nodes that come later.
  void resolve_sets() {
    for (const auto& [key, entries] : sets_) {
      const auto& [name, nodes] = key;
      for (const auto& [text, line] : entries) {
        line_number_ = line;
        const bool is_number = !text.empty() && std::all_of(text.begin(), text.end(),
                                                            [](unsigned char c) { return std::isdigit(c); });
        if (!is_number) {
          const Group* other = mesh_.find_group(text);
          if (!other) fault(fmt::format("set {} names set {}, which is not there", quote(name), quote(text)));
          const Group copy = *other;
          auto& list = nodes ? mesh_.group(name).nodes : mesh_.group(name).cells;
          const auto& from = nodes ? copy.nodes : copy.cells;
          list.insert(list.end(), from.begin(), from.end());
          continue;
        }
        const auto& known = nodes ? node_of_ : cell_of_;
        const auto at = known.find(whole(text));
        if (at == known.end())
          fault(fmt::format("set {} names {} {}, which the file does not have", quote(name),
                            nodes ? "node" : "element", text));
        (nodes ? mesh_.group(name).nodes : mesh_.group(name).cells).push_back(at->second);
      }
    }
  }

  const std::string& path_;
  std::istringstream in_;
  Diagnostics& diagnostics_;
  int line_number_ = 0;
  std::string keyword_;
  std::map<std::string, std::string> options_;
  CellShape shape_ = CellShape::point;
  std::vector<long> element_;
  std::unordered_map<long, int> node_of_, cell_of_;
  std::map<std::pair<std::string, bool>, std::vector<std::pair<std::string, int>>> sets_;
  std::set<std::string> ignored_;
  Mesh mesh_;
};

Mesh read(const std::string& path, const std::string& content, Diagnostics& diagnostics) {
  return InpReader(path, content, diagnostics).read();
}

const Registration<MeshFormat> registered{{.name = ".inp", .help = "Abaqus and CalculiX", .read = read}};

}  // namespace
}  // namespace tappet::fem::readers::inp
