// A robot as all descriptions of robots have it, and how it becomes a model: bodies that joints hold, shapes, couplings, dampers and
// drives. Readers of URDF, MJCF and SDF fill it in. Private to imports/.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/imports/importer.hpp"
#include "tappet/imports/robot_mass.hpp"
#include "tappet/imports/robot_options.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

struct RobotShape {
  std::string name;
  std::string type;         ///< "sphere", "mesh" …
  Value keys;               ///< without its place
  Eigen::Isometry3d place;  ///< in the body's frame
};

struct RobotBody {
  std::string name;
  bool ground = false;                                     ///< does not move
  RobotMass mass;                                          ///< in the body's frame
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< of the frame in the world, as the robot stands
  std::vector<RobotShape> shapes = {};
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
};

enum class RobotJointKind { revolute, translational, spherical, planar, cylindrical, universal, fixed };

struct RobotJoint {
  std::string name;
  RobotJointKind kind = RobotJointKind::revolute;
  int parent = 0, child = 0;                        ///< bodies
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the child's frame, as the robot stands
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< in the child's frame; of a planar joint the normal
  Eigen::Vector3d second_axis = Eigen::Vector3d::UnitY();  ///< of a universal joint, in the child's frame
  double start = 0;                                        ///< its coordinate as the robot stands, rad or m
  double damping = 0, friction = 0;                        ///< N m s/rad, N m or N s/m, N
  double stiffness = 0, rest = 0;                          ///< of a spring to the coordinate `rest`
  std::optional<std::pair<double, double>> range = {};
  double effort = 0, speed = 0;  ///< the greatest, 0: not said

  bool turns() const { return kind == RobotJointKind::revolute; }
  bool slides() const { return kind == RobotJointKind::translational; }
};

/// c = factor · c_followed + offset; the offset is in the coordinates as the robot stands.
struct RobotCoupling {
  std::string joint, followed;
  double factor = 1;
};

/// What a program sets from outside: a torque or force on a joint, an expression of x and v in which $ stands for the input.
struct RobotDrive {
  std::string name, joint, law;
  std::string unit;  ///< of the input
};

struct Robot {
  std::string title;
  Eigen::Vector3d gravity{0, 0, -9.81};
  std::vector<RobotBody> bodies;
  std::vector<RobotJoint> joints;
  std::vector<RobotCoupling> couplings;
  std::vector<RobotDrive> drives;
  std::set<std::pair<int, int>> apart;  ///< bodies that never touch, besides those that a joint connects
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  ///< what was changed unasked and matters to its motion
};

/// Bodies without mass are reported. Inertias that no body can have are replaced, with a note where `repair` asks for it and a warning
/// where it does not.
void judge_masses(Robot& robot, bool repair, const SourcePos& pos, Diagnostics& diagnostics);

/// The model, with the robot's notes and those of what is written otherwise.
ImportedModel write_robot(Robot robot, const RobotOptions& options);

/// Names of a model file consist of letters, digits, '_' and '-'.
std::string model_name(const std::string& name);

}  // namespace tappet
