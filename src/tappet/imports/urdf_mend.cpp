#include "tappet/imports/urdf_mend.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/text.hpp"

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

std::string* find(XmlElement& e, std::string_view attribute) {
  for (auto& [name, value] : e.attributes)
    if (name == attribute) return &value;
  return nullptr;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Finite numbers between blanks or commas; nothing where something else stands among them.
std::optional<std::vector<double>> numbers(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<double> out;
  for (std::size_t at = text.find_first_not_of(" \t\r\n"); at != std::string::npos;
       at = text.find_first_not_of(" \t\r\n", at)) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    if (text[at] == '+') ++at;
    double x = 0;
    const auto [stop, fault] = std::from_chars(text.data() + at, text.data() + end, x);
    if (fault != std::errc() || stop != text.data() + end || !std::isfinite(x)) return {};
    out.push_back(x);
    at = end;
  }
  return out;
}

class Mender {
 public:
  explicit Mender(std::vector<std::string>& notes) : notes_(notes) {}

  void mend(XmlElement& robot) {
    std::erase_if(robot.attributes, [](const auto& a) { return a.first == "version"; });
    if (robot.attribute("name").empty()) {
      std::erase_if(robot.attributes, [](const auto& a) { return a.first == "name"; });
      robot.attributes.emplace_back("name", "robot");
      notes_.push_back("the robot has no name");
    }
    remove(robot, "material");
    add_world(robot);
    std::set<std::string> others;
    for (XmlElement& e : robot.children) {
      if (e.name == "link")
        link(e);
      else if (e.name == "joint")
        joint(e);
      else
        others.insert("<" + e.name + ">");
    }
    if (!others.empty())
      notes_.push_back(fmt::format("without effect: {}", join_names({others.begin(), others.end()})));
  }

 private:
  std::vector<std::string>& notes_;

  void note(const XmlElement& e, const std::string& what) {
    notes_.push_back(fmt::format("{} '{}': {}", e.name, e.attribute("name"), what));
  }

  /// Some programs know of a link called world that no file need have.
  void add_world(XmlElement& robot) {
    const auto is_world = [](const XmlElement& e) {
      return e.name == "link" && e.attribute("name") == "world";
    };
    const auto on_world = [](const XmlElement& e) {
      const XmlElement* parent = e.name == "joint" ? e.child("parent") : nullptr;
      return parent && parent->attribute("link") == "world";
    };
    if (std::any_of(robot.children.begin(), robot.children.end(), is_world) ||
        std::none_of(robot.children.begin(), robot.children.end(), on_world))
      return;
    robot.children.push_back({"link", {{"name", "world"}}, "", {}, 0});
    notes_.push_back("there is no link 'world', which a joint holds on to: it is taken as the ground");
  }

  /// What is blank counts as not said; numbers may stand between commas.
  void vectors(XmlElement& e, std::initializer_list<const char*> attributes) {
    for (const char* name : attributes) {
      std::string* value = find(e, name);
      if (!value) continue;
      std::replace(value->begin(), value->end(), ',', ' ');
      if (trimmed(*value).empty())
        std::erase_if(e.attributes, [&](const auto& a) { return a.first == name; });
    }
  }
  void blanks(XmlElement& owner, const char* child, std::initializer_list<const char*> attributes) {
    if (XmlElement* e = child_of(owner, child)) vectors(*e, attributes);
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
      blanks(surface, "origin", {"xyz", "rpy"});
      const std::string fault = fault_of_geometry(e, surface);
      if (!fault.empty()) note(e, fmt::format("a <{}> is left out: {}", surface.name, fault));
      return !fault.empty();
    });
  }

  void inertia(const XmlElement& e, XmlElement& inertial) {
    blanks(inertial, "origin", {"xyz", "rpy"});
    XmlElement* tensor = child_of(inertial, "inertia");
    if (!tensor) {
      note(e, "its <inertial> has no inertia");
      inertial.children.push_back({"inertia", {}, "", {}, 0});
      tensor = &inertial.children.back();
    }
    for (const char* part : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) put_default(*tensor, part, "0");
  }

  /// Of one shape that the parser cannot read, it would drop all of the link's without a word.
  std::string fault_of_geometry(const XmlElement& link, XmlElement& surface) {
    XmlElement* geometry = child_of(surface, "geometry");
    if (!geometry || geometry->children.empty()) return "it has no geometry";
    XmlElement& shape = geometry->children.front();
    struct Key {
      const char* name;
      std::size_t count;  ///< of its numbers; 0: a text
    };
    for (const auto& [name, keys] : {std::pair<const char*, std::vector<Key>>{"sphere", {{"radius", 1}}},
                                     {"box", {{"size", 3}}},
                                     {"cylinder", {{"radius", 1}, {"length", 1}}},
                                     {"capsule", {{"radius", 1}, {"length", 1}}},
                                     {"mesh", {{"filename", 0}}}}) {
      if (shape.name != name) continue;
      for (const auto& [key, count] : keys) {
        const std::string& text = shape.attribute(key);
        if (text.empty()) return fmt::format("its <{}> has no {}", shape.name, key);
        if (count == 0) continue;
        const auto values = numbers(text);
        if (!values || values->size() != count)
          return fmt::format("the {} of its <{}>, {}, is not {}", key, shape.name, quote(text),
                             count == 1 ? "a number" : "three numbers");
        vectors(shape, {key});
      }
      if (shape.name == "mesh") return fault_of_scale(link, shape);
      // The parser knows cylinders only: the surface's name says what it is.
      std::erase_if(surface.attributes, [](const auto& a) { return a.first == "name"; });
      if (shape.name == "capsule") {
        shape.name = "cylinder";
        surface.attributes.emplace_back("name", capsule_mark);
      }
      return "";
    }
    return fmt::format("<{}> is not a shape of URDF", shape.name);
  }

  std::string fault_of_scale(const XmlElement& link, XmlElement& mesh) {
    vectors(mesh, {"scale"});
    std::string* scale = find(mesh, "scale");
    if (!scale) return "";
    const auto values = numbers(*scale);
    if (values && values->size() == 3) return "";
    if (!values || values->size() != 1)
      return fmt::format("the scale of its <mesh>, {}, is not three numbers", quote(*scale));
    note(link, fmt::format("the scale {} of its <mesh> is taken along all three axes", *scale));
    *scale = fmt::format("{0} {0} {0}", *scale);
    return "";
  }

  void joint(XmlElement& e) {
    for (const char* unused : {"safety_controller", "calibration"}) remove(e, unused);
    blanks(e, "origin", {"xyz", "rpy"});
    blanks(e, "axis", {"xyz"});
    blanks(e, "dynamics", {"damping", "friction"});
    blanks(e, "limit", {"lower", "upper", "effort", "velocity"});
    if (std::string* type = find(e, "type"); type && *type != lower(*type)) {
      note(e, fmt::format("its type {} is taken as {}", quote(*type), quote(lower(*type))));
      *type = lower(*type);
    }
    if (const XmlElement* dynamics = e.child("dynamics");
        dynamics && !has(*dynamics, "damping") && !has(*dynamics, "friction"))
      remove(e, "dynamics");
    if (XmlElement* limit = child_of(e, "limit")) {
      endless(e, *limit);
      for (const char* key : {"effort", "velocity"}) put_default(*limit, key, "0");
      return;
    }
    const std::string& type = e.attribute("type");
    if (type != "revolute" && type != "prismatic") return;
    note(e, "it has no <limit>");
    e.children.push_back(
        {"limit", {{"lower", "0"}, {"upper", "0"}, {"effort", "0"}, {"velocity", "0"}}, "", {}, 0});
  }
  /// Ends at infinity are none, and what is unlimited is not said: the parser wants numbers.
  void endless(const XmlElement& e, XmlElement& limit) {
    bool open = false;
    for (const char* key : {"lower", "upper", "effort", "velocity"}) {
      const std::string* value = find(limit, key);
      if (!value) continue;
      const std::string word = lower(std::string(trimmed(*value)));
      if (word.find("inf") == std::string::npos) continue;
      open = true;
      std::erase_if(limit.attributes, [&](const auto& a) { return a.first == key; });
      // One end alone is none either.
      if (std::string_view(key) == "lower" || std::string_view(key) == "upper")
        std::erase_if(limit.attributes,
                      [&](const auto& a) { return a.first == "lower" || a.first == "upper"; });
    }
    if (open) note(e, "what its <limit> calls infinite is no limit");
  }
};

}  // namespace

void mend_urdf(XmlElement& robot, std::vector<std::string>& notes) {
  Mender(notes).mend(robot);
}

}  // namespace tappet
