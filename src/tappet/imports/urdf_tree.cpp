#include "tappet/imports/urdf_tree.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What a repair gives a link without mass, as a share of what hangs on it.
constexpr double repaired_mass_share = 1e-3;
/// Joints that mimic each other in a ring are not followed for ever.
constexpr int longest_mimic = 100;

bool has_mass(const urdf::Link& link) {
  return link.inertial && link.inertial->mass > 0;
}

/// The tensor is about the centre of mass, in the axes of <inertial>'s own <origin>.
RobotMass mass_of(const urdf::Link& link) {
  if (!has_mass(link)) return {};
  const urdf::Inertial& in = *link.inertial;
  Matrix3d tensor;
  tensor << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
  return placed({in.mass, Vector3d::Zero(), tensor}, to_isometry(in.origin));
}

class Builder {
 public:
  Builder(const urdf::ModelInterface& robot, bool repair, const SourcePos& pos, Diagnostics& diagnostics)
      : robot_(robot), repair_(repair), pos_(pos), diagnostics_(diagnostics) {}

  UrdfTree build() {
    const urdf::LinkConstSharedPtr root = robot_.getRoot();
    add_body(root, Isometry3d::Identity());
    find_carriers();
    descend(root);
    UrdfBody& base = tree_.bodies[0];
    base.ground =
        root->name == "world" || base.mass.mass <= 0 || (root->name == "ground" && !has_mass(*root));
    // From the ends of the tree to its root: what hangs on a link is in order before the link itself.
    for (std::size_t b = tree_.bodies.size(); b-- > 0;)
      if (!tree_.bodies[b].ground) put_in_order(static_cast<int>(b));
    return std::move(tree_);
  }

 private:
  int add_body(const urdf::LinkConstSharedPtr& link, const Isometry3d& pose) {
    UrdfBody body;
    body.name = link->name;
    body.pose = pose;
    tree_.bodies.push_back(std::move(body));
    const int out = static_cast<int>(tree_.bodies.size()) - 1;
    add_part(out, link, Isometry3d::Identity());
    return out;
  }

  void add_part(int body, const urdf::LinkConstSharedPtr& link, const Isometry3d& place) {
    UrdfBody& b = tree_.bodies[body];
    if (b.mass.mass <= 0 && has_mass(*link)) b.name = link->name;
    b.parts.push_back({link, place});
    b.mass = together(b.mass, placed(mass_of(*link), place));
  }

  /// Links with mass, and those that carry one: from each with mass towards the root, as far as others have been already.
  void find_carriers() {
    for (const auto& [name, link] : robot_.links_) {
      if (!has_mass(*link)) continue;
      for (urdf::LinkConstSharedPtr on = link; on && carriers_.insert(on.get()).second;) on = on->getParent();
    }
  }
  bool weighs_something(const urdf::Link& link) const { return carriers_.contains(&link); }

  /// A joint's coordinate at the start: 0, or what a mimicking joint takes from the one it follows.
  double start_value(const urdf::Joint& joint, int depth = 0) const {
    if (!joint.mimic) return 0;
    const urdf::JointConstSharedPtr other = robot_.getJoint(joint.mimic->joint_name);
    const double followed = other && depth < longest_mimic ? start_value(*other, depth + 1) : 0;
    return joint.mimic->multiplier * followed + joint.mimic->offset;
  }

  Isometry3d moved(const urdf::Joint& joint) const {
    Isometry3d out = to_isometry(joint.parent_to_joint_origin_transform);
    const Vector3d axis = axis_of(joint);
    if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS)
      out.rotate(Eigen::AngleAxisd(start_value(joint), axis));
    if (joint.type == urdf::Joint::PRISMATIC) out.translate(start_value(joint) * axis);
    return out;
  }

  /// A link, part of a body, its origin at `place` in it, and how many of its children have been dealt with.
  struct Visit {
    urdf::LinkConstSharedPtr link;
    int body = 0;
    Isometry3d place;
    std::size_t child = 0;
  };

  /// All links from the root on, each with what hangs on it before its next sister. Chains of links may be long: no recursion.
  void descend(const urdf::LinkConstSharedPtr& root) {
    std::vector<Visit> open = {{root, 0, Isometry3d::Identity()}};
    while (!open.empty()) {
      if (open.back().child == open.back().link->child_joints.size()) {
        open.pop_back();
        continue;
      }
      Visit& at = open.back();
      const urdf::JointSharedPtr& joint = at.link->child_joints[at.child++];
      open.push_back(visit(*joint, *at.link, at.body, at.place));
    }
  }

  /// The joint's child, as part of `body` or as a body of its own.
  Visit visit(const urdf::Joint& joint, const urdf::Link& link, int body, const Isometry3d& place) {
    const urdf::LinkConstSharedPtr child = robot_.getLink(joint.child_link_name);
    const Isometry3d in_body = place * moved(joint);
    const bool fixed = joint.type == urdf::Joint::FIXED;
    if (fixed || !weighs_something(*child)) {
      if (!fixed)
        tree_.notes.push_back(
            fmt::format("joint '{}' moves nothing that has mass: link '{}' is held by '{}' as it stands",
                        joint.name, child->name, link.name));
      add_part(body, child, in_body);
      return {child, body, in_body};
    }
    if (joint.axis.x == 0 && joint.axis.y == 0 && joint.axis.z == 0 && joint.type != urdf::Joint::FLOATING)
      tree_.notes.push_back(fmt::format("joint '{}': its axis has no length; x is taken", joint.name));
    const int next = add_body(child, tree_.bodies[body].pose * in_body);
    tree_.joints.push_back({robot_.joints_.at(joint.name), body, next, start_value(joint)});
    return {child, next, Isometry3d::Identity()};
  }

  // --- Masses

  void put_in_order(int b) {
    UrdfBody& body = tree_.bodies[b];
    if (!(body.mass.mass > 0)) return give_mass(b);
    const std::string fault = fault_of(body.mass);
    if (fault.empty()) return;
    const std::string owner =
        fmt::format("link '{}'{}", body.name, body.parts.size() > 1 ? " with what is fixed to it" : "");
    body.mass = repaired(body.mass);
    (repair_ ? tree_.notes : tree_.warnings).push_back(said_of_repair(owner, fault, body.mass));
  }

  /// A link that moves and has no mass, with others that have some hanging on it.
  void give_mass(int b) {
    UrdfBody& body = tree_.bodies[b];
    double carried = 0;
    for (const UrdfJoint& joint : tree_.joints)
      if (joint.parent == b) carried += tree_.bodies[joint.child].mass.mass;
    if (!repair_) {
      diagnostics_.error(
          pos_, fmt::format("link '{}' can move but has no mass; give it an <inertial> with a positive "
                            "<mass>, or let --repair give it a thousandth of what it carries",
                            body.name));
      return;
    }
    body.mass = water_ball(repaired_mass_share * carried);
    tree_.notes.push_back(fmt::format(
        "link '{}' can move but has no mass: it is taken as a ball of water of {:.6g} kg, a thousandth of "
        "what it carries",
        body.name, body.mass.mass));
  }

  const urdf::ModelInterface& robot_;
  bool repair_;
  const SourcePos& pos_;
  Diagnostics& diagnostics_;
  UrdfTree tree_;
  std::unordered_set<const urdf::Link*> carriers_;
};

}  // namespace

Isometry3d to_isometry(const urdf::Pose& pose) {
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  Isometry3d out = Isometry3d::Identity();
  out.linear() = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
  out.translation() = Vector3d(pose.position.x, pose.position.y, pose.position.z);
  return out;
}

Vector3d axis_of(const urdf::Joint& joint) {
  const Vector3d axis(joint.axis.x, joint.axis.y, joint.axis.z);
  return axis.norm() > 0 ? Vector3d(axis.normalized()) : Vector3d(Vector3d::UnitX());
}

UrdfTree build_urdf_tree(const urdf::ModelInterface& robot, bool repair, const SourcePos& pos,
                         Diagnostics& diagnostics) {
  return Builder(robot, repair, pos, diagnostics).build();
}

}  // namespace tappet
