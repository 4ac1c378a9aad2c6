// A rigid multibody system as compiled: bodies, constraints, forces. Immutable; shared by threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/multibody/body.hpp"
#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/force.hpp"
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/motion.hpp"
#include "tappet/multibody/surface_contact.hpp"

namespace tappet {

/// How constraints are kept from drifting.
struct Stabilisation {
  enum class Type { projection, baumgarte, none };
  Type type = Type::projection;
  double alpha = 0, beta = 0;  ///< Baumgarte: J u̇ = γ − 2α Φ̇ − β² Φ  [FloresAmbrosio2004, eq. 8]
};

/// The first auxiliary variables of the state: the energy ledger, J.
enum LedgerIndex { ledger_input = 0, ledger_damping, ledger_normal, ledger_friction, ledger_size };

struct Mechanism {
  Dimension dimension = Dimension::planar;
  Vec3 gravity = Vec3::Zero();  ///< m/s²
  std::vector<Body> bodies;
  std::vector<Surface> surfaces;  ///< shapes of the bodies and of the ground
  InverseMass inverse_mass;

  std::vector<std::string> joint_names;
  std::vector<Joint> joints;
  std::vector<Motion> motions;
  std::vector<std::unique_ptr<ForceElement>> forces;
  std::vector<std::unique_ptr<ContactPoint>> contacts;
  std::vector<ContactGroup> groups;                      ///< contacts that are not followed one by one
  std::vector<std::unique_ptr<StickConstraint>> sticks;  ///< of contacts whose friction law has a stick state

  /// What replaces the ideal constraint of a joint with play, one per joint; null: the ideal one, or nothing.
  std::vector<std::unique_ptr<Constraint>> replaced;
  std::vector<bool> has_play;
  struct Link {
    int joint;
    double length;
  };
  std::vector<Link> links;  ///< joints whose play is a massless link

  /// Constraints of the motion, in the order joints, motions, sticking contacts; and those of assembly, where joints that
  /// have play count as ideal.
  int joint_constraint_count = 0;
  std::vector<const Constraint*> constraints;
  std::vector<const Constraint*> assembly_constraints;

  bool speeds_jump = false;    ///< some motion's speed depends on inputs
  int aux_size = ledger_size;  ///< auxiliary variables: ledger, then those of constraints and forces
  double length = 1;           ///< a typical distance of joints from centres of mass, m: the scale of errors

  int body_count() const { return static_cast<int>(bodies.size()); }
  int ground() const { return body_count(); }
  int q_size() const { return position_size(dimension) * body_count(); }
  int u_size() const { return velocity_size(dimension) * body_count(); }
};

/// Kinetic energy, J.
double kinetic_energy(const Mechanism& mechanism, const Kinematics& k);
/// Energy stored by gravity and force elements, J.
double potential_energy(const Mechanism& mechanism, const Kinematics& k);

}  // namespace tappet
