#include "tappet/imports/mjcf_source.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

#include "tappet/imports/importer.hpp"

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int deepest_include = 20;

Matrix3d turned(int axis, double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::Unit(axis)).toRotationMatrix();
}

}  // namespace

MjcfSource::MjcfSource(const std::string& xml, std::string file) : file_(std::move(file)) {
  std::string why;
  std::optional<XmlElement> root = read_xml(xml, why);
  if (!root) {
    Diagnostics diagnostics;
    diagnostics.error({std::make_shared<const std::string>(file_), 0, 0},
                      fmt::format("this is no MJCF that can be read: {}", why));
    throw InputError(diagnostics.all());
  }
  root_ = std::move(*root);
  if (root_.name != "mujoco")
    fault(root_, fmt::format("this is no MJCF: its outermost element is <{}>, not <mujoco>", root_.name));
  include_files(root_, std::filesystem::path(file_).parent_path().string(), 0);
  classes_.emplace_back();
  class_of_["main"] = 0;
  read_compiler();
  for (const XmlElement& e : root_.children)
    if (e.name == "default")
      read_defaults(e, e.attribute("class").empty() ? "main" : e.attribute("class"), class_of_["main"]);
}

void MjcfSource::fault(const XmlElement& e, const std::string& message) const {
  Diagnostics diagnostics;
  diagnostics.error({std::make_shared<const std::string>(file_), e.line, 0}, message);
  throw InputError(diagnostics.all());
}

// What is included stands in the place of <include>, without its own outermost element.
void MjcfSource::include_files(XmlElement& e, const std::string& folder, int depth) {
  std::vector<XmlElement> children;
  for (XmlElement& child : e.children) {
    if (child.name != "include") {
      include_files(child, folder, depth);
      children.push_back(std::move(child));
      continue;
    }
    if (depth >= deepest_include)
      fault(child, fmt::format("<include> is nested deeper than {}", deepest_include));
    const std::string path =
        (std::filesystem::path(folder) / child.attribute("file")).lexically_normal().string();
    // As in MuJoCo. Files that include each other twice would double with every level.
    if (!included_.insert(path).second)
      fault(child, fmt::format("the file {} is included a second time", quote(path)));
    std::string why;
    std::optional<XmlElement> included = read_xml(text_of_included_file(path), why);
    if (!included) fault(child, fmt::format("the included file {} cannot be read: {}", quote(path), why));
    included_elements_ += element_count(*included);
    if (included_elements_ > max_xml_parts)
      fault(child, fmt::format("the included files have more than {} elements together", max_xml_parts));
    include_files(*included, folder, depth + 1);
    for (XmlElement& own : included->children) children.push_back(std::move(own));
  }
  e.children = std::move(children);
}

void MjcfSource::read_compiler() {
  for (const XmlElement& e : root_.children) {
    if (e.name != "compiler") continue;
    const auto given = [&](const char* name) { return !e.attribute(name).empty(); };
    if (given("angle")) degrees = e.attribute("angle") != "radian";
    if (given("coordinate") && e.attribute("coordinate") != "local")
      fault(e,
            "<compiler coordinate=\"global\"> is not read: places of bodies must be those in their parents");
    if (given("eulerseq")) euler = e.attribute("eulerseq");
    if (given("autolimits")) autolimits = e.attribute("autolimits") == "true";
    if (given("assetdir")) mesh_folder = e.attribute("assetdir");
    if (given("meshdir")) mesh_folder = e.attribute("meshdir");
    if (given("inertiafromgeom")) {
      inertia_from_geoms = e.attribute("inertiafromgeom") == "true";
      no_inertia_from_geoms = e.attribute("inertiafromgeom") == "false";
    }
    if (given("balanceinertia")) balance = e.attribute("balanceinertia") == "true";
    if (given("strippath")) strip_path = e.attribute("strippath") == "true";
    bound_mass = number(e, "", "boundmass", bound_mass);
    bound_inertia = number(e, "", "boundinertia", bound_inertia);
  }
  if (euler.size() != 3 || euler.find_first_not_of("xyzXYZ") != std::string::npos)
    fault(root_, fmt::format("eulerseq is {}; it must be three letters of x, y, z, X, Y, Z", quote(euler)));
}

void MjcfSource::read_defaults(const XmlElement& e, const std::string& name, int parent) {
  const int made = static_cast<int>(classes_.size());
  Class& one = classes_.emplace_back();
  one.parent = parent;
  for (const XmlElement& child : e.children)
    if (child.name != "default")
      for (const auto& [key, value] : child.attributes) one.own[child.name][key] = value;
  class_of_[name] = made;
  for (const XmlElement& child : e.children)
    if (child.name == "default") {
      if (child.attribute("class").empty()) fault(child, "a <default> inside another needs a class");
      read_defaults(child, child.attribute("class"), made);
    }
}

const std::string& MjcfSource::attribute(const XmlElement& e, const std::string& childclass,
                                         const std::string& name) const {
  if (const std::string& own = e.attribute(name); !own.empty()) return own;
  static const std::string none;
  const std::string& chosen = e.attribute("class");
  const auto type = class_of_.find(!chosen.empty() ? chosen : !childclass.empty() ? childclass : "main");
  if (type == class_of_.end())
    fault(e, fmt::format("there is no class of defaults called {}",
                         quote(chosen.empty() ? childclass : chosen)));
  for (int at = type->second; at >= 0; at = classes_[at].parent) {
    const auto kind = classes_[at].own.find(e.name);
    if (kind == classes_[at].own.end()) continue;
    if (const auto found = kind->second.find(name); found != kind->second.end()) return found->second;
  }
  return none;
}

std::vector<double> MjcfSource::numbers(const XmlElement& e, const std::string& childclass,
                                        const std::string& name, std::size_t least, std::size_t most) const {
  const std::string& text = attribute(e, childclass, name);
  std::vector<double> out;
  if (text.empty()) return out;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    char* end = nullptr;
    const double x = std::strtod(word.c_str(), &end);
    if (*end != '\0' || !std::isfinite(x))
      fault(e, fmt::format("<{}>: {} is {}, which is no number", e.name, name, quote(word)));
    out.push_back(x);
  }
  if (out.size() < least || out.size() > most)
    fault(e, fmt::format("<{}>: {} has {} numbers and needs {}", e.name, name, out.size(),
                         least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
  return out;
}

double MjcfSource::number(const XmlElement& e, const std::string& childclass, const std::string& name,
                          double otherwise) const {
  const std::vector<double> out = numbers(e, childclass, name, 1, 10);
  return out.empty() ? otherwise : out[0];
}

Vector3d MjcfSource::vector(const XmlElement& e, const std::string& childclass, const std::string& name,
                            const Vector3d& otherwise) const {
  const std::vector<double> out = numbers(e, childclass, name, 3, 3);
  return out.empty() ? otherwise : Vector3d(out[0], out[1], out[2]);
}

bool MjcfSource::flag(const XmlElement& e, const std::string& childclass, const std::string& name,
                      bool automatic) const {
  const std::string& text = attribute(e, childclass, name);
  return text == "true" || (text != "false" && automatic);
}

double MjcfSource::angle(double written) const {
  return degrees ? written * std::numbers::pi / 180 : written;
}

Isometry3d MjcfSource::place(const XmlElement& e, const std::string& childclass) const {
  Isometry3d out = Isometry3d::Identity();
  out.translation() = vector(e, childclass, "pos", Vector3d::Zero());
  const auto given = [&](const char* name, std::size_t count) {
    return numbers(e, childclass, name, count, count);
  };
  const auto direction = [&](const Vector3d& v) {
    if (!(v.norm() > 1e-12)) fault(e, fmt::format("<{}> has a direction without length", e.name));
    return Vector3d(v.normalized());
  };
  // An element's own orientation hides one of its class.
  const auto has_own = [&](const char* name) { return !e.attribute(name).empty(); };
  const bool own =
      has_own("quat") || has_own("axisangle") || has_own("euler") || has_own("xyaxes") || has_own("zaxis");
  const auto counts = [&](const char* name) { return own ? has_own(name) : has(e, childclass, name); };
  if (counts("quat")) {
    const auto q = given("quat", 4);
    const Eigen::Quaterniond quaternion(q[0], q[1], q[2], q[3]);
    if (!(quaternion.norm() > 1e-12)) fault(e, fmt::format("<{}> has a quaternion without length", e.name));
    out.linear() = quaternion.normalized().toRotationMatrix();
  } else if (counts("axisangle")) {
    const auto a = given("axisangle", 4);
    out.linear() = Eigen::AngleAxisd(angle(a[3]), direction({a[0], a[1], a[2]})).toRotationMatrix();
  } else if (counts("euler")) {
    const auto a = given("euler", 3);
    // Small letters turn about axes that turn along, capitals about fixed ones.
    for (int k = 0; k < 3; ++k) {
      const bool fixed = euler[k] < 'a';
      const Matrix3d R = turned(euler[k] - (fixed ? 'X' : 'x'), angle(a[k]));
      const Matrix3d before = out.linear();
      out.linear() = fixed ? Matrix3d(R * before) : Matrix3d(before * R);
    }
  } else if (counts("xyaxes")) {
    const auto a = given("xyaxes", 6);
    const Vector3d x = direction({a[0], a[1], a[2]}), along(a[3], a[4], a[5]),
                   y = direction(along - along.dot(x) * x);
    out.linear() << x, y, x.cross(y);
  } else if (counts("zaxis")) {
    const auto a = given("zaxis", 3);
    out.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), direction({a[0], a[1], a[2]}))
                       .toRotationMatrix();
  }
  return out;
}

}  // namespace tappet
