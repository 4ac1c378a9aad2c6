#include "tappet/multibody/asperity_contact.hpp"

#include <cmath>

namespace tappet {

void AsperityContact::apply(const Kinematics& k, ForceSum& sum) const {
  const Touch touch = place->touch(k);
  const double push = place->share * rough->at(touch.gap).force;
  if (push == 0) return;
  const double square = touch.slip.squaredNorm();
  const double drag = push * coefficient / std::sqrt(square + friction_velocity * friction_velocity);
  sum.powers.friction += drag * square;
  add_opposed(place->bodies, k, touch.at, push * touch.normal - drag * touch.slip, sum);
}

double AsperityContact::potential(const Kinematics& k) const {
  return place->share * rough->at(place->touch(k).gap).stored;
}

}  // namespace tappet
