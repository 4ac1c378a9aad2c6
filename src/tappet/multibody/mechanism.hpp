// A rigid multibody system as compiled: bodies, constraints, forces. Immutable; shared by threads.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tappet/multibody/body.hpp"
#include "tappet/multibody/contact_point.hpp"
#include "tappet/multibody/flexible_body.hpp"
#include "tappet/multibody/force.hpp"
#include "tappet/multibody/joint.hpp"
#include "tappet/multibody/motion.hpp"
#include "tappet/multibody/signal_feed.hpp"
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

class FilmElement;
class Foundation;

struct Mechanism {
  Dimension dimension = Dimension::planar;
  Vec3 gravity = Vec3::Zero();  ///< m/s²
  std::vector<Body> bodies;
  std::vector<Surface> surfaces;  ///< shapes of the bodies and of the ground
  FlexibleBodies flexible;        ///< which of the bodies bend
  InverseMass inverse_mass;       ///< of interfaces of these too, as of the whole body

  std::vector<std::string> joint_names;
  std::vector<Joint> joints;
  std::vector<Motion> motions;
  std::vector<std::unique_ptr<ForceElement>> forces;
  std::vector<std::unique_ptr<ContactPoint>> contacts;
  std::vector<int> bearings;         ///< those of `contacts` that are friction in ideal joints
  std::vector<ContactGroup> groups;  ///< contacts that are not followed one by one
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

  bool speeds_jump = false;               ///< some motion's speed depends on inputs
  std::vector<const FilmElement*> films;  ///< of the forces, those of oil
  int ledger_film = -1;  ///< auxiliary variable: energy lost in oil films, J; −1: there are none
  std::vector<const Foundation*> foundations;  ///< of the forces, journals on a bed of springs
  int ledger_wear = -1;  ///< auxiliary variable: energy given up by wear, J; −1: nothing wears

  std::vector<StateVariable> states;       ///< of the model's own
  std::unique_ptr<const SignalFeed> feed;  ///< what expressions read besides inputs; null: nothing
  std::vector<std::string> switches;  ///< joints, motions, forces and contacts that events switch on and off
  std::vector<int> off;               ///< of these, 1: off at the start

  int aux_size = ledger_size;  ///< auxiliary variables: ledger, then those of constraints and forces
  double length = 1;           ///< a typical distance of joints from centres of mass, m: the scale of errors

  int body_count() const { return static_cast<int>(bodies.size()); }
  /// Bodies, and behind them what flexible ones carry; then comes the ground.
  int frame_count() const { return body_count() + flexible.carried; }
  int ground() const { return frame_count(); }
  int q_size() const { return position_size(dimension) * body_count() + flexible.modes; }
  int u_size() const { return velocity_size(dimension) * body_count() + flexible.modes; }
  /// Room for forces on all frames, which become forces on bodies and elastic coordinates (ConstraintSystem::to_bodies).
  int frame_force_size() const { return std::max(velocity_size(dimension) * frame_count(), u_size()); }
  /// The body behind a frame: itself, or the one that carries it.
  int body_of(int frame) const { return frame < body_count() ? frame : flexible.carrier(frame).body; }
  /// "crank", "rod.a", "ground"
  std::string frame_name(int frame) const;
};

/// Makes room for the frames of a mechanism, which must outlive them.
inline void resize(Kinematics& k, const Mechanism& m) {
  resize(k, m.dimension, m.body_count(), m.flexible);
  k.off = m.off.empty() ? nullptr : m.off.data();
  k.feed = m.feed.get();
  if (k.feed) k.feed->prepare(k);
}
/// Whether what has this switch does nothing now.
inline bool is_off(const Kinematics& k, int with_switch) {
  return with_switch >= 0 && k.off && k.off[with_switch];
}
/// As for rigid bodies, with elastic coordinates behind them.
void position_rates(const Mechanism& mechanism, const double* q, const double* u, double* qdot);
void displace(const Mechanism& mechanism, double* q, const double* d);

/// Kinetic energy, J.
double kinetic_energy(const Mechanism& mechanism, const Kinematics& k);
/// Energy stored by gravity and force elements, J.
double potential_energy(const Mechanism& mechanism, const Kinematics& k);

}  // namespace tappet
