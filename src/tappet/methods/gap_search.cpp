#include "tappet/methods/gap_search.hpp"

#include <algorithm>

namespace tappet {
namespace {

// Speeds are known at both ends; between them they may be somewhat higher.
constexpr double reserve = 1.25;
// Of the surfaces' size: what a contact that has just opened may overlap by.
constexpr double rounding = 1e-6;
// Of the step: shorter parts are not halved.
constexpr double shortest = 1e-6;

}  // namespace

GapSearch::GapSearch(const Mechanism& mechanism, SmoothSystem& system)
    : mechanism_(mechanism), system_(system), y_(system.size()) {
  for (const auto& contact : mechanism.contacts)
    if (contact->passable()) contacts_.push_back(contact->index);
  speed_.resize(contacts_.size());
}

void GapSearch::start(double t, const double* y) {
  if (contacts_.empty()) return;
  const Kinematics& k = system_.frames(t, y);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    speed_[i] = mechanism_.contacts[contacts_[i]]->fastest_approach(k);
}

GapSearch::Instant GapSearch::at(const Scheme& scheme, int c, double t) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  scheme.interpolate(t, y_.data());
  const Kinematics& k = system_.frames(t, y_.data());
  return {t, contact.touch(k).gap, contact.fastest_approach(k)};
}

std::optional<double> GapSearch::between(const Scheme& scheme, int c, const Instant& first,
                                         const Instant& last) {
  const double size = mechanism_.contacts[c]->length_scale, dt = last.t - first.t;
  const double way = reserve * std::max(first.speed, last.speed) * dt;
  const bool meet = last.gap < -rounding * size;
  const bool resolved = way <= std::max(0.0, first.gap) + std::max(0.0, last.gap) + size;
  if (resolved || dt < shortest * (scheme.t() - scheme.t_old()))
    return meet ? std::optional(last.t) : std::nullopt;
  const Instant middle = at(scheme, c, first.t + 0.5 * dt);
  if (const auto early = between(scheme, c, first, middle)) return early;
  return between(scheme, c, middle, last);
}

std::optional<double> GapSearch::hidden_touch(const Scheme& scheme) {
  if (contacts_.empty()) return std::nullopt;
  const double a = scheme.t_old(), b = scheme.t();
  // Most steps are short, which speeds alone tell.
  bool any_long = false;
  const Kinematics& k = system_.frames(b, scheme.y());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactPoint& contact = *mechanism_.contacts[contacts_[i]];
    const double speed = std::max(speed_[i], contact.fastest_approach(k));
    const bool is_long =
        !system_.contact_states()[contact.index].touching && reserve * speed * (b - a) > contact.length_scale;
    speed_[i] = is_long ? speed : 0;
    any_long = any_long || is_long;
  }
  std::optional<double> first;
  for (std::size_t i = 0; any_long && i < contacts_.size(); ++i) {
    if (speed_[i] == 0) continue;
    const int c = contacts_[i];
    const auto found = between(scheme, c, at(scheme, c, a), at(scheme, c, b));
    if (found && *found < b && (!first || *found < *first)) first = found;
  }
  return first;
}

}  // namespace tappet
