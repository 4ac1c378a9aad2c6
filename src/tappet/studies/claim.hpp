// What a document says about a figure, as a condition on the numbers of the figure's runs.
//
//   peak[hertz] > 1.2*peak[lankarani]     a number of one run, by the run's name
//   falling(height)                       over all runs in their order: all any count max min mean spread
//                                         rising falling
//   count(peak > 1.2*peak[damped]) == 4   inside, a bare name is the number of each run in turn
//   drop > 0.05                           a bare name outside is allowed where there is one run
//
// Runs that failed are left out of what is over all runs. A condition that needs a number which is not there
// has not been decided, and does not hold.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tappet {

/// The numbers of a figure: one row per run.
struct NumberTable {
  std::vector<std::string> runs, names, units;
  std::vector<std::vector<double>> values;  ///< by run, then by name; NaN: none
  std::vector<bool> failed;                 ///< by run
};

struct Judgement {
  bool decided = false;  ///< every number that it needs is there
  bool holds = false;    ///< only if it is decided
  /// What stands in the condition for numbers, with its value: "peak[hertz]", "falling(height)".
  std::vector<std::pair<std::string, double>> terms;
};

/// Throws ExpressionError if the condition cannot be read or names what the table does not have.
Judgement judge(const std::string& condition, const NumberTable& table);

}  // namespace tappet
