#include "tappet/imports/robot.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "tappet/base/text.hpp"
#include "tappet/imports/values.hpp"
#include "tappet/multibody/coordinate.hpp"

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using namespace values;

/// How far past its end a joint's greatest effort pushes it against a stop: a degree, a millimetre.
constexpr double stop_turn = std::numbers::pi / 180, stop_give = 1e-3;

/// What rebounds from the end of a joint's range.
constexpr double limit_restitution = 0.1;
/// A constant friction is a preload on a coefficient so small that the joint's reaction adds a millionth of itself.
constexpr double friction_coefficient = 1e-6;

/// Names of a model, each given once. Bodies and joints share one list there, but not in descriptions.
class Names {
 public:
  /// The name itself when it is free, else with `ending`, else with a number.
  std::string take(const std::string& wanted, const std::string& ending) {
    const std::string plain = model_name(wanted);
    for (int n = 1;; ++n) {
      const std::string name = n == 1 ? plain : n == 2 ? plain + ending : fmt::format("{}_{}", plain, n - 1);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::set<std::string> taken_ = {"ground", "energy", "inputs", "states", "time"};
};

/// Has it a meaning in the expressions of springs?
bool word_of_expressions(const std::string& name) {
  static const std::set<std::string> words = {"t",    "x",    "v",     "e",    "pi",   "abs", "acos",
                                              "asin", "atan", "atan2", "cos",  "cosh", "exp", "floor",
                                              "if",   "log",  "log10", "max",  "min",  "mod", "sign",
                                              "sin",  "sinh", "sqrt",  "step", "tan",  "tanh"};
  return words.count(name) > 0;
}

const char* type_of(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::revolute:
      return "revolute";
    case RobotJointKind::translational:
      return "translational";
    case RobotJointKind::spherical:
      return "spherical";
    case RobotJointKind::planar:
      return "planar";
    case RobotJointKind::cylindrical:
      return "cylindrical";
    case RobotJointKind::universal:
      return "universal";
    case RobotJointKind::fixed:
      return "fixed";
  }
  return "";
}

class Writer {
 public:
  Writer(Robot robot, const RobotOptions& options)
      : robot_(std::move(robot)), notes_(robot_.notes), options_(options) {
    for (const RobotBody& b : robot_.bodies)
      body_names_.push_back(b.ground ? "ground" : names_.take(b.name, "_link"));
    for (const RobotJoint& j : robot_.joints) joint_names_.emplace(j.name, names_.take(j.name, "_joint"));
  }

  ImportedModel write() {
    for (std::size_t b = 0; b < robot_.bodies.size(); ++b)
      if (const RobotBody& body = robot_.bodies[b]; !body.ground && body_names_[b] != body.name)
        notes_.push_back(fmt::format("link '{}' is called '{}' in the model", body.name, body_names_[b]));
    Value model = mapping();
    add(model, "tappet", scalar("1"));
    add(model, "title", scalar(robot_.title));
    add(model, "dimension", scalar("spatial"));
    add(model, "gravity", vector(robot_.gravity));
    Value bodies = mapping(), ground = mapping();
    for (std::size_t b = 0; b < robot_.bodies.size(); ++b) {
      if (robot_.bodies[b].ground)
        add_shapes(ground, robot_.bodies[b], Vector3d::Zero());
      else
        add(bodies, body_names_[b], body(robot_.bodies[b]));
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
    std::vector<std::pair<std::string, std::string>> apart;
    for (const RobotJoint& j : robot_.joints) apart.push_back({body_names_[j.parent], body_names_[j.child]});
    for (const auto& [a, b] : robot_.apart) apart.push_back({body_names_[a], body_names_[b]});
    return {std::move(model), std::move(notes_), std::move(apart), std::move(robot_.warnings)};
  }

 private:
  Value body(const RobotBody& b) {
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

  /// `origin`: of the body's coordinates in its frame.
  static void add_shapes(Value& owner, const RobotBody& b, const Vector3d& origin) {
    Value shapes = mapping();
    Names names;
    const Isometry3d to_body = (b.ground ? b.pose : Isometry3d::Identity()) * Eigen::Translation3d(-origin);
    for (const RobotShape& shape : b.shapes) {
      Value keys = shape.keys, out = mapping();
      const Isometry3d place = to_body * shape.place;
      if (shape.type == "sphere") {
        add(keys, "position", vector(place.translation()));
      } else if (shape.type == "plane") {
        add(keys, "point", vector(place.translation()));
        add(keys, "normal", vector(place.linear().col(2)));
      } else {
        add_place(keys, place);
      }
      add(out, shape.type, std::move(keys));
      add(shapes, names.take(shape.name, "_2"), std::move(out));
    }
    if (!shapes.map.empty()) add(owner, "shapes", std::move(shapes));
  }

  // --- Joints

  void add_joints(Value& model) {
    Value joints = mapping(), forces = mapping(), inputs = mapping();
    for (const RobotJoint& j : robot_.joints) {
      const std::string& name = joint_names_.at(j.name);
      if (name != j.name)
        notes_.push_back(fmt::format("joint '{}' is called '{}' in the model", j.name, name));
      Value entry = joint(j);
      add_stops_and_friction(entry, j);
      add(joints, name, std::move(entry));
      add_limits(forces, j);
      add_dynamics(forces, j);
    }
    for (const RobotCoupling& c : robot_.couplings) add_coupling(joints, c);
    for (const RobotDrive& d : robot_.drives) add_drive(inputs, forces, d);
    if (!joints.map.empty()) add(model, "joints", std::move(joints));
    if (!inputs.map.empty()) add(model, "inputs", std::move(inputs));
    if (!forces.map.empty()) add(model, "forces", std::move(forces));
  }

  // Where the joint is in the parent follows from how the robot stands.
  Value joint(const RobotJoint& j) const {
    const RobotBody &parent = robot_.bodies[j.parent], &child = robot_.bodies[j.child];
    const Isometry3d first = parent.ground ? Isometry3d::Identity() : parent.pose,
                     second = child.ground ? Isometry3d::Identity() : child.pose;
    const Vector3d centre = parent.ground ? Vector3d(Vector3d::Zero()) : parent.mass.centre,
                   own = child.ground ? Vector3d(Vector3d::Zero()) : child.mass.centre;
    const Isometry3d relative = first.inverse() * child.pose;
    // The child's frame is its body's axes, unless it is the ground.
    const Isometry3d frame = second.inverse() * child.pose;
    const Vector3d axis = j.axis.normalized(), in_parent = relative.linear() * axis,
                   point = relative * j.point - centre, in_child = frame.linear() * axis;
    Value out = mapping();
    add(out, "type", scalar(type_of(j.kind)));
    add(out, "bodies", list({scalar(body_names_[j.parent]), scalar(body_names_[j.child])}));
    // A slide counts from where its points meet.
    add(out, "points",
        list({vector(j.slides() ? Vector3d(point - j.start * in_parent) : point),
              vector(frame * j.point - own)}));
    if (j.slides()) add(out, "axis", vector(in_parent));
    if (j.kind == RobotJointKind::universal)
      add(out, "axes", list({vector(in_parent), vector(frame.linear() * j.second_axis.normalized())}));
    if (!j.turns() && j.kind != RobotJointKind::planar && j.kind != RobotJointKind::cylindrical) return out;
    add(out, "axes", list({vector(in_parent), vector(in_child)}));
    const double zero =
        angle_about(in_parent, in_child, first.linear().transpose() * second.linear()) - j.start;
    if (std::abs(zero) > 1e-15) add(out, "zero", exact(zero));
    return out;
  }

  void add_limits(Value& forces, const RobotJoint& j) {
    if (!j.range && j.effort == 0 && j.speed == 0) return;
    const char *length = j.slides() ? "m" : "rad", *effort = j.slides() ? "N" : "N m";
    const bool stopped = options_.limits ? has_limits(j) : options_.stops && may_stop(j);
    if (stopped && !options_.limits) add_stop(forces, j);
    std::vector<std::string> limits;
    if (j.range && !stopped)
      limits.push_back(fmt::format("{:g} to {:g} {}", j.range->first, j.range->second, length));
    if (j.effort != 0) limits.push_back(fmt::format("at most {:g} {}", j.effort, effort));
    if (j.speed != 0) limits.push_back(fmt::format("at most {:g} {}/s", j.speed, length));
    if (limits.empty()) return;
    notes_.push_back(
        fmt::format("joint '{}': its limits ({}) are not part of the model", j.name, join_names(limits)));
  }

  static bool may_stop(const RobotJoint& j) {
    return (j.turns() || j.slides()) && j.range && j.effort > 0 && std::isfinite(j.effort);
  }
  /// Ends that the robot stands beyond would throw it back.
  bool has_limits(const RobotJoint& j) const {
    return options_.limits && may_stop(j) && j.range->first <= j.start && j.start <= j.range->second;
  }
  bool has_friction(const RobotJoint& j) const {
    return options_.friction && (j.turns() || j.slides()) && j.friction > 0 && std::isfinite(j.friction);
  }

  /// The keys `limits` and `friction` of a joint.
  void add_stops_and_friction(Value& out, const RobotJoint& j) const {
    if (has_limits(j)) {
      Value limits = mapping(), normal = mapping();
      add(limits, "from", exact(j.range->first));
      add(limits, "to", exact(j.range->second));
      add(normal, "law", scalar("hunt-crossley"));
      add(normal, "stiffness", exact(j.effort / (j.slides() ? stop_give : stop_turn)));
      add(normal, "exponent", scalar("1"));
      add(normal, "restitution", exact(limit_restitution));
      add(limits, "normal", std::move(normal));
      add(out, "limits", std::move(limits));
    }
    if (has_friction(j)) {
      Value friction = mapping();
      add(friction, "law", scalar("coulomb"));
      add(friction, "coefficient", exact(friction_coefficient));
      if (j.turns()) add(friction, "pin_radius", scalar("1 m"));
      add(friction, "preload", exact(j.friction / friction_coefficient));
      add(out, "friction", std::move(friction));
    }
  }

  /// A spring beyond each end, without damping: the joint's greatest effort pushes it so far past.
  void add_stop(Value& forces, const RobotJoint& j) {
    const double k = j.effort / (j.slides() ? stop_give : stop_turn);
    Value stop = along(j);
    add(stop, j.slides() ? "force" : "torque",
        scalar(
            fmt::format("{0}*(max(x - ({1}), 0) + min(x - ({2}), 0))", k, j.range->second, j.range->first)));
    add(forces, names_.take(joint_names_.at(j.name) + "_stop", "_2"), std::move(stop));
  }

  /// A force along or about a joint.
  Value along(const RobotJoint& j) const {
    Value out = mapping();
    add(out, "type", scalar(j.slides() ? "translational-spring-damper" : "rotational-spring-damper"));
    add(out, "joint", scalar(joint_names_.at(j.name)));
    return out;
  }

  void add_dynamics(Value& forces, const RobotJoint& j) {
    const bool single = j.turns() || j.slides();
    if (j.friction != 0 && !has_friction(j))
      notes_.push_back(fmt::format("joint '{}': its friction of {:g} {} is not part of the model", j.name,
                                   j.friction, j.slides() ? "N" : "N m"));
    if (j.damping == 0 && j.stiffness == 0) return;
    if (j.damping < 0 || !single) {
      notes_.push_back(fmt::format("joint '{}': its damping of {:g} is left out: {}", j.name, j.damping,
                                   j.damping < 0 ? "it is negative" : "the joint has several coordinates"));
      return;
    }
    Value damper = along(j);
    add(damper, "stiffness", scalar(fmt::format("{}", j.stiffness)));
    add(damper, "damping", exact(j.damping));
    if (j.rest != 0) add(damper, j.slides() ? "displacement" : "angle", exact(j.rest));
    add(forces, names_.take(joint_names_.at(j.name) + (j.stiffness != 0 ? "_spring" : "_damper"), "_2"),
        std::move(damper));
  }

  const RobotJoint* find(const std::string& name) const {
    for (const RobotJoint& j : robot_.joints)
      if (j.name == name) return &j;
    return nullptr;
  }

  void add_coupling(Value& joints, const RobotCoupling& c) {
    const auto refuse = [&](const std::string& why) {
      notes_.push_back(
          fmt::format("joint '{}' mimics '{}': {}, so they are not coupled", c.joint, c.followed, why));
    };
    const RobotJoint *joint = find(c.joint), *other = find(c.followed);
    if (!joint) return refuse("the first is no joint of the model");
    if (!other) return refuse("the second is no joint of the model");
    for (const RobotJoint* one : {joint, other})
      if (!one->turns() && !one->slides()) return refuse("joints with several coordinates cannot be coupled");
    if (c.factor == 0) return refuse("with the factor 0");
    if (!std::isfinite(c.factor)) return refuse("with a factor that is no number");
    const std::string first = joint_names_.at(other->name), second = joint_names_.at(joint->name);
    Value out = mapping();
    if (joint->turns() == other->turns()) {
      add(out, "type", scalar(joint->turns() ? "gear" : "coupler"));
      add(out, "joints", list({scalar(second), scalar(first)}));
      add(out, "ratio", exact(c.factor));
    } else {
      const bool follows = other->turns();  // the rack follows the pinion, or the other way round
      add(out, "type", scalar("rack"));
      add(out, "joints", list({scalar(follows ? first : second), scalar(follows ? second : first)}));
      add(out, "radius", exact(follows ? c.factor : 1 / c.factor));
    }
    add(joints, names_.take(second + "_mimic", "_2"), std::move(out));
  }

  void add_drive(Value& inputs, Value& forces, const RobotDrive& d) {
    const RobotJoint* j = find(d.joint);
    if (!j || (!j->turns() && !j->slides())) {
      notes_.push_back(
          fmt::format("actuator '{}' acts on '{}', which is no joint with one coordinate: it is left out",
                      d.name, d.joint));
      return;
    }
    // Inputs stand in expressions, where a name has no '-'.
    std::string name = names_.take(d.name, "_drive"), input = name;
    for (char& c : input)
      if (c == '-') c = '_';
    if (is_digit(input.front())) input = "_" + input;
    if (word_of_expressions(input)) input += "_input";
    if (input != d.name)
      notes_.push_back(fmt::format("actuator '{}' is the input '{}' of the model", d.name, input));
    Value entry = mapping(), force = along(*j);
    add(entry, "default", scalar("0"));
    if (!d.unit.empty()) add(entry, "unit", scalar(d.unit));
    add(inputs, input, std::move(entry));
    std::string law = d.law;
    for (std::size_t at = law.find('$'); at != std::string::npos; at = law.find('$'))
      law.replace(at, 1, input);
    // There it pulls back, as a spring does.
    add(force, j->slides() ? "force" : "torque", scalar(law == input ? "-" + law : "-(" + law + ")"));
    add(forces, name, std::move(force));
  }

  Robot robot_;
  std::vector<std::string>& notes_;
  const RobotOptions& options_;
  Names names_;
  std::vector<std::string> body_names_;
  std::map<std::string, std::string> joint_names_;  ///< by the name in the description
};

}  // namespace

void judge_masses(Robot& robot, bool repair, const SourcePos& pos, Diagnostics& diagnostics) {
  for (RobotBody& body : robot.bodies) {
    if (body.ground) continue;
    if (!(body.mass.mass > 0)) {
      diagnostics.error(pos, fmt::format("body '{}' can move but has no mass", body.name));
      continue;
    }
    const std::string fault = fault_of(body.mass);
    if (fault.empty()) continue;
    body.mass = repaired(body.mass);
    (repair ? robot.notes : robot.warnings)
        .push_back(said_of_repair(fmt::format("body '{}'", body.name), fault, body.mass));
  }
}

std::string model_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!is_letter(c) && !is_digit(c) && c != '-') c = '_';
  return out.empty() || out.front() == '-' ? "_" + out : out;
}

ImportedModel write_robot(Robot robot, const RobotOptions& options) {
  return Writer(std::move(robot), options).write();
}

}  // namespace tappet
