// The tree of a URDF in the position where all joints are at zero (those that mimic: where they belong), with
// links that have no mass put into those they are fixed to. Private to imports/.
#pragma once

#include <string>
#include <urdf_model/model.h>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

struct UrdfBody {
  std::string name;
  double mass = 0;          ///< kg; 0: the ground
  Eigen::Vector3d centre;   ///< of mass, in the link's axes, from the link's origin
  Eigen::Matrix3d inertia;  ///< about it, link axes
  Eigen::Isometry3d pose;   ///< link to world
  struct Part {
    urdf::LinkConstSharedPtr link;
    Eigen::Isometry3d place;  ///< of the link's origin in the body's link
  };
  std::vector<Part> parts;  ///< itself and the massless links fixed to it
};

struct UrdfJoint {
  urdf::JointConstSharedPtr joint;
  int parent = 0, child = 0;  ///< bodies
};

struct UrdfTree {
  std::vector<UrdfBody> bodies;
  std::vector<UrdfJoint> joints;  ///< between different bodies
};

Eigen::Isometry3d to_isometry(const urdf::Pose& pose);

/// Every fault is reported; what is returned then is incomplete.
UrdfTree build_urdf_tree(const urdf::ModelInterface& robot, const SourcePos& pos, Diagnostics& diagnostics);

}  // namespace tappet
