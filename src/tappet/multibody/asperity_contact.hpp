// Summits that touch through an oil film: the push of a rough journal (contact/rough_journal.hpp) where its bearing is nearest, and its friction.
//
//   F = F_a(g) n − μ_a F_a(g) v/√(v² + v₀²)
//
//   g, n, v   gap, normal and sliding velocity of the joint's contact;  μ_a `coefficient`, v₀ `friction_velocity`
#pragma once

#include <memory>

#include "tappet/contact/rough_journal.hpp"
#include "tappet/multibody/contact_point.hpp"

namespace tappet {

class AsperityContact final : public ForceElement {
 public:
  std::unique_ptr<ContactPoint> place;
  std::shared_ptr<const RoughJournal> rough;
  double coefficient = 0, friction_velocity = 1;

  void apply(const Kinematics& k, ForceSum& sum) const override;
  double potential(const Kinematics& k) const override;
};

}  // namespace tappet
