// Archard: the worn volume is proportional to load and path, locally ḋ = k p v.
//
//   k   coefficient of wear of a surface, m²/N;  k = K/H from Archard's number K and the hardness H of the softer surface, Pa
//   p   pressure, Pa;  v   speed of sliding, m/s
//
// Under friction μ p the worn volume is k/μ times the work of friction, whatever the motion. [Archard 1953]
#pragma once

#include "tappet/contact/wear_law.hpp"

namespace tappet {

struct ArchardParameters {
  double coefficient = not_given;  ///< k of the first surface (the bearing), m²/N
  double number = not_given;       ///< K, in place of it
  double hardness = not_given;     ///< H, with K, Pa
  double journal_coefficient = 0;  ///< k of the second surface (the journal), m²/N
  double extrapolate = 1;          ///< cycles that each one stands for
  std::string update = {};         ///< what a cycle is; absent: `extrapolate` is fixed
  double tolerance = 0.02;         ///< with `update`
  double life = not_given;         ///< m
};

class Archard final : public WearLaw {
 public:
  Archard(double first, double second) : k_{first, second} {}
  std::array<double, 2> depth_rates(double pressure, double speed) const override {
    return {k_[0] * pressure * speed, k_[1] * pressure * speed};
  }
  bool wears(int side) const override { return k_[side] > 0; }

 private:
  double k_[2];
};

}  // namespace tappet
