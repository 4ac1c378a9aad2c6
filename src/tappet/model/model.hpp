// The compiled model: immutable, checked, shared by threads. What varies is in model/state.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/base/expression.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/multibody/kinematic_analysis.hpp"
#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// What ε relates at an impact of rigid bodies: velocities, or the impulses of its two phases.
enum class ImpactLaw { newton, poisson };

/// A run of more steps would not end in anybody's lifetime.
inline constexpr double most_steps = 1e12;

/// How a run goes about its work.
struct RunSettings {
  std::string method = "smooth";
  ImpactLaw impact_law = ImpactLaw::newton;  ///< methods moreau and event-driven
  std::string integrator = "auto";           ///< a name in SchemeRegistry, or auto
  SourcePos integrator_pos, step_pos;        ///< where these are written
  bool start_static = false;  ///< from the equilibrium that the bodies come to from where they are given
  SourcePos start_pos;
  double duration = 0;  ///< s
  double tolerance = 1e-8;
  double step = 0;      ///< s; > 0: fixed step, no error control
  double max_step = 0;  ///< s; 0: no bound
  Stabilisation stabilisation;
  bool reject_steps = false;  ///< contact instants by rejected steps [Flores2006, section 5], not by events
  double first_penetration = 1e-9;          ///< m; the largest accepted then
  double output_step = 0;                   ///< s
  std::vector<std::string> output_signals;  ///< glob patterns; empty: all
  bool output_places = false;               ///< record the places of contacts one by one, too
  long field_samples = 0;                   ///< fields of structures at every so many samples; 0: never

  // Method moreau.
  std::string solver = "auto";  ///< of complementarity problems, a name in lcp::SolverRegistry
  double theta = 0.5;           ///< θ: ½ is the midpoint rule
  int facets = 0;               ///< of the friction polygon in space; 0: the cone itself
};

struct Measures;
struct FmuController;

/// A number that is set from outside between steps.
struct ModelInput {
  std::string name, unit;    ///< unit of the SI; "": a plain number
  double default_value = 0;  ///< in that unit
};

/// A state signal whose passage through a level is located.
struct ModelEvent {
  std::string name, signal;
  int source = -1;  ///< index in signals of the model (model/signals.hpp)
  double level = 0;
  int direction = 0;  ///< +1 rising, −1 falling, 0 both
  bool stop = false;
  bool by_expression = false;
  Expression when;  ///< in place of a signal: passes the level

  /// What it does besides being noted.
  struct Action {
    std::vector<int> off, on;                  ///< switches
    std::vector<std::pair<int, double>> sets;  ///< inputs
    bool record = false, restart = false;
    bool once = false;  ///< at its first passage alone
    bool any() const { return !off.empty() || !on.empty() || !sets.empty() || record || restart; }
  } action;
};

/// A state of the model's own, ẏ = f, or the response y of a transfer function to u: with ẋ₁ = x₂ …, ẋₙ = u − Σ aᵢ xᵢ it is Σ cᵢ xᵢ + d u.
struct ModelState {
  std::string name, unit;  ///< of the SI; "1": a plain number
  SourcePos pos;
  int first = 0;          ///< its first auxiliary variable
  Expression of = {};     ///< f, or u; of t, of inputs and of signals
  bool responds = false;  ///< it is a transfer function's response
  std::vector<double> a = {}, c = {};
  double d = 0;
  int order() const { return responds ? static_cast<int>(a.size()) : 1; }
};

namespace fem {
struct Body;
}

/// Nodes of a structure that go with a rigid body as if welded to it, in the way they lie at the start.
struct Spider {
  std::string group;  ///< of the structure
  int structure = 0, body = 0;
  std::vector<int> nodes;
  bool turns = true;  ///< rotations of the nodes, where they have any, follow the body's
};

/// Nodes of a structure against a surface of the ground or of a rigid body, or nodes or a ball against faces of a structure.
struct StructureContact {
  std::string name;
  RigidLaw law;                                     ///< of moreau
  std::shared_ptr<const NormalLaw> normal_law;      ///< of method smooth: the force on each node
  std::shared_ptr<const FrictionLaw> friction_law;  ///< of method smooth: a law of the sliding velocity
  int aux_offset = -1;  ///< of method smooth: auxiliary variables as those of a contact
  int aux_count() const { return normal_law ? ContactPoint::aux_fixed : 0; }
  int structure =
      0;  ///< whose nodes these are; −1: the surface is a ball, the only node, on faces of `other`
  std::vector<int> nodes;                ///< second in the pair: the normal points towards them
  std::shared_ptr<const Shape> surface;  ///< null: faces of `other`
  int body = -1;                         ///< whose surface it is: a body of the mechanism, or the ground
  int other = -1;
  std::vector<int> face_nodes;  ///< of `other`: the nodes between which faces lie
  std::vector<Vec3> points;  ///< corners of the surface, in its body's axes, that touch faces of `other` too
  Expression lift;           ///< m, of t: the ground's surface is moved by it along its normal
};

/// A spring-damper with at least one end at a node of a structure.
struct StructureForce {
  std::string name;
  struct End {
    int structure = -1, node = -1;  ///< −1: a body
    int body = -1;                  ///< of the mechanism, or the ground
    Vec3 point = Vec3::Zero();      ///< on the body, in its axes
  };
  End ends[2];
  double stiffness = 0, damping = 0, length = 0;
  bool by_expression = false;
  Expression force;  ///< pull, of x, v and t
};

struct Model {
  std::string title, file, text;
  SourcePos pos;
  std::vector<ModelInput> inputs;
  Mechanism mechanism;
  std::vector<std::shared_ptr<const fem::Body>> structures;
  std::vector<StructureContact> structure_contacts;
  /// ContactId::entry of the first of these: followed contacts and groups come before them.
  int first_structure_contact() const {
    return static_cast<int>(mechanism.contacts.size() + mechanism.groups.size());
  }
  std::vector<Spider> spiders;
  std::vector<StructureForce> structure_forces;
  std::vector<double> q0, u0;        ///< as written in the file, before assembly
  std::vector<GivenVelocity> given;  ///< which of u0 the user wrote
  RunSettings settings;
  /// A speed that is usual where all is at rest: what gravity gives over a hundredth of the mechanism's size, or what crosses it in the
  /// run's duration. m/s
  double usual_speed() const {
    return std::max(mechanism.length / settings.duration,
                    0.1 * std::sqrt(mechanism.gravity.norm() * mechanism.length));
  }
  std::vector<ModelEvent> events;
  std::vector<ModelState> states;
  std::vector<std::shared_ptr<const FmuController>> controllers;  ///< that set inputs (model/controller.hpp)
  std::shared_ptr<const tappet::Measures> measures;  ///< of the user's; null: none (model/measures.hpp)
  std::vector<std::string> notes;                    ///< what was derived or assumed
  std::vector<InputFile> files;                      ///< meshes and tables, as they were read
};

}  // namespace tappet
