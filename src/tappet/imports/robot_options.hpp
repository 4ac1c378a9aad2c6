// How another program's description is taken.
#pragma once

#include <string>
#include <vector>

namespace tappet {

struct RobotOptions {
  bool repair = false;    ///< masses and inertias that no body can have are replaced
  bool stops = false;     ///< limits of joints become elastic stops
  bool limits = false;    ///< limits of joints become the model's, pressed by a contact law
  bool friction = false;  ///< friction of joints becomes Coulomb's
  bool partial =
      false;  ///< what a model has no words for is left out, and said, even if the motion depends on it
  std::vector<std::string> packages = {};  ///< folders in which `package://` is looked for first
  std::string model_folder = {};  ///< where the model will stand: files are named from there; "": in full
};

}  // namespace tappet
