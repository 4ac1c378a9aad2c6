// How far a result can be trusted: the model run again, finer and with another integrator, and what stays the
// same.
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/divergence.hpp"
#include "tappet/studies/metric.hpp"
#include "tappet/studies/watch.hpp"

namespace tappet {

/// A figure of the run, and how far the other runs confirm it.
struct VerifiedFigure {
  std::string name, unit;
  double value = 0;       ///< of the model as it is
  double difference = 0;  ///< largest difference of a finer run, relative to the value's size
  int digits = 0;         ///< that agree; 15: all
};

/// A figure of the motion beyond the horizon, over all runs: each of them is another sample of the same
/// motion.
struct VerifiedStatistic {
  std::string name, unit;
  double mean = 0;
  double spread = 0;  ///< standard deviation between runs, relative to the mean's size
  bool converged = false;
};

/// Requested and realised restitution of one contact.
struct VerifiedContact {
  std::string name;
  long impacts = 0;
  double requested = 0;
  double lowest = 0, median = 0, highest = 0;  ///< realised
};

enum class Character {
  determined,  ///< all runs agree to the end
  periodic,    ///< and the motion repeats itself
  chaotic,     ///< errors grow exponentially until the runs have nothing in common
  unresolved,  ///< finer runs agree with each other, but not with the model as it is: its tolerance is too
               ///< coarse
  unclear,     ///< the runs part, but not by exponential growth that could be measured
};
std::string to_string(Character character);

/// A Lyapunov exponent is a mean over a motion that comes back to where it was; a few impacts are no such thing. Over ten returns a rate
/// whose single contributions scatter by their own size is known to a third.
inline constexpr double fewest_returns = 10;

struct VerifiedRun {
  std::string name;  ///< what is different
  std::vector<std::string> settings;
  RunSummary summary;
};

struct Verification {
  std::string model;
  std::vector<VerifiedRun> runs;  ///< the model as it is first
  Character character = Character::determined;
  double t_end = 0;
  Horizon horizon;        ///< of the model as it is
  Growth growth;          ///< of the distance between the finer runs
  double period = 0;      ///< s, of the drive; 0: none was found
  Repetition repetition;  ///< of the finest run
  std::vector<VerifiedFigure> figures;
  std::vector<VerifiedStatistic> beyond;  ///< when the runs part
  std::vector<VerifiedContact> contacts;
  double energy_residual = 0, love_ratio = 0;
  double returns = 0;                ///< of the motion, while the growth was seen
  std::vector<std::string> missing;  ///< figures that the method does not have: sentences

  /// Errors were seen to grow as an exponential would make them.
  bool grows() const { return growth.exponential && growth.exponent > 0 && growth.decades >= 2; }
  /// And over so many returns of the motion that the rate is a Lyapunov exponent, a mean over the motion.
  bool sensitive() const { return grows() && returns >= fewest_returns; }
  /// A few sentences that say it all.
  std::string verdict() const;
};

/// Distance, relative to the width of the motion, beyond which two runs count as parted.
inline constexpr double parting = 0.01;
/// Spread between runs below which a statistic counts as converged.
inline constexpr double converged_spread = 0.05;

/// Runs the model and its variations, in threads. Throws InputError if the model is wrong, SimulationError if
/// one of the runs stops before its end, StudyStopped when the watch says so.
Verification verify(const std::string& path, const std::vector<std::string>& settings,
                    Watch* watch = nullptr);
/// The same for a model that is not in a file.
Verification verify(const Value& root, const std::string& name_in_messages,
                    const std::vector<std::string>& settings, Watch* watch = nullptr);

/// The verdict, then the tables, for people; and all of it as one JSON object.
std::string verification_text(const Verification& verification);
std::string verification_json(const Verification& verification);

}  // namespace tappet
