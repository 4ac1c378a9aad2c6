// Friction forces as laws of the sliding velocity, and what holds two surfaces together when they do not
// slide.
//
// Signs, once for every law: v is the tangential velocity of the second surface relative to the first, a
// vector of one component in the plane and two in space; friction on the second surface is along −v (the
// first gets the opposite). Every law here is proportional to the normal force F_N, so that a law is a
// coefficient.
//
// Three kinds, told apart by FrictionTraits::kind:
//
// regularised  The force is a function of velocity, continuous through v = 0:
//                  F_t = −F_N · μ(s) v/s = −F_N · ratio · v,      s = |v|, ratio = μ(s)/s (finite as s → 0)
//                  ∂F_t/∂v = −F_N [ratio (I − t tᵀ) + μ'(s) t tᵀ],  t = v/s
//              Nothing is remembered. A block on an incline creeps.
//
// stick        Sliding, the force is −F_N μ(s) t. Not sliding, the contact is held by whatever force keeps
//              v = 0, an unknown λ of a bilateral constraint, up to |λ| = μ_s F_N. Which of the two holds is
//              discrete memory, a StickSlip (stick_slip.hpp), and changes only at events:
//                  slip → stick  when the speed falls to the law's stick_velocity
//                                (0: when v reaches zero exactly)
//                  stick → slip  when |λ| exceeds μ_s F_N
//              stick_slip.hpp has the functions for both; the caller integrates, solves for λ and
//              locates the events.
//
// bristle      The surfaces are joined by a bristle of deflection p, a state of as many components as v,
//              integrated along with the motion: ṗ and the force come from bristle(). Sliding or not is
//              discrete memory too, one bool.
//              p = 0 and not sliding when a contact begins.
//
// A law is a file in friction/: equation, symbols, citation, parameter table, one evaluation, one
// registration.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/spec/table.hpp"

namespace tappet {

enum class FrictionKind { regularised, stick, bristle };

struct FrictionOutput {
  double coefficient = 0;  ///< μ(s) ≥ 0
  double d_speed = 0;      ///< dμ/ds, s/m
  double ratio =
      0;  ///< μ(s)/s, s/m; its limit at s = 0 for the regularised kind, not to be used there by the others
};

struct FrictionTraits {
  FrictionKind kind = FrictionKind::regularised;
  double static_coefficient = 0;   ///< μ_s: largest force that holds without sliding, over F_N
  double sliding_coefficient = 0;  ///< μ for the non-smooth methods, which know one coefficient
  double stick_velocity =
      0;  ///< m/s, kind stick: sliding ends when the speed falls to this; 0: exactly at v = 0
  std::vector<double> kinks = {};  ///< m/s, rising: speeds at which μ(s) has a kink, the ends of its branches
  std::vector<std::string> notes = {};
};

/// Tangential quantities: [0] in the plane, [0] and [1] in space; an unused component is 0.
using Tangential = std::array<double, 2>;

struct BristleOutput {
  Tangential deflection_rate{};  ///< ṗ, m/s
  Tangential coefficient{};      ///< force on the second surface is −F_N times this
  double margin =
      0;  ///< > 0 while the mode lasts; at its zero `sliding` changes: to sliding on |p|, to holding on v
};

class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;

  /// The sliding law at speed s ≥ 0. Allocates nothing.
  virtual FrictionOutput evaluate(double speed) const = 0;

  /// Branch b of a law with kinks, continued beyond its ends: branch b holds between kinks b − 1 and b. A step that runs past
  /// a kink then meets a smooth force, and is cut back to the kink.
  virtual FrictionOutput evaluate_branch(int branch, double speed) const {
    (void)branch;
    return evaluate(speed);
  }
  /// The branch that holds at this speed.
  int branch_of(double speed) const {
    int b = 0;
    while (b < static_cast<int>(traits_.kinks.size()) && speed > traits_.kinks[b]) ++b;
    return b;
  }

  /// Kind bristle only.
  virtual BristleOutput bristle(bool sliding, const Tangential& velocity, const Tangential& deflection) const;
  /// Kind bristle only: the deflection right after the mode has changed to `sliding`.
  virtual Tangential bristle_reset(bool sliding, const Tangential& deflection) const;

  const FrictionTraits& traits() const { return traits_; }

 protected:
  FrictionTraits traits_;
};

/// A registered law. `make` reports every fault to the diagnostics and then returns null.
struct FrictionLawType {
  std::string name;      ///< as in `friction: {law: ...}`
  std::string help;      ///< one line
  std::string equation;  ///< UTF-8, one or more lines
  std::string citation;  ///< keys of docs/references.bib with equation numbers
  Table table;
  std::unique_ptr<FrictionLaw> (*make)(const Object&, Diagnostics&) = nullptr;
};

using FrictionLawRegistry = Registry<FrictionLawType>;

/// The mapping `friction: {law: NAME, ...}`, `coulomb` when no law is named; also registered as the family
/// "friction". Every law takes `tangential_restitution` besides its own keys, for the non-smooth methods.
const Family& friction_law_family();

/// Builds the law that `object` (read by the family) names. Null after an error was reported.
std::unique_ptr<FrictionLaw> make_friction_law(const Object& object, Diagnostics& diagnostics);

// ---- for the files in friction/
// ------------------------------------------------------------------------------------

Parameter coefficient_parameter();  ///< `coefficient`, μ
Parameter static_parameter();       ///< `static`, μ_s
Parameter dynamic_parameter();      ///< `dynamic`, μ_d
Parameter velocity_parameter(const std::string& name, const std::string& help,
                             const std::string& fallback = "");

/// Reports that key `high` must be greater than key `low` unless it is.
bool require_order(const Object& object, const std::string& low, const std::string& high,
                   Diagnostics& diagnostics);

}  // namespace tappet
