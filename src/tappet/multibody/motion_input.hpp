// What a motion is built from.
#pragma once

#include <string>
#include <vector>

#include "tappet/multibody/joint.hpp"

namespace tappet {

struct MotionInput {
  const Object& object;
  Dimension dimension;
  const std::vector<Joint>& joints;
  const std::vector<std::string>& joint_names;
  const std::vector<std::string>& body_names;
  Diagnostics& diagnostics;
};

}  // namespace tappet
