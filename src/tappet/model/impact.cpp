#include "tappet/model/impact.hpp"

#include <algorithm>

#include "tappet/model/model.hpp"

namespace tappet {
namespace {

double requested_restitution(const Model& model, int entry) {
  const Mechanism& m = model.mechanism;
  const auto contacts = static_cast<int>(m.contacts.size()), groups = static_cast<int>(m.groups.size());
  if (entry < contacts) return m.contacts[entry]->rigid->restitution;
  if (entry < contacts + groups) return m.groups[entry - contacts].rigid->restitution;
  return model.structure_contacts[entry - contacts - groups].law.restitution;
}

}  // namespace

Impact finished(const Episode& episode, double end, double requested) {
  return {.contact = episode.id.entry,
          .start = episode.start,
          .end = end,
          .speed_in = episode.speed_in,
          .speed_out = episode.speed_out,
          .restitution = episode.speed_in > 0 ? episode.speed_out / episode.speed_in : 0,
          .requested = requested,
          .max_penetration = episode.depth,
          .peak_force = episode.peak_force,
          .impulse = episode.impulse};
}

void EpisodeTable::take(const Model& model, const std::vector<ContactStep>& steps, double from, State& state,
                        ImpactList& ended) {
  if (steps.empty() && state.episodes.empty()) return;
  next_.clear();
  // Both lists ascend: one pass from front to back.
  auto old = state.episodes.cbegin();
  const auto end_before = [&](const ContactId* id) {
    for (; old != state.episodes.cend() && (!id || old->id < *id); ++old) {
      ended.impact(finished(*old, from, requested_restitution(model, old->id.entry)));
      ++state.counters.impacts;
    }
  };
  for (const ContactStep& step : steps) {
    end_before(&step.id);
    Episode episode;
    if (old != state.episodes.cend() && old->id == step.id) {
      episode = *old++;
    } else {
      episode = {.id = step.id, .start = from, .speed_in = std::max(0.0, -step.rate_before)};
      state.counters.max_first_penetration = std::max(state.counters.max_first_penetration, -step.gap);
    }
    episode.speed_out = step.rate_after;
    episode.impulse += step.normal;
    // Elastic bodies press; between rigid ones the same quotient is larger the shorter the step.
    if (step.id.entry >= model.first_structure_contact() && state.t > from)
      episode.peak_force = std::max(episode.peak_force, step.normal / (state.t - from));
    episode.depth = std::max(episode.depth, -step.gap);
    next_.push_back(episode);
  }
  end_before(nullptr);
  state.episodes.swap(next_);
}

}  // namespace tappet
