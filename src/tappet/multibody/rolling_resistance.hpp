// Couples that resist the rolling and the spinning of two surfaces on each other.
//
//   M = −F_N [δ_r s(|ω_r|/ω₀) ω_r/|ω_r| + δ_s s(|ω_n|/ω₀) sign(ω_n) n]        on the second body, −M on the first
//   s(x) = x (3 − x²)/2 for x < 1, 1 above
//
//   ω = ω₂ − ω₁   relative angular velocity, rad/s; ω_n = ω·n its part along the normal (spinning), ω_r = ω − ω_n n (rolling)
//   δ_r, δ_s      lengths (`rolling_resistance`, `spinning_resistance`), m: by so much the normal force is ahead of the contact's centre
//   ω₀            `rolling_velocity`, rad/s, from which on the couples are whole
//   F_N           normal force, N;  M, N m, is dissipative: M·ω ≤ 0
//
// The couples are continuous through rest, by MSC Adams' cubic step: a body at rest on a slope creeps with a part of ω₀. A ball that rolls
// without sliding slows down by (5/7) g δ_r/R, a disc by (2/3) g δ_r/R [Johnson 1985, section 9.2, for where δ_r comes from]. In the plane
// there is rolling alone.
#pragma once

#include "tappet/base/vectors.hpp"

namespace tappet {

struct RollingResistance {
  double rolling = 0, spinning = 0;  ///< δ_r, δ_s, m
  double speed = 0.01;               ///< ω₀, rad/s

  bool any() const { return rolling > 0 || spinning > 0; }
};

/// M for a normal force, N, between bodies that turn against each other with ω.
inline Vec3 resisting_couple(const RollingResistance& by, double normal_force, const Vec3& normal,
                             const Vec3& omega) {
  // s(|ω|/ω₀)/|ω|, which is finite at rest.
  const auto per_speed = [&](double speed) {
    const double x = speed / by.speed;
    return x < 1 ? 0.5 * (3 - x * x) / by.speed : 1 / speed;
  };
  const double spin = omega.dot(normal);
  const Vec3 roll = omega - spin * normal;
  return -normal_force * (by.rolling * per_speed(roll.norm()) * roll +
                          by.spinning * per_speed(spin < 0 ? -spin : spin) * spin * normal);
}

}  // namespace tappet
