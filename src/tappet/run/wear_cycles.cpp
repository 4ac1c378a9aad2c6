#include "tappet/run/wear_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tappet {
namespace {

constexpr double safety = 0.9, most_growth = 4, least_growth = 0.2;

double deepest_of_both(const Foundation& f, const double* z) {
  return std::max(f.deepest(z, 0), f.deepest(z, 1));
}

// A cycle that stands for thousands has worn what comes early in it and not yet what comes late: profiles are right where cycles end. So one
// ends where an event of the user's asks for a number of revolutions: as many blocks as before up to there, all of one pace.
double pace_to_event(const Model& model, const std::vector<const Foundation*>& worn, double revolutions,
                     double pace) {
  double target = std::numeric_limits<double>::infinity();
  for (const ModelEvent& event : model.events)
    for (const Foundation* f : worn)
      if (event.signal == f->name + ".revolutions" && event.level > revolutions * (1 + 1e-9))
        target = std::min(target, event.level);
  if (!std::isfinite(target)) return pace;
  const double cycles = (target - revolutions) / worn.front()->counts;
  return cycles / (2 * std::ceil(cycles / (2 * pace) * (1 - 1e-9)));
}

/// An event that ends the run may fire this part of a cycle before its end, being near enough to its level.
constexpr double same_end = 1e-3;
bool at_event(const Model& model, const std::vector<const Foundation*>& worn, double revolutions,
              double near_by) {
  for (const ModelEvent& event : model.events)
    for (const Foundation* f : worn)
      if (event.stop && event.signal == f->name + ".revolutions" &&
          std::abs(event.level - revolutions) <= near_by)
        return true;
  return false;
}

}  // namespace

WearCycles::WearCycles(const Model& model) : model_(model) {
  const Mechanism& m = model.mechanism;
  z_at_ = static_cast<std::size_t>(m.q_size() + m.u_size());
  for (const Foundation* f : m.foundations) {
    if (f->depths() == 0) continue;
    worn_.push_back(f);
    if (f->leader) leader_ = f->leader;
  }
  before_.deepest.resize(worn_.size());
}

double WearCycles::end_of_cycle(const State& state) const {
  if (!leader_) return std::numeric_limits<double>::infinity();
  return (z(state)[leader_->cycle_offset() + Foundation::cycles] + 1) * leader_->period;
}

double WearCycles::revolutions(const State& state) const {
  return leader_ ? z(state)[leader_->cycle_offset() + Foundation::revolutions] : 0;
}

void WearCycles::begin(const Method& method, State& state, Workspace& w) {
  if (leader_) plan(method, state, w, 1);
}

// A block of two cycles of this pace from here, and its trial.
void WearCycles::plan(const Method& method, State& state, Workspace& w, double pace) {
  pace = pace_to_event(model_, worn_, revolutions(state), pace);
  double* cycle = z(state) + leader_->cycle_offset();
  cycle[Foundation::pace] = 2 * pace, cycle[Foundation::second] = 0;
  method.disturbed(model_, state, w);
  const double until = end_of_cycle(state);
  if (state.t < model_.settings.duration) {
    method.collect(model_, w, state);
    State trial = state;
    follow(method, trial, until);
    for (const Foundation* f : worn_)
      std::copy_n(z(trial) + f->aux_offset, f->depths(), z(state) + f->trial_offset());
  }
  for (const Foundation* f : worn_)
    std::copy_n(z(state) + f->aux_offset, f->depths(), z(state) + f->start_offset());
  z(state)[leader_->cycle_offset() + Foundation::pace] = pace;
  method.disturbed(model_, state, w);
}

void WearCycles::follow(const Method& method, State& trial, double until) const {
  auto aside = method.make_workspace(model_);
  method.adopt(model_, trial, *aside);
  while (trial.t < until) {
    method.step(model_, trial, *aside, until);
    method.settle(model_, trial, *aside);
    aside->finished.rows.clear();
  }
}

// After a block: by how much the trial differs, and the pace that would have kept this as wanted.
double WearCycles::next_pace(State& state) const {
  double* now = z(state);
  double off = 0, worn = 0;
  for (const Foundation* f : worn_)
    for (int n = 0; n < f->depths(); ++n) {
      off = std::max(off, std::abs(now[f->trial_offset() + n] - now[f->aux_offset + n]));
      worn = std::max(worn, now[f->aux_offset + n] - now[f->start_offset() + n]);
    }
  double* cycle = now + leader_->cycle_offset();
  cycle[Foundation::error] += off;
  const WearSchedule& schedule = leader_->wear->schedule;
  const double allowed = schedule.tolerance * worn;
  const double growth = off > 0 ? std::clamp(safety * allowed / off, least_growth, most_growth) : most_growth;
  return std::clamp(cycle[Foundation::pace] * growth, 1.0, std::max(1.0, schedule.extrapolate));
}

void WearCycles::before_step(const State& state) {
  before_.time = state.t, before_.revolutions = revolutions(state);
  for (std::size_t i = 0; i < worn_.size(); ++i)
    if (worn_[i]->has_life()) before_.deepest[i] = deepest_of_both(*worn_[i], z(state));
}

void WearCycles::after_step(const Method& method, State& state, Workspace& w) {
  if (worn_.empty()) return;
  // Steps are short against a life: it ends on the straight line between their ends.
  for (std::size_t i = 0; i < worn_.size(); ++i) {
    const Foundation& f = *worn_[i];
    if (!f.has_life() || z(state)[f.life_offset() + Foundation::life_time] >= 0) continue;
    const double end = f.wear->schedule.life, now = deepest_of_both(f, z(state));
    if (!(now >= end)) continue;
    const double part =
        now > before_.deepest[i] ? (end - before_.deepest[i]) / (now - before_.deepest[i]) : 1;
    double* life = z(state) + f.life_offset();
    life[Foundation::life_time] = before_.time + part * (state.t - before_.time);
    life[Foundation::life_revolutions] =
        before_.revolutions + part * (revolutions(state) - before_.revolutions);
    method.disturbed(model_, state, w);
  }
  if (!leader_) return;
  double* cycle = z(state) + leader_->cycle_offset();
  if (state.t < end_of_cycle(state) &&
      !at_event(model_, worn_, revolutions(state), same_end * cycle[Foundation::pace] * leader_->counts))
    return;
  cycle[Foundation::cycles] += 1;
  const bool block_ends = cycle[Foundation::second] != 0;
  if (block_ends) return plan(method, state, w, next_pace(state));
  cycle[Foundation::second] = 1;
  method.disturbed(model_, state, w);
}

void report_wear(const Mechanism& mechanism, const double* z, std::vector<std::string>& notes) {
  for (const Foundation* f : mechanism.foundations) {
    if (f->depths() == 0) continue;
    constexpr const char* surfaces[] = {"bearing", "journal"};
    std::string text = fmt::format("joint '{}'", f->name);
    for (int side : {0, 1})
      if (f->wears(side))
        text += fmt::format("{} the {} has lost {:.4g} mm³ and is {:.4g} µm deep where it is deepest",
                            side == 1 && f->wears(0) ? "," : ":", surfaces[side],
                            1e9 * f->worn_volume(z, side), 1e6 * f->deepest(z, side));
    if (f->leader) {
      const double* cycle = z + f->leader->cycle_offset();
      text += fmt::format(", after {:.6g} revolutions; the extrapolation errs by about {:.2g} µm",
                          cycle[Foundation::revolutions], 1e6 * cycle[Foundation::error]);
    }
    notes.push_back(text);
    if (!f->has_life()) continue;
    const double* life = z + f->life_offset();
    const double end = 1e6 * f->wear->schedule.life;
    if (life[Foundation::life_time] < 0)
      notes.push_back(fmt::format("joint '{}': its `life`, {:.4g} µm of wear, is not over", f->name, end));
    else if (f->leader)
      notes.push_back(
          fmt::format("joint '{}': its `life`, {:.4g} µm of wear, is over after {:.5g} revolutions", f->name,
                      end, life[Foundation::life_revolutions]));
    else
      notes.push_back(fmt::format(
          "joint '{}': its `life`, {:.4g} µm of wear, is over at t = {:.6g} s of the run, {:.5g} s "
          "of it, since each stands for {:g}",
          f->name, end, life[Foundation::life_time],
          life[Foundation::life_time] * f->wear->schedule.extrapolate, f->wear->schedule.extrapolate));
  }
}

}  // namespace tappet
