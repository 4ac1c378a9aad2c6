// Small models made at random within the schema: bodies, joints, motions, forces, contacts with a floor and with each other.
#pragma once

#include <string>

namespace tappet::fuzz {

struct RandomModel {
  std::string text;     ///< YAML, without `simulation` and `output`
  bool passive = true;  ///< nothing gives it energy: no motion, no force of time
  bool contacts = false;
  double size = 1;  ///< m, of the whole
};

/// Of a number; the same on every machine.
RandomModel random_model(unsigned long number);

}  // namespace tappet::fuzz
