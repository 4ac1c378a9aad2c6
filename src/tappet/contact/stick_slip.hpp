// The memory of a contact whose friction law has a stick state (FrictionKind::stick), and the rules by which
// it changes.
//
// Two modes. In `slip` the friction force is −F_N μ(s) d, where d is the direction of sliding; in `stick` it
// is the force λ that a bilateral constraint v = 0 needs. What the caller does:
//
//   at first touch         state = begin_contact(law, v)
//   while integrating      slip: force −F_N · slip_coefficient(law, state, v);  stick: rows v = 0 with force λ
//   event function         margin(law, state, v, F_N, λ): positive while the mode lasts, located at its zero
//   after accepted steps   accept(law, state, v)
//   at an event in slip    stick first (velocity set to 0, λ solved for), then settle(law, state, F_N, λ): it stays in
//                          stick when |λ| ≤ μ_s F_N and otherwise lets go again, the other way
//   at an event in stick   release(state, λ); of several contacts at rest together the caller finds which hold and which
//                          slide, and in what directions (lcp/tresca.hpp)
//
// The direction d is remembered, because at v = 0 the velocity has none and because just past a reversal
// −v/|v| would turn round inside a step that is about to be cut back to the reversal. In the plane d is ±1
// throughout a slip phase; in space it follows v at each accepted step, and the force takes v/|v| as soon as
// it agrees with d.
//
// A stick velocity D > 0 (Karnopp) must not catch a contact that has only just let go. So sliding ends at D
// only after it has once been faster (`armed`).
//
// `rest` is a speed below which the sign of v is rounding (of the model, ContactPoint::rest; may be 0). A contact that has let go and
// is not armed yet may stay where it is, since others hold the bodies: its friction is along d as long as v keeps within 45° of d,
// but for a few `rest`: friction must not drive it. In space sliding ends at `rest` where D is less: a path that bends passes zero at a
// distance, where the direction of v would turn faster than any step.
//
// One that is held by others and loaded to the full (`yields`) exerts μ_s F_N along −d, until it moves at all.
//
// Setting v from at most D to 0 at the start of a stick phase loses at most m D²/2, to be booked as friction
// loss.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct StickSlip {
  bool sticking = false;
  bool armed = false;      ///< slip: has been faster than the stick velocity
  bool yields = false;     ///< slip: at rest, held by other contacts, with all that static friction gives
  Tangential direction{};  ///< slip: unit vector along which the second surface slides

  bool operator==(const StickSlip&) const = default;
};

/// The mode at first touch: slip along v, or stick when the speed is not above the stick velocity (then
/// settle()).
StickSlip begin_contact(const FrictionLaw& law, const Tangential& velocity, double rest = 0);

/// Slip mode: force on the second surface over −F_N.
Tangential slip_coefficient(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity,
                            double rest = 0);

/// Positive while the mode lasts. Slip: m/s, d·v less the speed at which it ends. Stick: N, μ_s F_N − |λ|.
double margin(const FrictionLaw& law, const StickSlip& state, const Tangential& velocity, double normal_force,
              const Tangential& holding_force, double rest = 0);

/// After an accepted step in slip mode: arms the stick velocity, and in space turns the remembered direction.
void accept(const FrictionLaw& law, StickSlip& state, const Tangential& velocity, double rest = 0);

/// Stick to slip: `holding_force` is λ on the second surface; it starts to slide against it.
void release(StickSlip& state, const Tangential& holding_force);

/// To stick if λ can hold it, otherwise to slip by release(). Returns true when it sticks.
bool settle(const FrictionLaw& law, StickSlip& state, double normal_force, const Tangential& holding_force);

}  // namespace tappet
