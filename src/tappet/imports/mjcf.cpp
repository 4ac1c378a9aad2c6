// Robots described in MJCF, MuJoCo's files, as models.
//
//   body       body, with all bodies in it that have no joint; those of the world body: the ground
//   joint      hinge → revolute, slide → translational, ball → spherical, free → none. Where a body has several, bodies of a
//              thousandth of it stand in between
//   ref        a joint's coordinate is the file's
//   geom       shapes, and masses where there is no <inertial>; geoms that collide with nothing have mass only
//   equality   connect → spherical, weld → fixed, joint → gear, coupler or rack
//   actuator   motor, position, velocity and general (affine) on joints: an input of its name, and a force
//
// What a model has no place for is left out, and a note says so.
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "tappet/imports/mjcf_source.hpp"
#include "tappet/imports/robot.hpp"
#include "tappet/imports/robot_shapes.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::imports::mjcf {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What a body that only stands between two joints has, as a share of the body that they hold.
constexpr double between_share = 1e-3;

struct MeshAsset {
  std::string file;
  Vec3 scale = Vec3::Ones(), offset = Vec3::Zero();
};

class Reader {
 public:
  Reader(const MjcfSource& source, const RobotOptions& options)
      : in_(source), options_(options), shapes_(source.file(), options, robot_.notes) {}

  Robot read() {
    robot_.title = in_.root().attribute("model").empty() ? "MuJoCo model" : in_.root().attribute("model");
    static const std::set<std::string> looks = {"compiler", "default", "visual",    "statistic", "size",
                                                "custom",   "asset",   "worldbody", "equality",  "contact",
                                                "actuator", "option",  "keyframe"};
    for (const XmlElement& e : in_.root().children) {
      if (e.name == "option") robot_.gravity = in_.vector(e, "", "gravity", robot_.gravity);
      if (e.name == "asset") read_assets(e);
      if (e.name == "equality") read_offsets(e);
      if (!looks.count(e.name)) ++left_out_[fmt::format("<{}>", e.name)];
    }
    robot_.bodies.push_back({"world", true, {}, Isometry3d::Identity()});
    for (const XmlElement& e : in_.root().children)
      if (e.name == "worldbody") read_children(e, 0, Isometry3d::Identity(), "");
    for (const XmlElement& e : in_.root().children) {
      if (e.name == "equality") read_equality(e);
      if (e.name == "contact") read_contact(e);
      if (e.name == "actuator") read_actuators(e);
    }
    split_chains();
    judge_masses();
    if (!left_out_.empty()) {
      std::vector<std::string> all;
      for (const auto& [what, count] : left_out_)
        all.push_back(count > 1 ? fmt::format("{} ({} times)", what, count) : what);
      robot_.notes.push_back(fmt::format("not part of the model: {}", join_names(all, 30)));
    }
    return std::move(robot_);
  }

 private:
  const MjcfSource& in_;
  const RobotOptions& options_;
  Robot robot_;
  RobotShapes shapes_;
  std::map<std::string, MeshAsset> meshes_;
  std::map<std::string, int> left_out_, body_of_;
  std::map<std::string, std::pair<int, Isometry3d>> sites_;
  std::map<std::string, double>
      offsets_;  ///< joint → by how much it stands away from its reference, rad or m
  /// Bodies that several joints hold: their joints in order, all given from the parent to the child so far.
  std::vector<std::vector<int>> chains_;
  int unnamed_ = 0;

  // --- Assets

  void read_assets(const XmlElement& assets) {
    for (const XmlElement& e : assets.children) {
      if (e.name != "mesh") continue;
      MeshAsset out;
      std::string file = in_.attribute(e, "", "file");
      std::string name = e.attribute("name");
      if (name.empty()) name = std::filesystem::path(file).stem().string();
      if (in_.strip_path) file = std::filesystem::path(file).filename().string();
      out.file = std::filesystem::path(file).is_absolute()
                     ? file
                     : (std::filesystem::path(in_.mesh_folder) / file).string();
      out.scale = in_.vector(e, "", "scale", Vector3d::Ones());
      out.offset = in_.vector(e, "", "refpos", Vector3d::Zero());
      if (in_.has(e, "", "refquat")) ++left_out_["refquat of <mesh>"];
      if (file.empty()) robot_.notes.push_back(fmt::format("mesh '{}' has no file and is left out", name));
      meshes_[name] = out;
    }
  }

  // --- Bodies

  /// What <body>, <worldbody> and <frame> hold; `place` of the element in the body.
  void read_children(const XmlElement& parent, int body, const Isometry3d& place,
                     const std::string& childclass) {
    for (const XmlElement& e : parent.children) {
      if (e.name == "geom") {
        add_geom(e, childclass, body, place);
      } else if (e.name == "body") {
        read_body(e, body, place, childclass);
      } else if (e.name == "frame") {
        const std::string& own = e.attribute("childclass");
        read_children(e, body, place * in_.place(e, ""), own.empty() ? childclass : own);
      } else if (e.name == "site") {
        sites_[e.attribute("name")] = {body, place * in_.place(e, childclass)};
      } else if (e.name == "replicate" || e.name == "composite" || e.name == "flexcomp" ||
                 e.name == "attach") {
        in_.fault(
            e,
            fmt::format(
                "<{}> is not read: save the compiled model as XML in MuJoCo (mj_saveLastXML) and import that",
                e.name));
      } else if (e.name != "camera" && e.name != "light" && e.name != "joint" && e.name != "freejoint" &&
                 e.name != "inertial") {
        ++left_out_[fmt::format("<{}>", e.name)];
      }
    }
  }

  void read_body(const XmlElement& e, int parent, const Isometry3d& in_parent, const std::string& from) {
    const std::string& own = e.attribute("childclass");
    const std::string childclass = own.empty() ? from : own;
    std::string name = e.attribute("name");
    if (name.empty()) name = fmt::format("body_{}", ++unnamed_);
    const Isometry3d place = in_parent * in_.place(e, "");
    std::vector<const XmlElement*> joints;
    bool free = false;
    for (const XmlElement& child : e.children) {
      if (child.name == "freejoint") free = true;
      if (child.name != "joint") continue;
      if (in_.attribute(child, childclass, "type") == "free")
        free = true;
      else
        joints.push_back(&child);
    }
    if (in_.flag(e, "", "mocap", false)) ++left_out_["motion of mocap bodies"];
    // Without a joint it is part of its parent.
    int body = parent;
    Isometry3d frame = place;
    if (free || !joints.empty()) {
      body = static_cast<int>(robot_.bodies.size());
      robot_.bodies.push_back({name, false, {}, robot_.bodies[parent].pose * place});
      frame = Isometry3d::Identity();
      if (free)
        robot_.apart.insert({parent, body});
      else
        add_joints(joints, childclass, parent, body, name);
    }
    body_of_[name] = body;
    frames_[name] = {body, frame};
    const bool before = from_geoms_[body];
    add_inertial(e, body, frame, childclass);
    read_children(e, body, frame, childclass);
    from_geoms_[body] = before;  // of the parent that it may be part of
  }
  std::map<std::string, std::pair<int, Isometry3d>> frames_;  ///< of bodies in those that move

  // Joints act one after the other, the first of them nearest to the parent; all are given where the body stands.
  void add_joints(const std::vector<const XmlElement*>& joints, const std::string& childclass, int parent,
                  int body, const std::string& name) {
    std::vector<int> chain;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const XmlElement& e = *joints[k];
      const std::string& type = in_.attribute(e, childclass, "type");
      RobotJoint out;
      out.name = e.attribute("name");
      if (out.name.empty())
        out.name = joints.size() == 1 ? name + "_joint" : fmt::format("{}_joint_{}", name, k + 1);
      out.parent = parent, out.child = body;
      out.point = in_.vector(e, childclass, "pos", Vector3d::Zero());
      out.axis = in_.vector(e, childclass, "axis", Vector3d::UnitZ());
      if (!(out.axis.norm() > 1e-12))
        in_.fault(e, fmt::format("joint '{}': its axis has no length", out.name));
      out.axis.normalize();
      if (type.empty() || type == "hinge")
        out.kind = RobotJointKind::revolute;
      else if (type == "slide")
        out.kind = RobotJointKind::translational;
      else if (type == "ball")
        out.kind = RobotJointKind::spherical;
      else
        in_.fault(e, fmt::format("joint '{}' is of type {}; hinge, slide, ball and free are known", out.name,
                                 quote(type)));
      read_joint(e, childclass, out);
      move_to_offset(out, body);
      chain.push_back(static_cast<int>(robot_.joints.size()));
      robot_.joints.push_back(std::move(out));
    }
    if (chain.size() > 1) chains_.push_back(std::move(chain));
  }

  void read_joint(const XmlElement& e, const std::string& childclass, RobotJoint& out) {
    const bool turns = out.turns();
    const auto coordinate = [&](double x) { return turns ? in_.angle(x) : x; };
    out.start = coordinate(in_.number(e, childclass, "ref", 0));
    out.damping = in_.number(e, childclass, "damping", 0);
    out.stiffness = in_.number(e, childclass, "stiffness", 0);
    out.rest = coordinate(in_.number(e, childclass, "springref", 0));
    out.friction = in_.number(e, childclass, "frictionloss", 0);
    const auto range = in_.numbers(e, childclass, "range", 2, 2);
    if (!range.empty() && in_.flag(e, childclass, "limited", in_.autolimits) && range[0] < range[1])
      out.range = {coordinate(range[0]), coordinate(range[1])};
    const auto effort = in_.numbers(e, childclass, "actuatorfrcrange", 2, 2);
    if (!effort.empty()) out.effort = std::max(std::abs(effort[0]), std::abs(effort[1]));
    if (in_.number(e, childclass, "armature", 0) != 0) ++left_out_["armature of joints"];
    if (out.kind == RobotJointKind::spherical && (out.damping != 0 || out.stiffness != 0)) {
      ++left_out_["springs and dampers of ball joints"];
      out.damping = out.stiffness = 0;
    }
  }

  // An equality may put a joint elsewhere than its reference.
  void move_to_offset(RobotJoint& joint, int body) {
    const auto at = offsets_.find(joint.name);
    if (at == offsets_.end() || at->second == 0) return;
    Isometry3d move = Isometry3d::Identity();
    if (joint.turns())
      move = Eigen::Translation3d(joint.point) * Eigen::AngleAxisd(at->second, joint.axis) *
             Eigen::Translation3d(-joint.point);
    else if (joint.slides())
      move.translation() = at->second * joint.axis;
    robot_.bodies[body].pose = robot_.bodies[body].pose * move;
    joint.start += at->second;
  }

  // --- Masses

  void add_inertial(const XmlElement& e, int body, const Isometry3d& frame, const std::string& childclass) {
    const XmlElement* inertial = e.child("inertial");
    from_geoms_[body] = in_.inertia_from_geoms || (!inertial && !in_.no_inertia_from_geoms);
    if (!inertial || in_.inertia_from_geoms) return;
    RobotMass m;
    m.mass = in_.number(*inertial, childclass, "mass", 0);
    const auto full = in_.numbers(*inertial, childclass, "fullinertia", 6, 6);
    if (!full.empty())
      m.inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
    else
      m.inertia = in_.vector(*inertial, childclass, "diaginertia", Vector3d::Zero()).asDiagonal();
    add_mass(body, placed(m, frame * in_.place(*inertial, childclass)));
  }
  std::map<int, bool> from_geoms_;  ///< does the body that is being read weigh what its geoms do?

  void add_mass(int body, const RobotMass& mass) {
    RobotMass& sum = robot_.bodies[body].mass;
    sum = together(sum, mass);
  }

  void add_geom(const XmlElement& e, const std::string& childclass, int body, const Isometry3d& frame) {
    const std::string& mesh = in_.attribute(e, childclass, "mesh");
    std::string type = in_.attribute(e, childclass, "type");
    if (type.empty()) type = mesh.empty() ? "sphere" : "mesh";
    std::string name = e.attribute("name");
    if (name.empty()) name = !mesh.empty() ? mesh : type;
    const std::string owner = fmt::format("geom '{}' of body '{}'", name, robot_.bodies[body].name);
    Isometry3d place = frame * in_.place(e, childclass);
    std::vector<double> size = in_.numbers(e, childclass, "size", 1, 3);
    if (!mesh.empty() && type != "mesh") {
      robot_.notes.push_back(fmt::format("{}: a {} fitted to a mesh is left out", owner, type));
      return;
    }
    if (type == "plane" || type == "hfield" || type == "sdf") {
      if (type != "plane" || !robot_.bodies[body].ground)
        robot_.notes.push_back(fmt::format("{}: it is a {}, which is left out", owner, type));
      else
        robot_.bodies[body].shapes.push_back({name, "plane", values::mapping(), place});
      return;
    }
    static const std::map<std::string, std::size_t> sizes = {
        {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"ellipsoid", 3}, {"box", 3}, {"mesh", 0}};
    const auto known = sizes.find(type);
    if (known == sizes.end())
      in_.fault(e, fmt::format("{} is of type {}, which is not known", owner, quote(type)));
    const std::vector<double> ends = in_.numbers(e, childclass, "fromto", 6, 6);
    if (!ends.empty()) place = frame * between(e, ends, type, size);
    if (size.size() < known->second)
      in_.fault(e, fmt::format("{}: a {} needs {} sizes", owner, type, known->second));
    std::optional<RobotShape> shape;
    RobotMass one;  // of density 1
    if (type == "mesh") {
      const auto asset = meshes_.find(mesh);
      if (asset == meshes_.end()) in_.fault(e, fmt::format("{}: there is no mesh {}", owner, quote(mesh)));
      place = place * Eigen::Translation3d(-asset->second.offset);
      if (asset->second.file.empty()) return;
      shape = shapes_.mesh(asset->second.file, asset->second.scale, place, owner);
      if (const auto solid = shapes_.solid(asset->second.file, asset->second.scale))
        one = {solid->volume, solid->centre, solid->inertia};
    } else {
      // Half sizes there, whole ones here.
      std::vector<double> whole = size;
      if (type == "box") whole = {2 * size[0], 2 * size[1], 2 * size[2]};
      if (type == "capsule" || type == "cylinder") whole = {size[0], 2 * size[1]};
      if (type == "sphere") whole = {size[0]};
      shape = shapes_.simple(type, whole, place, owner);
      one = solid_of(type, size);
    }
    add_geom_mass(e, childclass, body, placed(one, place));
    const bool collides =
        in_.number(e, childclass, "contype", 1) != 0 || in_.number(e, childclass, "conaffinity", 1) != 0;
    if (!shape || !collides) return;
    shape->name = name;
    robot_.bodies[body].shapes.push_back(std::move(*shape));
  }

  /// `fromto`: z runs between the ends, and their distance is the length.
  Isometry3d between(const XmlElement& e, const std::vector<double>& ends, const std::string& type,
                     std::vector<double>& size) {
    const Vector3d a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]);
    if (!((b - a).norm() > 1e-12)) in_.fault(e, "fromto has two ends at one place");
    Isometry3d out = Isometry3d::Identity();
    out.translation() = 0.5 * (a + b);
    out.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), b - a).toRotationMatrix();
    const double half = 0.5 * (b - a).norm(), across = size.empty() ? 0 : size[0];
    size = type == "box" || type == "ellipsoid"
               ? std::vector<double>{across, size.size() > 1 ? size[1] : across, half}
               : std::vector<double>{across, half};
    return out;
  }

  void add_geom_mass(const XmlElement& e, const std::string& childclass, int body, const RobotMass& one) {
    if (!from_geoms_[body] || robot_.bodies[body].ground || !(one.mass > 0)) return;
    const double mass = in_.has(e, childclass, "mass")
                            ? in_.number(e, childclass, "mass", 0)
                            : one.mass * in_.number(e, childclass, "density", 1000);
    if (mass > 0) add_mass(body, {mass, one.centre, one.inertia * (mass / one.mass)});
  }

  // --- What is between bodies

  /// Where an equality of joints puts the first: its first coefficient.
  void read_offsets(const XmlElement& equality) {
    for (const XmlElement& e : equality.children) {
      if (e.name != "joint" || !in_.flag(e, "", "active", true)) continue;
      const auto c = in_.numbers(e, "", "polycoef", 1, 5);
      if (!c.empty() && c[0] != 0) offsets_[e.attribute("joint1")] = c[0];
    }
  }

  std::pair<int, Isometry3d> frame_of(const XmlElement& e, const std::string& name) const {
    if (name.empty() || name == "world") return {0, Isometry3d::Identity()};
    const auto at = frames_.find(name);
    if (at == frames_.end())
      in_.fault(e, fmt::format("<{}> names the body {}, which is not there", e.name, quote(name)));
    return at->second;
  }

  void read_equality(const XmlElement& equality) {
    for (const XmlElement& e : equality.children) {
      if (!in_.flag(e, "", "active", true)) continue;
      std::string name = e.attribute("name");
      if (name.empty()) name = fmt::format("{}_{}", e.name, ++unnamed_);
      if (e.name == "connect" || e.name == "weld")
        close_loop(e, name);
      else if (e.name == "joint")
        couple(e, name);
      else
        ++left_out_[fmt::format("<{}> of <equality>", e.name)];
    }
  }

  void close_loop(const XmlElement& e, const std::string& name) {
    RobotJoint out;
    out.name = name;
    out.kind = e.name == "weld" ? RobotJointKind::fixed : RobotJointKind::spherical;
    Isometry3d place = Isometry3d::Identity();
    if (!e.attribute("site1").empty()) {
      const auto one = sites_.find(e.attribute("site1")), other = sites_.find(e.attribute("site2"));
      if (one == sites_.end() || other == sites_.end())
        in_.fault(e, fmt::format("<{}> names a site that is not there", e.name));
      out.child = one->second.first, out.parent = other->second.first;
      place = one->second.second;
      const Vector3d gap = robot_.bodies[out.child].pose * place.translation() -
                           robot_.bodies[out.parent].pose * other->second.second.translation();
      if (gap.norm() > 1e-6)
        robot_.notes.push_back(fmt::format(
            "'{}' joins two sites that are {:.3g} m apart: they are joined as they stand, where the first is",
            name, gap.norm()));
    } else {
      const auto one = frame_of(e, e.attribute("body1")), other = frame_of(e, e.attribute("body2"));
      out.child = one.first, out.parent = other.first;
      place = one.second * Eigen::Translation3d(in_.vector(e, "", "anchor", Vector3d::Zero()));
    }
    if (out.child == out.parent) {
      robot_.notes.push_back(fmt::format("'{}' joins a body to itself and is left out", name));
      return;
    }
    if (!e.attribute("relpose").empty())
      robot_.notes.push_back(fmt::format("'{}' holds its bodies as they stand, not by its relpose", name));
    out.point = place.translation();
    robot_.joints.push_back(std::move(out));
  }

  void couple(const XmlElement& e, const std::string& name) {
    const auto c = in_.numbers(e, "", "polycoef", 1, 5);
    for (std::size_t k = 2; k < c.size(); ++k)
      if (c[k] != 0) {
        robot_.notes.push_back(
            fmt::format("'{}' is taken as linear: its powers from the second on are left out", name));
        break;
      }
    if (e.attribute("joint2").empty())
      robot_.notes.push_back(
          fmt::format("'{}' holds the joint '{}' at a constant: it is left out; a motion can hold it", name,
                      e.attribute("joint1")));
    else
      robot_.couplings.push_back({e.attribute("joint1"), e.attribute("joint2"),
                                  c.size() > 1 ? c[1]
                                  : c.empty()  ? 1
                                               : 0});
  }

  void read_contact(const XmlElement& contact) {
    for (const XmlElement& e : contact.children) {
      if (e.name == "exclude")
        robot_.apart.insert(
            {frame_of(e, e.attribute("body1")).first, frame_of(e, e.attribute("body2")).first});
      else
        ++left_out_[fmt::format("<{}> of <contact>", e.name)];
    }
  }

  // --- Actuators: gear (gain · u + b₀ + b₁ gear x + b₂ gear ẋ)

  void read_actuators(const XmlElement& actuators) {
    for (const XmlElement& e : actuators.children) {
      RobotDrive out;
      out.joint = in_.attribute(e, "", "joint");
      out.name = e.attribute("name").empty() ? out.joint + "_" + e.name : e.attribute("name");
      const auto gears = in_.numbers(e, "", "gear", 1, 6);
      const double gear = gears.empty() ? 1 : gears[0];
      double gain = 1, bias[3] = {0, 0, 0};
      const auto general = [&](const char* key, double* into, std::size_t count) {
        const auto given = in_.numbers(e, "", key, 1, 10);
        for (std::size_t k = 0; k < std::min(count, given.size()); ++k) into[k] = given[k];
      };
      if (e.name == "position") {
        gain = in_.number(e, "", "kp", 1), bias[1] = -gain, bias[2] = -in_.number(e, "", "kv", 0);
      } else if (e.name == "velocity") {
        gain = in_.number(e, "", "kv", 1), bias[2] = -gain;
      } else if (e.name == "general") {
        general("gainprm", &gain, 1);
        if (in_.attribute(e, "", "biastype") == "affine") general("biasprm", bias, 3);
      } else if (e.name != "motor") {
        ++left_out_[fmt::format("<{}> actuators", e.name)];
        continue;
      }
      if (out.joint.empty()) {
        ++left_out_["actuators that act on no joint"];
        continue;
      }
      if (in_.attribute(e, "", "dyntype").size() && in_.attribute(e, "", "dyntype") != "none")
        ++left_out_["dynamics of actuators"];
      if (in_.has(e, "", "dampratio") || in_.has(e, "", "timeconst"))
        ++left_out_["dampratio and timeconst of actuators"];
      if (in_.has(e, "", "ctrlrange") || in_.has(e, "", "forcerange")) ++left_out_["ranges of actuators"];
      const double factor = gear * gain, constant = gear * bias[0], x = gear * gear * bias[1],
                   v = gear * gear * bias[2];
      if (factor == 1 && constant == 0 && x == 0 && v == 0) {
        const RobotJoint* joint = nullptr;
        for (const RobotJoint& j : robot_.joints)
          if (j.name == out.joint) joint = &j;
        out.unit = joint && joint->slides() ? "N" : "N m";
        out.law = "$";
      } else {
        out.law = fmt::format("{}*$", factor);
        if (constant != 0) out.law += fmt::format(" + ({})", constant);
        if (x != 0) out.law += fmt::format(" + ({})*x", x);
        if (v != 0) out.law += fmt::format(" + ({})*v", v);
      }
      robot_.drives.push_back(std::move(out));
    }
  }

  // --- Several joints on one body

  /// Between every two of them a body of a thousandth of its mass and moments, which the body itself gives up.
  void split_chains() {
    for (const std::vector<int>& chain : chains_) {
      const int body = robot_.joints[chain[0]].child;
      const RobotMass whole = robot_.bodies[body].mass;
      int before = robot_.joints[chain[0]].parent;
      for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
        RobotJoint& joint = robot_.joints[chain[k]];
        RobotBody link{joint.name + "_link", false, whole, robot_.bodies[body].pose};
        link.mass.mass *= between_share, link.mass.inertia *= between_share;
        const int made = static_cast<int>(robot_.bodies.size());
        robot_.bodies.push_back(std::move(link));
        joint.parent = before, joint.child = made;
        before = made;
        robot_.bodies[body].mass.mass -= between_share * whole.mass;
        robot_.bodies[body].mass.inertia -= between_share * whole.inertia;
      }
      robot_.joints[chain.back()].parent = before;
      robot_.notes.push_back(
          fmt::format("body '{}' has {} joints: bodies of a thousandth of it stand between them",
                      robot_.bodies[body].name, chain.size()));
    }
  }

  void judge_masses() {
    for (RobotBody& body : robot_.bodies) {
      if (body.ground) continue;
      if (in_.bound_mass > 0) body.mass.mass = std::max(body.mass.mass, in_.bound_mass);
      if (in_.bound_inertia > 0)
        for (int k = 0; k < 3; ++k)
          body.mass.inertia(k, k) = std::max(body.mass.inertia(k, k), in_.bound_inertia);
    }
    Diagnostics diagnostics;
    tappet::judge_masses(robot_, options_.repair || in_.balance,
                         {std::make_shared<const std::string>(in_.file()), 0, 0}, diagnostics);
    diagnostics.throw_if_errors();
  }
};

ImportedModel import(const std::string& xml, const std::string& name_in_messages,
                     const RobotOptions& options) {
  const MjcfSource source(xml, name_in_messages);
  return write_robot(Reader(source, options).read(), options);
}

const Registration<Importer> registered{{.name = "mujoco", .help = "MJCF", .import = import}};

}  // namespace
}  // namespace tappet::imports::mjcf
