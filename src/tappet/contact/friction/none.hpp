// No friction.
//
//   F_t = 0
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct NoFrictionParameters {
  double tangential_restitution = 0;  ///< for the non-smooth methods
};

struct NoFriction {};

template <class T>
FrictionOutputOf<T> friction(const NoFriction&, const T&) {
  return {};
}

}  // namespace tappet
