#include "tappet/imports/urdf.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <console_bridge/console.h>
#include <cstring>
#include <fstream>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>
#include <urdf_parser/urdf_parser.h>

#include <fmt/format.h>

#include "tappet/base/xml.hpp"
#include "tappet/imports/urdf_mend.hpp"
#include "tappet/imports/urdf_shapes.hpp"
#include "tappet/imports/urdf_tree.hpp"
#include "tappet/imports/values.hpp"
#include "tappet/multibody/coordinate.hpp"

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using namespace values;

/// Names of a model file consist of letters, digits, '_' and '-'.
std::string clean(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return out.empty() || out.front() == '-' ? "_" + out : out;
}

/// Names of a model, each given once. Links and joints share one list there, but not in URDF.
class Names {
 public:
  /// The name itself when it is free, else with `ending`, else with a number.
  std::string take(const std::string& wanted, const std::string& ending) {
    const std::string plain = clean(wanted);
    for (int n = 1;; ++n) {
      const std::string name = n == 1 ? plain : n == 2 ? plain + ending : fmt::format("{}_{}", plain, n - 1);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::set<std::string> taken_ = {"ground"};
};

// --- From the tree to the model

/// How far past its end a joint's greatest effort pushes it against a stop: a degree, a millimetre.
constexpr double stop_turn = std::numbers::pi / 180, stop_give = 1e-3;

bool turns(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS;
}
bool slides(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::PRISMATIC;
}

class Writer {
 public:
  Writer(const urdf::ModelInterface& robot, UrdfTree tree, const std::string& file,
         const UrdfOptions& options)
      : robot_(robot),
        tree_(std::move(tree)),
        notes_(tree_.notes),
        shapes_(file, options, notes_),
        stops_(options.stops) {
    for (const UrdfBody& b : tree_.bodies)
      body_names_.push_back(b.ground ? "ground" : names_.take(b.name, "_link"));
    for (const UrdfJoint& j : tree_.joints)
      if (j.joint->type != urdf::Joint::FLOATING)
        joint_names_[j.joint->name] = names_.take(j.joint->name, "_joint");
  }

  UrdfImport write() {
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b) say_name(tree_.bodies[b], body_names_[b]);
    Value model = mapping();
    add(model, "tappet", scalar("1"));
    add(model, "title", scalar(robot_.getName()));
    add(model, "dimension", scalar("spatial"));
    add(model, "gravity", vector({0, 0, -9.81}));
    Value bodies = mapping(), ground = mapping();
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b) {
      if (tree_.bodies[b].ground)
        add_shapes(ground, tree_.bodies[b], Vector3d::Zero());
      else
        add(bodies, body_names_[b], body(tree_.bodies[b]));
    }
    if (bodies.map.empty())
      notes_.push_back("nothing in it can move: no link has mass and is free of the world");
    add(model, "bodies", std::move(bodies));
    if (!ground.map.empty()) add(model, "ground", std::move(ground));
    add_joints(model);
    Value simulation = mapping(), output = mapping();
    add(simulation, "duration", scalar("1 s"));
    add(output, "step", scalar("10 ms"));
    add(model, "simulation", std::move(simulation));
    add(model, "output", std::move(output));
    return {std::move(model), std::move(notes_)};
  }

 private:
  void say_name(const UrdfBody& b, const std::string& name) {
    if (!b.ground && name != b.name)
      notes_.push_back(fmt::format("link '{}' is called '{}' in the model", b.name, name));
    std::vector<std::string> others;
    for (const UrdfBody::Part& part : b.parts)
      if (part.link->name != b.name && part.link->inertial) others.push_back(part.link->name);
    if (!others.empty())
      notes_.push_back(fmt::format("body '{}' consists of link '{}' and of what is fixed to it: {}", name,
                                   b.name, join_names(others)));
  }

  Value body(const UrdfBody& b) {
    Value out = mapping();
    const auto& I = b.mass.inertia;
    add(out, "mass", exact(b.mass.mass));
    add(out, "inertia",
        list({exact(I(0, 0)), exact(I(1, 1)), exact(I(2, 2)), exact(I(0, 1)), exact(I(0, 2)),
              exact(I(1, 2))}));
    add(out, "position", vector(b.pose * b.mass.centre));
    if (!b.pose.linear().isIdentity(1e-15)) add(out, "orientation", quaternion(b.pose.linear()));
    add_shapes(out, b, b.mass.centre);
    return out;
  }

  /// Collision geometry, and what is seen where a link has none. `origin`: of the body's coordinates in its first link.
  void add_shapes(Value& owner, const UrdfBody& b, const Vector3d& origin) {
    Value shapes = mapping();
    Names names;
    const Isometry3d to_body = (b.ground ? b.pose : Isometry3d::Identity()) * Eigen::Translation3d(-origin);
    for (const UrdfBody::Part& part : b.parts) {
      const auto take = [&](const auto& surfaces) {
        for (const auto& surface : surfaces) {
          if (!surface || !surface->geometry) continue;
          const Isometry3d place = to_body * part.place * to_isometry(surface->origin);
          Value shape = shapes_.shape(*surface->geometry, place, part.link->name);
          if (shape.kind != Value::Kind::null)
            add(shapes, names.take(part.link->name, "_2"), std::move(shape));
        }
      };
      if (!part.link->collision_array.empty())
        take(part.link->collision_array);
      else
        take(part.link->visual_array);
    }
    if (!shapes.map.empty()) add(owner, "shapes", std::move(shapes));
  }

  // --- Joints

  void add_joints(Value& model) {
    Value joints = mapping(), forces = mapping();
    for (const UrdfJoint& j : tree_.joints) {
      if (j.joint->type == urdf::Joint::FLOATING) {
        notes_.push_back(
            fmt::format("joint '{}' leaves its links free: there is no joint in the model", j.joint->name));
        continue;
      }
      const std::string& name = joint_names_.at(j.joint->name);
      if (name != j.joint->name)
        notes_.push_back(fmt::format("joint '{}' is called '{}' in the model", j.joint->name, name));
      add(joints, name, joint(j));
      add_limits(forces, *j.joint);
      add_dynamics(forces, *j.joint);
    }
    for (const UrdfJoint& j : tree_.joints)
      if (j.joint->mimic) add_mimic(joints, *j.joint);
    if (!joints.map.empty()) add(model, "joints", std::move(joints));
    if (!forces.map.empty()) add(model, "forces", std::move(forces));
  }

  // The joint sits at the origin of the child's first link; where that is in the parent follows from the start.
  Value joint(const UrdfJoint& j) const {
    const UrdfBody &parent = tree_.bodies[j.parent], &child = tree_.bodies[j.child];
    const Isometry3d first = parent.ground ? Isometry3d::Identity() : parent.pose;
    const Vector3d centre = parent.ground ? Vector3d(Vector3d::Zero()) : parent.mass.centre;
    const Isometry3d relative = first.inverse() * child.pose;
    const Vector3d axis = axis_of(*j.joint);
    const Vector3d in_parent = relative.linear() * axis, point = relative.translation() - centre;
    Value out = mapping();
    add(out, "type", scalar(turns(*j.joint) ? "revolute" : slides(*j.joint) ? "translational" : "planar"));
    add(out, "bodies", list({scalar(body_names_[j.parent]), scalar(body_names_[j.child])}));
    // A slide counts from where its points meet, which is where URDF has its zero.
    add(out, "points",
        list({vector(slides(*j.joint) ? Vector3d(point - j.start * in_parent) : point),
              vector(-child.mass.centre)}));
    if (slides(*j.joint)) {
      add(out, "axis", vector(in_parent));
      return out;
    }
    add(out, "axes", list({vector(in_parent), vector(axis)}));
    const double zero = angle_about(in_parent, axis, relative.linear()) - j.start;
    if (std::abs(zero) > 1e-15) add(out, "zero", exact(zero));
    return out;
  }

  void add_limits(Value& forces, const urdf::Joint& joint) {
    const auto& limits = joint.limits;
    if (!limits || (limits->lower == 0 && limits->upper == 0 && limits->effort == 0 && limits->velocity == 0))
      return;
    const char *length = slides(joint) ? "m" : "rad", *effort = slides(joint) ? "N" : "N m";
    const bool ends = joint.type != urdf::Joint::CONTINUOUS && limits->lower < limits->upper;
    const bool stopped = stops_ && ends && limits->effort > 0 && std::isfinite(limits->effort);
    if (stopped) add_stop(forces, joint);
    const std::string range =
        ends && !stopped ? fmt::format("{:g} to {:g} {}, ", limits->lower, limits->upper, length) : "";
    notes_.push_back(
        fmt::format("joint '{}': its limits ({}at most {:g} {} and {:g} {}/s) are not part of the model",
                    joint.name, range, limits->effort, effort, limits->velocity, length));
  }

  /// A spring beyond each end, without damping: the joint's greatest effort pushes it so far past.
  void add_stop(Value& forces, const urdf::Joint& joint) {
    const double k = joint.limits->effort / (slides(joint) ? stop_give : stop_turn);
    Value stop = mapping();
    add(stop, "type", scalar(slides(joint) ? "translational-spring-damper" : "rotational-spring-damper"));
    add(stop, "joint", scalar(joint_names_.at(joint.name)));
    add(stop, slides(joint) ? "force" : "torque",
        scalar(fmt::format("{0}*(max(x - ({1}), 0) + min(x - ({2}), 0))", k, joint.limits->upper,
                           joint.limits->lower)));
    add(forces, names_.take(joint_names_.at(joint.name) + "_stop", "_2"), std::move(stop));
  }

  void add_dynamics(Value& forces, const urdf::Joint& joint) {
    if (!joint.dynamics) return;
    if (joint.dynamics->friction != 0)
      notes_.push_back(fmt::format("joint '{}': its friction of {:g} {} is not part of the model", joint.name,
                                   joint.dynamics->friction, slides(joint) ? "N" : "N m"));
    if (joint.dynamics->damping == 0) return;
    if (joint.dynamics->damping < 0 || (!turns(joint) && !slides(joint))) {
      notes_.push_back(
          fmt::format("joint '{}': its damping of {:g} is left out: {}", joint.name, joint.dynamics->damping,
                      joint.dynamics->damping < 0 ? "it is negative" : "the joint has several coordinates"));
      return;
    }
    const std::string& name = joint_names_.at(joint.name);
    Value damper = mapping();
    add(damper, "type", scalar(slides(joint) ? "translational-spring-damper" : "rotational-spring-damper"));
    add(damper, "joint", scalar(name));
    add(damper, "stiffness", scalar("0"));
    add(damper, "damping", exact(joint.dynamics->damping));
    add(forces, names_.take(name + "_damper", "_2"), std::move(damper));
  }

  /// c = multiplier · c_other + offset, the offset being in the start position.
  void add_mimic(Value& joints, const urdf::Joint& joint) {
    const auto refuse = [&](const std::string& why) {
      notes_.push_back(fmt::format("joint '{}' mimics '{}': {}, so they are not coupled", joint.name,
                                   joint.mimic->joint_name, why));
    };
    const urdf::JointConstSharedPtr other = robot_.getJoint(joint.mimic->joint_name);
    if (!other) return refuse("there is no such joint");
    if (!joint_names_.count(joint.name)) return refuse("the first is no joint of the model");
    if (!joint_names_.count(other->name)) return refuse("the second is no joint of the model");
    for (const urdf::Joint* one : {&joint, other.get()})
      if (!turns(*one) && !slides(*one)) return refuse("joints with several coordinates cannot be coupled");
    if (joint.mimic->multiplier == 0) return refuse("with the factor 0");
    const std::string first = joint_names_.at(other->name), second = joint_names_.at(joint.name);
    Value out = mapping();
    if (turns(joint) == turns(*other)) {
      add(out, "type", scalar(turns(joint) ? "gear" : "coupler"));
      add(out, "joints", list({scalar(second), scalar(first)}));
      add(out, "ratio", exact(joint.mimic->multiplier));
    } else {
      const bool follows = turns(*other);  // the rack follows the pinion, or the other way round
      add(out, "type", scalar("rack"));
      add(out, "joints", list({scalar(follows ? first : second), scalar(follows ? second : first)}));
      add(out, "radius", exact(follows ? joint.mimic->multiplier : 1 / joint.mimic->multiplier));
    }
    add(joints, names_.take(second + "_mimic", "_2"), std::move(out));
  }

  const urdf::ModelInterface& robot_;
  UrdfTree tree_;
  std::vector<std::string>& notes_;
  UrdfShapes shapes_;
  bool stops_;
  Names names_;
  std::vector<std::string> body_names_;
  std::map<std::string, std::string> joint_names_;  ///< by the name in the URDF
};

// --- The parser's complaints

/// Collects what the parser would print while it lives.
class Complaints final : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR) all.push_back(text);
  }
  std::vector<std::string> all;
};

bool has_macro(const XmlElement& e) {
  return e.name.starts_with("xacro:") || std::any_of(e.children.begin(), e.children.end(), has_macro);
}

/// The robot's element, ready for the parser. Macros would be passed over there, and the robot with them.
std::string mended(const std::string& xml, const SourcePos& pos, std::vector<std::string>& notes,
                   Diagnostics& diagnostics) {
  std::string fault;
  std::optional<XmlElement> root = read_xml(xml, fault);
  if (!root) {
    diagnostics.error(pos, fmt::format("this is no URDF that can be read: {}", fault));
  } else if (root->name != "robot") {
    diagnostics.error(
        pos, fmt::format("this is no URDF that can be read: its outermost element is <{}>, not <robot>",
                         root->name));
  } else if (has_macro(*root)) {
    diagnostics.error(
        pos,
        "this is xacro, from whose macros a URDF is still to be made: `xacro FILE > robot.urdf`, a "
        "program of ROS, does that");
  }
  diagnostics.throw_if_errors();
  mend_urdf(*root, notes);
  return to_xml(*root);
}

SourcePos whole(const std::string& file) {
  return {std::make_shared<const std::string>(file), 0, 0};
}

}  // namespace

UrdfImport import_urdf_text(const std::string& xml, const std::string& name_in_messages,
                            const UrdfOptions& options) {
  const SourcePos pos = whole(name_in_messages);
  Diagnostics diagnostics;
  std::vector<std::string> notes;
  const std::string readable = mended(xml, pos, notes, diagnostics);
  urdf::ModelInterfaceSharedPtr robot;
  {
    Complaints complaints;
    try {
      robot = urdf::parseURDF(readable);
    } catch (const std::exception& fault) {
      complaints.all.push_back(fault.what());
      robot = nullptr;
    }
    if (!robot || !robot->getRoot()) {
      for (const std::string& complaint : complaints.all)
        diagnostics.error(pos, fmt::format("this is no URDF that can be read: {}", complaint));
      if (complaints.all.empty()) diagnostics.error(pos, "this is no URDF that can be read");
      diagnostics.throw_if_errors();
    }
  }
  UrdfTree tree = build_urdf_tree(*robot, options.repair, pos, diagnostics);
  diagnostics.throw_if_errors();
  tree.notes.insert(tree.notes.begin(), notes.begin(), notes.end());
  return Writer(*robot, std::move(tree), name_in_messages, options).write();
}

UrdfImport import_urdf(const std::string& path, const UrdfOptions& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    Diagnostics diagnostics;
    diagnostics.error(whole(path), fmt::format("cannot be read: {}", std::strerror(errno)));
    diagnostics.throw_if_errors();
  }
  std::ostringstream text;
  text << file.rdbuf();
  return import_urdf_text(text.str(), path, options);
}

}  // namespace tappet
