// Rigid bodies.
#pragma once

#include <string>
#include <vector>

#include "tappet/multibody/kinematics.hpp"

namespace tappet {

struct Body {
  std::string name;
  double mass = 1;              ///< kg
  bool has_inertia = false;     ///< false: a point mass, which keeps its orientation
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, body axes, kg m²; planar: only (2, 2)
};

/// Inverse masses, block by block: what constraints are weighed with. Assembly uses lengths instead of masses.
struct InverseMass {
  std::vector<double> linear;  ///< one a body
  std::vector<Mat3> angular;   ///< one a body; planar: only (2, 2)

  static InverseMass of(const std::vector<Body>& bodies);
  /// Every body alike: displacement 1 m weighs as much as turning by 1/length rad.
  static InverseMass uniform(int bodies, double length);
};

}  // namespace tappet
