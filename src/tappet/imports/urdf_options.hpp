// How a URDF is taken.
#pragma once

#include <string>
#include <vector>

namespace tappet {

struct UrdfOptions {
  bool repair = false;                     ///< masses and inertias that no body can have are replaced
  bool stops = false;                      ///< limits of joints become elastic stops
  std::vector<std::string> packages = {};  ///< folders in which `package://` is looked for first
  std::string model_folder = {};  ///< where the model will stand: files are named from there; "": in full
};

}  // namespace tappet
