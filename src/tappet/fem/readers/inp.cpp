// Meshes of Abaqus and CalculiX: nodes, elements, sets and surfaces of an .inp file and of those that it includes, parts and their
// instances in an assembly put in place. Sets and surfaces are the groups; everything else (materials, steps) is left to the
// model file.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/base/text.hpp"
#include "tappet/fem/mesh_reader.hpp"
#include "tappet/fem/readers/inp_generate.hpp"
#include "tappet/fem/readers/inp_parts.hpp"

namespace tappet::fem::readers::inp {
namespace {

using namespace fem::inp;
namespace fs = std::filesystem;

std::string unquoted(const std::string& text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2)
                                                                      : text;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, ',');) out.push_back(std::string(trimmed(part)));
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// One space where there are several; "* NODE" is "*NODE".
std::string keyword_of(const std::string& field) {
  std::stringstream in(upper(field.substr(1)));
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

Options options_of(const std::vector<std::string>& parts) {
  Options out;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    const std::string name = upper(std::string(trimmed(parts[i].substr(0, equals))));
    out[name] =
        equals == std::string::npos ? "" : unquoted(std::string(trimmed(parts[i].substr(equals + 1))));
  }
  return out;
}

/// A file beside another. Where capitals differ, as they may on Windows, the one that differs in them alone.
std::string beside(const std::string& file, std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  const fs::path path = fs::path(file).parent_path() / name;
  std::error_code fault;
  if (fs::is_regular_file(path, fault)) return path.string();
  const fs::path folder = path.parent_path().empty() ? "." : path.parent_path();
  for (const auto& entry : fs::directory_iterator(folder, fault))
    if (upper(entry.path().filename().string()) == upper(path.filename().string()) &&
        entry.is_regular_file(fault))
      return entry.path().string();
  return "";
}

class InpReader {
 public:
  InpReader(const std::string& path, const std::string& content, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), parts_(path), part_(&parts_.root()) {
    open(path, content);
  }

  Mesh read() {
    std::string line;
    while (next_line(line)) {
      if (line.starts_with("*"))
        start_keyword(line);
      else if (!keyword_.empty())
        data(line);
    }
    finish_keyword();
    Mesh out = parts_.mesh(diagnostics_);
    free_of_plane(out);
    place_ = {files_.front().path, 0};
    if (out.nodes.empty()) fault("the mesh file has no *NODE lines");
    if (out.cells.empty() && !left_out_.empty())
      fault(fmt::format("the mesh file has no elements but {}, which make no structure",
                        join_names(left_out())));
    if (!left_out_.empty())
      warn(fmt::format(
          "elements of type {} are left out: the model file has its own springs, joints and contacts",
          join_names(left_out())));
    if (!other_physics_.empty())
      warn(fmt::format(
          "elements of type {} are of heat or sound: their cells are taken as those of a structure",
          join_names({other_physics_.begin(), other_physics_.end()})));
    if (surplus_ > 0)
      warn(fmt::format("{} elements list more nodes than their type has; those beyond are left out",
                       surplus_));
    if (!ignored_.empty())
      warn(fmt::format("only the mesh is read: {} of the file have no effect",
                       join_names({ignored_.begin(), ignored_.end()}, 10)));
    return out;
  }

 private:
  struct File {
    std::shared_ptr<const std::string> path;
    std::istringstream in;
    int line = 0;
  };
  static constexpr int deepest_include = 20;

  [[noreturn]] void fault(const std::string& message) const { fault_at(place_, message); }
  void warn(const std::string& message) { diagnostics_.warning({files_.front().path, 0, 0}, message); }
  std::vector<std::string> left_out() const { return {left_out_.begin(), left_out_.end()}; }

  /// Gmsh writes every triangle as CPS3, those of a curved surface too: what leaves its plane is no plane stress.
  void free_of_plane(Mesh& mesh) {
    const double slack = 1e-9 * extent(mesh);
    const auto leaves = [&](int c) {
      if (mesh.cells[c].use != CellUse::plane_stress) return false;
      const double z = mesh.nodes[mesh.nodes_of(c)[0]].z();
      const auto own = mesh.nodes_of(c);
      return std::any_of(own.begin(), own.end(),
                         [&](int n) { return std::abs(mesh.nodes[n].z() - z) > slack; });
    };
    bool any = false;
    for (int c = 0; c < static_cast<int>(mesh.cells.size()) && !any; ++c) any = leaves(c);
    if (!any) return;
    for (Cell& cell : mesh.cells)
      if (cell.use == CellUse::plane_stress) cell.use = CellUse::any;
    warn(
        "elements of type CPS do not lie in a plane z = const, as Gmsh's of any surface may: they are no "
        "plane "
        "stress but faces, and shells where nothing else is computed");
  }

  // --- Lines

  void open(const std::string& path, const std::string& content) {
    const bool marked = content.starts_with("\xef\xbb\xbf");  // as editors of Windows mark UTF-8
    files_.push_back({std::make_shared<const std::string>(path),
                      std::istringstream(marked ? content.substr(3) : content)});
  }

  bool next_line(std::string& line) {
    if (held_) {
      line = *held_;
      place_ = held_place_;
      held_.reset();
      return true;
    }
    while (true) {
      File& file = files_.back();
      while (std::getline(file.in, line)) {
        place_ = {file.path, ++file.line};
        line = std::string(trimmed(line));
        if (!line.empty() && !line.starts_with("**")) return true;
      }
      if (files_.size() == 1) return false;
      files_.pop_back();
    }
  }

  // Looked for beside the file that includes it, then beside the first.
  void include(const std::string& keyword, const std::string& name) {
    if (name.empty()) fault(fmt::format("{} does not say which file: INPUT=...", keyword));
    if (files_.size() > deepest_include)
      fault(fmt::format("{} is nested deeper than {}", keyword, deepest_include));
    for (const std::string& from : {*files_.back().path, *files_.front().path}) {
      const std::string path = beside(from, name);
      if (path.empty()) continue;
      std::string why;
      const std::optional<std::string> text = read_input_file(path, why);
      if (!text) fault(fmt::format("{} names the file {}, which {}", keyword, quote(name), why));
      included_ += text->size();
      if (included_ > most_input_bytes)
        fault(fmt::format("the files that are included have more than {} MiB together",
                          most_input_bytes >> 20));
      return open(path, *text);
    }
    fault(fmt::format("{} names the file {}, which is not beside this one", keyword, quote(name)));
  }

  // --- Keywords

  /// A comma at the end: the keyword may go on in the next line, if that has options and no data.
  void join(std::string& line) {
    const FilePlace here = place_;
    std::string more;
    while (line.back() == ',' && next_line(more)) {
      const std::string word = upper(more.substr(0, more.find(',')));
      if (more.starts_with("*") ||
          (more.find('=') == std::string::npos && word != "GENERATE" && word != "INTERNAL")) {
        held_ = more;
        held_place_ = place_;
        break;
      }
      line += more;
    }
    place_ = here;
  }

  void start_keyword(std::string line) {
    join(line);
    const std::vector<std::string> parts = fields(line);
    if (parts.empty()) return;
    const std::string keyword = keyword_of(parts[0]);
    const Options options = options_of(parts);
    // What is included may go on with the lines of the keyword before it.
    if (keyword == "INCLUDE") {
      const auto input = options.find("INPUT");
      return include("*INCLUDE", input == options.end() ? "" : input->second);
    }
    finish_keyword();
    keyword_ = keyword;
    options_ = options;
    keyword_place_ = place_;
    if (starts_assembly(keyword)) return;
    if (keyword == "ELEMENT") {
      start_elements();
    } else if (keyword == "NODE") {
      system_ = upper(option("SYSTEM"));
      if (!system_.empty() && system_ != "R" && system_ != "C" && system_ != "S")
        fault(fmt::format("nodes in the coordinate system {} are not read; R, C and S are", quote(system_)));
    } else if (keyword == "SYSTEM") {
      fault("*SYSTEM, which moves the axes of nodes, is not read: write the nodes in the model's axes");
    } else if (keyword == "SURFACE") {
      start_surface();
    } else if (keyword == "NSET" && options_.count("ELSET")) {
      part_->set_of(option("NSET"), true).of_elements.push_back(option("ELSET"));
    } else if (keyword != "NSET" && keyword != "ELSET" && !is_generation(keyword)) {
      if (keyword != "HEADING" && keyword != "PREPRINT") ignored_.insert("*" + keyword);
      keyword_.clear();
      return;
    }
    if ((keyword == "NODE" || keyword == "ELEMENT" || keyword == "NSET" || keyword == "ELSET") &&
        options_.count("INPUT"))
      include("*" + keyword, option("INPUT"));
  }

  /// *PART, *ASSEMBLY, *INSTANCE and their ends.
  bool starts_assembly(const std::string& keyword) {
    if (keyword == "PART") {
      const std::string name = option("NAME");
      if (parts_.find_part(name)) fault(fmt::format("there are two parts called {}", quote(name)));
      parts_.parts.emplace_back();
      part_ = &parts_.parts.back();
      part_->name = name;
    } else if (keyword == "END PART" || keyword == "ASSEMBLY" || keyword == "END ASSEMBLY") {
      part_ = &parts_.root();
    } else if (keyword == "INSTANCE") {
      start_instance();
      return true;
    } else if (keyword == "END INSTANCE") {
      part_ = &parts_.root();
    } else {
      return false;
    }
    keyword_.clear();
    return true;
  }

  void start_instance() {
    Part* part = parts_.find_part(option("PART"));
    if (!part)
      fault(fmt::format("instance {} is one of part {}, which is not there", quote(option("NAME")),
                        quote(option("PART"))));
    parts_.instances.push_back({option("NAME"), part});
    instance_lines_ = 0;
    part_ = part;
  }

  void instance(const std::vector<std::string>& parts) {
    Instance& i = parts_.instances.back();
    const auto at = [&](std::size_t k) { return k < parts.size() ? number(parts[k], place_) : 0; };
    if (instance_lines_++ == 0) {
      i.place.translation() = Vec3(at(0), at(1), at(2));
      return;
    }
    const Vec3 a(at(0), at(1), at(2)), axis = Vec3(at(3), at(4), at(5)) - a;
    if (!(axis.norm() > 0))
      fault(fmt::format("instance {} turns about an axis without length", quote(i.name)));
    const Eigen::AngleAxisd turn(at(6) * std::numbers::pi / 180, axis.normalized());
    i.place = Eigen::Translation3d(a) * turn * Eigen::Translation3d(-a) * i.place;
  }

  void start_elements() {
    type_ = upper(option("TYPE"));
    const std::optional<ElementFamily> family = family_of(type_);
    if (family) {
      family_ = *family;
      if (family->other_physics) other_physics_.insert(type_);
      return;
    }
    if (!fem::inp::left_out(type_)) fault(why_not(type_));
    left_out_.insert(type_);
    keyword_ = "LEFT OUT";
  }

  void start_surface() {
    const std::string kind = upper(option("TYPE"));
    if (kind.empty() || kind == "ELEMENT" || kind == "NODE") {
      part_->surfaces.push_back({option("NAME"), kind == "NODE", {}});
      return;
    }
    ignored_.insert("*SURFACE, TYPE=" + kind);
    keyword_.clear();
  }

  std::string option(const std::string& name) const {
    const auto at = options_.find(name);
    return at == options_.end() ? "" : at->second;
  }

  void finish_keyword() {
    finish_element();
    if (is_generation(keyword_)) generate(keyword_, {parts_, *part_, options_, lines_, keyword_place_});
    lines_.clear();
    keyword_.clear();
  }

  // --- Data lines

  void data(const std::string& line) {
    const std::vector<std::string> parts = fields(line);
    if (parts.empty()) return;
    if (keyword_ == "NODE")
      node(parts);
    else if (keyword_ == "ELEMENT")
      element(parts);
    else if (keyword_ == "NSET" || keyword_ == "ELSET")
      members(parts);
    else if (keyword_ == "SURFACE")
      part_->surfaces.back().pieces.push_back(
          {{"", unquoted(parts[0]), place_}, parts.size() > 1 ? upper(parts[1]) : ""});
    else if (keyword_ == "INSTANCE")
      instance(parts);
    else if (is_generation(keyword_))
      lines_.push_back(parts);
  }

  // Coordinates that are not written are 0. In systems C and S the second is an angle in degrees, and so is S's third.
  void node(const std::vector<std::string>& parts) {
    const auto coordinate = [&](std::size_t k) { return parts.size() > k ? number(parts[k], place_) : 0; };
    const long label = whole(parts[0], place_);
    Vec3 x(coordinate(1), coordinate(2), coordinate(3));
    const double turn = x[1] * std::numbers::pi / 180, rise = x[2] * std::numbers::pi / 180;
    if (system_ == "C") x = {x[0] * std::cos(turn), x[0] * std::sin(turn), x[2]};
    if (system_ == "S")
      x = {x[0] * std::cos(rise) * std::cos(turn), x[0] * std::cos(rise) * std::sin(turn),
           x[0] * std::sin(rise)};
    part_->put_node(label, x);
    if (options_.count("NSET")) part_->set_of(option("NSET"), true).members.push_back({"", parts[0], place_});
  }

  void element(const std::vector<std::string>& parts) {
    if (element_.empty()) element_place_ = place_;
    for (const std::string& part : parts) element_.push_back(whole(part, place_));
    if (static_cast<int>(element_.size()) > family_.nodes) finish_element();
  }

  // More nodes than the type has are none of its own, as CalculiX reads them.
  void finish_element() {
    if (element_.empty()) return;
    const int listed = static_cast<int>(element_.size()) - 1;
    if (listed < family_.nodes)
      fault_at(element_place_, fmt::format("element {} has {} nodes; a {} has {}", element_[0], listed,
                                           describe(family_.shape), family_.nodes));
    if (listed > family_.nodes) {
      ++surplus_;
      element_.resize(static_cast<std::size_t>(family_.nodes) + 1);
    }
    const long label = element_[0];
    part_->put_element({family_, label, {element_.begin() + 1, element_.end()}, element_place_});
    if (options_.count("ELSET"))
      part_->set_of(option("ELSET"), false).members.push_back({"", std::to_string(label), element_place_});
    element_.clear();
  }

  void members(const std::vector<std::string>& parts) {
    const std::string name = option(keyword_), instance = option("INSTANCE");
    if (name.empty()) fault(fmt::format("*{} has no name: {}=...", keyword_, keyword_));
    Set& set = part_->set_of(name, keyword_ == "NSET");
    if (!options_.count("GENERATE")) {
      for (const std::string& part : parts)
        if (!part.empty()) set.members.push_back({instance, unquoted(part), place_});
      return;
    }
    if (parts.size() < 2) fault("GENERATE needs first, last and step");
    const long first = whole(parts[0], place_), last = whole(parts[1], place_),
               step = parts.size() > 2 ? whole(parts[2], place_) : 1;
    if (step < 1) fault(fmt::format("a step of {} is not possible", step));
    if (first < 0) fault(fmt::format("a set from {} to {} by {} is not possible", first, last, step));
    if (last >= first) set.members.push_back({instance, "", place_, {first, last, step}});
  }

  Diagnostics& diagnostics_;
  std::uint64_t included_ = 0;  ///< bytes
  Parts parts_;
  Part* part_;               ///< that is being read
  std::vector<File> files_;  ///< the one that is read last
  FilePlace place_, element_place_, keyword_place_, held_place_;
  std::optional<std::string> held_;  ///< a line that was looked at too early
  std::string keyword_, type_, system_;
  Options options_;
  std::vector<std::vector<std::string>> lines_;  ///< of a keyword that generates
  ElementFamily family_{CellShape::point};
  std::vector<long> element_;
  int instance_lines_ = 0;
  std::set<std::string> ignored_, left_out_, other_physics_;
  long surplus_ = 0;  ///< elements with nodes that their type does not have
};

Mesh read(const std::string& path, const std::string& content, Diagnostics& diagnostics) {
  return InpReader(path, content, diagnostics).read();
}

const Registration<MeshFormat> registered{{.name = ".inp", .help = "Abaqus and CalculiX", .read = read}};

}  // namespace
}  // namespace tappet::fem::readers::inp
