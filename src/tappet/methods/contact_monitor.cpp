#include "tappet/methods/contact_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/ode/bracketed_zero.hpp"

namespace tappet {
namespace {

// How much of the way to a contact's end a step may take, and from how near (of the step that the roughness
// there allows) it goes across. Tried on the slider-crank: 11 % fewer evaluations than without planning; flat
// around these values.
constexpr double exit_fraction = 0.85, exit_reach = 0.5;

// A contact that has just begun: deeper than nothing, m, and later than its beginning, of the step. Both are below rounding of what is shown.
constexpr double least_depth = std::numeric_limits<double>::min(), just_after = 1e-9;

// The smallest value of the cubic with these values and slopes at 0 and 1, and where it is.
double cubic_minimum(double g0, double s0, double g1, double s1, double& where) {
  // p(θ) = g0 + s0 θ + b θ² + a θ³
  const double b = 3 * (g1 - g0) - 2 * s0 - s1, a = s0 + s1 - 2 * (g1 - g0);
  where = g0 <= g1 ? 0 : 1;
  double least = std::min(g0, g1);
  const double discriminant = b * b - 3 * a * s0;
  if (discriminant < 0) return least;
  const double root = std::sqrt(discriminant);
  for (const double theta : {a != 0 ? (-b + root) / (3 * a) : (b != 0 ? -s0 / (2 * b) : 0.0),
                             a != 0 ? (-b - root) / (3 * a) : 0.0}) {
    if (!(theta > 0 && theta < 1)) continue;
    const double value = g0 + theta * (s0 + theta * (b + theta * a));
    if (value < least) least = value, where = theta;
  }
  return least;
}

// Some laws (Kelvin–Voigt) have one force for loading and another for unloading.
bool jumps_with_rate(const NormalLaw& law, double depth, const double* inputs) {
  const auto force = [&](double rate) {
    return law.evaluate({.depth = depth, .rate = rate, .impact_rate = 1, .inputs = inputs}).force;
  };
  try {
    const double in = force(1e-12), out = force(-1e-12);
    return std::abs(in - out) > 1e-6 * std::max(std::abs(in), std::abs(out));
  } catch (const SimulationError&) {
    return false;
  }
}

}  // namespace

ContactMonitor::ContactMonitor(const Model& model, SmoothSystem& system)
    : model_(model), mechanism_(model.mechanism), system_(system), states_(system.contact_states()) {
  const std::size_t n = mechanism_.contacts.size();
  old_.resize(n);
  new_.resize(n);
  begin_.resize(n);
  end_.resize(n);
  law_.resize(n);
  rising_.assign(n, 0);
  find_turns();
  rough_ = std::pow(model.settings.tolerance, 1 / 3.5);
  y_.assign(system.size(), 0.0);
  unit_.assign(mechanism_.frame_force_size(), 0.0);
  response_.assign(mechanism_.u_size(), 0.0);
  zero_.assign(system.workspace().constraints.rows(), 0.0);
  rows_.assign(system.workspace().constraints.rows(), 0.0);
  together_.reserve(n);
  stick_of_.assign(n, -1);
  moves_.assign(n, 0);
  const ConstraintSystem& constraints = system.workspace().constraints;
  for (const auto& contact : mechanism_.contacts)
    for (int c = 0; contact->stick && c < constraints.count(); ++c)
      if (&constraints.constraint(c) == contact->stick) stick_of_[contact->index] = c;
  lambda_.assign(system.workspace().constraints.rows(), 0.0);
}

void ContactMonitor::find_turns() {
  turns_.clear();
  for (const auto& contact : mechanism_.contacts)
    turns_.push_back(
        contact->normal_law &&
        jumps_with_rate(*contact->normal_law, 1e-6 * contact->length_scale, system_.workspace().k.inputs));
}

// How far a friction mode is from its end, > 0 while it lasts.
double ContactMonitor::margin_of(int c, double t, const double* y) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  const ContactState& state = states_[c];
  const FrictionKind kind = contact.friction_law->traits().kind;
  if (!state.touching || contact.rigid) return 1;
  if (kind == FrictionKind::regularised) {
    const std::vector<double>& kinks = contact.friction_law->traits().kinks;
    if (kinks.empty()) return 1;
    // Distance to the nearer end of the branch; a reversal is beyond the lower one.
    const Touch touch = contact.touch(system_.frames(t, y));
    const int b = state.branch, last = static_cast<int>(kinks.size());
    const double along = contact.sliding_direction(touch, state).dot(touch.slip);
    return std::min(b < last ? kinks[b] - touch.slip.norm() : HUGE_VAL,
                    b > 0 ? along - kinks[b - 1] : HUGE_VAL);
  }
  const bool sticking = kind == FrictionKind::stick && state.stick.sticking;
  // The holding force is a multiplier: it takes the whole dynamics. The rest is geometry.
  if (sticking) {
    const DynamicsWorkspace& w = system_.evaluate(t, y);
    const Touch& touch = w.contacts[c].touch;
    const Tangents tangents = contact.tangents(w.k, touch);
    return margin(*contact.friction_law, state.stick, tangents.components(touch.slip),
                  w.contacts[c].force.normal, tangents.components(holding_force(mechanism_, w, c, touch)),
                  contact.rest);
  }
  const Kinematics& k = system_.frames(t, y);
  const Touch touch = contact.touch(k);
  const Tangential v = contact.tangents(k, touch).components(touch.slip);
  if (kind == FrictionKind::stick) return margin(*contact.friction_law, state.stick, v, 0, {}, contact.rest);
  const double* p = system_.z(y) + contact.aux_offset + ContactPoint::aux_fixed;
  return contact.friction_law->bristle(state.sliding, v, {p[0], p[1]}).margin;
}

void ContactMonitor::evaluate(double t, const double* y, std::vector<Value>& out) {
  const Kinematics& k = system_.frames(t, y);
  for (const auto& contact : mechanism_.contacts) {
    const Touch touch = contact->touch(k);
    out[contact->index].gap = touch.gap;
    out[contact->index].rate = touch.rate;
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c].margin = margin_of(static_cast<int>(c), t, y);
}

void ContactMonitor::prepare(double t, double* y, ImpactList&) {
  for (int c = 0; c < static_cast<int>(states_.size()); ++c)
    if (!mechanism_.contacts[c]->rigid && mechanism_.contacts[c]->touch(system_.frames(t, y)).gap < 0)
      begin(c, t, y, true);
  settle_friction(t, y);
}

void ContactMonitor::start(double t, const double* y) {
  followed_ = false;
  if (!model_.inputs.empty() || mechanism_.feed) find_turns();  // a law may depend on them
  evaluate(t, y, old_);
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (!states_[c].touching || !mechanism_.contacts[c]->normal_law) continue;
    // At first touch rounding may leave a gap; a damper's force is there at once.
    const double depth = states_[c].start == t ? std::max(-old_[c].gap, least_depth) : -old_[c].gap;
    law_[c] = follow(static_cast<int>(c), t, depth, -old_[c].rate);
  }
}

// What changes sign at an event.
double ContactMonitor::Value::of(Found::Change kind) const {
  return kind == Found::Change::stick_slip ? margin : kind == Found::Change::turn ? -rate : gap;
}

// The same at time t of the scheme's last step.
double ContactMonitor::quantity(const Scheme& scheme, int c, Found::Change kind, double t) {
  scheme.interpolate(t, y_.data());
  if (kind == Found::Change::stick_slip) return margin_of(c, t, y_.data());
  const Touch touch = mechanism_.contacts[c]->touch(system_.frames(t, y_.data()));
  return Value{touch.gap, touch.rate}.of(kind);
}

// Where the quantity changes sign in [a, b]; the later side, so that it has its new sign there. To the last digits, or to a
// part of the interval where that is given.
double ContactMonitor::root(const Scheme& scheme, int c, Found::Change kind, double a, double at_a, double b,
                            double at_b, bool falling, double tolerance) {
  const double sense = falling ? -1 : 1;
  if (!(sense * at_b > 0)) return b;
  return bracketed_zero(
      [&](double t) { return sense * quantity(scheme, c, kind, t); }, a, sense * at_a, b, sense * at_b,
      std::max(2 * std::numeric_limits<double>::epsilon() * std::abs(b), tolerance * (b - a)));
}

std::optional<ContactMonitor::Found> ContactMonitor::find(const Scheme& scheme) {
  const double a = scheme.t_old(), b = scheme.t(), h = b - a;
  last_step_ = h;
  evaluate(b, scheme.y(), new_);
  std::copy(old_.begin(), old_.end(), begin_.begin());
  std::optional<Found> first;
  auto offer = [&](double time, int contact, Found::Change kind) {
    if (!first || time < first->time) first = Found{time, contact, kind};
  };
  for (int c = 0; c < static_cast<int>(old_.size()); ++c) {
    const Value &v0 = old_[c], &v1 = new_[c];
    const ContactState& state = states_[c];
    if (mechanism_.contacts[c]->rigid) continue;
    if (!state.touching) {
      if (v1.gap < 0 && model_.settings.reject_steps) {
        offer(b, c, Found::Change::touch);
        continue;
      }
      if (v1.gap < 0) {
        // A contact that has just parted may still be closed by rounding: it opens first, and touches later.
        double open = a, gap = v0.gap;
        bool opened = !(v0.rate > 0);
        for (double theta = 0.5; !opened && theta > 1e-9; theta *= 0.5) {
          open = a + theta * h;
          gap = quantity(scheme, c, Found::Change::touch, open);
          opened = gap > 0;
        }
        if (opened)
          offer(root(scheme, c, Found::Change::touch, open, gap, b, v1.gap, true), c, Found::Change::touch);
        continue;
      }
      if (model_.settings.reject_steps) continue;
      // Apart at both ends: did they touch in between? The cubic through both ends tells where to look.
      if (v0.rate < 0 && v1.rate > 0) {
        double where = 0;
        const double least = cubic_minimum(v0.gap, h * v0.rate, v1.gap, h * v1.rate, where);
        if (least < 0.02 * std::min(v0.gap, v1.gap) && where > 0 && where < 1) {
          const double t = a + where * h;
          if (const double gap = quantity(scheme, c, Found::Change::touch, t); gap < 0)
            offer(root(scheme, c, Found::Change::touch, a, v0.gap, t, gap, true), c, Found::Change::touch);
        }
      }
      continue;
    }
    if (v1.gap > 0) {
      // They parted, unless the contact only just began with a graze: then it ends with the step.
      double inside = a, gap = v0.gap;
      const bool on_its_way = v0.gap < 0 && v0.rate > 0;
      for (double theta = 0.25; !on_its_way && theta < 1; theta += 0.25)
        if (const double there = quantity(scheme, c, Found::Change::part, a + theta * h); there < 0)
          inside = a + theta * h, gap = there;
      offer(gap < 0 ? root(scheme, c, Found::Change::part, inside, gap, b, v1.gap, false) : b, c,
            Found::Change::part);
    }
    if (turns_[c] && -v0.rate > 0 && -v1.rate < 0)
      offer(root(scheme, c, Found::Change::turn, a, -v0.rate, b, -v1.rate, true), c, Found::Change::turn);
    if (v0.margin > 0 && v1.margin <= 0)
      offer(root(scheme, c, Found::Change::stick_slip, a, v0.margin, b, v1.margin, true), c,
            Found::Change::stick_slip);
    else if (state.stick.sticking && v0.margin <= 0 && v1.margin <= 0)
      offer(b, c,
            Found::Change::stick_slip);  // overloaded from the start, by a load that jumped between steps
  }
  if (!first) std::swap(old_, new_);
  return first;
}

double ContactMonitor::first_penetration(double t, const double* y) {
  const Kinematics& k = system_.frames(t, y);
  double deepest = 0;
  for (const auto& contact : mechanism_.contacts)
    if (!contact->rigid && !states_[contact->index].touching)
      deepest = std::max(deepest, -contact->touch(k).gap);
  return deepest;
}

// A step across the end of a contact meets the same roughness as one from its beginning: it must be short.
// Steps that lead there are planned, so that error control need not find out by rejecting them.
double ContactMonitor::step_limit() const {
  double limit = HUGE_VAL;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (!states_[c].touching || !(old_[c].gap < 0 && old_[c].rate > 0) || !(states_[c].impact_rate > 0))
      continue;
    const double left = -old_[c].gap / old_[c].rate;
    const double reach =
        exit_reach * rough_ * elastic_duration(states_[c].depth_scale, states_[c].impact_rate);
    limit = std::min(limit, left > reach ? std::max(exit_fraction * left, reach) : left + reach);
  }
  return limit;
}

NormalOutput ContactMonitor::follow(int c, double t, double depth, double rate) {
  ContactState& state = states_[c];
  const ContactPoint& contact = *mechanism_.contacts[c];
  const NormalOutput law = contact.press(t, {.depth = depth,
                                             .rate = rate,
                                             .impact_rate = state.impact_rate,
                                             .inputs = system_.workspace().k.inputs});
  state.max_penetration = std::max(state.max_penetration, depth);
  state.peak_force = std::max(state.peak_force, contact.share * law.force);
  return law;
}

// A damped contact's force is largest before its deepest point: in the step in which dF/dt = ∂F/∂δ δ̇ + ∂F/∂δ̇
// δ̈ changes sign, δ̈ being taken as the step's mean. There parabolas through three points of the dense output
// close in on the peak.
void ContactMonitor::follow_peak(const Scheme& scheme, int c, const NormalOutput& at_start,
                                 const NormalOutput& at_end) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  const Value &first = begin_[c], &last = end_[c];
  const double a = scheme.t_old(), b = scheme.t();
  if (!(b > a) || at_end.d_rate == 0) return;
  const double acceleration = (first.rate - last.rate) / (b - a);
  const bool rises = at_start.d_depth * -first.rate + at_start.d_rate * acceleration >= 0;
  const bool rises_at_end = at_end.d_depth * -last.rate + at_end.d_rate * acceleration >= 0;
  // Mean accelerations of two steps differ: the peak may be where the steps meet.
  if (rising_[c] && !rises) peaks_.push_back(a);
  rising_[c] = rises_at_end;
  if (!rises || rises_at_end) return;

  double largest = std::max(at_start.force, at_end.force), at_largest = at_start.force < at_end.force ? b : a;
  const auto force = [&](double t) {
    scheme.interpolate(std::clamp(t, a, b), y_.data());
    const Touch touch = contact.touch(system_.frames(t, y_.data()));
    const double found = follow(c, t, -touch.gap, -touch.rate).force;
    if (found > largest) largest = found, at_largest = t;
    return found;
  };
  double centre = 0.5 * (a + b), width = 0.5 * (b - a);
  for (int round = 0; round < 4; ++round, width *= 0.2) {
    const double before = round == 0 ? at_start.force : force(centre - width), here = force(centre),
                 after = round == 0 ? at_end.force : force(centre + width);
    const double bend = before - 2 * here + after;
    if (!(bend < 0)) break;
    centre = std::clamp(centre + 0.5 * width * (before - after) / bend, a, b);
  }
  peaks_.push_back(at_largest);
}

void ContactMonitor::accepted(const Scheme& scheme) {
  const Kinematics& k = system_.frames(scheme.t(), scheme.y());
  for (int c = 0; c < static_cast<int>(states_.size()); ++c) {
    ContactState& state = states_[c];
    const ContactPoint& contact = *mechanism_.contacts[c];
    if (!state.touching || contact.rigid) continue;
    const Touch touch = contact.touch(k);
    end_[c].gap = touch.gap, end_[c].rate = touch.rate;
    if (state.branch > 0) state.direction = touch.slip.normalized();
    if (contact.friction_law->traits().kind == FrictionKind::regularised) continue;
    state.tangent = contact.carried_tangent(k, touch);
    if (contact.stick && !state.stick.sticking)
      accept(*contact.friction_law, state.stick, contact.tangents(k, touch).components(touch.slip),
             contact.rest);
  }
  if (!followed_) follow_step(scheme);
  followed_ = false;
}

void ContactMonitor::peaks(const Scheme& scheme, std::vector<double>& out) {
  const double a = scheme.t_old(), b = scheme.t();
  const Kinematics& k = system_.frames(b, scheme.y());
  bool any = false;
  for (int c = 0; c < static_cast<int>(states_.size()); ++c) {
    if (!states_[c].touching || !mechanism_.contacts[c]->normal_law) continue;
    const Touch touch = mechanism_.contacts[c]->touch(k);
    end_[c].gap = touch.gap, end_[c].rate = touch.rate;
    if (states_[c].start == a) out.push_back(a + just_after * (b - a));
    any = true;
  }
  if (!any) return;
  follow_step(scheme);
  followed_ = true;
  out.insert(out.end(), peaks_.begin(), peaks_.end());
}

// Maxima inside the step, whose values at both ends are known.
void ContactMonitor::follow_step(const Scheme& scheme) {
  const double a = scheme.t_old(), b = scheme.t();
  peaks_.clear();
  // The deepest point lies inside the step in which the rate changes sign, the largest force there or before.
  for (int c = 0; c < static_cast<int>(states_.size()); ++c) {
    if (!states_[c].touching || !mechanism_.contacts[c]->normal_law) continue;
    const NormalOutput at_start = law_[c];
    law_[c] = follow(c, b, -end_[c].gap, -end_[c].rate);
    follow_peak(scheme, c, at_start, law_[c]);
    if (!(begin_[c].rate < 0 && end_[c].rate > 0)) continue;
    // Near it the depth hardly changes: a millionth of the step is near enough.
    const double t = root(scheme, c, Found::Change::turn, a, -begin_[c].rate, b, -end_[c].rate, true, 1e-6);
    scheme.interpolate(t, y_.data());
    const Touch deepest = mechanism_.contacts[c]->touch(system_.frames(t, y_.data()));
    follow(c, t, -deepest.gap, 0);
    peaks_.push_back(t);
  }
}

// A contact creeps when it is as deep as its present speed makes in the time since it began, and neither that speed nor the force changes:
// then it is the speed that carries the load.
void ContactMonitor::report(double t, const double* y, std::vector<std::string>& warnings) {
  constexpr double steady = 0.1;  // change in the time since it began, of speed and force
  const Kinematics& k = system_.frames(t, y);
  for (const auto& contact : mechanism_.contacts) {
    const ContactState& state = states_[contact->index];
    if (!state.touching || !contact->normal_law) continue;
    const Touch touch = contact->touch(k);
    const double depth = -touch.gap, rate = -touch.rate, time = t - state.start;
    if (!(depth > 0 && rate * time > 0.5 * depth)) continue;
    const Value &first = begin_[contact->index], &last = end_[contact->index];
    const double change = last_step_ > 0 ? (first.rate - last.rate) / last_step_ : 0;
    const NormalOutput n =
        contact->press(t, {.depth = depth, .rate = rate, .impact_rate = state.impact_rate});
    if (std::abs(change) * time > steady * rate ||
        std::abs(n.d_depth * rate + n.d_rate * change) * time > steady * n.force || !(n.force > 0))
      continue;
    warnings.push_back(fmt::format(
        "contact '{}' creeps: its law carries {:.4g} N by the speed of penetration alone, {:.3g} "
        "m/s, and it has sunk {:.4g} m "
        "since t = {:.6g} s; a law that grows with penetration carries a load at rest",
        contact->name, contact->share * n.force, rate, depth, state.start < 1e-12 * t ? 0 : state.start));
  }
}

// Gap, rate and margin of each contact as they were when the step ended, since when tangents may have turned; and whether its force rose.
void ContactMonitor::store(std::vector<double>& values) const {
  values.clear();
  for (std::size_t c = 0; c < old_.size(); ++c)
    values.insert(values.end(), {old_[c].gap, old_[c].rate, old_[c].margin, rising_[c] ? 1.0 : 0.0});
}

void ContactMonitor::restore(const std::vector<double>& values) {
  if (values.size() != 4 * old_.size())
    throw std::invalid_argument("there are values of another number of contacts");
  for (std::size_t c = 0; c < old_.size(); ++c) {
    old_[c] = {values[4 * c], values[4 * c + 1], values[4 * c + 2]};
    rising_[c] = values[4 * c + 3] != 0;
  }
}

// First touch: what the laws need to remember, and the scales of what follows.
double ContactMonitor::begin(int c, double t, double* y, bool closed_from_start) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  ContactState& state = states_[c];
  const Kinematics& k = system_.frames(t, y);
  const Touch touch = contact.touch(k);
  state.touching = true;
  state.sliding = false;
  state.branch = contact.friction_law->branch_of(touch.slip.norm());
  state.direction = touch.slip.normalized();
  state.tangent.setZero();
  state.tangent = contact.carried_tangent(k, touch);
  state.impact_rate = std::max(0.0, -touch.rate);
  state.start = t;
  state.max_penetration = std::max(0.0, -touch.gap);
  state.peak_force = 0;
  rising_[c] = 0;
  state.impulse_start = system_.z(y)[contact.aux_offset + ContactPoint::aux_impulse];
  max_first_penetration = std::max(max_first_penetration, -touch.gap);
  for (int n = 0; n < contact.aux_count() - ContactPoint::aux_fixed; ++n)
    y[system_.size() - mechanism_.aux_size + contact.aux_offset + ContactPoint::aux_fixed + n] = 0;
  const double duration = contact.normal_law ? scale_impact(c, t, y, touch, closed_from_start) : 0;
  if (contact.stick) {
    state.stick =
        begin_contact(*contact.friction_law, contact.tangents(k, touch).components(touch.slip), contact.rest);
    if (state.stick.sticking) change_friction(c, t, y, true);
  }
  return duration;
}

// The depth and the duration that an impact which begins here is expected to have.
double ContactMonitor::scale_impact(int c, double t, const double* y, const Touch& touch,
                                    bool closed_from_start) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  ContactState& state = states_[c];
  // The mass that the impact feels: 1/m = n·(acceleration that a unit force along n causes).
  const DynamicsWorkspace& w = system_.evaluate(t, y);
  push_apart(contact, touch, w.k, mechanism_.ground(), unit_);
  w.constraints.to_bodies(unit_.data());
  system_.respond(unit_.data(), zero_.data(), response_.data(), lambda_.data());
  double mobility = 0;
  for (std::size_t n = 0; n < response_.size(); ++n) mobility += unit_[n] * response_[n];
  if (closed_from_start)
    state.impact_rate = std::max(state.impact_rate,
                                 speed_to_reach(*contact.normal_law, -touch.gap, contact.share * mobility));

  // The penetration at which the spring has taken up the impact's energy.
  const double energy = mobility > 0 ? 0.5 * state.impact_rate * state.impact_rate / mobility : 0;
  const double depth =
      expected_depth(*contact.normal_law, state.impact_rate, energy / contact.share, contact.length_scale);
  state.depth_scale = depth;
  state.depth_scale_high = std::max(state.depth_scale_high, depth);
  return state.impact_rate > 0 ? elastic_duration(depth, state.impact_rate) : 0;
}

void ContactMonitor::end(int c, double t, const double* y, ImpactList& observer) {
  const ContactPoint& contact = *mechanism_.contacts[c];
  ContactState& state = states_[c];
  const Touch touch = contact.touch(system_.frames(t, y));
  Impact impact;
  impact.contact = c;
  impact.start = state.start;
  impact.end = t;
  impact.speed_in = state.impact_rate;
  impact.speed_out = touch.rate;
  impact.restitution = state.impact_rate > 0 ? touch.rate / state.impact_rate : 0;
  impact.requested = contact.normal_law->traits().requested_restitution;
  impact.max_penetration = state.max_penetration;
  impact.peak_force = state.peak_force;
  impact.impulse = system_.z(y)[contact.aux_offset + ContactPoint::aux_impulse] - state.impulse_start;
  observer.impact(impact);
  ++impacts;
  const double love = love_ratio(contact.pair, state.impact_rate);
  if (love > 1) ++love_exceeded;
  if (love > worst_love_ratio) worst_love_ratio = love, worst_love_contact = c;
  state.touching = false;
  state.stick = {};
}

// A branch of regularised friction that is entered leaves the time scales as they are: the step stays what it was, but ends a
// little behind the next kink, so that it is cut near its end, where dense output is best. The speed is taken to change as
// the margin did in the last step. 0: other laws, whose motion is a new one.
double ContactMonitor::step_beyond_kink(int c) const {
  const FrictionTraits& traits = mechanism_.contacts[c]->friction_law->traits();
  if (traits.kind != FrictionKind::regularised) return 0;
  const std::vector<double>& kinks = traits.kinks;
  const int b = states_[c].branch, last = static_cast<int>(kinks.size());
  const double width = b == last ? HUGE_VAL : b == 0 ? 2 * kinks[0] : kinks[b] - kinks[b - 1];
  const double fall = begin_[c].margin - new_[c].margin;
  return last_step_ * (fall > 0 ? std::min(1.0, 1.2 * width / fall) : 1.0);
}

// The other contacts that touch or part at the same instant (the two corners of a face), but for rounding:
// left to events of their own they would act one after the other, and a symmetric impact would turn the body.
const std::vector<int>& ContactMonitor::together(const Found& found, double t, const double* y) {
  const bool touch = found.change == Found::Change::touch;
  const double rounding = 1e-15 * mechanism_.length;
  const Kinematics& k = system_.frames(t, y);
  together_.clear();
  for (const auto& contact : mechanism_.contacts) {
    if (contact->index == found.contact || contact->rigid || states_[contact->index].touching == touch)
      continue;
    const Touch now = contact->touch(k);
    if (touch ? now.gap <= rounding && now.rate < 0 : now.gap >= -rounding && now.rate > 0)
      together_.push_back(contact->index);
  }
  return together_;
}

// Slip that jumped is that of a contact which has just begun; forces that jumped may be more than what sticks can hold.
double ContactMonitor::jumped(double t, double* y, bool speeds, ImpactList& observer) {
  for (const auto& contact : mechanism_.contacts) {
    ContactState& state = states_[contact->index];
    if (contact->with_switch >= 0 && !contact->rigid && !contact->bearing) {
      const Kinematics& k = system_.frames(t, y);
      if (is_off(k, contact->with_switch) && state.touching)
        end(contact->index, t, y, observer);
      else if (!state.touching && contact->touch(k).gap < 0)
        begin(contact->index, t, y, true);
    }
    if (!speeds || !state.touching || contact->rigid) continue;
    const Kinematics& k = system_.frames(t, y);
    const Touch touch = contact->touch(k);
    state.sliding = false;
    state.branch = contact->friction_law->branch_of(touch.slip.norm());
    state.direction = touch.slip.normalized();
    if (!contact->stick) continue;
    state.stick = begin_contact(*contact->friction_law, contact->tangents(k, touch).components(touch.slip),
                                contact->rest);
    if (state.stick.sticking) change_friction(contact->index, t, y, true);
  }
  settle_friction(t, y);
  start(t, y);
  return 0;
}

double ContactMonitor::change(const Found& found, double t, double* y, ImpactList& observer,
                              double flight_step) {
  double step = 0;
  switch (found.change) {
    case Found::Change::touch:
      step = begin(found.contact, t, y);
      for (const int c : together(found, t, y)) step = std::min(step, begin(c, t, y));
      // A force that starts like δ^1.5 makes the first step's error go like h^3.5, whatever the scheme's
      // order.
      step *= std::min(0.125, 2 * rough_);
      break;
    case Found::Change::part:
      end(found.contact, t, y, observer);
      for (const int c : together(found, t, y)) end(c, t, y, observer);
      step = flight_step;
      break;
    case Found::Change::turn:
      break;
    case Found::Change::stick_slip:
      change_friction(found.contact, t, y, false);
      step = step_beyond_kink(found.contact);
      break;
  }
  settle_friction(t, y);
  start(t, y);
  // Contacts that change together (the two ends of a journal) are past their own event by rounding: they
  // change now, since a margin that starts below zero would not be seen to fall.
  for (int c = 0; c < static_cast<int>(states_.size()); ++c) {
    const FrictionKind kind = mechanism_.contacts[c]->friction_law->traits().kind;
    if (c == found.contact || mechanism_.contacts[c]->rigid || !states_[c].touching ||
        kind == FrictionKind::stick || old_[c].margin > 0)
      continue;
    change_friction(c, t, y, false);
    old_[c].margin = margin_of(c, t, y);
  }
  return step;
}

}  // namespace tappet
