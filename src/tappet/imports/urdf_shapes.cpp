#include "tappet/imports/urdf_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tappet/geometry/placement.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/imports/values.hpp"

namespace tappet {

namespace {

namespace fs = std::filesystem;
using Eigen::Isometry3d;
using values::add;

Vec3 scale_of(const urdf::Mesh& mesh) {
  return {mesh.scale.x, mesh.scale.y, mesh.scale.z};
}

/// Of a ball, box or cylinder, m.
double smallest_length(const urdf::Geometry& geometry) {
  if (geometry.type == urdf::Geometry::SPHERE) return static_cast<const urdf::Sphere&>(geometry).radius;
  if (geometry.type == urdf::Geometry::BOX) {
    const urdf::Vector3& size = static_cast<const urdf::Box&>(geometry).dim;
    return std::min({size.x, size.y, size.z});
  }
  if (geometry.type != urdf::Geometry::CYLINDER) return HUGE_VAL;
  const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
  return std::min(cylinder.radius, cylinder.length);
}

/// What keeps a mesh from being taken with these parameters; "": nothing.
std::string fault_of(const MeshParameters& parameters) {
  Diagnostics diagnostics;
  Origin origin;
  origin.name = "mesh";
  if (read_closed_mesh(parameters, origin, diagnostics)) return "";
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) return d.message;
  return "it cannot be read";
}

/// Folders in which packages stand, from the environment as ROS has it.
std::vector<fs::path> listed_folders() {
  std::vector<fs::path> out;
  for (const char* variable : {"ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH"}) {
    const char* text = std::getenv(variable);
    std::string rest = text ? text : "";
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) {
        out.emplace_back(rest.substr(0, end));
        out.push_back(out.back() / "share");
      }
      rest.erase(0, end + 1);
    }
  }
  return out;
}

bool is_file(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault);
}

}  // namespace

UrdfShapes::UrdfShapes(std::string file, const UrdfOptions& options, std::vector<std::string>& notes)
    : file_(std::move(file)), options_(options), notes_(notes) {}

Value UrdfShapes::shape(const urdf::Geometry& geometry, const Isometry3d& place, const std::string& link) {
  if (!(smallest_length(geometry) >= shape_length().low)) {
    notes_.push_back(fmt::format("link '{}': a shape without extent is left out", link));
    return {};
  }
  Value keys = values::mapping();
  std::string type;
  switch (geometry.type) {
    case urdf::Geometry::SPHERE:
      type = "sphere";
      add(keys, "radius", values::exact(static_cast<const urdf::Sphere&>(geometry).radius));
      add(keys, "position", values::vector(place.translation()));
      break;
    case urdf::Geometry::BOX: {
      const urdf::Vector3& size = static_cast<const urdf::Box&>(geometry).dim;
      type = "box";
      add(keys, "size", values::list({values::exact(size.x), values::exact(size.y), values::exact(size.z)}));
      values::add_place(keys, place);
      break;
    }
    case urdf::Geometry::CYLINDER: {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
      type = "cylinder";
      add(keys, "radius", values::exact(cylinder.radius));
      add(keys, "length", values::exact(cylinder.length));
      values::add_place(keys, place);
      break;
    }
    case urdf::Geometry::MESH:
      return mesh(static_cast<const urdf::Mesh&>(geometry), place, link);
  }
  Value out = values::mapping();
  add(out, type, std::move(keys));
  return out;
}

Value UrdfShapes::mesh(const urdf::Mesh& mesh, const Isometry3d& place, const std::string& link) {
  const Vec3 scale = scale_of(mesh);
  const std::string key = fmt::format("{} {} {} {}", mesh.filename, scale.x(), scale.y(), scale.z());
  if (!judged_.count(key)) judged_.emplace(key, judge(mesh));
  const Mesh& as = judged_.at(key);
  if (as.path.empty()) {
    notes_.push_back(fmt::format("link '{}': the mesh '{}' is left out: {}", link, mesh.filename, as.reason));
    return {};
  }
  if (as.convex)
    notes_.push_back(fmt::format("link '{}': the mesh '{}' is taken as the convex hull of its vertices: {}",
                                 link, mesh.filename, as.reason));
  Value keys = values::mapping();
  add(keys, "file", values::scalar(as_written(as.path)));
  if (scale.x() == scale.y() && scale.y() == scale.z() && scale.x() > 0) {
    if (scale.x() != 1) add(keys, "scale", values::exact(scale.x()));
  } else {
    add(keys, "stretch",
        values::list({values::exact(scale.x()), values::exact(scale.y()), values::exact(scale.z())}));
  }
  values::add_place(keys, place);
  if (as.repair) add(keys, "repair", values::scalar("true"));
  if (as.convex) add(keys, "convex", values::scalar("true"));
  Value out = values::mapping();
  add(out, "mesh", std::move(keys));
  return out;
}

UrdfShapes::Mesh UrdfShapes::judge(const urdf::Mesh& mesh) const {
  Mesh out;
  const std::string path = find_file(mesh.filename);
  if (path.empty()) {
    out.reason = "there is no such file; --packages names the folder in which its package stands";
    return out;
  }
  MeshParameters p;
  p.file = path;
  p.stretch = scale_of(mesh);
  // As it is; with its triangles turned round; as a hull.
  for (const auto& [repair, convex] :
       {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    p.repair = repair;
    p.convex = convex;
    const std::string fault = fault_of(p);
    if (fault.empty()) {
      out.path = path;
      out.repair = repair;
      out.convex = convex;
      return out;
    }
    out.reason = fault.substr(0, fault.find(';'));  // without what a model file could do about it
  }
  return out;
}

std::string UrdfShapes::find_file(const std::string& name) const {
  const std::size_t colon = name.find("://");
  const fs::path folder = fs::absolute(fs::path(file_)).parent_path();
  if (colon == std::string::npos || name.substr(0, colon) == "file") {
    const fs::path path(colon == std::string::npos ? name : name.substr(colon + 3));
    const fs::path at = path.is_absolute() ? path : folder / path;
    return is_file(at) ? at.lexically_normal().string() : "";
  }
  // A package's name, and the way in it.
  const std::string rest = name.substr(colon + 3);
  const fs::path package(rest.substr(0, rest.find('/')));
  const fs::path inside(rest.find('/') == std::string::npos ? "" : rest.substr(rest.find('/') + 1));
  std::vector<fs::path> tried;
  for (const std::string& given : options_.packages) {
    tried.push_back(fs::path(given) / package / inside);
    tried.push_back(fs::path(given) / inside);  // the package itself
  }
  for (fs::path above = folder; !above.empty(); above = above.parent_path()) {
    if (above.filename() == package) tried.push_back(above / inside);
    tried.push_back(above / package / inside);
    if (above == above.parent_path()) break;
  }
  for (const fs::path& listed : listed_folders()) tried.push_back(listed / package / inside);
  // A package whose folder was given another name.
  for (fs::path above = folder; above != above.parent_path(); above = above.parent_path())
    tried.push_back(above / inside);
  for (const fs::path& at : tried)
    if (is_file(at)) return fs::absolute(at).lexically_normal().string();
  return "";
}

std::string UrdfShapes::as_written(const std::string& path) const {
  if (options_.model_folder.empty()) return path;
  return fs::path(path).lexically_proximate(fs::absolute(options_.model_folder).lexically_normal()).string();
}

}  // namespace tappet
