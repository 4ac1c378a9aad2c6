#include "tappet/methods/joined_watch.hpp"

#include <algorithm>
#include <stdexcept>

namespace tappet {

JoinedWatch::JoinedWatch(const Model& model, SmoothSystem& system)
    : mechanism_(model.mechanism),
      states_(system.contact_states()),
      impacts_(model, system),
      joints_(model, system) {}

void JoinedWatch::note_held() {
  std::vector<char> held(states_.size(), 0);
  for (const int b : mechanism_.bearings) held[b] = states_[b].stick.sticking;
  impacts_.joints_held(std::move(held));
}

void JoinedWatch::let_go() {
  for (const int b : mechanism_.bearings) states_[b].stick.sticking = false;
}

void JoinedWatch::take_counts() {
  max_first_penetration = std::max(max_first_penetration, impacts_.max_first_penetration);
  impacts += impacts_.impacts;
  impacts_.impacts = 0;
  if (crowded.empty()) crowded = impacts_.crowded;
}

void JoinedWatch::prepare(double t, double* y, ImpactList& observer) {
  impacts_.prepare(t, y, observer);
  joints_.prepare(t, y, observer);
  take_counts();
}

void JoinedWatch::start(double t, const double* y) {
  impacts_.start(t, y);
  joints_.start(t, y);
}

std::optional<ContactWatch::Found> JoinedWatch::find(const Scheme& scheme) {
  const auto first = impacts_.find(scheme), second = joints_.find(scheme);
  if (!first || !second) return first ? first : second;
  return second->time < first->time ? second : first;
}

double JoinedWatch::first_penetration(double t, const double* y) {
  return impacts_.first_penetration(t, y);
}

double JoinedWatch::change(const Found& found, double t, double* y, ImpactList& observer,
                           double flight_step) {
  double step = 0;
  note_held();
  if (mechanism_.contacts[found.contact]->bearing) {
    step = joints_.change(found, t, y, observer, flight_step);
    if (const double flight = impacts_.jumped(t, y, false, observer); flight > 0)
      step = step > 0 ? std::min(step, flight) : flight;
  } else {
    const bool strikes = found.change == Found::Change::touch;
    if (strikes) let_go();
    step = impacts_.change(found, t, y, observer, flight_step);
    joints_.jumped(t, y, strikes, observer);
    impacts_.start(t, y);
  }
  take_counts();
  return step;
}

double JoinedWatch::jumped(double t, double* y, bool speeds, ImpactList& observer) {
  note_held();
  if (speeds) let_go();
  const double step = impacts_.jumped(t, y, speeds, observer);
  joints_.jumped(t, y, speeds, observer);
  impacts_.start(t, y);
  take_counts();
  return step;
}

void JoinedWatch::accepted(const Scheme& scheme) {
  impacts_.accepted(scheme);
  joints_.accepted(scheme);
}

void JoinedWatch::store(std::vector<double>& values) const {
  std::vector<double> own;
  impacts_.store(values);
  joints_.store(own);
  values.insert(values.end(), own.begin(), own.end());
}

void JoinedWatch::restore(const std::vector<double>& values) {
  const std::size_t own = 4 * states_.size();
  if (values.size() < own) throw std::invalid_argument("there are values of another number of contacts");
  impacts_.restore({values.begin(), values.end() - static_cast<std::ptrdiff_t>(own)});
  joints_.restore({values.end() - static_cast<std::ptrdiff_t>(own), values.end()});
}

}  // namespace tappet
