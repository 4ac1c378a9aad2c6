#include "tappet/model/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

double requested_restitution(const Model& model, const PassingContact& p) {
  const Mechanism& m = model.mechanism;
  const auto contacts = static_cast<int>(m.contacts.size()), groups = static_cast<int>(m.groups.size());
  const int entry = p.id.entry;
  const std::shared_ptr<const NormalLaw> law =
      entry < contacts            ? nullptr
      : entry < contacts + groups ? m.groups[entry - contacts].normal_law(p.radius[0], p.radius[1])
                                  : model.structure_contacts[entry - contacts - groups].normal_law;
  return law ? law->traits().requested_restitution : std::numeric_limits<double>::quiet_NaN();
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

std::vector<Impact> under_way(const Model& model, const State& state) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // What closes slower than this part of the speed of falling through the mechanism's length is pressed together and not struck: the joints of
  // a wall at rest open and close by rounding. Chosen after seeing that wall.
  constexpr double pressed = 1e-6;
  const double least = pressed * std::sqrt(model.mechanism.gravity.norm() * model.mechanism.length);
  const auto is_hit = [&](double start, double speed) { return start > 0 && speed > least; };
  std::vector<Impact> out;
  const Mechanism& m = model.mechanism;
  const double* z = state.y.data() + m.q_size() + m.u_size();
  for (std::size_t c = 0; c < state.contacts.size() && c < m.contacts.size(); ++c) {
    const ContactState& s = state.contacts[c];
    const ContactPoint& contact = *m.contacts[c];
    // Under rigid contact an impact is over at its instant, and what touches afterwards rests.
    if (!s.touching || contact.rigid || !contact.normal_law || !is_hit(s.start, s.impact_rate)) continue;
    out.push_back({.contact = static_cast<int>(c),
                   .start = s.start,
                   .end = none,
                   .speed_in = s.impact_rate,
                   .speed_out = none,
                   .restitution = none,
                   .requested = contact.normal_law->traits().requested_restitution,
                   .max_penetration = s.max_penetration,
                   .peak_force = s.peak_force,
                   .impulse = z[contact.aux_offset + ContactPoint::aux_impulse] - s.impulse_start});
  }
  for (const PassingContact& p : state.passing_contacts)
    if (is_hit(p.start, p.impact_rate))
      out.push_back({.contact = p.id.entry,
                     .start = p.start,
                     .end = none,
                     .speed_in = p.impact_rate,
                     .speed_out = none,
                     .restitution = none,
                     .requested = requested_restitution(model, p),
                     .max_penetration = p.max_penetration,
                     .peak_force = p.peak_force,
                     .impulse = p.impulse});
  for (const Episode& e : state.episodes) {
    if (!is_hit(e.start, e.speed_in)) continue;
    Impact row = finished(e, none, requested_restitution(model, e.id.entry));
    row.speed_out = row.restitution = none;
    out.push_back(row);
  }
  return out;
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
