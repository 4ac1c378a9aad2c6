// Rows of the impact table.
#pragma once

#include <vector>

#include "tappet/model/state.hpp"

namespace tappet {

struct Model;

/// One row: a contact from first touch to separation.
struct Impact {
  int contact = 0;  ///< index in Simulation::contact_names()
  double start = 0, end = 0;
  double speed_in = 0, speed_out = 0;
  double restitution = 0;  ///< realised: speed_out / speed_in
  double requested = 0;    ///< as asked of the law
  double max_penetration = 0;
  /// Under a force law; of structures by moreau the largest mean over a step. 0 where bodies are rigid: an impact then has an impulse alone.
  double peak_force = 0;
  double impulse = 0;
};

/// The row of an episode that has ended.
Impact finished(const Episode& episode, double end, double requested);

/// Rows of hits that have not ended: contacts that began during the run and still touch. `end`, `speed_out` and
/// `restitution` are NaN: there are none. What touched when the run began is no hit.
std::vector<Impact> under_way(const Model& model, const State& state);

/// Rows that have ended and that nobody has taken yet.
struct ImpactList {
  std::vector<Impact> rows;
  void impact(const Impact& row) { rows.push_back(row); }
};

/// What a contact did in a step of a method that goes through impacts without stopping.
struct ContactStep {
  ContactId id;
  double normal = 0;                       ///< impulse on the second body along the normal, N s
  double rate_before = 0, rate_after = 0;  ///< of the gap, m/s
  double gap = 0;                          ///< m
};

/// Follows contacts from the first step in which they carry load to the last, in State::episodes.
class EpisodeTable {
 public:
  /// `steps`: the contacts that carried load in the step from `from` to the state, ascending. Episodes without one of them have ended.
  void take(const Model& model, const std::vector<ContactStep>& steps, double from, State& state,
            ImpactList& finished);

 private:
  std::vector<Episode> next_;
};

}  // namespace tappet
