// Applied forces: what a file in forces/ registers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/base/registry.hpp"
#include "tappet/multibody/force_parameters.hpp"
#include "tappet/multibody/joint.hpp"

namespace tappet {

/// Power by where it goes; the energy ledger integrates it.
struct Powers {
  double input = 0;    ///< done on the mechanism by forces that store nothing (motions, prescribed forces), W
  double damping = 0;  ///< turned to heat by dampers, W
  double normal = 0;   ///< lost in contacts along the normal, W
  double friction = 0;  ///< lost in contacts by friction, W
  double film = 0;      ///< lost in oil films, W
  double wear = 0;      ///< given up by what is worn away while it is pressed, W
};

/// Generalised forces being gathered: planar (Fx, Fy, T), spatial (F world, T body) for each body.
struct ForceSum {
  double* h;   ///< sized like u
  int ground;  ///< index of the ground, which takes any force
  Powers powers;

  void add(const PlanarFrame& f, int body, const Vec2& at, const Vec2& force) {
    if (body == ground) return;
    double* h_b = h + 3 * body;
    h_b[0] += force.x(), h_b[1] += force.y(), h_b[2] += cross(at - f.r, force);
  }
  void add_torque(int body, double torque) {
    if (body != ground) h[3 * body + 2] += torque;
  }
  void add(const SpatialFrame& f, int body, const Vec3& at, const Vec3& force) {
    if (body == ground) return;
    Eigen::Map<Eigen::Matrix<double, 6, 1>> h_b(h + 6 * body);
    h_b.head<3>() += force;
    h_b.tail<3>() += f.R.transpose() * (at - f.r).cross(force);
  }
  void add_torque(const SpatialFrame& f, int body, const Vec3& torque) {
    if (body == ground) return;
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(h + 6 * body).tail<3>() += f.R.transpose() * torque;
  }
};

/// Forces on the bodies of what is not part of the mechanism.
class ForceSource {
 public:
  virtual ~ForceSource() = default;
  virtual void apply(const Kinematics& k, ForceSum& sum) = 0;
};

class ForceElement {
 public:
  virtual ~ForceElement() = default;
  std::string name;
  std::vector<int> bodies;    ///< the bodies it acts on
  int with_switch = -1;       ///< its number among the mechanism's switches; −1: always on
  bool turns_bodies = false;  ///< exerts a moment about a centre of mass (needs a body with inertia)

  /// Adds its generalised forces and powers. Allocates nothing.
  virtual void apply(const Kinematics& k, ForceSum& sum) const = 0;
  /// What it gives here by which formula of which arguments, in words; "": it has no formula.
  virtual std::string formula(const Kinematics&) const { return ""; }
  /// Energy it has stored, J.
  virtual double potential(const Kinematics&) const { return 0; }

  /// Auxiliary variables, as for constraints.
  virtual int aux_count() const { return 0; }
  virtual void start_aux(const Kinematics&, double* z) const { (void)z; }
  virtual void aux_rates(const Kinematics&, double* zdot) const { (void)zdot; }
  int aux_offset = -1;
};

/// What a force is built from besides its own parameters.
struct ForceInput {
  const Origin& origin;
  Dimension dimension;
  const std::vector<std::string>& body_names;  ///< the last is "ground"
  const std::vector<Joint>& joints;
  const std::vector<std::string>& joint_names;
  const Kinematics& start;  ///< frames as written in the file
  Diagnostics& diagnostics;

  const std::string& name() const { return origin.name; }
  /// Index of a body by name; −1 after an error was reported at `pos`.
  int body(const std::string& body_name, const SourcePos& pos) const;
};

struct ForceType {
  std::string name;
  std::string equation;
  std::string citation;
  Table table;
  /// Null result: errors were reported.
  std::unique_ptr<ForceElement> (*make)(const AnyParameters&, const ForceInput&) = nullptr;
};

using ForceRegistry = Registry<ForceType>;

}  // namespace tappet
