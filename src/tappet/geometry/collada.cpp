#include "tappet/geometry/collada.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/xml.hpp"

namespace tappet {
namespace {

/// What is wrong with the file, with its line.
struct Fault : std::runtime_error {
  Fault(const XmlElement& at, const std::string& what)
      : std::runtime_error(fmt::format("line {}: {}", at.line, what)) {}
};

constexpr int deepest_scene = 100;  ///< nodes that refer to themselves are not followed for ever
/// Numbers and elements gone through when nodes and meshes are put in as often as they are named: as many numbers as the largest file has
/// that is read. Some lines of nodes that each name the one before twice stand for any number of meshes.
constexpr std::size_t most_parts = 100'000'000;
constexpr int most_inputs = 1000;  ///< numbers of one corner

template <class T>
std::vector<T> numbers_of(const XmlElement& e) {
  std::vector<T> out;
  const char *at = e.text.data(), *const end = at + e.text.size();
  while (true) {
    while (at < end && std::isspace(static_cast<unsigned char>(*at))) ++at;
    if (at == end) return out;
    if (*at == '+') ++at;
    T value{};
    const auto [stop, fault] = std::from_chars(at, end, value);
    const bool ended = stop == end || std::isspace(static_cast<unsigned char>(*stop));
    if (fault != std::errc() || !ended)
      throw Fault(e, fmt::format("<{}> holds something that is no number", e.name));
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value))
        throw Fault(e, fmt::format("<{}> holds a number that is not finite", e.name));
    out.push_back(value);
    at = stop;
  }
}

std::vector<double> numbers_of(const XmlElement& e, std::size_t count) {
  std::vector<double> out = numbers_of<double>(e);
  if (out.size() != count)
    throw Fault(e, fmt::format("<{}> holds {} numbers, not {}", e.name, out.size(), count));
  return out;
}

std::string without_hash(const std::string& reference) {
  return reference.starts_with('#') ? reference.substr(1) : reference;
}

class Scene {
 public:
  explicit Scene(const XmlElement& root) : root_(root) { index(root); }

  TriangleMesh triangles() {
    double metre = 1;
    if (const XmlElement* asset = root_.child("asset"))
      if (const XmlElement* unit = asset->child("unit"); unit && !unit->attribute("meter").empty()) {
        const std::string& text = unit->attribute("meter");
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), metre);
        if (fault != std::errc() || !(metre > 0) || !std::isfinite(metre))
          throw Fault(*unit, fmt::format("the unit of {} m is no length", text));
      }
    const Eigen::Affine3d scale(Eigen::UniformScaling<double>{metre});
    if (const XmlElement* scene = shown_scene())
      for (const XmlElement& node : scene->children) take_node(node, scale, 0);
    else
      for (const XmlElement& library : root_.children)
        if (library.name == "library_geometries")
          for (const XmlElement& geometry : library.children) take_geometry(geometry, scale);
    return std::move(out_);
  }

 private:
  const XmlElement& root_;
  std::map<std::string, const XmlElement*> by_id_;
  TriangleMesh out_;
  std::size_t parts_ = 0;

  void go_through(const XmlElement& e, std::size_t parts) {
    parts_ += parts;
    if (parts_ > most_parts)
      throw Fault(
          e, fmt::format("the scene is larger than {} numbers when all is put in as often as it is named",
                         most_parts));
  }
  template <class T>
  std::vector<T> counted_numbers_of(const XmlElement& e) {
    std::vector<T> out = numbers_of<T>(e);
    go_through(e, out.size());
    return out;
  }

  void index(const XmlElement& e) {
    if (!e.attribute("id").empty()) by_id_.emplace(e.attribute("id"), &e);
    for (const XmlElement& child : e.children) index(child);
  }

  const XmlElement* find(const std::string& reference) const {
    const auto found = by_id_.find(without_hash(reference));
    return found == by_id_.end() ? nullptr : found->second;
  }
  const XmlElement& named(const XmlElement& from, const std::string& key) const {
    const XmlElement* found = find(from.attribute(key));
    if (!found)
      throw Fault(from, fmt::format("<{}> names '{}', which is not there", from.name, from.attribute(key)));
    return *found;
  }

  /// The scene that the file shows, else the first; null when there is none.
  const XmlElement* shown_scene() const {
    if (const XmlElement* scene = root_.child("scene"))
      if (const XmlElement* instance = scene->child("instance_visual_scene"))
        if (const XmlElement* found = find(instance->attribute("url"))) return found;
    const XmlElement* library = root_.child("library_visual_scenes");
    return library ? library->child("visual_scene") : nullptr;
  }

  static Eigen::Affine3d transform(const XmlElement& e) {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    if (e.name == "matrix") {
      const std::vector<double> m = numbers_of(e, 16);
      out.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(m.data());
    } else if (e.name == "translate") {
      const std::vector<double> v = numbers_of(e, 3);
      out.translate(Vec3(v[0], v[1], v[2]));
    } else if (e.name == "rotate") {
      const std::vector<double> v = numbers_of(e, 4);
      const Vec3 axis(v[0], v[1], v[2]);
      if (axis.norm() > 0) out.rotate(Eigen::AngleAxisd(v[3] * std::numbers::pi / 180, axis.normalized()));
    } else if (e.name == "scale") {
      const std::vector<double> v = numbers_of(e, 3);
      out.scale(Vec3(v[0], v[1], v[2]));
    } else if (e.name == "skew" || e.name == "lookat") {
      throw Fault(e, fmt::format("a node with <{}> cannot be read", e.name));
    }
    return out;
  }

  void take_node(const XmlElement& node, Eigen::Affine3d place, int depth) {
    if (node.name != "node") return;
    if (depth > deepest_scene) throw Fault(node, "nodes are nested without end");
    go_through(node, 1 + node.children.size());
    for (const XmlElement& e : node.children) {
      place = place * transform(e);
      if (e.name == "instance_geometry") take_geometry(named(e, "url"), place);
      if (e.name == "instance_node") take_node(named(e, "url"), place, depth + 1);
      if (e.name == "instance_controller") throw Fault(e, "a mesh that is bent by bones cannot be read");
      take_node(e, place, depth + 1);
    }
  }

  void take_geometry(const XmlElement& geometry, const Eigen::Affine3d& place) {
    const XmlElement* mesh = geometry.child("mesh");
    if (!mesh) return;  // a spline
    go_through(geometry, mesh->children.size());
    const bool mirrored = place.linear().determinant() < 0;
    for (const XmlElement& faces : mesh->children) {
      const std::size_t before = out_.triangles.size();
      if (faces.name == "triangles" || faces.name == "polylist" || faces.name == "polygons" ||
          faces.name == "tristrips" || faces.name == "trifans")
        take_faces(faces, *mesh, place);
      if (mirrored)
        for (std::size_t t = before; t < out_.triangles.size(); ++t)
          std::swap(out_.triangles[t][1], out_.triangles[t][2]);
    }
  }

  /// Where the positions of a list of faces are, and which of the numbers of a corner names one.
  struct Corners {
    int offset = 0, stride = 1;
    int first = 0, count = 0;  ///< of the vertices in out_
  };

  Corners corners_of(const XmlElement& faces, const XmlElement& mesh, const Eigen::Affine3d& place) {
    Corners out;
    const XmlElement* source = nullptr;
    for (const XmlElement& input : faces.children) {
      if (input.name != "input") continue;
      const std::string& at = input.attribute("offset");
      int offset = 0;
      std::from_chars(at.data(), at.data() + at.size(), offset);
      if (offset < 0 || offset >= most_inputs)
        throw Fault(input,
                    fmt::format("an offset of {} is not one from 0 to {}", quote(at), most_inputs - 1));
      out.stride = std::max(out.stride, offset + 1);
      if (input.attribute("semantic") == "VERTEX") source = &named(input, "source"), out.offset = offset;
    }
    if (source) go_through(faces, faces.children.size() + source->children.size());
    if (!source) throw Fault(faces, fmt::format("<{}> does not say where its corners are", faces.name));
    const XmlElement* positions = nullptr;
    for (const XmlElement& input : source->children)
      if (input.name == "input" && input.attribute("semantic") == "POSITION")
        positions = &named(input, "source");
    const XmlElement* array = positions ? positions->child("float_array") : nullptr;
    if (!array) throw Fault(mesh, "a mesh has no list of positions");
    const std::vector<double> x = counted_numbers_of<double>(*array);
    out.first = static_cast<int>(out_.vertices.size());
    out.count = static_cast<int>(x.size() / 3);
    for (int i = 0; i < out.count; ++i)
      out_.vertices.push_back(place * Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]));
    if (std::any_of(out_.vertices.begin() + out.first, out_.vertices.end(),
                    [](const Vec3& v) { return !v.allFinite(); }))
      throw Fault(mesh, "where its nodes put it, a vertex is not finite");
    return out;
  }

  void take_faces(const XmlElement& faces, const XmlElement& mesh, const Eigen::Affine3d& place) {
    const Corners corners = corners_of(faces, mesh, place);
    std::vector<long> counts;
    if (const XmlElement* list = faces.child("vcount")) counts = counted_numbers_of<long>(*list);
    for (const XmlElement& p : faces.children) {
      if (p.name != "p") continue;
      const std::vector<int> v = vertices_of(p, corners);
      if (faces.name == "triangles") {
        counts.assign(v.size() / 3, 3);
        take_polygons(p, v, counts);
      } else if (faces.name == "polylist") {
        take_polygons(p, v, counts);
      } else if (faces.name == "tristrips") {
        for (std::size_t k = 2; k < v.size(); ++k)
          out_.triangles.push_back({v[k - 2], v[k - 1 + k % 2], v[k - k % 2]});
      } else {  // a fan, or one polygon
        take_polygons(p, v, {static_cast<long>(v.size())});
      }
    }
  }

  std::vector<int> vertices_of(const XmlElement& p, const Corners& corners) {
    const std::vector<long> index = counted_numbers_of<long>(p);
    std::vector<int> out;
    for (std::size_t k = corners.offset; k < index.size(); k += corners.stride) {
      if (index[k] < 0 || index[k] >= corners.count)
        throw Fault(p, fmt::format("a corner names position {}; there are {}", index[k], corners.count));
      out.push_back(corners.first + static_cast<int>(index[k]));
    }
    return out;
  }

  void take_polygons(const XmlElement& p, const std::vector<int>& v, const std::vector<long>& counts) {
    std::size_t at = 0;
    for (const long count : counts) {
      if (count < 0 || at + static_cast<std::size_t>(count) > v.size())
        throw Fault(p, "there are fewer corners than the polygons need");
      for (long k = 2; k < count; ++k) out_.triangles.push_back({v[at], v[at + k - 1], v[at + k]});
      at += count;
    }
  }
};

}  // namespace

std::optional<TriangleMesh> read_collada(const std::string& text, std::string& fault) {
  const std::optional<XmlElement> root = read_xml(text, fault);
  if (!root) return std::nullopt;
  if (root->name != "COLLADA") {
    fault = fmt::format("its outermost element is <{}>, not <COLLADA>", root->name);
    return std::nullopt;
  }
  try {
    return Scene(*root).triangles();
  } catch (const Fault& what) {
    fault = what.what();
    return std::nullopt;
  }
}

}  // namespace tappet
