// Which modes of flexible bodies set the step of an explicit scheme: it may let a mode turn by h ω = 1 to 3 rad in a step.
#pragma once

#include <string>
#include <vector>

#include "tappet/multibody/mechanism.hpp"

namespace tappet {

/// A note on each flexible body whose modes turn by a good part of a radian in a step of this mean length, s.
void note_fast_modes(const Mechanism& mechanism, double step, std::vector<std::string>& notes);

}  // namespace tappet
