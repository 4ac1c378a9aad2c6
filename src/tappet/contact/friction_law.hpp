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
// A law in friction/ is a header with equation, symbols, citation, the struct of its parameters and one evaluation, a
// plain function of plain data that is a template on the scalar type,
//     template <class T> FrictionOutputOf<T> friction(const Dubowsky&, const T& speed);
// and a source with the parameters' table and one registration. A law with kinks takes the branch before the speed; a
// bristle law has bristle() and bristle_reset() as well.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/dual.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"

namespace tappet {

enum class FrictionKind { regularised, stick, bristle };

template <class T>
struct FrictionOutputOf {
  T coefficient = 0;  ///< μ(s) ≥ 0
  T d_speed = 0;      ///< dμ/ds, s/m
  T ratio =
      0;  ///< μ(s)/s, s/m; its limit at s = 0 for the regularised kind, not to be used there by the others
};
using FrictionOutput = FrictionOutputOf<double>;

struct FrictionTraits {
  FrictionKind kind = FrictionKind::regularised;
  double static_coefficient = 0;   ///< μ_s: largest force that holds without sliding, over F_N
  double sliding_coefficient = 0;  ///< μ for the non-smooth methods, which know one coefficient
  double stick_velocity =
      0;                  ///< m/s, kind stick: sliding ends when the speed falls to this; 0: exactly at v = 0
  bool by_speed = false;  ///< the non-smooth methods take μ(s) instead of sliding_coefficient
  std::vector<double> kinks = {};  ///< m/s, rising: speeds at which μ(s) has a kink, the ends of its branches
  std::vector<std::string> notes = {};
};

/// Tangential quantities: [0] in the plane, [0] and [1] in space; an unused component is 0.
template <class T>
using TangentialOf = std::array<T, 2>;
using Tangential = TangentialOf<double>;

template <class T>
struct BristleOutputOf {
  TangentialOf<T> deflection_rate{};  ///< ṗ, m/s
  TangentialOf<T> coefficient{};      ///< force on the second surface is −F_N times this
  T margin =
      0;  ///< > 0 while the mode lasts; at its zero `sliding` changes: to sliding on |p|, to holding on v
};
using BristleOutput = BristleOutputOf<double>;

class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;

  /// The sliding law at speed s ≥ 0. Allocates nothing.
  virtual FrictionOutput evaluate(double speed) const = 0;

  /// The same with its derivative.
  using Number = Dual<1>;
  virtual FrictionOutputOf<Number> evaluate_dual(const Number& speed) const;

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

/// The law that a plain struct L and its function friction() are.
template <class L>
class PlainFriction final : public FrictionLaw {
 public:
  PlainFriction(L law, FrictionTraits traits) : law_(law) { traits_ = std::move(traits); }
  const L& law() const { return law_; }

  FrictionOutput evaluate(double speed) const override { return at(speed); }
  FrictionOutputOf<Number> evaluate_dual(const Number& speed) const override { return at(speed); }
  FrictionOutput evaluate_branch(int branch, double speed) const override {
    if constexpr (branched)
      return friction(law_, branch, speed);
    else
      return friction(law_, speed);
  }
  BristleOutput bristle(bool sliding, const Tangential& v, const Tangential& p) const override {
    if constexpr (bristled)
      return deflect(law_, sliding, v, p);
    else
      return FrictionLaw::bristle(sliding, v, p);
  }
  Tangential bristle_reset(bool sliding, const Tangential& p) const override {
    if constexpr (bristled)
      return give_way(law_, sliding, p);
    else
      return FrictionLaw::bristle_reset(sliding, p);
  }

 private:
  static constexpr bool branched = requires(const L& law) { friction(law, 0, 0.0); };
  static constexpr bool bristled = requires(const L& law) {
    deflect(law, false, Tangential{}, Tangential{});
  };
  template <class T>
  FrictionOutputOf<T> at(const T& speed) const {
    if constexpr (branched)
      return friction(law_, branch_of(value_of(speed)), speed);
    else
      return friction(law_, speed);
  }
  L law_;
};

/// A coefficient while sliding, for the laws that hold by a constraint or a bristle: their ratio at rest is not used.
template <class T>
FrictionOutputOf<T> sliding_at(const T& coefficient, const T& slope, const T& speed) {
  return {coefficient, slope, coefficient / (speed > 0 ? speed : T(std::numeric_limits<double>::min()))};
}

/// A registered law. `make` reports every fault to the diagnostics and then returns null.
struct FrictionLawType {
  std::string name;      ///< as in `friction: {law: ...}`
  std::string help;      ///< one line
  std::string equation;  ///< UTF-8, one or more lines
  std::string citation;  ///< keys of docs/references.bib with equation numbers
  Table table;
  std::unique_ptr<FrictionLaw> (*make)(const AnyParameters&, Diagnostics&) = nullptr;
};

using FrictionLawRegistry = Registry<FrictionLawType>;

/// The mapping `friction: {law: NAME, ...}`, `coulomb` when no law is named; also registered as the family
/// "friction". Every law has `tangential_restitution` among its parameters, for the non-smooth methods.
const Family& friction_law_family();

/// Builds the law that these parameters are of. Null after an error was reported.
std::unique_ptr<FrictionLaw> make_friction_law(const AnyParameters& parameters, Diagnostics& diagnostics);

// ---- for the files in friction/
// ------------------------------------------------------------------------------------

Parameter coefficient_parameter();  ///< `coefficient`, μ
Parameter static_parameter();       ///< `static`, μ_s
Parameter dynamic_parameter();      ///< `dynamic`, μ_d
Parameter velocity_parameter(const std::string& name, const std::string& help,
                             const std::string& fallback = "");
/// `tangential_restitution`, which every law has.
Parameter tangential_restitution_parameter();

/// Reports that key `high` must be greater than key `low` unless it is.
bool require_order(const Origin& origin, const std::string& low_key, double low, const std::string& high_key,
                   double high, Diagnostics& diagnostics);

}  // namespace tappet
