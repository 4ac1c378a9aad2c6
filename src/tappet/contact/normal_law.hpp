// Normal contact forces as laws of penetration, its rate and the speed at first touch.
//
// Signs, once for every law: gap > 0 apart, δ = −gap, the normal points from the first surface to the second,
// and the force F ≥ 0 acts on the second along it (and on the first against it). δ̇ > 0 while the surfaces
// approach.
//
// The power that the bodies give to the contact is F δ̇. A law splits it in two,
//     F δ̇ = dU/dt + P,        U(δ) the energy it can give back, P what is lost,
// so that an energy ledger closes whatever the law does. A law is a pure function: what it must remember of
// the past (the speed at first touch) comes in with NormalInput.
//
// A law in laws/ is a header with equation, symbols, citation, the struct of its parameters and one evaluation, a plain
// function of plain data that is a template on the scalar type,
//     template <class T> NormalOutputOf<T> force(const Hooke&, const NormalInputOf<T>&);
// and a source with the parameters' table and one registration.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/dual.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/contact/material.hpp"

namespace tappet {

template <class T>
struct NormalInputOf {
  T depth = 0;        ///< δ, m
  T rate = 0;         ///< δ̇, m/s
  T impact_rate = 0;  ///< δ̇⁽⁻⁾ ≥ 0, m/s: δ̇ when the contact began; 0 for one that begins at rest
  const double* inputs =
      nullptr;  ///< of the model, for laws that are written in its file; null: their defaults
};

template <class T>
struct NormalOutputOf {
  T force = 0;             ///< F ≥ 0, N
  T d_depth = 0;           ///< ∂F/∂δ, N/m
  T d_rate = 0;            ///< ∂F/∂δ̇, N s/m
  T stored_energy = 0;     ///< U, J
  T dissipated_power = 0;  ///< P = F δ̇ − dU/dt, W
};

using NormalInput = NormalInputOf<double>;
using NormalOutput = NormalOutputOf<double>;

/// A penetration at which the law has no force. `time()` is NaN until at() says it. A step that only tried such a
/// penetration is repeated with a smaller one.
class LawDomainError : public SimulationError {
 public:
  explicit LawDomainError(const std::string& reason, double time = std::numeric_limits<double>::quiet_NaN())
      : SimulationError(time, reason) {}
  /// The same, of a contact at a time.
  LawDomainError at(const std::string& contact, double time) const;
};

/// What a law says about itself.
struct NormalTraits {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double requested_restitution = unknown;  ///< as the user asked; 1 for an elastic law; NaN: the law has none
  double predicted_restitution =
      unknown;             ///< that a free impact realises, whatever mass and speed; NaN: it depends
  bool continuous = true;  ///< F → 0 at first touch
  bool passive = true;     ///< P ≥ 0 at every instant, not only over a whole impact
  double max_depth =
      std::numeric_limits<double>::infinity();  ///< m; beyond it evaluate() throws LawDomainError
  std::vector<std::string> notes = {};          ///< what was derived: "K = 6.61e+10 N/m^1.5 from E, ν and R"
};

class NormalLaw {
 public:
  virtual ~NormalLaw() = default;

  /// Everything is zero when depth ≤ 0. Allocates nothing.
  NormalOutput evaluate(const NormalInput& in) const { return in.depth > 0 ? contact(in) : NormalOutput{}; }

  /// With derivatives by depth, rate and impact rate, in this order.
  using Number = Dual<3>;
  NormalOutputOf<Number> evaluate_dual(const NormalInputOf<Number>& in) const {
    return in.depth > 0 ? contact_dual(in) : NormalOutputOf<Number>{};
  }

  const NormalTraits& traits() const { return traits_; }

 protected:
  /// Called with depth > 0.
  virtual NormalOutput contact(const NormalInput& in) const = 0;
  /// Unless a law says otherwise, the force with its two known derivatives and all else as constants.
  virtual NormalOutputOf<Number> contact_dual(const NormalInputOf<Number>& in) const;
  NormalTraits traits_;
};

/// The law that a plain struct L and its function force() are.
template <class L>
class ForceLaw final : public NormalLaw {
 public:
  ForceLaw(L law, NormalTraits traits) : law_(std::move(law)) { traits_ = std::move(traits); }
  const L& law() const { return law_; }

 protected:
  NormalOutput contact(const NormalInput& in) const override { return force(law_, in); }
  NormalOutputOf<Number> contact_dual(const NormalInputOf<Number>& in) const override {
    return force(law_, in);
  }

 private:
  L law_;
};

/// A registered law. `make` reports every fault to the diagnostics and then returns null.
struct NormalLawType {
  std::string name;      ///< as in `normal: {law: ...}`
  std::string help;      ///< one line
  std::string equation;  ///< UTF-8, one or more lines
  std::string citation;  ///< keys of docs/references.bib with equation numbers
  bool force_law =
      true;  ///< false: no force but an impact equation, for the non-smooth methods only; `make` is null
  Table table;
  std::unique_ptr<NormalLaw> (*make)(const AnyParameters&, const ContactPair&, Diagnostics&) = nullptr;
};

using NormalLawRegistry = Registry<NormalLawType>;

/// The mapping `normal: {law: NAME, ...}`; also registered as the family "normal".
const Family& normal_law_family();

/// Builds the law that these parameters are of. Null after an error was reported.
std::unique_ptr<NormalLaw> make_normal_law(const AnyParameters& parameters, const ContactPair& pair,
                                           Diagnostics& diagnostics);

/// Newton's coefficient for the non-smooth methods: `restitution` where it is written, otherwise what the law
/// asks for (1 for the elastic laws). NaN: this law says nothing about restitution and the user must.
double rigid_restitution(const AnyParameters& parameters);

/// Reports the rows that somebody else could have supplied (Parameter::supplied_by) and nobody did. True: none.
bool require_supplied(const AnyParameters& parameters, const Table& table, Diagnostics& diagnostics);

/// The penetration at which the law has stored `energy`, at most `largest`; a thousandth of that where it stores none.
double expected_depth(const NormalLaw& law, double impact_rate, double energy, double largest);
/// The speed of the free impact of 1/mobility that reaches `depth` without losses, √(2 U mobility), m/s: a contact that is
/// closed when its run begins counts as struck so. 0 where the law stores nothing.
double speed_to_reach(const NormalLaw& law, double depth, double mobility);
/// How long an elastic impact lasts that begins with this speed and goes this deep: 2.94 δ_max/v for Hertz' exponent, close
/// to it for others.
inline double elastic_duration(double depth, double impact_rate) {
  return 2.943275184324705 * depth / impact_rate;
}

// ---- for the files in laws/
// ----------------------------------------------------------------------------------------

Parameter stiffness_parameter();         ///< `stiffness`, N/m^n, derived when absent
Parameter linear_stiffness_parameter();  ///< `stiffness`, N/m, required
Parameter exponent_parameter();          ///< `exponent`, n in (0, 5], 1.5 by default
Parameter restitution_parameter(const Range& range);
Parameter rest_velocity_parameter(const std::string& help);
/// `restitution` of a law that does not use it itself.
Parameter rigid_restitution_parameter();

/// `stiffness` as given, or Hertz' from materials and radii if it is NaN (then a note is added); none after an error was
/// reported.
std::optional<double> stiffness_or_hertz(double stiffness, double exponent, const Origin& origin,
                                         const ContactPair& pair, Diagnostics& diagnostics,
                                         std::vector<std::string>& notes);

}  // namespace tappet
