// What a document says about a figure, as a condition on the numbers of the figure's runs.
//
//   peak[hertz] > 1.2*peak[lankarani]     a number of one run, by the run's name
//   falling(height)                       over all runs in their order: all any count max min mean spread
//                                         rising falling
//   count(peak > 1.2*peak[damped]) == 4   inside, a bare name is the number of each run in turn
//   falling(height[printed])              over the runs of one group (a study's variant)
//   drop > 0.05                           a bare name outside is allowed where there is one run
//
// Where a run is an ensemble (runs of one model that differ in their start by next to nothing), its number is the mean of the members', and
// a condition holds if it does so in 95 of 100 ensembles drawn anew from these members [Efron1979]: luck does not count.
//
// Runs that failed are left out of what is over all runs. A condition that needs a number which is not there
// has not been decided, and does not hold.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tappet {

/// The numbers of a figure: one row per run.
struct NumberTable {
  std::vector<std::string> runs, names, units;
  std::vector<std::vector<double>> values;  ///< by run, then by name; NaN: none
  std::vector<bool> failed;                 ///< by run
  std::vector<std::string> groups = {};     ///< by run: the group to which it belongs; empty: there are none
  /// By run, then by name: of the members of an ensemble; empty: it is a single run.
  std::vector<std::vector<std::vector<double>>> members = {};

  /// A number of a run is known to within this, with a confidence of 95 %: t s/√n of its n members; NaN: it is a single run.
  double half_width(std::size_t run, std::size_t name) const;
};

/// Of a condition on ensembles, to hold.
inline constexpr double enough_confidence = 0.95;

struct Judgement {
  bool decided = false;  ///< every number that it needs is there
  bool holds = false;    ///< only if it is decided
  /// What stands in the condition for numbers, with its value: "peak[hertz]", "falling(height)".
  std::vector<std::pair<std::string, double>> terms = {};
  /// In what part of the ensembles drawn anew it holds; NaN: there is no ensemble.
  double confidence = std::numeric_limits<double>::quiet_NaN();

  /// The ensembles are too small, or the numbers too near to each other, to tell.
  bool open() const { return confidence > 1 - enough_confidence && confidence < enough_confidence; }
};

/// Throws ExpressionError if the condition cannot be read or names what the table does not have.
Judgement judge(const std::string& condition, const NumberTable& table);

}  // namespace tappet
