#include "tappet/imports/urdf.hpp"

#include <algorithm>
#include <console_bridge/console.h>
#include <optional>
#include <urdf_parser/urdf_parser.h>

#include <fmt/format.h>

#include "tappet/base/xml.hpp"
#include "tappet/imports/robot.hpp"
#include "tappet/imports/robot_shapes.hpp"
#include "tappet/imports/urdf_mend.hpp"
#include "tappet/imports/urdf_tree.hpp"

namespace tappet {

namespace {

using Eigen::Isometry3d;

bool turns(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS;
}
bool slides(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::PRISMATIC;
}

/// The tree as a robot.
class Builder {
 public:
  Builder(const urdf::ModelInterface& model, UrdfTree tree, const std::string& file,
          const RobotOptions& options)
      : model_(model), tree_(std::move(tree)), shapes_(file, options, robot_.notes) {}

  Robot build() {
    robot_.title = model_.getName();
    robot_.notes = std::move(tree_.notes);
    robot_.warnings = std::move(tree_.warnings);
    for (const UrdfBody& b : tree_.bodies) body(b);
    for (const UrdfJoint& j : tree_.joints) joint(j);
    for (const UrdfJoint& j : tree_.joints)
      if (j.joint->mimic)
        robot_.couplings.push_back({j.joint->name, j.joint->mimic->joint_name, j.joint->mimic->multiplier});
    return std::move(robot_);
  }

 private:
  void body(const UrdfBody& b) {
    std::vector<std::string> others;
    for (const UrdfBody::Part& part : b.parts)
      if (part.link->name != b.name && part.link->inertial) others.push_back(part.link->name);
    if (!others.empty())
      robot_.notes.push_back(fmt::format("{} consists of link '{}' and of what is fixed to it: {}",
                                         b.ground ? "the ground" : "body '" + b.name + "'", b.name,
                                         join_names(others)));
    RobotBody out{b.name, b.ground, b.mass, b.pose};
    for (const UrdfBody::Part& part : b.parts) {
      // Collision geometry, and what is seen where a link has none.
      if (!part.link->collision_array.empty())
        for (const auto& surface : part.link->collision_array) add_shape(out, part, *surface);
      else
        for (const auto& surface : part.link->visual_array) add_shape(out, part, *surface);
    }
    robot_.bodies.push_back(std::move(out));
  }

  /// `surface`: a <collision> or a <visual>.
  template <class Surface>
  void add_shape(RobotBody& body, const UrdfBody::Part& part, const Surface& surface) {
    const urdf::GeometrySharedPtr& geometry = surface.geometry;
    if (!geometry) return;
    const Isometry3d place = part.place * to_isometry(surface.origin);
    const std::string owner = fmt::format("link '{}'", part.link->name);
    std::optional<RobotShape> shape;
    if (geometry->type == urdf::Geometry::SPHERE) {
      shape = shapes_.simple("sphere", {static_cast<const urdf::Sphere&>(*geometry).radius}, place, owner);
    } else if (geometry->type == urdf::Geometry::BOX) {
      const urdf::Vector3& size = static_cast<const urdf::Box&>(*geometry).dim;
      shape = shapes_.simple("box", {size.x, size.y, size.z}, place, owner);
    } else if (geometry->type == urdf::Geometry::CYLINDER) {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(*geometry);
      shape = shapes_.simple(surface.name == capsule_mark ? "capsule" : "cylinder",
                             {cylinder.radius, cylinder.length}, place, owner);
    } else {
      const auto& mesh = static_cast<const urdf::Mesh&>(*geometry);
      shape = shapes_.mesh(mesh.filename, {mesh.scale.x, mesh.scale.y, mesh.scale.z}, place, owner);
    }
    if (!shape) return;
    shape->name = part.link->name;
    body.shapes.push_back(std::move(*shape));
  }

  // The joint sits at the origin of the child's first link.
  void joint(const UrdfJoint& j) {
    const urdf::Joint& joint = *j.joint;
    if (joint.type == urdf::Joint::FLOATING) {
      robot_.notes.push_back(
          fmt::format("joint '{}' leaves its links free: there is no joint in the model", joint.name));
      robot_.apart.insert({j.parent, j.child});
      return;
    }
    RobotJoint out;
    out.name = joint.name;
    out.kind = turns(joint)    ? RobotJointKind::revolute
               : slides(joint) ? RobotJointKind::translational
                               : RobotJointKind::planar;
    out.parent = j.parent, out.child = j.child;
    out.axis = axis_of(joint);
    out.start = j.start;
    if (joint.limits) {
      const bool ends = joint.type != urdf::Joint::CONTINUOUS && joint.limits->lower < joint.limits->upper;
      if (ends) out.range = {joint.limits->lower, joint.limits->upper};
      out.effort = joint.limits->effort, out.speed = joint.limits->velocity;
    }
    if (joint.dynamics) out.damping = joint.dynamics->damping, out.friction = joint.dynamics->friction;
    robot_.joints.push_back(std::move(out));
  }

  const urdf::ModelInterface& model_;
  UrdfTree tree_;
  Robot robot_;
  RobotShapes shapes_;
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

/// Links of a robot: a model of them all is still read and assembled.
constexpr std::size_t most_links = 50'000;

/// A robot's links hold each other in a chain, which would be destroyed by a recursion as deep as the chain is long.
class Unchain {
 public:
  explicit Unchain(urdf::ModelInterface& robot) : robot_(robot) {}
  ~Unchain() {
    for (auto& [name, link] : robot_.links_) {
      link->child_links.clear();
      link->child_joints.clear();
    }
  }
  Unchain(const Unchain&) = delete;
  Unchain& operator=(const Unchain&) = delete;

 private:
  urdf::ModelInterface& robot_;
};

/// Of a <collision> or <visual>, in its link's frame.
template <class Surface>
RobotMass mass_of(const Surface& surface, RobotShapes& shapes) {
  if (!surface.geometry) return {};
  const urdf::Geometry& geometry = *surface.geometry;
  RobotMass out;
  if (geometry.type == urdf::Geometry::SPHERE) {
    out = solid_of("sphere", {static_cast<const urdf::Sphere&>(geometry).radius});
  } else if (geometry.type == urdf::Geometry::BOX) {
    const urdf::Vector3& size = static_cast<const urdf::Box&>(geometry).dim;
    out = solid_of("box", {size.x / 2, size.y / 2, size.z / 2});
  } else if (geometry.type == urdf::Geometry::CYLINDER) {
    const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
    out = solid_of(surface.name == capsule_mark ? "capsule" : "cylinder",
                   {cylinder.radius, cylinder.length / 2});
  } else {
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    if (const auto solid = shapes.solid(mesh.filename, {mesh.scale.x, mesh.scale.y, mesh.scale.z}))
      out = {solid->volume, solid->centre, solid->inertia};
  }
  if (!(out.mass > 0)) return {};
  return placed({water_density * out.mass, out.centre, water_density * out.inertia},
                to_isometry(surface.origin));
}

/// Where no link has mass, each gets that of its shapes; a root that carries others stays without, and so the ground.
void give_masses(urdf::ModelInterface& robot, const std::string& file, const RobotOptions& options,
                 std::vector<std::string>& notes) {
  for (const auto& [name, link] : robot.links_)
    if (link->inertial && link->inertial->mass > 0) return;
  std::vector<std::string> said_later, given;
  RobotShapes shapes(file, options, said_later);
  for (auto& [name, link] : robot.links_) {
    if (robot.links_.size() > 1 && name == robot.getRoot()->name) continue;
    RobotMass all;
    for (const auto& surface : link->collision_array) all = together(all, mass_of(*surface, shapes));
    if (link->collision_array.empty())
      for (const auto& surface : link->visual_array) all = together(all, mass_of(*surface, shapes));
    if (!(all.mass > 0)) continue;
    auto inertial = std::make_shared<urdf::Inertial>();
    inertial->origin.position = {all.centre.x(), all.centre.y(), all.centre.z()};
    inertial->mass = all.mass;
    inertial->ixx = all.inertia(0, 0), inertial->ixy = all.inertia(0, 1), inertial->ixz = all.inertia(0, 2);
    inertial->iyy = all.inertia(1, 1), inertial->iyz = all.inertia(1, 2), inertial->izz = all.inertia(2, 2);
    link->inertial = std::move(inertial);
    given.push_back(fmt::format("{} ({:.4g} kg)", name, all.mass));
  }
  if (!given.empty())
    notes.push_back(
        fmt::format("no link has mass: shapes are taken as filled with water, {}", join_names(given, 20)));
}

SourcePos whole(const std::string& file) {
  return {std::make_shared<const std::string>(file), 0, 0};
}

}  // namespace

UrdfImport import_urdf_text(const std::string& xml, const std::string& name_in_messages,
                            const RobotOptions& options) {
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
  const Unchain unchain(*robot);
  if (robot->links_.size() > most_links) {
    diagnostics.error(
        pos, fmt::format("the robot has {} links; at most {} are read", robot->links_.size(), most_links));
    diagnostics.throw_if_errors();
  }
  if (options.repair) give_masses(*robot, name_in_messages, options, notes);
  UrdfTree tree = build_urdf_tree(*robot, options.repair, pos, diagnostics);
  diagnostics.throw_if_errors();
  tree.notes.insert(tree.notes.begin(), notes.begin(), notes.end());
  return write_robot(Builder(*robot, std::move(tree), name_in_messages, options).build(), options);
}

UrdfImport import_urdf(const std::string& path, const RobotOptions& options) {
  return import_urdf_text(text_of_file(path), path, options);
}

namespace {

const Registration<Importer> registered{{.name = "robot", .help = "URDF", .import = import_urdf_text}};

}  // namespace

}  // namespace tappet
