// A structure as a body of the model: mesh, sections, supports, loads, springs and points, read from the key
// `structure`.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/expression.hpp"
#include "tappet/fem/structure.hpp"
#include "tappet/fem/time_table.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::fem {

/// A node with a name, whose motion is recorded.
struct NamedPoint {
  std::string name;
  int node = 0;
};

/// A force on nodes, and a moment where they turn, shared equally; their directions stay.
struct NodeLoad {
  std::string name;
  std::vector<int> nodes;
  std::array<Expression, 3> force;   ///< of t, N, all of it
  std::array<Expression, 3> moment;  ///< N m
  bool turns = false;                ///< has a moment
  SourcePos moment_pos;
};

/// A spring or damper with any law, between two nodes or a node and the ground; small displacements.
///   d = n·(u₂ − u₁),  v = ḋ,  force F(d, v) pulls the ends together when positive
struct NonlinearSpring {
  std::string name;
  int nodes[2] = {-1, -1};  ///< −1: the ground
  Vec3 direction = Vec3::UnitZ();
  Expression force;  ///< of d and v
};

/// Unknowns of nodes that go where they are told: a support that shakes. Displacement from where the mesh is.
struct SupportMotion {
  std::string group;
  std::vector<int> nodes;
  int direction = 0;                        ///< 0–5: x, y, z, rx, ry, rz
  Expression expression;                    ///< of t; m or rad
  std::shared_ptr<const TimeSpline> table;  ///< instead of it
  SourcePos pos;
  Jet at(double t) const { return table ? table->at(t) : expression.jet(t); }
};

/// Nodes that go with a rigid body.
struct Attachment {
  std::string group, body;
  std::vector<int> nodes;
  bool turns = true;  ///< rotations of the nodes follow as well
  SourcePos pos, body_pos;
};

struct Body {
  Structure structure;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< at the start
  double mass = 0;
  Vec3 centre = Vec3::Zero();  ///< of mass, at the start
  std::vector<NamedPoint> points;
  std::vector<NodeLoad> loads;
  std::vector<NonlinearSpring> springs;
  std::vector<SupportMotion> motions;  ///< their unknowns are among the free ones of the structure
  std::vector<Attachment> attachments;
  std::vector<std::string> light_groups;  ///< groups whose nodes give their mass to their neighbours
  int reduced_modes = -1;                 ///< ≥ 0: stepped after Craig and Bampton with this many modes
  std::vector<int> kept_nodes;            ///< besides points and nodes in contact
  SourcePos pos;
  bool finished =
      false;  ///< read to the end without an error: else its faults were reported, and it has no unknowns
};

/// The structure with what moves held: for statics and modes.
Structure with_motions_held(const Body& body);
/// All unknowns of that structure from its free ones, with those that move where they are at t.
std::vector<double> spread_with_motions(const Body& body, const Structure& held, const double* free,
                                        double t);

/// Nodes of a group; an error that lists the groups when there is none.
std::vector<int> nodes_of_group(const Structure& s, const std::string& group, const SourcePos& pos,
                                Diagnostics& diagnostics);

}  // namespace tappet::fem
