// Results for other programs' mathematics: MATLAB's .mat and NumPy's .npz.
//
//   .mat  level 5, read by MATLAB, Octave and scipy.io.loadmat: time, then a struct for each owner of signals, `crank.x` its field, and
//         `impacts`, `events`, `units`. Names that MATLAB does not take are changed: a letter or digit stays, all else becomes _
//   .npz  an array for each column by its name, "crank.x", and the columns of the impact table as "impacts/start" and so on
#pragma once

#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

/// The chosen signals (patterns; none: all). Throws InputError for a name that is not there.
std::string mat_of(const ResultFile& result, const std::vector<std::string>& signals, bool between = false);
/// Likewise; throws InputError too where this Tappet was built without libzip.
std::string npz_of(const ResultFile& result, const std::vector<std::string>& signals, bool between = false);

}  // namespace tappet
