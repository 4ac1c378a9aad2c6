// Gmsh's MSH files, versions 1, 2.2, 4.0 and 4.1, the last three as text and binary [Geuzaine & Remacle 2009]. Physical groups are the
// groups; one without a name is called by its number.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "tappet/fem/mesh_reader.hpp"

namespace tappet::fem::readers::gmsh {
namespace {

/// Nodes of Gmsh's element types that may stand in a file; 0: not known.
int gmsh_nodes(int type) {
  static const std::map<int, int> known = {
      {1, 2},   {2, 3},   {3, 4},   {4, 4},   {5, 8},   {6, 6},   {7, 5},   {8, 3},   {9, 6},
      {10, 9},  {11, 10}, {12, 27}, {13, 18}, {14, 14}, {15, 1},  {16, 8},  {17, 20}, {18, 15},
      {19, 13}, {20, 9},  {21, 10}, {22, 12}, {23, 15}, {24, 15}, {25, 21}, {26, 4},  {27, 5},
      {28, 6},  {29, 20}, {30, 35}, {31, 56}, {92, 64}, {93, 125}};
  const auto at = known.find(type);
  return at == known.end() ? 0 : at->second;
}

bool known_shape(int type, CellShape& shape) {
  switch (type) {
    case 1:
      shape = CellShape::line;
      return true;
    case 2:
      shape = CellShape::triangle;
      return true;
    case 3:
      shape = CellShape::quadrangle;
      return true;
    case 4:
      shape = CellShape::tetrahedron;
      return true;
    case 5:
      shape = CellShape::hexahedron;
      return true;
    case 6:
      shape = CellShape::wedge;
      return true;
    case 8:
      shape = CellShape::line3;
      return true;
    case 9:
      shape = CellShape::triangle6;
      return true;
    case 10:  // its middle is not needed
    case 16:
      shape = CellShape::quadrangle8;
      return true;
    case 11:
      shape = CellShape::tetrahedron10;
      return true;
    case 12:  // the middles of its faces and its own are not needed
    case 17:
      shape = CellShape::hexahedron20;
      return true;
    case 13:  // nor those of its quadrangles
    case 18:
      shape = CellShape::wedge15;
      return true;
    case 15:
      shape = CellShape::point;
      return true;
    default:
      return false;
  }
}

/// Nodes on edges are numbered in another order here; others than those of the shape are dropped.
void reorder(CellShape shape, std::vector<int>& nodes) {
  static const std::map<CellShape, std::vector<int>> from = {
      {CellShape::tetrahedron10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
      {CellShape::hexahedron20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}},
      {CellShape::wedge15, {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}}};
  const auto at = from.find(shape);
  nodes.resize(static_cast<std::size_t>(node_count(shape)));
  if (at == from.end()) return;
  const std::vector<int> given = nodes;
  for (std::size_t k = 0; k < nodes.size(); ++k) nodes[k] = given[at->second[k]];
}

/// Numbers one after the other, as text or as bytes.
class Reader {
 public:
  Reader(const std::string& path, const std::string& content) : path_(path), text_(content) {}
  bool binary = false;

  [[noreturn]] void fault(const std::string& message) const {
    int line = 1;
    for (std::size_t i = 0; i < std::min(at_, text_.size()); ++i) line += text_[i] == '\n';
    mesh_fault(path_, line, message);
  }
  bool at_end() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ >= text_.size();
  }
  std::string word() {
    if (at_end()) fault("the mesh file ends too early");
    const std::size_t begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string out = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    if (!out.empty() && out.back() == '\r') out.pop_back();
    return out;
  }
  void skip_to_line_end() { line(); }

  template <class T>
  T raw() {
    if (at_ + sizeof(T) > text_.size()) fault("the mesh file ends too early");
    T out;
    std::memcpy(&out, text_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return out;
  }
  long text_integer() {
    const std::string w = word();
    try {
      std::size_t used = 0;
      const long out = std::stol(w, &used);
      if (used == w.size()) return out;
    } catch (const std::exception&) {
    }
    fault(fmt::format("{} stands where a whole number should be", quote(w)));
  }
  double text_number() {
    const std::string w = word();
    try {
      std::size_t used = 0;
      const double out = std::stod(w, &used);
      if (used == w.size()) return out;
    } catch (const std::exception&) {
    }
    fault(fmt::format("{} stands where a number should be", quote(w)));
  }
  long integer() { return binary ? raw<std::int32_t>() : text_integer(); }
  long size() { return binary ? static_cast<long>(raw<std::uint64_t>()) : text_integer(); }
  double number() { return binary ? raw<double>() : text_number(); }
  long count(const char* what) {
    const long n = size();
    if (n < 0 || n > 1000000000) fault(fmt::format("{} {} is no possible number", n, what));
    return n;
  }
  /// To the line after $EndNAME, which the first version writes in capitals.
  void skip_section(const std::string& name) {
    const std::string end = (name == "NOD" || name == "ELM" ? "$END" : "$End") + name;
    const std::size_t found = text_.find(end, at_);
    if (found == std::string::npos) fault(fmt::format("section ${} has no {}", name, end));
    at_ = found + end.size();
    skip_to_line_end();
  }

 private:
  const std::string& path_;
  const std::string& text_;
  std::size_t at_ = 0;
};

struct Builder {
  Mesh mesh;
  std::unordered_map<long, int> node_of;
  std::map<std::pair<int, int>, std::string> names;  // (dimension, number) of physical groups
  std::map<std::pair<int, int>, std::vector<int>> physical_of_entity;  // version 4.1
  std::map<int, long> unknown;                                         // type → how many

  void add_node(long label, const Vec3& x) {
    node_of[label] = static_cast<int>(mesh.nodes.size());
    mesh.nodes.push_back(x);
    mesh.node_labels.push_back(label);
  }
  std::string name_of(int dimension, int number) const {
    const auto at = names.find({dimension, number});
    return at == names.end() ? std::to_string(number) : at->second;
  }
  void add_cell(int type, long label, std::vector<int>& nodes, const std::vector<int>& physical) {
    CellShape shape;
    if (!known_shape(type, shape)) {
      ++unknown[type];
      return;
    }
    reorder(shape, nodes);
    const int cell = mesh.add_cell(shape, nodes, label);
    for (int p : physical) mesh.group(name_of(dimension(shape), p)).cells.push_back(cell);
  }
  int node(Reader& in, long label) const {
    const auto at = node_of.find(label);
    if (at == node_of.end())
      in.fault(fmt::format("an element refers to node {}, which the file does not have", label));
    return at->second;
  }
};

void read_names(Reader& in, Builder& b) {
  const long n = in.text_integer();
  for (long i = 0; i < n; ++i) {
    const long dimension = in.text_integer(), number = in.text_integer();
    std::string name = in.line();
    const auto first = name.find('"'), last = name.rfind('"');
    if (first == std::string::npos || last == first) in.fault("a physical name must stand in quotes");
    b.names[{static_cast<int>(dimension), static_cast<int>(number)}] =
        name.substr(first + 1, last - first - 1);
  }
}

void read_nodes_2(Reader& in, Builder& b) {
  const long n = in.text_integer();
  in.skip_to_line_end();
  for (long i = 0; i < n; ++i) {
    const long label = in.integer();
    const double x = in.number(), y = in.number(), z = in.number();
    b.add_node(label, {x, y, z});
  }
}

void read_elements_2(Reader& in, Builder& b) {
  const long n = in.text_integer();
  in.skip_to_line_end();
  std::vector<int> nodes, physical;
  const auto one = [&](int type, long label, long tags) {
    physical.clear();
    for (long t = 0; t < tags; ++t) {
      const long tag = in.integer();
      if (t == 0 && tag > 0) physical.push_back(static_cast<int>(tag));
    }
    const int count = gmsh_nodes(type);
    if (!count)
      in.fault(fmt::format("element {} is of Gmsh's type {}, which is not known here", label, type));
    nodes.clear();
    for (int k = 0; k < count; ++k) nodes.push_back(b.node(in, in.integer()));
    b.add_cell(type, label, nodes, physical);
  };
  if (!in.binary) {
    for (long i = 0; i < n; ++i) {
      const long label = in.integer(), type = in.integer(), tags = in.integer();
      one(static_cast<int>(type), label, tags);
    }
    return;
  }
  for (long done = 0; done < n;) {
    const long type = in.integer(), block = in.integer(), tags = in.integer();
    if (block <= 0) in.fault("an element block is empty");
    for (long i = 0; i < block; ++i, ++done) {
      const long label = in.integer();
      one(static_cast<int>(type), label, tags);
    }
  }
}

// Version 1: number, type, physical and geometrical region, number of nodes, nodes.
void read_elements_1(Reader& in, Builder& b) {
  const long n = in.text_integer();
  std::vector<int> nodes, physical;
  for (long i = 0; i < n; ++i) {
    const long label = in.integer(), type = in.integer(), region = in.integer();
    in.integer();
    const long count = in.integer();
    const int known = gmsh_nodes(static_cast<int>(type));
    if (known != count)
      in.fault(fmt::format("element {} of Gmsh's type {} has {} nodes{}", label, type, count,
                           known ? fmt::format("; such have {}", known) : ", which is not known here"));
    nodes.clear();
    for (long k = 0; k < count; ++k) nodes.push_back(b.node(in, in.integer()));
    physical.assign(region > 0 ? 1 : 0, static_cast<int>(region));
    b.add_cell(static_cast<int>(type), label, nodes, physical);
  }
}

// Version 4.0 gives points a box as well. `parts`: those that a partition makes of others, with their parent and their partitions.
void read_entities_4(Reader& in, Builder& b, bool zero, bool parts) {
  if (parts) {
    in.size();
    const long ghosts = in.count("ghost entities");
    for (long k = 0; k < 2 * ghosts; ++k) in.integer();
  }
  long counts[4];
  for (long& c : counts) c = in.count("entities");
  for (int dimension = 0; dimension < 4; ++dimension)
    for (long i = 0; i < counts[dimension]; ++i) {
      const long tag = in.integer();
      if (parts) {
        in.integer(), in.integer();
        const long partitions = in.count("partitions");
        for (long k = 0; k < partitions; ++k) in.integer();
      }
      for (int k = 0; k < (dimension == 0 && !zero ? 3 : 6); ++k) in.number();
      const long groups = in.count("physical groups");
      auto& list = b.physical_of_entity[{dimension, static_cast<int>(tag)}];
      list.clear();  // parts and wholes may share a number: elements name parts
      for (long k = 0; k < groups; ++k) list.push_back(std::abs(static_cast<int>(in.integer())));
      if (dimension == 0) continue;
      const long bounds = in.count("bounding entities");
      for (long k = 0; k < bounds; ++k) in.integer();
    }
}

void read_nodes_4(Reader& in, Builder& b) {
  const long blocks = in.count("blocks");
  in.size(), in.size(), in.size();
  std::vector<long> labels;
  for (long i = 0; i < blocks; ++i) {
    const long dimension = in.integer();
    in.integer();
    const long parametric = in.integer(), n = in.count("nodes");
    labels.clear();
    for (long k = 0; k < n; ++k) labels.push_back(in.size());
    for (long k = 0; k < n; ++k) {
      const double x = in.number(), y = in.number(), z = in.number();
      b.add_node(labels[k], {x, y, z});
      for (long p = 0; p < (parametric ? dimension : 0); ++p) in.number();
    }
  }
}

// Version 4.0: entities are named before their dimension, and each node stands with its coordinates.
void read_nodes_40(Reader& in, Builder& b) {
  const long blocks = in.count("blocks");
  in.size();
  for (long i = 0; i < blocks; ++i) {
    in.integer();
    const long dimension = in.integer(), parametric = in.integer(), n = in.count("nodes");
    for (long k = 0; k < n; ++k) {
      const long label = in.integer();
      const double x = in.number(), y = in.number(), z = in.number();
      b.add_node(label, {x, y, z});
      for (long p = 0; p < (parametric ? dimension : 0); ++p) in.number();
    }
  }
}

/// `zero`: version 4.0, with numbers of 4 bytes and the entity before its dimension.
void read_elements_4(Reader& in, Builder& b, bool zero) {
  const long blocks = in.count("blocks");
  for (int skipped = 0; skipped < (zero ? 1 : 3); ++skipped) in.size();
  const auto label_of = [&] { return zero ? in.integer() : in.size(); };
  std::vector<int> nodes;
  for (long i = 0; i < blocks; ++i) {
    int dimension = static_cast<int>(in.integer()), tag = static_cast<int>(in.integer());
    if (zero) std::swap(dimension, tag);
    const int type = static_cast<int>(in.integer());
    const long n = in.count("elements");
    const int count = gmsh_nodes(type);
    if (!count) in.fault(fmt::format("elements of Gmsh's type {} are not known here", type));
    const auto physical = b.physical_of_entity.find({dimension, tag});
    for (long k = 0; k < n; ++k) {
      const long label = label_of();
      nodes.clear();
      for (int m = 0; m < count; ++m) nodes.push_back(b.node(in, label_of()));
      b.add_cell(type, label, nodes,
                 physical == b.physical_of_entity.end() ? std::vector<int>{} : physical->second);
    }
  }
}

Mesh read(const std::string& path, const std::string& content, Diagnostics& diagnostics) {
  Reader in(path, content);
  Builder b;
  bool four = false, zero = false, known = false;
  while (!in.at_end()) {
    const std::string head = in.word();
    if (head.size() < 2 || head[0] != '$')
      in.fault(fmt::format("{} stands where a section such as $Nodes should begin", quote(head)));
    const std::string section = head.substr(1);
    if (section == "MeshFormat") {
      const double version = in.text_number();
      in.binary = in.text_integer() == 1;
      const long size = in.text_integer();
      in.skip_to_line_end();
      four = version >= 4 && version < 4.2;
      zero = four && version < 4.1;
      if (!four && !(version >= 2 && version < 3))
        in.fault(fmt::format("version {:g} of Gmsh's format is not read; 1, 2.2, 4.0 and 4.1 are", version));
      if (size != 8) in.fault(fmt::format("numbers of {} bytes are not read; 8 are", size));
      if (in.binary && in.raw<std::int32_t>() != 1)
        in.fault("the file was written on a machine of the other byte order");
      known = true;
    } else if (section == "NOD") {
      read_nodes_2(in, b);
    } else if (section == "ELM") {
      read_elements_1(in, b);
    } else if (!known) {
      in.fault("the file does not begin with $MeshFormat");
    } else if (section == "PhysicalNames") {
      read_names(in, b);
    } else if ((section == "Entities" || section == "PartitionedEntities") && four) {
      in.skip_to_line_end();
      read_entities_4(in, b, zero, section == "PartitionedEntities");
    } else if (section == "Nodes") {
      in.skip_to_line_end();
      zero ? read_nodes_40(in, b) : four ? read_nodes_4(in, b) : read_nodes_2(in, b);
    } else if (section == "Elements") {
      in.skip_to_line_end();
      four ? read_elements_4(in, b, zero) : read_elements_2(in, b);
    }
    in.skip_section(section);
  }
  for (const auto& [type, count] : b.unknown)
    diagnostics.warning(
        {std::make_shared<const std::string>(path), 0, 0},
        fmt::format("{} elements of Gmsh's type {} have no counterpart here and are left out", count, type));
  if (b.mesh.nodes.empty()) in.fault("the mesh file has no nodes");
  if (b.mesh.cells.empty()) in.fault("the mesh file has no elements that are known here");
  return std::move(b.mesh);
}

const Registration<MeshFormat> registered{
    {.name = ".msh", .help = "Gmsh 1, 2.2, 4.0 and 4.1, text and binary", .read = read}};

}  // namespace
}  // namespace tappet::fem::readers::gmsh
