// Where nodes of structures are near a surface of the ground or of a rigid body, or near faces of another
// structure, in the current shape.
//
// Against faces: the nearest point of their surface (face_surface.hpp); the node keeps its face from step to
// step and passes to a neighbour where it slides over the edge. The normal is the surface's mean one there, on
// the side where the node began. Beyond the surface's rim there is no contact; but a node that has touched the surface
// stands for its own faces around it, and is held as long as it is not beyond the rim by more than half of them.
// So the nodes along edges that are flush stay in contact however one body widens under the other, and what slides over a rim
// leaves it neither early nor late on average. Corners of a rigid body touch them
// likewise, without faces of their own. A rigid ball touches where faces are nearest to its centre, also at their edges.
#pragma once

#include <memory>
#include <vector>

#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/multibody/passing_contacts.hpp"
#include "tappet/structures/face_surface.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

/// A contact between a structure and something, for who asks from outside. `force`: on the node, N.
struct NodeTouch;
ContactLoad load_of(const Model& model, const NodeTouch& touch, const Vec3& force);

/// A node at a surface.
struct NodeTouch {
  int contact = 0;             ///< among Model::structure_contacts
  int number = 0;              ///< of the node in its contact; corners come after the nodes
  double gap = 0;              ///< m
  Vec3 normal = Vec3::Zero();  ///< towards the node
  Vec3 at = Vec3::Zero();
  int body = -1;          ///< the rigid body that takes part; −1: none
  double body_side = -1;  ///< −1: the node touches it; 1: it touches a face
  double lift_before = 0,
         lift_after =
             0;  ///< velocity of the ground's surface along the normal as the step begins and ends, m/s
  /// Weights of the unknowns' nodes: the node itself has 1, the face's nodes share −1.
  int structures[5], nodes[5], count = 0;
  double weight[5];

  /// Normal and two tangents as columns: a contact's own axes.
  Mat3 axes() const;
  /// Adds a force on the node to those on the nodes of a structure, 3 per node; the nodes of a face share it.
  void share(int structure, const Vec3& force, std::vector<double>& out) const;
};

class StructureContacts {
 public:
  StructureContacts(const Model& model, const StructureSystem& system);

  /// Rigid bodies at the same instant.
  struct Bodies {
    const Kinematics* k = nullptr;  ///< null: there are none
    const double* u = nullptr;      ///< velocities as the step begins
    const double* free = nullptr;   ///< and as it would end
  };
  /// Every node whose gap is below `reach` at displacements q and time t, in a step from t_begin to t_end.
  /// `bodies`: null when there are none. Unless the state was only tried, nodes keep the faces that were found.
  void find(double t, double t_begin, double t_end, const double* q, double reach, const Bodies& bodies,
            std::vector<NodeTouch>& out, bool tried = false);
  /// No two surfaces come nearer than with this, m/s: u, or u with its change in a step.
  double fastest(double t, const double* q, const double* u, const double* change,
                 const Bodies& bodies) const;
  /// Smallest gap of a contact at the last find() that saw it; infinite: none was near.
  double smallest_gap(int contact) const { return smallest_[contact]; }
  /// Which face is a node's and on which side of the faces it is, ±1, or ±2 if it is held at the rim; per node against faces: part
  /// of the state.
  void store_faces(std::vector<int>& faces, std::vector<int>& sides) const;
  /// Throws std::invalid_argument for another number of nodes.
  void restore_faces(const std::vector<int>& faces, const std::vector<int>& sides);
  /// Nodes of all contacts together, and where those of one contact begin.
  int points() const { return first_.back(); }
  int point(int contact, int number) const { return first_[contact] + number; }
  /// The contact that a point belongs to.
  int contact_of(int point) const;
  /// Shortest distance of two nodes of an element, to compare gaps with, m.
  double edge() const { return edge_; }

 private:
  struct Faces {
    std::unique_ptr<FaceSurface> surface;
    std::vector<int> of_node;      // the face of each contact node, or corner; −1: not known yet
    std::vector<double> side;      // +1: the face's normal points to the node, −1: away
    std::vector<char> held;        // it has touched, and goes over the rim by `overhang` before it is beside
    std::vector<double> overhang;  // half of the shortest edge of its own faces, m; 0: it has none
  };
  void find_on_faces(int contact, const double* q, double reach, const Bodies& bodies, bool tried,
                     std::vector<NodeTouch>& out);
  void find_ball(int contact, const double* q, double reach, const Bodies& bodies, bool tried,
                 std::vector<NodeTouch>& out);
  void put_face(const StructureContact& c, const FaceSurface::Foot& foot, NodeTouch& touch) const;

  const Model& model_;
  const StructureSystem& system_;
  Sphere node_{Vec3::Zero(), 0};
  std::vector<std::unique_ptr<Pair>> pairs_;  // null: faces
  std::vector<Faces> faces_;
  std::vector<int> first_ = {0};
  std::vector<double> smallest_;
  double length_ = 0;  // size of the structures
  double edge_ = 0;
};

}  // namespace tappet
