#include "tappet/imports/urdf_tree.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace tappet {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

bool has_mass(const urdf::Link& link) {
  return link.inertial && link.inertial->mass > 0;
}

/// A joint's coordinate at the start: 0, or what a mimicking joint takes from one that is 0.
double start_value(const urdf::Joint& joint) {
  return joint.mimic ? joint.mimic->offset : 0;
}

Isometry3d moved(const urdf::Joint& joint) {
  Isometry3d out = to_isometry(joint.parent_to_joint_origin_transform);
  const Vector3d axis(joint.axis.x, joint.axis.y, joint.axis.z);
  const double value = start_value(joint);
  if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS)
    out.rotate(Eigen::AngleAxisd(value, axis.normalized()));
  if (joint.type == urdf::Joint::PRISMATIC) out.translate(value * axis.normalized());
  return out;
}

class Builder {
 public:
  Builder(const urdf::ModelInterface& robot, const SourcePos& pos, Diagnostics& diagnostics)
      : robot_(robot), pos_(pos), diagnostics_(diagnostics) {}

  UrdfTree build() {
    const urdf::LinkConstSharedPtr root = robot_.getRoot();
    add_body(root, Isometry3d::Identity());
    descend(*root, 0, Isometry3d::Identity());
    take_over_root();
    for (std::size_t b = 1; b < tree_.bodies.size(); ++b)
      if (tree_.bodies[b].mass <= 0)
        diagnostics_.error(
            pos_,
            fmt::format("link '{}' can move but has no mass; give it an <inertial> with a positive <mass>",
                        tree_.bodies[b].name));
    return std::move(tree_);
  }

 private:
  int add_body(const urdf::LinkConstSharedPtr& link, const Isometry3d& pose) {
    UrdfBody body{link->name, 0, Vector3d::Zero(), Matrix3d::Zero(), pose, {{link, Isometry3d::Identity()}}};
    if (has_mass(*link)) read_inertial(*link, body);
    tree_.bodies.push_back(std::move(body));
    return static_cast<int>(tree_.bodies.size()) - 1;
  }

  /// The tensor is about the centre of mass, in the axes of <inertial>'s own <origin>.
  void read_inertial(const urdf::Link& link, UrdfBody& body) const {
    const urdf::Inertial& in = *link.inertial;
    const Isometry3d origin = to_isometry(in.origin);
    Matrix3d tensor;
    tensor << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
    body.mass = in.mass;
    body.centre = origin.translation();
    body.inertia = origin.linear() * tensor * origin.linear().transpose();
  }

  /// Children of `link`, which is part of `body`, its origin at `place` in it.
  void descend(const urdf::Link& link, int body, const Isometry3d& place) {
    for (const urdf::JointSharedPtr& joint : link.child_joints) {
      const urdf::LinkConstSharedPtr child = robot_.getLink(joint->child_link_name);
      const Isometry3d in_body = place * moved(*joint);
      if (joint->type == urdf::Joint::FIXED && !has_mass(*child)) {
        tree_.bodies[body].parts.push_back({child, in_body});
        descend(*child, body, in_body);
        continue;
      }
      const int next = add_body(child, tree_.bodies[body].pose * in_body);
      tree_.joints.push_back({joint, body, next});
      descend(*child, next, Isometry3d::Identity());
    }
  }

  /// A root without mass that is not called world, fixed to a link with mass (base_footprint): one body, free
  /// to move.
  void take_over_root() {
    if (tree_.bodies[0].mass > 0 || tree_.bodies[0].name == "world") return;
    for (std::size_t j = 0; j < tree_.joints.size(); ++j) {
      const UrdfJoint held = tree_.joints[j];
      if (held.parent != 0 || held.joint->type != urdf::Joint::FIXED) continue;
      UrdfBody &root = tree_.bodies[0], child = tree_.bodies[held.child];
      const Isometry3d place = root.pose.inverse() * child.pose;
      root.mass = child.mass;
      root.centre = place * child.centre;
      root.inertia = place.linear() * child.inertia * place.linear().transpose();
      root.name = child.name;
      for (const UrdfBody::Part& part : child.parts) root.parts.push_back({part.link, place * part.place});
      tree_.joints.erase(tree_.joints.begin() + static_cast<std::ptrdiff_t>(j));
      tree_.bodies.erase(tree_.bodies.begin() + held.child);
      for (UrdfJoint& joint : tree_.joints)
        for (int* end : {&joint.parent, &joint.child})
          *end = *end == held.child ? 0 : *end > held.child ? *end - 1 : *end;
      return;
    }
  }

  const urdf::ModelInterface& robot_;
  const SourcePos& pos_;
  Diagnostics& diagnostics_;
  UrdfTree tree_;
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

UrdfTree build_urdf_tree(const urdf::ModelInterface& robot, const SourcePos& pos, Diagnostics& diagnostics) {
  return Builder(robot, pos, diagnostics).build();
}

}  // namespace tappet
