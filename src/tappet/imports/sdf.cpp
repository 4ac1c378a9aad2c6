// Robots described in SDF, Gazebo's files, as models.
//
//   link       body, with all links that fixed joints hold to it; those fixed to the world, and of static models: the ground
//   joint      revolute, continuous → revolute; prismatic → translational; ball → spherical; universal → the same
//   pose       of links in their model, of joints in their child, unless `relative_to` names another frame
//   collision  shapes; those of <visual> where a link has none
//   dynamics   damping and spring → spring-damper; <mimic> → gear, coupler, rack
//
// What a model has no place for is left out, and a note says so.
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "tappet/base/xml.hpp"
#include "tappet/imports/robot.hpp"
#include "tappet/imports/robot_shapes.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::imports::sdf {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Frames that name each other in a ring are not followed for ever.
constexpr int longest_way = 100;

struct Link {
  std::string name;
  Isometry3d pose;  ///< in the world
  RobotMass mass;   ///< in the link's frame
  std::vector<RobotShape> shapes;
  bool fixed_to_world = false;
  int group = -1;  ///< links that are held together have the number of the first
};

/// Where something stands: in the frame of the name `in`, of its own model.
struct Frame {
  std::string in;
  Isometry3d pose = Isometry3d::Identity();
  std::string scope = {};  ///< that model's; names may have "::" in them themselves
};

class Reader {
 public:
  Reader(std::string file, const RobotOptions& options)
      : file_(std::move(file)), options_(options), shapes_(file_, options, robot_.notes) {}

  Robot read(const XmlElement& root) {
    version_ = std::strtod(root.attribute("version").c_str(), nullptr);
    const XmlElement* holder = &root;
    if (const XmlElement* world = root.child("world")) {
      holder = world;
      if (const XmlElement* gravity = world->child("gravity"))
        robot_.gravity = vector(*gravity, gravity->text);
    }
    bool any = false;
    for (const XmlElement& e : holder->children) {
      if (e.name == "include")
        fault(e,
              "<include> is not read: put the model that it names into the file (`gz sdf -p FILE` prints it "
              "in full)");
      if (e.name != "model") continue;
      if (!any) robot_.title = e.attribute("name");
      // Models of a world are apart; the first needs no name before its links'.
      read_model(e, any ? e.attribute("name") : "", Isometry3d::Identity(), false);
      any = true;
    }
    if (!any) fault(root, "the file has no <model>");
    for (const auto& [joint, scope] : joints_) read_joint(*joint, scope);
    make_bodies();
    if (!ignored_.empty())
      robot_.notes.push_back(
          fmt::format("not part of the model: {}", join_names({ignored_.begin(), ignored_.end()}, 30)));
    Diagnostics diagnostics;
    judge_masses(robot_, options_.repair, {std::make_shared<const std::string>(file_), 0, 0}, diagnostics);
    diagnostics.throw_if_errors();
    return std::move(robot_);
  }

 private:
  std::string file_;
  const RobotOptions& options_;
  Robot robot_;
  RobotShapes shapes_;
  double version_ = 0;
  std::vector<Link> links_;
  std::map<std::string, int> link_of_;
  std::map<std::string, Frame> frames_;        ///< of links and frames, by full names, MODEL::NAME
  std::map<std::string, Frame> joint_frames_;  ///< may be called like links, until 1.6
  std::map<std::string, Isometry3d> models_;   ///< scope → in the world
  std::vector<std::pair<const XmlElement*, std::string>> joints_;
  struct Between {
    RobotJoint joint;
    int parent, child;      ///< links; −1: the world
    Isometry3d pose;        ///< of the joint, in the world
    Vector3d axis, second;  ///< in the world
  };
  std::vector<Between> between_;
  std::set<std::string> ignored_;

  [[noreturn]] void fault(const XmlElement& e, const std::string& message) const {
    Diagnostics diagnostics;
    diagnostics.error({std::make_shared<const std::string>(file_), e.line, 0}, message);
    throw InputError(diagnostics.all());
  }

  // --- Numbers

  std::vector<double> numbers(const XmlElement& e, const std::string& text, std::size_t count) const {
    std::istringstream in(text);
    std::vector<double> out;
    for (std::string word; in >> word;) {
      char* end = nullptr;
      out.push_back(std::strtod(word.c_str(), &end));
      if (*end != '\0' || std::isnan(out.back()))
        fault(e, fmt::format("<{}> has {}, which is no number", e.name, quote(word)));
    }
    if (out.size() != count)
      fault(e, fmt::format("<{}> has {} numbers and needs {}", e.name, out.size(), count));
    return out;
  }
  Vector3d vector(const XmlElement& e, const std::string& text) const {
    const auto v = numbers(e, text, 3);
    return {v[0], v[1], v[2]};
  }
  double number(const XmlElement& parent, const char* name, double otherwise) const {
    const XmlElement* e = parent.child(name);
    return e ? numbers(*e, e->text, 1)[0] : otherwise;
  }

  /// <pose> of an element: x y z roll pitch yaw, or with a quaternion.
  Frame frame_of(const XmlElement& e, const std::string& otherwise) const {
    Frame out{otherwise};
    const XmlElement* pose = e.child("pose");
    if (!pose) return out;
    for (const char* key : {"relative_to", "frame"})
      if (!pose->attribute(key).empty()) out.in = pose->attribute(key);
    if (pose->text.find_first_not_of(" \t\r\n") == std::string::npos) return out;
    if (pose->attribute("rotation_format") == "quat_xyzw") {
      const auto p = numbers(*pose, pose->text, 7);
      out.pose.translation() = Vector3d(p[0], p[1], p[2]);
      out.pose.linear() = Eigen::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
      return out;
    }
    const auto p = numbers(*pose, pose->text, 6);
    const double unit = pose->attribute("degrees") == "true" ? std::numbers::pi / 180 : 1;
    out.pose.translation() = Vector3d(p[0], p[1], p[2]);
    out.pose.linear() = (Eigen::AngleAxisd(unit * p[5], Vector3d::UnitZ()) *
                         Eigen::AngleAxisd(unit * p[4], Vector3d::UnitY()) *
                         Eigen::AngleAxisd(unit * p[3], Vector3d::UnitX()))
                            .toRotationMatrix();
    return out;
  }

  // --- Models

  static std::string full(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + "::" + name;
  }

  void read_model(const XmlElement& model, const std::string& scope, const Isometry3d& at, bool fixed) {
    const Isometry3d place = at * frame_of(model, "").pose;
    models_[scope] = place;
    const bool rests =
        fixed || (model.child("static") && model.child("static")->text.find("true") != std::string::npos) ||
        (model.child("static") && model.child("static")->text.find('1') != std::string::npos);
    for (const XmlElement& e : model.children) {
      if (e.name == "include") fault(e, "<include> is not read: put the model that it names into the file");
      if (e.name == "link" || e.name == "frame")
        frames_[full(scope, e.attribute("name"))] =
            within(scope, frame_of(e, e.name == "frame" && !e.attribute("attached_to").empty()
                                          ? e.attribute("attached_to")
                                          : "__model__"));
      if (e.name == "joint")
        joint_frames_[full(scope, e.attribute("name"))] =
            within(scope, frame_of(e, e.child("child") ? trimmed_text(*e.child("child")) : ""));
      if (e.name == "model") read_model(e, full(scope, e.attribute("name")), place, rests);
    }
    for (const XmlElement& e : model.children) {
      if (e.name == "link") read_link(e, scope, rests);
      if (e.name == "joint") joints_.push_back({&e, scope});
      if (e.name == "plugin" || e.name == "gripper") ignored_.insert("<" + e.name + ">");
    }
  }

  static Frame within(const std::string& scope, Frame frame) {
    frame.scope = scope;
    return frame;
  }

  static std::string trimmed_text(const XmlElement& e) {
    const auto first = e.text.find_first_not_of(" \t\r\n"), last = e.text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : e.text.substr(first, last - first + 1);
  }

  /// A frame of a model in the world.
  Isometry3d place_of(const XmlElement& e, const std::string& scope, const std::string& name,
                      int way = 0) const {
    if (name == "world") return Isometry3d::Identity();
    if (name.empty() || name == "__model__") return models_.at(scope);
    const Frame* frame = nullptr;
    for (const auto* frames : {&joint_frames_, &frames_})
      if (const auto at = frames->find(full(scope, name)); at != frames->end()) frame = &at->second;
    if (!frame) {
      if (const auto nested = models_.find(full(scope, name)); nested != models_.end()) return nested->second;
      fault(e, fmt::format("there is no link, joint or frame called {}", quote(name)));
    }
    if (way > longest_way) fault(e, fmt::format("the frame {} is relative to itself", quote(name)));
    return place_of(e, frame->scope, frame->in, way + 1) * frame->pose;
  }

  // --- Links

  void read_link(const XmlElement& e, const std::string& scope, bool fixed) {
    Link out;
    out.name = full(scope, e.attribute("name"));
    out.pose = place_of(e, scope, e.attribute("name"));
    out.fixed_to_world = fixed;
    out.group = static_cast<int>(links_.size());
    const std::string owner = fmt::format("link '{}'", out.name);
    RobotMass m{1, Vector3d::Zero(), Matrix3d::Identity()};  // as SDF has it where nothing is said
    if (const XmlElement* inertial = e.child("inertial")) {
      if (inertial->attribute("auto") == "true")
        fault(*inertial,
              fmt::format("{}: inertias that follow from the collisions (auto) are not computed", owner));
      m.mass = number(*inertial, "mass", 1);
      if (const XmlElement* I = inertial->child("inertia")) {
        const double xx = number(*I, "ixx", 1), yy = number(*I, "iyy", 1), zz = number(*I, "izz", 1),
                     xy = number(*I, "ixy", 0), xz = number(*I, "ixz", 0), yz = number(*I, "iyz", 0);
        m.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      }
      m = placed(m, frame_of(*inertial, "").pose);
    } else if (!fixed) {
      robot_.notes.push_back(fmt::format("{} has no <inertial>: 1 kg and 1 kg m^2, as SDF has it", owner));
    }
    out.mass = m;
    const char* kind = e.child("collision") ? "collision" : "visual";
    for (const XmlElement& surface : e.children) {
      if (surface.name == kind) add_shape(surface, owner, out);
      if (surface.name == "sensor" || surface.name == "light" || surface.name == "battery" ||
          surface.name == "particle_emitter")
        ignored_.insert("<" + surface.name + ">");
    }
    link_of_[out.name] = static_cast<int>(links_.size());
    links_.push_back(std::move(out));
  }

  void add_shape(const XmlElement& surface, const std::string& owner, Link& link) {
    const XmlElement* geometry = surface.child("geometry");
    if (!geometry || geometry->children.empty()) return;
    const XmlElement& g = geometry->children.front();
    const Isometry3d place = frame_of(surface, "").pose;
    const auto sizes = [&](const char* name, std::size_t count) {
      const XmlElement* e = g.child(name);
      if (!e) fault(g, fmt::format("{}: a <{}> needs <{}>", owner, g.name, name));
      return numbers(*e, e->text, count);
    };
    std::optional<RobotShape> shape;
    if (g.name == "sphere") {
      shape = shapes_.simple("sphere", sizes("radius", 1), place, owner);
    } else if (g.name == "box") {
      shape = shapes_.simple("box", sizes("size", 3), place, owner);
    } else if (g.name == "cylinder" || g.name == "capsule") {
      shape = shapes_.simple(g.name, {sizes("radius", 1)[0], sizes("length", 1)[0]}, place, owner);
    } else if (g.name == "ellipsoid") {
      shape = shapes_.simple("ellipsoid", sizes("radii", 3), place, owner);
    } else if (g.name == "mesh" && g.child("uri")) {
      const auto scale = g.child("scale") ? sizes("scale", 3) : std::vector<double>{1, 1, 1};
      if (g.child("submesh"))
        robot_.notes.push_back(fmt::format("{}: of a mesh with a <submesh> all is taken", owner));
      shape = shapes_.mesh(trimmed_text(*g.child("uri")), {scale[0], scale[1], scale[2]}, place, owner);
    } else if (g.name == "plane" && link.fixed_to_world) {
      Isometry3d turned = place;
      if (const XmlElement* normal = g.child("normal"))
        turned.linear() = place.linear() *
                          Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), vector(*normal, normal->text))
                              .toRotationMatrix();
      shape = RobotShape{"", "plane", values::mapping(), turned};
    } else {
      robot_.notes.push_back(fmt::format("{}: a <{}> is left out", owner, g.name));
    }
    if (!shape) return;
    shape->name = surface.attribute("name").empty() ? g.name : surface.attribute("name");
    link.shapes.push_back(std::move(*shape));
  }

  // --- Joints

  int link_called(const XmlElement& e, const std::string& scope, const std::string& name) const {
    if (name == "world") return -1;
    std::string wanted = full(scope, name);
    // A frame stands for the link that it is attached to.
    for (int way = 0; way < longest_way; ++way) {
      if (const auto at = link_of_.find(wanted); at != link_of_.end()) return at->second;
      const auto frame = frames_.find(wanted);
      if (frame == frames_.end()) break;
      wanted = full(frame->second.scope, frame->second.in);
    }
    fault(e,
          fmt::format("joint '{}' names the link {}, which is not there", e.attribute("name"), quote(name)));
  }

  void read_joint(const XmlElement& e, const std::string& scope) {
    const std::string& type = e.attribute("type");
    for (const char* needed : {"parent", "child"})
      if (!e.child(needed)) fault(e, fmt::format("joint '{}' has no <{}>", e.attribute("name"), needed));
    Between out;
    out.joint.name = full(scope, e.attribute("name"));
    out.parent = link_called(e, scope, trimmed_text(*e.child("parent")));
    out.child = link_called(e, scope, trimmed_text(*e.child("child")));
    if (type == "fixed") return hold_together(out.parent, out.child);
    static const std::map<std::string, RobotJointKind> kinds = {
        {"revolute", RobotJointKind::revolute},       {"continuous", RobotJointKind::revolute},
        {"prismatic", RobotJointKind::translational}, {"ball", RobotJointKind::spherical},
        {"universal", RobotJointKind::universal},     {"revolute2", RobotJointKind::universal}};
    const auto kind = kinds.find(type);
    if (kind == kinds.end())
      fault(e, fmt::format("joint '{}' is of type {}, which is not read; revolute, continuous, prismatic, "
                           "ball, universal, "
                           "revolute2 and fixed are",
                           out.joint.name, quote(type)));
    out.joint.kind = kind->second;
    const Frame& frame = joint_frames_.at(full(scope, e.attribute("name")));
    out.pose = place_of(e, scope, frame.in) * frame.pose;
    out.axis = axis_of(e, "axis", scope, out.pose);
    out.second = axis_of(e, "axis2", scope, out.pose);
    if (const XmlElement* axis = e.child("axis")) read_axis(*axis, scope, out.joint);
    for (const char* unused : {"sensor", "physics"})
      if (e.child(unused)) ignored_.insert(fmt::format("<{}> of joints", unused));
    between_.push_back(std::move(out));
  }

  /// In the world.
  Vector3d axis_of(const XmlElement& joint, const char* name, const std::string& scope,
                   const Isometry3d& pose) const {
    const XmlElement* axis = joint.child(name);
    const XmlElement* xyz = axis ? axis->child("xyz") : nullptr;
    const Vector3d direction = xyz ? vector(*xyz, xyz->text) : Vector3d(Vector3d::UnitZ());
    if (!(direction.norm() > 1e-12))
      fault(joint, fmt::format("joint '{}': its axis has no length", joint.attribute("name")));
    Isometry3d frame = pose;
    if (xyz && !xyz->attribute("expressed_in").empty())
      frame = place_of(joint, scope, xyz->attribute("expressed_in"));
    // Before 1.5 axes were always those of the model, and until 1.6 where that was said.
    const XmlElement* old = axis ? axis->child("use_parent_model_frame") : nullptr;
    if ((old && (old->text.find('1') != std::string::npos || old->text.find("true") != std::string::npos)) ||
        (version_ > 0 && version_ < 1.5))
      frame = models_.at(scope);
    return (frame.linear() * direction).normalized();
  }

  void read_axis(const XmlElement& axis, const std::string& scope, RobotJoint& out) {
    if (const XmlElement* limit = axis.child("limit")) {
      const double low = number(*limit, "lower", -1e16), high = number(*limit, "upper", 1e16);
      if (low < high && std::abs(low) < 1e15 && std::abs(high) < 1e15) out.range = {low, high};
      out.effort = std::max(0.0, number(*limit, "effort", 0)),
      out.speed = std::max(0.0, number(*limit, "velocity", 0));
    }
    if (const XmlElement* dynamics = axis.child("dynamics")) {
      out.damping = number(*dynamics, "damping", 0);
      out.friction = number(*dynamics, "friction", 0);
      out.stiffness = number(*dynamics, "spring_stiffness", 0);
      out.rest = number(*dynamics, "spring_reference", 0);
    }
    if (const XmlElement* mimic = axis.child("mimic")) {
      robot_.couplings.push_back(
          {out.name, full(scope, mimic->attribute("joint")), number(*mimic, "multiplier", 1)});
      if (number(*mimic, "offset", 0) != 0 || number(*mimic, "reference", 0) != 0)
        robot_.notes.push_back(
            fmt::format("joint '{}' follows '{}' from where both stand: its offset is left out", out.name,
                        mimic->attribute("joint")));
    }
  }

  // --- Bodies

  void hold_together(int a, int b) {
    if (a < 0 || b < 0) {
      if (const int link = std::max(a, b); link >= 0)
        for (Link& other : links_)
          if (other.group == links_[link].group) other.fixed_to_world = true;
      return;
    }
    const int from = links_[b].group, to = links_[a].group;
    const bool fixed = links_[a].fixed_to_world || links_[b].fixed_to_world;
    for (Link& link : links_) {
      if (link.group == from) link.group = to;
      if (link.group == to && fixed) link.fixed_to_world = true;
    }
  }

  void make_bodies() {
    robot_.bodies.push_back({"world", true, {}, Isometry3d::Identity()});
    std::map<int, int> body_of_group;
    std::vector<int> body(links_.size());
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const Link& link = links_[k];
      if (link.fixed_to_world) {
        body[k] = 0;
      } else if (const auto at = body_of_group.find(link.group); at != body_of_group.end()) {
        body[k] = at->second;
      } else {
        body[k] = body_of_group[link.group] = static_cast<int>(robot_.bodies.size());
        robot_.bodies.push_back({link.name, false, {}, link.pose});
      }
      RobotBody& b = robot_.bodies[body[k]];
      const Isometry3d place = b.pose.inverse() * link.pose;
      if (!b.ground) b.mass = together(b.mass, placed(link.mass, place));
      if (link.name != b.name && !b.ground)
        robot_.notes.push_back(
            fmt::format("link '{}' is part of body '{}', to which it is fixed", link.name, b.name));
      for (RobotShape shape : link.shapes) {
        shape.place = place * shape.place;
        b.shapes.push_back(std::move(shape));
      }
    }
    for (Between& j : between_) {
      j.joint.parent = j.parent < 0 ? 0 : body[j.parent];
      j.joint.child = j.child < 0 ? 0 : body[j.child];
      if (j.joint.parent == j.joint.child) {
        robot_.notes.push_back(fmt::format(
            "joint '{}' joins links that cannot move against each other: it is left out", j.joint.name));
        continue;
      }
      const Isometry3d to_child = robot_.bodies[j.joint.child].pose.inverse();
      j.joint.point = to_child * j.pose.translation();
      j.joint.axis = to_child.linear() * j.axis;
      j.joint.second_axis = to_child.linear() * j.second;
      robot_.joints.push_back(std::move(j.joint));
    }
  }
};

ImportedModel import(const std::string& xml, const std::string& name_in_messages,
                     const RobotOptions& options) {
  std::string why;
  const std::optional<XmlElement> root = read_xml(xml, why);
  if (!root) {
    Diagnostics diagnostics;
    diagnostics.error({std::make_shared<const std::string>(name_in_messages), 0, 0},
                      fmt::format("this is no SDF that can be read: {}", why));
    throw InputError(diagnostics.all());
  }
  return write_robot(Reader(name_in_messages, options).read(*root), options);
}

const Registration<Importer> registered{{.name = "sdf", .help = "SDF", .import = import}};

}  // namespace
}  // namespace tappet::imports::sdf
