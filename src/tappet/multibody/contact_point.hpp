// One place where two bodies can touch: its geometry, its laws, and what it remembers.
//
// Signs as everywhere: gap > 0 apart, δ = −gap, the normal points from the first body to the second, the
// normal force acts on the second along it and on the first against it, at one common point, so that no
// momentum is made.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/stick_slip.hpp"
#include "tappet/multibody/constraint.hpp"
#include "tappet/multibody/contact_state.hpp"
#include "tappet/multibody/force.hpp"
#include "tappet/multibody/rolling_resistance.hpp"

namespace tappet {

/// Where and how the two surfaces face each other. Planar: z components are 0.
struct Touch {
  double gap = 0;              ///< m
  double rate = 0;             ///< of the gap, m/s
  double slope = 1;            ///< of the depth against approach at the place (Proximity::slope)
  Vec3 normal = Vec3::Zero();  ///< unit; zero where it is not defined (centres that coincide), which is never
                               ///< in contact
  Vec3 at = Vec3::Zero();      ///< common point of action, world
  Vec3 slip = Vec3::Zero();    ///< tangential velocity of the second body's surface against the first's, m/s
  Vec3 offset =
      Vec3::Zero();  ///< clearance joints: second centre against the first; surfaces: the common point
};

/// How the place of contact itself moves, which is not how either body's material moves there.
struct TouchMotion {
  Vec3 normal = Vec3::Zero();  ///< dn/dt, 1/s
  Vec3 at = Vec3::Zero();      ///< velocity of the common point, m/s
};

/// Two perpendicular directions in the tangent plane (one in the plane): components of a tangential vector,
/// and back.
///
/// In the plane the tangent is the normal turned by +90°. In space there is no such choice that would be
/// continuous over all normals, so the tangents are carried along: `carried`, fixed to the first body, made
/// perpendicular to the normal as it is now. What is remembered as components then neither jumps nor lags
/// behind a body that turns.
struct Tangents {
  Vec3 t1 = Vec3::Zero(), t2 = Vec3::Zero();

  static Tangents in_plane(const Vec3& normal) { return {Vec3(-normal.y(), normal.x(), 0), Vec3::Zero()}; }
  static Tangents in_space(const Vec3& normal, const Vec3& carried);

  Tangential components(const Vec3& v) const { return {v.dot(t1), v.dot(t2)}; }
  Vec3 vector(const Tangential& c) const { return c[0] * t1 + c[1] * t2; }
};

/// Force on the second body, and where the power goes.
struct ContactForce {
  double normal = 0;               ///< F_N ≥ 0 on the second body along the normal, N
  Vec3 tangential = Vec3::Zero();  ///< friction on the second body, world, N
  Vec3 couple = Vec3::Zero();      ///< of rolling and spinning resistance on the second body, world, N m
  double stored = 0;               ///< J
  double normal_loss = 0, friction_loss = 0;  ///< W
};

/// What the non-smooth methods take in place of force laws.
struct RigidLaw {
  double restitution = 0;             ///< ε_n
  double tangential_restitution = 0;  ///< ε_t
  double friction = 0;                ///< μ while sliding
  double static_friction = 0;         ///< μ that holds a contact at rest
  /// Of the sliding speed, where the law's coefficient depends on it in these methods too; else null.
  std::shared_ptr<const FrictionLaw> curve = nullptr;

  /// μ at this speed of sliding.
  double sliding(double speed) const { return curve ? curve->evaluate(speed).coefficient : friction; }
};

class StickConstraint;

/// A direction in the velocities of up to four bodies, as a row of a Jacobian. `bias`: what velocities alone add to its acceleration.
struct CoordinateRow {
  int count = 0;
  int bodies[4] = {};
  double J[4][6] = {};
  double bias = 0;
};

class ContactPoint {
 public:
  virtual ~ContactPoint() = default;
  std::string name;
  int bodies[2] = {0, 0};
  int index = 0;         ///< among the mechanism's contacts
  int with_switch = -1;  ///< its number among the mechanism's switches; −1: always on
  bool planar = false;   ///< the model is planar: one tangent

  ContactPair pair;
  std::optional<RigidLaw>
      rigid;  ///< given: there is no force law, the normal law is null and the friction law is none
  std::shared_ptr<const NormalLaw> normal_law;
  std::shared_ptr<const FrictionLaw> friction_law;
  RollingResistance resists;
  double share = 1;         ///< of the law's force that this point carries (two ends of a journal: ½ each)
  double length_scale = 1;  ///< the clearance or size that gaps are compared with, m
  double rest = 0;          ///< a speed of sliding below which its sign is rounding, m/s (stick_slip.hpp)
  StickConstraint* stick =
      nullptr;  ///< holds the contact while it sticks; null if the friction law has no stick state

  /// Acts on coordinates of joints and not at a place: row() says along what. A stop has the normal row alone, friction in an ideal
  /// joint (`bearing`) only tangents.
  bool by_rows = false;
  bool turns = false;  ///< by rows: its normal is no direction in space, and it has no force at a place
  virtual void row(const Kinematics&, int axis, CoordinateRow&) const { (void)axis; }
  /// Friction in an ideal joint: touches always, and is loaded by the joint's reaction.
  bool bearing = false;
  int joint = -1;      ///< of a bearing: the joint's number among the mechanism's constraints
  double preload = 0;  ///< of a bearing, N
  virtual int sliding_directions() const { return 0; }  ///< of a bearing: 1 or 2
  /// What presses in a bearing whose joint exerts this force and torque on its second body (world axes): a norm of both, N. Without the
  /// preload.
  virtual double load(const Kinematics&, const Vec3& force, const Vec3& torque) const {
    return (void)force, (void)torque, 0;
  }
  /// Force on the second body, world axes.
  Vec3 resultant(const Touch& touch, const ContactForce& force) const {
    return turns ? Vec3(Vec3::Zero()) : Vec3(force.normal * touch.normal + force.tangential);
  }
  /// A sentence on a start beyond a stop by `depth`; "": a place that overlaps.
  virtual std::string beyond(double depth) const { return (void)depth, ""; }

  /// Switched off it is as far apart as it is large, and faces nothing.
  Touch touch(const Kinematics& k) const {
    if (with_switch >= 0 && k.off && k.off[with_switch]) return {.gap = length_scale};
    return find_touch(k);
  }
  virtual Touch find_touch(const Kinematics& k) const = 0;
  virtual TouchMotion motion(const Kinematics& k) const = 0;
  /// The longest time in which the place cannot open, close and be gone again unnoticed, as far as it knows.
  virtual double clear_time(const Kinematics&) const { return HUGE_VAL; }
  /// May one surface pass through the other and be out again? Not a journal, which is inside its bearing or is not.
  virtual bool passable() const { return false; }
  /// Of those: no gap between the two bodies that may close and open again changes faster, m/s.
  virtual double fastest_approach(const Kinematics&) const { return 0; }
  /// Half the way on which they overlap when they meet head on, m.
  virtual double room_to_overlap() const { return HUGE_VAL; }
  /// If two surfaces may touch at more places than they have contacts for: how many these are, counted from this one. 0 for the others.
  virtual int most_places() const { return 0; }
  /// Signals of Touch::offset are called NAME.ex ("e") or NAME.x ("").
  virtual const char* offset_prefix() const { return "e"; }

  /// Auxiliary variables from aux_offset on: impulse (N s), normal loss (J), friction loss (J), then the
  /// bristle's deflection.
  static constexpr int aux_impulse = 0, aux_normal_loss = 1, aux_friction_loss = 2, aux_fixed = 3;
  int aux_count() const;
  int aux_offset = -1;

  /// Force at a touch, by the laws and the contact's memory. The force that holds a sticking contact is not
  /// in it: that is its constraint's.
  ContactForce force(const Kinematics& k, const Touch& touch) const;
  /// Friction and what it loses, from out.normal.
  void rub(const Kinematics& k, const Touch& touch, ContactForce& out) const;
  /// What the normal law gives at time t. Throws LawDomainError with the contact's name where it gives nothing.
  NormalOutput press(double t, const NormalInput& in) const;
  /// The directions in which the contact's memory counts.
  Tangents tangents(const Kinematics& k, const Touch& touch) const;
  /// What ContactState::tangent becomes when a step ends here; zero in the plane.
  Vec3 carried_tangent(const Kinematics& k, const Touch& touch) const;
  /// The direction in which the second surface slides on an outer branch of regularised friction.
  Vec3 sliding_direction(const Touch& touch, const ContactState& state) const;
  /// Rates of the bristle's deflection (two numbers).
  Tangential bristle_rate(const Kinematics& k, const Touch& touch) const;
};

/// Holds v_t = 0 while its contact sticks; its rows vanish otherwise. The multipliers are the holding force.
///
/// Two points of one rigid body that both stick are held twice. A relative compliance of 1e-9 · reference/F_N
/// on each row makes them share the load in proportion to their normal forces, as equally loaded asperities
/// would.
class StickConstraint final : public Constraint {
 public:
  const ContactPoint* contact = nullptr;
  double reference_force = 1;  ///< N
  void evaluate(const Kinematics& k, const ConstraintRows& out) const override;
};

/// What the contacts do at one instant; filled by apply_contacts().
struct ContactInstant {
  Touch touch;         ///< only where the contact is touching
  ContactForce force;  ///< zero elsewhere
};

/// Adds a force on the second body at a world point, and its opposite on the first.
void add_opposed(const int (&bodies)[2], const Kinematics& k, const Vec3& at, const Vec3& force,
                 ForceSum& sum);
/// Adds a couple on the second body, and its opposite on the first.
void add_opposed_couple(const int (&bodies)[2], const Kinematics& k, const Vec3& couple, ForceSum& sum);
/// Adds `force` along a row.
void add_along(const CoordinateRow& row, bool planar, double force, ForceSum& sum);
/// Angular velocity of the second body against the first, world, rad/s.
Vec3 relative_turning(const int (&bodies)[2], const Kinematics& k);
/// Generalised forces, like u, of a unit normal force at a touch: 1/m = f·(M⁻¹ f) is the mass that an impact there feels.
void push_apart(const ContactPoint& contact, const Touch& touch, const Kinematics& k, int ground,
                std::vector<double>& f);

/// Adds the forces of all touching contacts, and their powers.
void apply_contacts(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                    ForceSum& sum, std::vector<ContactInstant>& out);
/// Rates of the contacts' auxiliary variables, from what apply_contacts() found.
void contact_aux_rates(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k,
                       const std::vector<ContactInstant>& instants, double* zdot);
/// Energy that touching contacts have stored, J.
double contact_energy(const std::vector<std::unique_ptr<ContactPoint>>& contacts, const Kinematics& k);

}  // namespace tappet
