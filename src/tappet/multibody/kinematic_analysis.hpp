// Kinematic analysis: assembling positions and velocities, counting freedoms, naming joints that repeat or contradict.
#pragma once

#include <string>
#include <vector>

#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// The result of assembly, positions and velocities that satisfy every constraint.
struct Assembly {
  std::vector<double> q, u;
  int rank = 0;                        ///< independent constraint rows
  std::vector<std::string> redundant;  ///< "joint 'j6' repeats 1 of its 5 constraints"
  double moved = 0;                    ///< largest displacement from the positions given, m
  std::string moved_body;
};

/// What is known of a velocity at the start.
struct GivenVelocity {
  bool linear = false, angular = false;
};

/// Positions by Newton's method on Φ from `q`, moving as little as possible; velocities from the constraints, keeping those given,
/// the others as small as possible. Throws InputError (at `pos`) when that cannot be done, naming the joints in the way.
Assembly assemble(const Mechanism& mechanism, std::vector<double> q, std::vector<double> u,
                  const std::vector<GivenVelocity>& given, const SourcePos& pos);

}  // namespace tappet
