#include "tappet/methods/impact_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/ode/bracketed_zero.hpp"

namespace tappet {
namespace {

// A rebound slower than this part of the contact's fastest impact is the tail of an accumulation,
constexpr double last_bounce = 1e-6;
// and so is one that rises less than this part of the mechanism's length, which joints are closed to.
constexpr double lowest_bounce = 1e-12;
// A margin of hold below this part of the forces is none: bodies that are at their limit for a while, as one that is carried by another which
// slides, are not asked again and again.
constexpr double no_margin = 1e-9;
// Impacts in a row at one instant.
constexpr int most_impacts = 20;
// Impacts without collision in a row: each stops at least one slip.
constexpr int most_jams = 20;

}  // namespace

ImpactMonitor::ImpactMonitor(const Model& model, SmoothSystem& system)
    : model_(model),
      mechanism_(model.mechanism),
      system_(system),
      states_(system.contact_states()),
      rigid_(*system.rigid_contacts()),
      events_(*this),
      locator_(events_) {
  begin_.assign(events_.event_count(), {.value = 1});
}

double ImpactMonitor::speed_scale(const double* y) const {
  const double* u = system_.u(y);
  const bool planar = mechanism_.dimension == Dimension::planar;
  const int width = planar ? 3 : 6, linear = planar ? 2 : 3;
  // Where all comes to rest, speeds have their measure from gravity, or from going through the mechanism's length in the run's duration.
  double speed = 1e-3 * std::max(std::sqrt(mechanism_.gravity.norm() * mechanism_.length),
                                 mechanism_.length / model_.settings.duration);
  for (int i = 0; i < mechanism_.u_size(); ++i)
    speed = std::max(speed, std::abs(u[i]) * (i % width < linear ? 1.0 : mechanism_.length));
  return speed;
}

// Contacts that close together within the accuracy of the integration are one impact.
double ImpactMonitor::nearness(int c) const {
  return std::max(1e-10, model_.settings.tolerance) *
         std::min(mechanism_.contacts[c]->length_scale, mechanism_.length);
}

void ImpactMonitor::Events::event_values(double t, const double* y, double* g) {
  ImpactMonitor& m = monitor_;
  const bool closed = m.rigid_.any_closed();
  const Kinematics& k = closed ? m.system_.evaluate(t, y).k : m.system_.frames(t, y);
  for (std::size_t c = 0; c < m.states_.size(); ++c) {
    const int contact = static_cast<int>(c);
    const ContactState& state = m.states_[c];
    rates_[2 * c] = rates_[2 * c + 1] = std::numeric_limits<double>::quiet_NaN();
    g[2 * c] = g[2 * c + 1] = 1;
    if (!m.mechanism_.contacts[c]->rigid) continue;
    if (state.touching) {
      g[2 * c] = m.rigid_.hold_margin(contact);
      g[2 * c + 1] = m.rigid_.slip_margin(contact);
    } else {
      const Touch touch = m.mechanism_.contacts[c]->touch(k);
      g[2 * c] = state.branch == 1 ? touch.gap + m.nearness(contact) : touch.gap;
      rates_[2 * c] = touch.rate;
      g[2 * c + 1] = 1;
    }
  }
}

void ImpactMonitor::start(double t, const double* y) {
  values_.resize(begin_.size());
  rates_.resize(begin_.size());
  events_.event_values(t, y, values_.data());
  events_.event_rates(rates_.data());
  for (std::size_t i = 0; i < begin_.size(); ++i) begin_[i] = {.value = values_[i], .rate = rates_[i]};
  // What is zero up to rounding has just had its event: its sign is that of what follows, once it is seen.
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (!mechanism_.contacts[c]->rigid) continue;
    EventStart &gap = begin_[2 * c], &slip = begin_[2 * c + 1];
    if (!states_[c].touching && states_[c].branch == 0 &&
        std::abs(gap.value) <= nearness(static_cast<int>(c)))
      gap.level = gap.value, gap.value = 0;
    if (states_[c].touching && std::abs(gap.value) <= no_margin) gap.value = 0, gap.band = no_margin;
    if (states_[c].touching && std::abs(slip.value) <= at_rest_) slip.value = 0, slip.band = at_rest_;
  }
}

// A function that is past its zero without having been seen to pass it, 2·contact (+ 1); −1: none.
int ImpactMonitor::overdue(const double* g) const {
  for (std::size_t c = 0; c < states_.size(); ++c) {
    const bool closed = states_[c].touching;
    if (g[2 * c] < -(closed ? no_margin : nearness(static_cast<int>(c)))) return static_cast<int>(2 * c);
    if (closed && g[2 * c + 1] < -at_rest_) return static_cast<int>(2 * c + 1);
  }
  return -1;
}

std::optional<ContactWatch::Found> ImpactMonitor::find(const Scheme& scheme) {
  const auto found = locator_.first(events_, scheme, begin_, -1);
  const auto kind_of = [&](int index) {
    return index % 2 || states_[index / 2].touching ? Found::Change::stick_slip : Found::Change::touch;
  };
  if (found) {
    if (const auto earlier = deep_before(scheme, found->time)) return earlier;
    return Found{found->time, found->index / 2, kind_of(found->index)};
  }
  const int late = overdue(locator_.values_at_end());
  if (late < 0) {
    begin_ = locator_.at_end();
    return std::nullopt;
  }
  if (const auto earlier = deep_before(scheme, scheme.t())) return earlier;
  // Whatever went the wrong way from the very beginning is settled there.
  const double h = scheme.t() - scheme.t_old();
  const double soon = std::min(scheme.t(), scheme.t_old() + std::max(1e-9 * h, 1e-15 * std::abs(scheme.t())));
  return Found{soon, late / 2, kind_of(late)};
}

// A place may begin and end within a part of the step, and leave its gap to the next, at the border of a facet: that one is seen where it
// begins, already deep. The least gap of all that are open is continuous: where is it half as deep as what counts as none?
std::optional<ContactWatch::Found> ImpactMonitor::deep_before(const Scheme& scheme, double end) {
  y_.resize(system_.size());
  values_.resize(begin_.size());
  int deepest = -1;
  const auto depth = [&](double t) {
    scheme.interpolate(t, y_.data());
    events_.event_values(t, y_.data(), values_.data());
    double out = -HUGE_VAL;
    for (std::size_t c = 0; c < states_.size(); ++c) {
      const double deep = -values_[2 * c] - 0.5 * nearness(static_cast<int>(c));
      if (!states_[c].touching && deep > out) out = deep, deepest = static_cast<int>(c);
    }
    return out;
  };
  const double at_end = depth(end), begin = scheme.t_old();
  if (!(at_end > 0)) return std::nullopt;
  const double at_begin = depth(begin);
  if (!(at_begin < 0)) return std::nullopt;
  const double time =
      bracketed_zero(depth, begin, at_begin, end, at_end,
                     std::max(2 * std::numeric_limits<double>::epsilon() * end, 1e-15 * (end - begin)));
  depth(time);
  return Found{time, deepest, Found::Change::touch};
}

double ImpactMonitor::first_penetration(double t, const double* y) {
  const Kinematics& k = system_.frames(t, y);
  double deepest = 0;
  for (const auto& contact : mechanism_.contacts)
    if (contact->rigid && !states_[contact->index].touching)
      deepest = std::max(deepest, -contact->touch(k).gap);
  return deepest;
}

void ImpactMonitor::accepted(const Scheme& scheme) {
  const Kinematics& k = system_.frames(scheme.t(), scheme.y());
  for (const auto& contact : mechanism_.contacts) {
    ContactState& state = states_[contact->index];
    if (!contact->rigid) continue;
    const Touch touch = contact->touch(k);
    if (state.branch == 1 && touch.gap > nearness(contact->index)) state.branch = 0;
    const double least = contact->planar ? at_rest_ : std::max(at_rest_, rigid_.turning_slip());
    if (state.touching && !state.stick.sticking && touch.slip.norm() > least &&
        touch.slip.dot(state.direction) > 0)
      state.direction = touch.slip.normalized();
    if (state.touching) rigid_.follow_turning(contact->index, touch, k, at_rest_);
  }
}

// Values at the beginning of the next step: g, its level and band, and its rate where that is known (a state holds nothing that is not a
// number).
void ImpactMonitor::store(std::vector<double>& values) const {
  values.clear();
  for (const EventStart& each : begin_) {
    const bool known = !std::isnan(each.rate);
    values.insert(values.end(),
                  {each.value, each.level, each.band, known ? 1.0 : 0.0, known ? each.rate : 0.0});
  }
  values.push_back(at_rest_);
}

void ImpactMonitor::restore(const std::vector<double>& values) {
  if (values.size() != 5 * begin_.size() + 1)
    throw std::invalid_argument("there are values of another number of contacts");
  const double* v = values.data();
  for (EventStart& each : begin_) {
    each = {.value = v[0], .level = v[1], .band = v[2]};
    if (v[3] != 0) each.rate = v[4];
    v += 5;
  }
  at_rest_ = *v;
}

void ImpactMonitor::prepare(double t, double* y, ImpactList& observer) {
  part(t, y);
  settle(t, y, observer);
}

// What overlaps at the start is moved apart, whether it stays closed or not: a contact that opened while it overlaps would be past its
// zero for ever. Places alone change, as those of closed contacts are held; velocities then follow the joints at the new places.
void ImpactMonitor::part(double t, double* y) {
  const Kinematics& k = system_.frames(t, y);
  bool any = false;
  for (const auto& contact : mechanism_.contacts) {
    const bool overlaps = contact->touch(k).gap < -nearness(contact->index);
    states_[contact->index].touching = overlaps;
    any = any || overlaps;
  }
  if (!any) return;
  double* const u = y + mechanism_.q_size();
  const std::vector<double> velocities(u, u + mechanism_.u_size());
  system_.project(t, y);
  std::copy(velocities.begin(), velocities.end(), u);
  for (ContactState& state : states_) state.touching = false;
  system_.project(t, y);
}

double ImpactMonitor::change(const Found&, double t, double* y, ImpactList& observer, double flight_step) {
  max_first_penetration = std::max(max_first_penetration, first_penetration(t, y));
  settle(t, y, observer);
  start(t, y);
  const double flight = shortest_flight(t, y);
  return flight > 0 && flight_step > 0 ? std::min(flight_step, flight) : std::max(flight_step, flight);
}

// Speeds that jumped may be impacts of what touches; forces may open contacts, or make them slip.
double ImpactMonitor::jumped(double t, double* y, bool, ImpactList& observer) {
  settle(t, y, observer);
  start(t, y);
  return shortest_flight(t, y);
}

// A step across the whole of a short bounce would not see it: the first one ends soon after the bounce does, 2 v/a.
double ImpactMonitor::shortest_flight(double t, const double* y) {
  double shortest = 0;
  system_.evaluate(t, y);
  for (int c : near_) {
    if (states_[c].touching || states_[c].branch == 1) continue;
    const double rate = mechanism_.contacts[c]->touch(system_.workspace().k).rate;
    const double a = -rigid_.acceleration(c, y, system_.u(y));
    if (rate > 0 && a > 0 && (shortest == 0 || 2.4 * rate / a < shortest)) shortest = 2.4 * rate / a;
  }
  return shortest;
}

void ImpactMonitor::settle(double t, double* y, ImpactList& observer) {
  at_rest_ = std::max(1e-12, 10 * model_.settings.tolerance) * speed_scale(y);

  // Everything that touches now, whatever it was doing.
  near_.clear();
  const Kinematics& k = system_.frames(t, y);
  for (const auto& contact : mechanism_.contacts)
    if (contact->rigid && contact->touch(k).gap <= nearness(contact->index)) near_.push_back(contact->index);
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (!mechanism_.contacts[c]->rigid) continue;
    ContactState& state = states_[c];
    state.touching = false, state.stick = {}, state.branch = 0;
    state.rolling.setZero(), state.spinning = 0;
  }
  if (near_.empty()) return;
  look_for_crowds();
  system_.evaluate(t, y);

  // Impacts may lead to others: a body thrown against a third one that it touches.
  tail_ = false;
  struck_.clear();
  for (int n = 0; n < most_impacts && strike(t, y, observer); ++n) system_.evaluate(t, y);
  for (int c : near_)
    if (mechanism_.contacts[c]->touch(system_.workspace().k).rate < -1e-6 * speed_scale(y))
      throw SimulationError(
          t,
          fmt::format("impacts follow each other without end at one instant: '{}' still approaches after {}",
                      mechanism_.contacts[c]->name, most_impacts));
  rest(t, y, observer);
  if (rigid_.any_closed()) system_.project(t, y);
}

// Two surfaces whose contacts are all closed may touch at more places, which nothing holds.
void ImpactMonitor::look_for_crowds() {
  for (std::size_t n = 0; n < near_.size(); ++n) {
    const ContactPoint& first = *mechanism_.contacts[near_[n]];
    const int places = first.most_places();
    if (crowded.empty() && places > 0 && n + places <= near_.size() &&
        near_[n + places - 1] == near_[n] + places - 1)
      crowded = fmt::format(
          "contact '{}': two surfaces touch at {} places or more at once; those beyond {} are left out",
          first.name, places, places);
  }
}

// The modes of what does not separate; impacts without collision where no forces exist.
void ImpactMonitor::rest(double t, double* y, ImpactList& observer) {
  double *u = y + mechanism_.q_size(), *z = u + mechanism_.u_size();
  for (int n = 0; n < most_jams; ++n) {
    resting_.clear();
    slow_.clear();
    for (int c : near_) {
      const Touch touch = mechanism_.contacts[c]->touch(system_.workspace().k);
      // The last of ever smaller impacts ends what they were: a block that rocked stands on both corners.
      const double end = tail_ ? last_bounce * states_[c].impact_rate : 0;
      if (touch.rate > std::max(1e-9 * speed_scale(y), end)) continue;
      resting_.push_back(c);
      slow_.push_back(std::max(at_rest_, end));
    }
    if (resting_.empty()) return;
    rigid_.bring_to_rest(resting_, slow_, u);
    system_.evaluate(t, y);
    if (rigid_.decide(resting_, y, u, at_rest_, z[ledger_input])) return;
    for (const RigidContacts::Percussion& percussion : rigid_.percussions()) {
      book(percussion, y);
      if (!(percussion.impulse > 0)) continue;
      Impact row;
      row.contact = percussion.contact;
      row.start = row.end = t;
      row.requested = mechanism_.contacts[percussion.contact]->rigid->restitution;
      row.impulse = percussion.impulse;
      observer.impact(row);
      ++impacts;
    }
    system_.evaluate(t, y);
  }
  throw SimulationError(t,
                        fmt::format("friction jams without end at one instant at '{}' and the other contacts",
                                    mechanism_.contacts[resting_.front()]->name));
}

bool ImpactMonitor::bounces(int c, double speed, double t, const double* y) {
  const double rebound = mechanism_.contacts[c]->rigid->restitution * speed, fastest = states_[c].impact_rate;
  if (!(rebound > last_bounce * fastest)) return false;
  if (rebound > 1e-2 * fastest && rebound > 1e-3 * speed_scale(y)) return true;
  const double a = -rigid_.acceleration(c, y, system_.u(y)), length = mechanism_.length;
  if (rebound * rebound <= 2 * a * lowest_bounce * length) return false;
  // A flight that rounding of places and times does not resolve is none.
  return 2 * rebound > a * 100 * (1e-15 * length / rebound + 4e-16 * t);
}

// One impact of all contacts that touch and do not separate; false when none of them approaches.
bool ImpactMonitor::strike(double t, double* y, ImpactList& observer) {
  const Kinematics& k = system_.workspace().k;
  const double scale = speed_scale(y), still = 1e-13 * scale;
  bool approaches = false, lively = false;
  set_.clear();
  restitution_.clear();
  for (int c : near_) {
    ContactState& state = states_[c];
    const double speed = -mechanism_.contacts[c]->touch(k).rate;
    // One that has been struck at this instant takes part again: a ball between two walls would go to and fro for ever.
    const bool struck = std::find(struck_.begin(), struck_.end(), c) != struck_.end();
    if (speed < -1e-9 * scale && !struck) continue;
    approaches = approaches || speed > still;
    state.impact_rate = std::max(state.impact_rate, speed);
    const double e = mechanism_.contacts[c]->rigid->restitution;
    const bool back = bounces(c, speed, t, y);
    lively = lively || back || (e == 0 && speed > last_bounce * state.impact_rate);
    set_.push_back(c);
    restitution_.push_back(back ? e : 0.0);
  }
  if (!approaches) return false;
  tail_ = !lively;
  // With Poisson's law a contact that is pressed by others gives back what it stored, though it did not approach itself.
  if (model_.settings.impact_law == ImpactLaw::poisson && lively)
    for (std::size_t i = 0; i < set_.size(); ++i) {
      const ContactPoint& contact = *mechanism_.contacts[set_[i]];
      if (-contact.touch(k).rate <= still) restitution_[i] = contact.rigid->restitution;
    }

  double* z = y + mechanism_.q_size() + mechanism_.u_size();
  struck_.insert(struck_.end(), set_.begin(), set_.end());
  const auto& percussions = rigid_.impact(set_, restitution_, y + mechanism_.q_size(), z[ledger_input]);
  for (const RigidContacts::Percussion& p : percussions) {
    book(p, y);
    if (mechanism_.contacts[p.contact]->bearing) continue;
    const double fastest = states_[p.contact].impact_rate;
    const double e = mechanism_.contacts[p.contact]->rigid->restitution;
    const bool closes =
        restitution_[std::find(set_.begin(), set_.end(), p.contact) - set_.begin()] == 0 && e > 0;
    if (!(p.speed_in > last_bounce * fastest) || !(p.impulse > 0)) continue;
    Impact row;
    row.contact = p.contact;
    row.start = row.end = t;
    row.speed_in = p.speed_in;
    row.speed_out = p.speed_out;
    row.restitution = p.speed_out / p.speed_in;
    row.requested = e;
    row.impulse = p.impulse;
    observer.impact(row);
    ++impacts;
    if (closes) close_accumulation(p.contact, t, y, e * p.speed_in, e, observer);
  }
  return true;
}

// What an impulse took, in the ledger and in that of the contact.
void ImpactMonitor::book(const RigidContacts::Percussion& p, double* y) {
  double *z = y + mechanism_.q_size() + mechanism_.u_size(),
         *own = z + mechanism_.contacts[p.contact]->aux_offset;
  z[ledger_normal] += p.normal_loss;
  z[ledger_friction] += p.friction_loss;
  own[ContactPoint::aux_impulse] += p.impulse;
  own[ContactPoint::aux_normal_loss] += p.normal_loss;
  own[ContactPoint::aux_friction_loss] += p.friction_loss;
}

// Bounces of speed ε v, ε² v, … under the acceleration −a last 2 ε v/(a (1 − ε)) together.
void ImpactMonitor::close_accumulation(int c, double t, const double* y, double rebound, double e,
                                       ImpactList& observer) {
  const double a = -rigid_.acceleration(c, y, system_.u(y));
  if (!(a > 0) || e >= 1) return;
  Impact row;
  row.contact = c;
  row.start = row.end = t + 2 * rebound / (a * (1 - e));
  row.requested = e;
  observer.impact(row);
}

}  // namespace tappet
