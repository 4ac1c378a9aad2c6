#include "tappet/imports/robot_shapes.hpp"

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

/// What keeps a mesh from being taken with these parameters; "": nothing.
std::string fault_of(const MeshParameters& parameters, SolidProperties& solid) {
  Diagnostics diagnostics;
  Origin origin;
  origin.name = "mesh";
  if (const auto mesh = read_closed_mesh(parameters, origin, diagnostics)) {
    solid = solid_properties(*mesh);
    return "";
  }
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

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The file, or the one beside it whose name differs in capitals alone, as on Windows it may; "" where there is neither.
std::string file_at(const fs::path& path) {
  const auto name = [](const fs::path& at) { return fs::absolute(at).lexically_normal().string(); };
  if (is_file(path)) return name(path);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), fault))
    if (lower(entry.path().filename().string()) == lower(path.filename().string()) && is_file(entry.path()))
      return name(entry.path());
  return "";
}

/// `$(find NAME)/REST`, which xacro would have replaced, is package://NAME/REST; folders end with '/'.
std::string as_uri(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.starts_with("$(find "))
    if (const std::size_t end = name.find(')'); end != std::string::npos)
      return "package://" + name.substr(7, end - 7) + name.substr(end + 1);
  return name;
}

}  // namespace

RobotShapes::RobotShapes(std::string file, const RobotOptions& options, std::vector<std::string>& notes)
    : file_(std::move(file)), options_(options), notes_(notes) {}

std::optional<RobotShape> RobotShapes::simple(const std::string& type, const std::vector<double>& sizes,
                                              const Isometry3d& place, const std::string& owner) {
  for (const double size : sizes)
    if (!(size >= shape_length().low) || !std::isfinite(size)) {
      notes_.push_back(fmt::format("{}: a {} without extent is left out", owner, type));
      return {};
    }
  RobotShape out{"", type, values::mapping(), place};
  if (type == "box" || type == "ellipsoid") {
    add(out.keys, type == "box" ? "size" : "semi_axes",
        values::list({values::exact(sizes[0]), values::exact(sizes[1]), values::exact(sizes[2])}));
  } else {
    add(out.keys, "radius", values::exact(sizes[0]));
    if (type != "sphere") add(out.keys, "length", values::exact(sizes[1]));
  }
  return out;
}

std::optional<RobotShape> RobotShapes::mesh(const std::string& file, const Vec3& scale,
                                            const Isometry3d& place, const std::string& owner) {
  const Mesh& as = judged(file, scale);
  if (as.path.empty()) {
    notes_.push_back(fmt::format("{}: the mesh '{}' is left out: {}", owner, file, as.reason));
    return {};
  }
  if (as.convex)
    notes_.push_back(fmt::format("{}: the mesh '{}' is taken as the convex hull of its vertices: {}", owner,
                                 file, as.reason));
  RobotShape out{"", "mesh", values::mapping(), place};
  add(out.keys, "file", values::scalar(as_written(as.path)));
  if (scale.x() == scale.y() && scale.y() == scale.z() && scale.x() > 0) {
    if (scale.x() != 1) add(out.keys, "scale", values::exact(scale.x()));
  } else {
    add(out.keys, "stretch",
        values::list({values::exact(scale.x()), values::exact(scale.y()), values::exact(scale.z())}));
  }
  if (as.repair) add(out.keys, "repair", values::scalar("true"));
  if (as.convex) add(out.keys, "convex", values::scalar("true"));
  return out;
}

std::optional<SolidProperties> RobotShapes::solid(const std::string& file, const Vec3& scale) {
  const Mesh& as = judged(file, scale);
  if (as.path.empty()) return {};
  return as.solid;
}

const RobotShapes::Mesh& RobotShapes::judged(const std::string& file, const Vec3& scale) {
  const std::string key = fmt::format("{} {} {} {}", file, scale.x(), scale.y(), scale.z());
  if (!judged_.count(key)) judged_.emplace(key, judge(file, scale));
  return judged_.at(key);
}

RobotShapes::Mesh RobotShapes::judge(const std::string& file, const Vec3& scale) const {
  Mesh out;
  const std::string path = find_file(file);
  if (path.empty()) {
    out.reason = "there is no such file; --packages names the folder in which its package stands";
    return out;
  }
  MeshParameters p;
  p.file = path;
  p.stretch = scale;
  // As it is; with its triangles turned round; as a hull.
  for (const auto& [repair, convex] :
       {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    p.repair = repair;
    p.convex = convex;
    const std::string fault = fault_of(p, out.solid);
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

std::string RobotShapes::find_file(const std::string& written) const {
  const std::string name = as_uri(written);
  const std::size_t colon = name.find("://");
  const fs::path folder = fs::absolute(fs::path(file_)).parent_path();
  if (colon == std::string::npos || name.substr(0, colon) == "file") {
    const fs::path path(colon == std::string::npos ? name : name.substr(colon + 3));
    const fs::path at = path.is_absolute() ? path : folder / path;
    return file_at(at);
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
    if (const std::string found = file_at(at); !found.empty()) return found;
  return "";
}

std::string RobotShapes::as_written(const std::string& path) const {
  if (options_.model_folder.empty()) return path;
  return fs::path(path).lexically_proximate(fs::absolute(options_.model_folder).lexically_normal()).string();
}

}  // namespace tappet
