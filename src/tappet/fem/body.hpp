// A structure as a body of the model: mesh, sections, supports, loads, springs and points, read from the key
// `structure`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/base/expression.hpp"
#include "tappet/fem/structure.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::fem {

/// A node with a name, whose motion is recorded.
struct NamedPoint {
  std::string name;
  int node = 0;
};

/// A force on nodes, shared equally.
struct NodeLoad {
  std::string name;
  std::vector<int> nodes;
  std::array<Expression, 3> force;  ///< of t, N, all of it
};

/// A spring or damper with any law, between two nodes or a node and the ground; small displacements.
///   d = n·(u₂ − u₁),  v = ḋ,  force F(d, v) pulls the ends together when positive
struct NonlinearSpring {
  std::string name;
  int nodes[2] = {-1, -1};  ///< −1: the ground
  Vec3 direction = Vec3::UnitZ();
  Expression force;  ///< of d and v
};

struct Body {
  Structure structure;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< at the start
  double mass = 0;
  Vec3 centre = Vec3::Zero();  ///< of mass, at the start
  std::vector<NamedPoint> points;
  std::vector<NodeLoad> loads;
  std::vector<NonlinearSpring> springs;
  std::vector<std::string> light_groups;  ///< groups whose nodes give their mass to their neighbours
  int reduced_modes = -1;                 ///< ≥ 0: stepped after Craig and Bampton with this many modes
  std::vector<int> kept_nodes;            ///< besides points and nodes in contact
  SourcePos pos;
};

struct BodyInput {
  const Object& object;      ///< the body: its key `structure`, and where it is
  std::string model_folder;  ///< mesh files are looked for from here
  const std::vector<Object>& materials;
  Diagnostics& diagnostics;
  std::vector<std::string>& notes;
};

/// Reads and checks everything. With errors in the diagnostics the result is not to be used.
Body read_body(const BodyInput& in);

/// Nodes of a group; an error that lists the groups when there is none.
std::vector<int> nodes_of_group(const Structure& s, const std::string& group, const SourcePos& pos,
                                Diagnostics& diagnostics);

}  // namespace tappet::fem
