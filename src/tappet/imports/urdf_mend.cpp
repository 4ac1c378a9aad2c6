#include "tappet/imports/urdf_mend.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace tappet {
namespace {

XmlElement* child_of(XmlElement& e, std::string_view name) {
  for (XmlElement& child : e.children)
    if (child.name == name) return &child;
  return nullptr;
}

void remove(XmlElement& e, std::string_view name) {
  std::erase_if(e.children, [&](const XmlElement& child) { return child.name == name; });
}

bool has(const XmlElement& e, std::string_view attribute) {
  return std::any_of(e.attributes.begin(), e.attributes.end(),
                     [&](const auto& a) { return a.first == attribute; });
}

void put_default(XmlElement& e, const char* attribute, const char* value) {
  if (!has(e, attribute)) e.attributes.emplace_back(attribute, value);
}

class Mender {
 public:
  explicit Mender(std::vector<std::string>& notes) : notes_(notes) {}

  void mend(XmlElement& robot) {
    std::erase_if(robot.attributes, [](const auto& a) { return a.first == "version"; });
    remove(robot, "material");
    for (XmlElement& e : robot.children) {
      if (e.name == "link") link(e);
      if (e.name == "joint") joint(e);
    }
  }

 private:
  std::vector<std::string>& notes_;

  void note(const XmlElement& e, const std::string& what) {
    notes_.push_back(fmt::format("{} '{}': {}", e.name, e.attribute("name"), what));
  }

  void link(XmlElement& e) {
    if (XmlElement* inertial = child_of(e, "inertial")) {
      if (!inertial->child("mass") || inertial->child("mass")->attribute("value").empty()) {
        note(e, "its <inertial> has no mass and does not count");
        remove(e, "inertial");
      } else {
        inertia(e, *inertial);
      }
    }
    std::erase_if(e.children, [&](XmlElement& surface) {
      const bool collides = surface.name == "collision";
      if (!collides && surface.name != "visual") return false;
      remove(surface, "material");
      const std::string fault = fault_of_geometry(surface);
      if (!fault.empty()) note(e, fmt::format("a <{}> is left out: {}", surface.name, fault));
      return !fault.empty();
    });
  }

  void inertia(const XmlElement& e, XmlElement& inertial) {
    XmlElement* tensor = child_of(inertial, "inertia");
    if (!tensor) {
      note(e, "its <inertial> has no inertia");
      inertial.children.push_back({"inertia", {}, "", {}, 0});
      tensor = &inertial.children.back();
    }
    for (const char* part : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) put_default(*tensor, part, "0");
  }

  static std::string fault_of_geometry(const XmlElement& surface) {
    const XmlElement* geometry = surface.child("geometry");
    if (!geometry || geometry->children.empty()) return "it has no geometry";
    const XmlElement& shape = geometry->children.front();
    for (const auto& [name, keys] : {std::pair<const char*, std::vector<const char*>>{"sphere", {"radius"}},
                                     {"box", {"size"}},
                                     {"cylinder", {"radius", "length"}},
                                     {"mesh", {"filename"}}}) {
      if (shape.name != name) continue;
      for (const char* key : keys)
        if (shape.attribute(key).empty()) return fmt::format("its <{}> has no {}", shape.name, key);
      return "";
    }
    return fmt::format("<{}> is not a shape of URDF", shape.name);
  }

  void joint(XmlElement& e) {
    for (const char* unused : {"safety_controller", "calibration"}) remove(e, unused);
    if (const XmlElement* dynamics = e.child("dynamics");
        dynamics && !has(*dynamics, "damping") && !has(*dynamics, "friction"))
      remove(e, "dynamics");
    if (XmlElement* limit = child_of(e, "limit")) {
      for (const char* key : {"effort", "velocity"}) put_default(*limit, key, "0");
      return;
    }
    const std::string& type = e.attribute("type");
    if (type != "revolute" && type != "prismatic") return;
    note(e, "it has no <limit>");
    e.children.push_back(
        {"limit", {{"lower", "0"}, {"upper", "0"}, {"effort", "0"}, {"velocity", "0"}}, "", {}, 0});
  }
};

}  // namespace

void mend_urdf(XmlElement& robot, std::vector<std::string>& notes) {
  Mender(notes).mend(robot);
}

}  // namespace tappet
