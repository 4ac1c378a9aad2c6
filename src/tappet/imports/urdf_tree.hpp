// The tree of a URDF in the position where all joints are at zero (those that mimic: where they belong), with the links
// that fixed joints hold together put into one body each. Private to imports/.
#pragma once

#include <string>
#include <urdf_model/model.h>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/imports/robot_mass.hpp"

namespace tappet {

struct UrdfBody {
  std::string name;        ///< of its first link that has mass
  bool ground = false;     ///< does not move
  RobotMass mass;          ///< in the axes of its first link
  Eigen::Isometry3d pose;  ///< first link to world
  struct Part {
    urdf::LinkConstSharedPtr link;
    Eigen::Isometry3d place;  ///< of the link's origin in the body's first link
  };
  std::vector<Part> parts;  ///< its links
};

struct UrdfJoint {
  urdf::JointConstSharedPtr joint;
  int parent = 0, child = 0;  ///< bodies
  double start = 0;           ///< its coordinate where the tree stands, rad or m
};

struct UrdfTree {
  std::vector<UrdfBody> bodies;
  std::vector<UrdfJoint> joints;   ///< that can move
  std::vector<std::string> notes;  ///< what was taken otherwise than written, sentences
  std::vector<std::string>
      warnings;  ///< the same where it changes how the robot moves and nobody asked for it
};

Eigen::Isometry3d to_isometry(const urdf::Pose& pose);
/// Unit length; x where none is given.
Eigen::Vector3d axis_of(const urdf::Joint& joint);

/// Every fault is reported; what is returned then is incomplete. Inertias that no body can have are replaced, and a note says by what
/// where `repair` asks for it, a warning where it does not. With `repair`, links that move get a mass.
UrdfTree build_urdf_tree(const urdf::ModelInterface& robot, bool repair, const SourcePos& pos,
                         Diagnostics& diagnostics);

}  // namespace tappet
