// What the statements of an Adams data set have said so far, and the model that comes of it. Everything here is in SI units and radians.
//
// A part becomes a body whose axes are the part's own (its BCS) and whose origin is its centre of mass; a marker is a point and axes on it.
// Joints have the part of marker J first and that of marker I second, since Adams measures I against J, and reactions act on I.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/diagnostics.hpp"
#include "tappet/imports/adams/dataset.hpp"
#include "tappet/imports/adams/function.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::adams {

/// One unit of the data set in SI units.
struct Units {
  double length = 1, mass = 1, force = 1, time = 1;
};

struct Part {
  std::string name;  ///< of the body
  bool ground = false;
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();  ///< of its axes in the world
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();         ///< of mass, in its axes
  Value shapes;                                             ///< by name
  int line = 0;
  std::string carrier;  ///< id of the part that it is a piece of, since it has no mass of its own; "": none
  std::optional<Eigen::Vector3d> velocity, angular_velocity;  ///< as given, world axes
};

struct Marker {
  std::string part;
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();  ///< in the part's axes
};

/// The angle of one marker against another about the other's z axis, by a joint's coordinate c: sign·c + offset.
struct Turn {
  std::string joint;  ///< of the model
  double sign = 1, offset = 0;
};

/// A joint with the coordinates that motions, couplers and springs refer to.
struct JointRecord {
  std::string name, type;  ///< of the model
  std::string i, j;        ///< markers
  bool turns = false, slides = false;
};

/// A force along the line between two markers, pushing them apart, or a torque on I about the z axis of J.
struct SingleForce {
  std::string kind, id, i, j, function;
  bool turns = false;
  bool alone = false;  ///< along the z axis of J on I, with nobody to take the opposite
};

struct MotionRecord {
  std::string name, joint;  ///< of the model; id of the data set's joint
  bool rotation = false;
};

/// What a joint of the data set says of the rates at the start.
struct InitialRates {
  std::string i, j;  ///< markers
  double turn = 0, slide = 0;
  int line = 0;
};

/// The points of a SPLINE.
struct SplineRecord {
  std::vector<double> x, y;
  bool linear = false;  ///< beyond the ends
  int line = 0;
};

struct Graphic {
  std::string part, shape;  ///< shape: its name on the body, "" when the model has none
};

/// A statement whose arguments have been given their full names.
class Given {
 public:
  Given(const Statement& statement, const std::vector<std::string>& arguments);
  const Statement& statement() const { return *statement_; }
  /// "JOINT/3".
  std::string label() const;
  bool has(const std::string& argument) const { return arguments_.count(argument) > 0; }
  /// Null when it is not there.
  const Argument* find(const std::string& argument) const;
  /// Its one text, "" when there is none.
  std::string text(const std::string& argument) const;
  /// Arguments that no full name begins with.
  const std::vector<Argument>& unknown() const { return unknown_; }

 private:
  const Statement* statement_;
  std::map<std::string, Argument> arguments_;
  std::vector<Argument> unknown_;
};

class Conversion {
 public:
  Conversion(SourcePos file, bool partial, Diagnostics& diagnostics)
      : file_(std::move(file)), partial_(partial), diagnostics_(diagnostics) {}

  // --- What is said of it

  /// What is wrong with the data set.
  void fault(const Given& given, const std::string& words);
  /// What a model has no words for, although the motion depends on it: an error, or a note where partial models are asked for.
  void lost(const Given& given, const std::string& words);
  /// What does not change the motion.
  void note(const Given& given, const std::string& words);

  // --- Reading arguments

  /// The numbers of an argument; reports how many there must be when there are others.
  std::vector<double> numbers(const Given& given, const std::string& argument, std::size_t least,
                              std::size_t most);
  /// One number in units of the data set, times `unit`; `fallback` when it is absent.
  double number(const Given& given, const std::string& argument, double unit, double fallback);
  Eigen::Vector3d vector(const Given& given, const std::string& argument, double unit);
  /// The marker that an argument names; null after a fault was reported.
  const Marker* marker(const Given& given, const std::string& argument);
  /// What is to be said of a line, without a statement.
  void note(int line, const std::string& words);
  /// Markers I and J; false after a fault was reported.
  bool pair(const Given& given, const Marker*& i, const Marker*& j);
  /// The joint record that an argument's value names; null after a fault was reported.
  const JointRecord* joint(const Given& given, const std::string& id);

  // --- Geometry

  const Part& part(const Marker& marker) const { return parts.at(marker.part); }
  /// In the body's coordinates: the ground's are the world's.
  Eigen::Vector3d point(const Marker& marker) const;
  Eigen::Matrix3d axes(const Marker& marker) const;
  Eigen::Vector3d axis(const Marker& marker) const { return axes(marker).col(2); }
  Eigen::Isometry3d in_world(const Marker& marker) const;
  /// `bodies`, `points` of an element between two markers.
  Value between(const Marker& first, const Marker& second) const;

  /// The joint that turns I against J about the z axis of J; none where no joint of theirs does.
  std::optional<Turn> turn(const Marker& i, const Marker& j) const;
  /// The angle from the x axis of J to that of I about the z axis of J, as the file places them.
  double angle(const Marker& i, const Marker& j) const;

  // --- Functions

  /// `function` with time and `measures`, and where there are any what else places and speeds tell, times `unit`. Nothing after a loss was
  /// reported.
  std::optional<std::string> function(const Given& given, const std::string& argument, double unit,
                                      const Measures& measures = {});
  /// A function of time alone.
  std::optional<std::string> of_time(const Given& given, const std::string& argument, double unit) {
    return function(given, argument, unit);
  }

  /// The statement's name in Adams View, or KIND_ID, made a name of a model that is not taken.
  std::string name_of(const Given& given, const std::string& kind);
  void add(const std::string& section, const std::string& name, Value value);

  Units units;
  std::map<std::string, Part> parts;      ///< by id
  std::map<std::string, Marker> markers;  ///< by id
  std::map<std::string, JointRecord> joints;
  std::vector<SingleForce> single_forces;
  std::set<const SingleForce*> open_forces;  ///< those whose functions are being written out
  std::map<std::string, MotionRecord> motions;
  std::vector<InitialRates> initial_rates;
  std::set<std::string> dissolved;                         ///< joints that hold pieces to their parts, by id
  std::map<std::string, std::string> states;               ///< names in the model by the ids of DIFF
  std::map<std::string, std::string> rates;                ///< functions of DIFF by id
  std::map<std::string, std::vector<std::string>> arrays;  ///< what ARYVAL reads, as functions, by id
  std::map<std::string, std::vector<std::string>> contacts;  ///< names in the model by id
  std::map<std::string, Graphic> graphics;
  std::map<std::string, std::string> variables;  ///< functions of VARIABLE statements
  std::map<std::string, SplineRecord> splines;   ///< by id
  Measures signals;                              ///< what places and speeds tell of any markers
  std::map<std::string, Value> sections;         ///< of the model, by name
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<std::string> notes;

  /// The table that SPLINE `id` becomes, its name. Throws Untranslatable.
  std::string table_of(const std::string& id, bool akima);

 private:
  SourcePos at(const Given& given) const;
  SourcePos file_;
  bool partial_;
  Diagnostics& diagnostics_;
  std::set<std::string> taken_ = {"ground", "energy", "inputs", "states", "time"};
};

/// A kind of statement. Registered by one file each; `stage` orders what refers to each other.
struct StatementType {
  enum Stage { units, parts, markers, bodies, joints, couplings, forces, contacts, others };
  std::string name;
  Stage stage = others;
  std::vector<std::string> arguments;  ///< full names of those that are understood
  void (*read)(const Given&, Conversion&) = nullptr;
  /// Does the motion depend on it? Else what is not known of it is a note.
  bool moves = true;
  /// What is left for later, at the stage `finishing`; may be absent.
  void (*finish)(const Given&, Conversion&) = nullptr;
  Stage finishing = bodies;
};

}  // namespace tappet::adams
