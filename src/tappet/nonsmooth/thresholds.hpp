// What counts as nothing in the contact problems of time stepping: each number once, with its reason.
#pragma once

#include <algorithm>

namespace tappet::thresholds {

/// Gaps and penetrations below this part of a contact's length scale are none: a micrometre of a metre, far below what a step
/// of any use resolves and far above rounding.
constexpr double closed = 1e-6;

/// How much of that scale may be left of a penetration when a step ends. Contacts that are solved roughly need not be opened
/// finely.
inline double allowed_penetration(double tolerance) {
  return std::max(closed, 3e-3 * tolerance);
}

/// Work of contacts above this part of Σ |P| |γ| is a gain of energy; less may be what the solver left. A tenth of its
/// tolerance, as long as that is neither rounding nor so much that a bouncing ball would climb.
inline double gain(double tolerance) {
  return std::clamp(0.1 * tolerance, 1e-12, 1e-9);
}

/// An impact law whose problem is left with a residual above this part of the velocities has no solution. Solvers that
/// only ran out of iterations come nearer.
constexpr double no_solution = 1e-3;

/// Nor has one that is only solved by impulses so many times those that would stop the contacts. Where friction jams a lever, any impulse
/// along the edge of its cone leaves the velocities as they are; of one this large, rounding alone works ε·10¹² of the energy that moved,
/// 2·10⁻⁴ of it.
constexpr double largest_impulse = 1e6;

/// A slip below this many times what the solver left of the velocities, and below the least of all times these, is none.
constexpr double slip_of_residual = 10, least_slip = 1e-12;

/// What is held slips if it slips this many times as fast. A body that is pushed with F, little less than the F_s that friction can hold in
/// all, is held by forces on the rims of all its discs that point a little past each other, by φ with cos φ = F/F_s: solved to a residual it
/// may slip by 1/sin φ of that, since a slip that is nearly against the force on a rim is hardly an error. So it is held up to 1 − 5·10⁻⁷ of
/// F_s; and what really slips becomes faster with each step, and is let go.
constexpr double slip_of_held = 100;

/// A contact that touches as a run begins sticks if it slides with less than this part of the speeds there: what a model file
/// gives as equal velocities differs by rounding.
constexpr double starts_at_rest = 1e-9;

/// Where nothing is known yet of a joint's reaction, what its friction may hold: of the impulse that would stop the joint by itself at the
/// fastest speed in the step or impact, more than any impulse there.
constexpr double ample_load = 100;

}  // namespace tappet::thresholds
