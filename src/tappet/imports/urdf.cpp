#include "tappet/imports/urdf.hpp"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <console_bridge/console.h>
#include <cstring>
#include <fstream>
#include <sstream>
#include <urdf_parser/urdf_parser.h>

#include <fmt/format.h>

#include "tappet/geometry/shape.hpp"
#include "tappet/imports/urdf_tree.hpp"

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// --- Values of the model file

Value scalar(const std::string& text) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.text = text;
  return out;
}

/// Numbers that rounding alone keeps from zero are zero.
Value number(double x) {
  return scalar(fmt::format("{}", std::abs(x) < 1e-15 ? 0.0 : x));
}

Value mapping() {
  Value out;
  out.kind = Value::Kind::mapping;
  return out;
}

void add(Value& map, const std::string& key, Value value) {
  map.map.emplace_back(key, std::move(value));
  map.key_pos.emplace_back();
}

Value list(std::vector<Value> items) {
  Value out;
  out.kind = Value::Kind::sequence;
  out.items = std::move(items);
  return out;
}

Value vector(const Vector3d& v) {
  return list({number(v.x()), number(v.y()), number(v.z())});
}

Value quaternion(const Eigen::Matrix3d& R) {
  const Quaterniond q(R);
  return list({number(q.w()), number(q.x()), number(q.y()), number(q.z())});
}

/// Names of a model file consist of letters, digits, '_' and '-'.
std::string clean(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return out.empty() || out.front() == '-' ? "_" + out : out;
}

// --- From the tree to the model

class Writer {
 public:
  Writer(const urdf::ModelInterface& robot, const UrdfTree& tree) : robot_(robot), tree_(tree) {}

  UrdfImport write() {
    Value model = mapping();
    add(model, "tappet", scalar("1"));
    add(model, "title", scalar(robot_.getName()));
    add(model, "dimension", scalar("spatial"));
    add(model, "gravity", vector({0, 0, -9.81}));
    Value bodies = mapping(), ground = mapping();
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b) {
      if (tree_.bodies[b].mass > 0)
        add(bodies, clean(tree_.bodies[b].name), body(tree_.bodies[b]));
      else
        add_shapes(ground, tree_.bodies[b]);
    }
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
  Value body(const UrdfBody& b) {
    Value out = mapping();
    const auto& I = b.inertia;
    add(out, "mass", number(b.mass));
    add(out, "inertia",
        list({number(I(0, 0)), number(I(1, 1)), number(I(2, 2)), number(I(0, 1)), number(I(0, 2)),
              number(I(1, 2))}));
    add(out, "position", vector(b.pose * b.centre));
    if (!b.pose.linear().isIdentity(1e-15)) add(out, "orientation", quaternion(b.pose.linear()));
    add_shapes(out, b);
    return out;
  }

  // --- Shapes

  void add_shapes(Value& owner, const UrdfBody& b) {
    Value shapes = mapping();
    for (const UrdfBody::Part& part : b.parts) {
      int count = 0;
      const auto take = [&](const auto& surfaces) {
        for (const auto& surface : surfaces) {
          if (!surface || !surface->geometry) continue;
          const Isometry3d place =
              Eigen::Translation3d(-b.centre) * part.place * to_isometry(surface->origin);
          Value shape = shape_of(*surface->geometry, place, part.link->name);
          if (shape.kind == Value::Kind::null) continue;
          ++count;
          add(shapes, clean(part.link->name) + (count > 1 ? fmt::format("_{}", count) : ""),
              std::move(shape));
        }
      };
      if (!part.link->collision_array.empty())
        take(part.link->collision_array);
      else
        take(part.link->visual_array);
    }
    if (!shapes.map.empty()) add(owner, "shapes", std::move(shapes));
  }

  /// Null after a note when the model has no such shape.
  Value shape_of(const urdf::Geometry& geometry, const Isometry3d& place, const std::string& link) {
    Value keys = mapping();
    std::string type;
    switch (geometry.type) {
      case urdf::Geometry::SPHERE:
        type = "sphere";
        add(keys, "radius", number(static_cast<const urdf::Sphere&>(geometry).radius));
        add(keys, "position", vector(place.translation()));
        break;
      case urdf::Geometry::BOX: {
        const urdf::Vector3& size = static_cast<const urdf::Box&>(geometry).dim;
        type = "box";
        add(keys, "size", vector({size.x, size.y, size.z}));
        break;
      }
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
        type = "cylinder";
        add(keys, "radius", number(cylinder.radius));
        add(keys, "length", number(cylinder.length));
        break;
      }
      case urdf::Geometry::MESH:
        notes_.push_back(fmt::format("link '{}': the mesh '{}' is left out", link,
                                     static_cast<const urdf::Mesh&>(geometry).filename));
        return {};
    }
    if (!ShapeRegistry::instance().find(type)) {
      notes_.push_back(fmt::format("link '{}': a shape '{}' is not known here and is left out", link, type));
      return {};
    }
    if (type != "sphere") {
      add(keys, "position", vector(place.translation()));
      if (!place.linear().isIdentity(1e-15)) add(keys, "orientation", quaternion(place.linear()));
    }
    Value shape = mapping();
    add(shape, type, std::move(keys));
    return shape;
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
      add(joints, joint_name(*j.joint), joint(j));
      add_limits(*j.joint);
      add_dynamics(forces, *j.joint);
    }
    for (const UrdfJoint& j : tree_.joints)
      if (j.joint->mimic) add_mimic(joints, *j.joint);
    if (!joints.map.empty()) add(model, "joints", std::move(joints));
    if (!forces.map.empty()) add(model, "forces", std::move(forces));
  }

  /// Links and joints share one list of names in a model, but not in URDF.
  std::string joint_name(const urdf::Joint& joint) const {
    for (const UrdfBody& b : tree_.bodies)
      if (clean(b.name) == clean(joint.name)) return clean(joint.name) + "_joint";
    return clean(joint.name);
  }

  std::string body_name(int b) const {
    return tree_.bodies[b].mass > 0 ? clean(tree_.bodies[b].name) : "ground";
  }

  Value joint(const UrdfJoint& j) const {
    const UrdfBody &parent = tree_.bodies[j.parent], &child = tree_.bodies[j.child];
    const char* type = "fixed";
    switch (j.joint->type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
        type = "revolute";
        break;
      case urdf::Joint::PRISMATIC:
        type = "translational";
        break;
      case urdf::Joint::PLANAR:
        type = "planar";
        break;
      default:
        break;
    }
    // The joint sits at the origin of the child's link; where that is in the parent follows from the start.
    const Isometry3d relative = parent.pose.inverse() * child.pose;
    const Vector3d axis(j.joint->axis.x, j.joint->axis.y, j.joint->axis.z);
    Value out = mapping();
    add(out, "type", scalar(type));
    add(out, "bodies", list({scalar(body_name(j.parent)), scalar(body_name(j.child))}));
    add(out, "points",
        list({vector(parent.mass > 0 ? Vector3d(relative.translation() - parent.centre)
                                     : Vector3d(child.pose.translation())),
              vector(-child.centre)}));
    if (j.joint->type != urdf::Joint::FIXED) add(out, "axis", vector(relative.linear() * axis.normalized()));
    return out;
  }

  void add_limits(const urdf::Joint& joint) {
    if (!joint.limits) return;
    const bool slides = joint.type == urdf::Joint::PRISMATIC;
    const char *length = slides ? "m" : "rad", *effort = slides ? "N" : "N m";
    std::string range;
    if (joint.type != urdf::Joint::CONTINUOUS)
      range = fmt::format("{:g} to {:g} {}, ", joint.limits->lower, joint.limits->upper, length);
    notes_.push_back(
        fmt::format("joint '{}': its limits ({}at most {:g} {} and {:g} {}/s) are not part of the model",
                    joint.name, range, joint.limits->effort, effort, joint.limits->velocity, length));
  }

  void add_dynamics(Value& forces, const urdf::Joint& joint) {
    if (!joint.dynamics) return;
    if (joint.dynamics->friction != 0)
      notes_.push_back(
          fmt::format("joint '{}': its friction of {:g} is left out", joint.name, joint.dynamics->friction));
    if (joint.dynamics->damping == 0) return;
    if (joint.type == urdf::Joint::PRISMATIC) {
      notes_.push_back(fmt::format("joint '{}': its damping of {:g} N s/m is left out", joint.name,
                                   joint.dynamics->damping));
      return;
    }
    Value damper = mapping();
    add(damper, "type", scalar("rotational-spring-damper"));
    add(damper, "joint", scalar(joint_name(joint)));
    add(damper, "stiffness", scalar("0"));
    add(damper, "damping", number(joint.dynamics->damping));
    add(forces, joint_name(joint) + "_damper", std::move(damper));
  }

  /// c = multiplier · c_other + offset, the offset being in the start position.
  void add_mimic(Value& joints, const urdf::Joint& joint) {
    const urdf::JointConstSharedPtr other = robot_.getJoint(joint.mimic->joint_name);
    const auto refuse = [&](const std::string& why) {
      notes_.push_back(fmt::format("joint '{}' mimics '{}': {}, so they are not coupled", joint.name,
                                   joint.mimic->joint_name, why));
    };
    if (!other) return refuse("there is no such joint");
    if (joint.mimic->multiplier == 0) return refuse("with the factor 0");
    const auto turns = [](const urdf::Joint& j) {
      return j.type == urdf::Joint::REVOLUTE || j.type == urdf::Joint::CONTINUOUS;
    };
    Value out = mapping();
    const std::string first = joint_name(*other), second = joint_name(joint);
    if (turns(joint) && turns(*other)) {
      add(out, "type", scalar("gear"));
      add(out, "joints", list({scalar(second), scalar(first)}));
      add(out, "ratio", number(joint.mimic->multiplier));
    } else if (turns(joint) != turns(*other)) {
      const bool follows = turns(*other);  // the rack follows the pinion, or the other way round
      add(out, "type", scalar("rack"));
      add(out, "joints", list({scalar(follows ? first : second), scalar(follows ? second : first)}));
      add(out, "radius", number(follows ? joint.mimic->multiplier : 1 / joint.mimic->multiplier));
    } else {
      return refuse("two displacements cannot be coupled");
    }
    add(joints, second + "_mimic", std::move(out));
  }

  const urdf::ModelInterface& robot_;
  const UrdfTree& tree_;
  std::vector<std::string> notes_;
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

SourcePos whole(const std::string& file) {
  return {std::make_shared<const std::string>(file), 0, 0};
}

}  // namespace

UrdfImport import_urdf_text(const std::string& xml, const std::string& name_in_messages) {
  const SourcePos pos = whole(name_in_messages);
  Diagnostics diagnostics;
  urdf::ModelInterfaceSharedPtr robot;
  {
    Complaints complaints;
    try {
      robot = urdf::parseURDF(xml);
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
  const UrdfTree tree = build_urdf_tree(*robot, pos, diagnostics);
  diagnostics.throw_if_errors();
  return Writer(*robot, tree).write();
}

UrdfImport import_urdf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    Diagnostics diagnostics;
    diagnostics.error(whole(path), fmt::format("cannot be read: {}", std::strerror(errno)));
    diagnostics.throw_if_errors();
  }
  std::ostringstream text;
  text << file.rdbuf();
  return import_urdf_text(text.str(), path);
}

}  // namespace tappet
