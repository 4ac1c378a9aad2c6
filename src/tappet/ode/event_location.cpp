#include "tappet/ode/event_location.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/ode/bracketed_zero.hpp"

namespace tappet {

namespace {

/// Parts of the step at whose ends signs are compared.
constexpr std::array<double, 4> sample_points = {0.25, 0.5, 0.75, 1.0};
/// Where a function that starts from zero shows its sign.
constexpr double just_after = 1.0 / 1024;

int sign(double value) {
  return (value > 0) - (value < 0);
}

/// A sign change of one function from g_a to g_b, in the direction asked for (0: any); from zero there is none, since that event
/// is past.
bool changes(double g_a, double g_b, int direction = 0) {
  return sign(g_a) != 0 && sign(g_b) != sign(g_a) && sign(g_a) != direction;
}

/// Whether a function that falls at one end of an interval of length h and rises at the other stays positive between: where it is convex, it
/// lies above its tangents at both ends, which meet at their lowest.
bool tangents_stay_positive(double g_a, double rate_a, double g_b, double rate_b, double h) {
  const double meet = (g_b - rate_b * h - g_a) / (rate_a - rate_b);
  return meet > 0 && meet < h && g_a + rate_a * meet > 0;
}

}  // namespace

EventLocator::EventLocator(const OdeSystem& system) : y_(static_cast<std::size_t>(system.size())) {
  for (auto* values : {&left_, &right_, &end_, &probe_, &left_rate_, &right_rate_, &probe_rate_})
    values->resize(static_cast<std::size_t>(system.event_count()));
  left_time_.resize(left_.size());
  start_.resize(left_.size());
  at_end_.resize(left_.size());
}

void EventLocator::evaluate(OdeSystem& system, const Scheme& scheme, double time, double* g) {
  scheme.interpolate(time, y_.data());
  system.event_values(time, y_.data(), g);
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (std::isnan(g[i]))
      throw SimulationError(time, fmt::format("event function {} is not a number at t = {:.12g} s", i, time));
}

double EventLocator::seen(std::size_t i, double time, double g) const {
  if (!departs(i)) return g + start_[i].band;
  return time > t_old_ ? (g - start_[i].level) / (time - t_old_) : start_[i].rate;
}

std::optional<LocatedEvent> EventLocator::first(OdeSystem& system, const Scheme& scheme,
                                                const double* g_old) {
  std::vector<EventStart>& start = at_end_;
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = {.value = g_old[i]};
  return first(system, scheme, start);
}

std::optional<LocatedEvent> EventLocator::first(OdeSystem& system, const Scheme& scheme,
                                                const std::vector<EventStart>& start, int direction) {
  const std::size_t count = left_.size();
  if (count == 0) return std::nullopt;
  start_ = start;
  t_old_ = scheme.t_old();
  const double h = scheme.t() - t_old_;

  // Functions that start from zero: their rate, or their sign just after; from there on they are like the others.
  bool unknown = false;
  for (std::size_t i = 0; i < count; ++i) {
    left_[i] = departs(i) ? start_[i].rate : start_[i].value + start_[i].band;
    left_rate_[i] = start_[i].rate;
    left_time_[i] = t_old_;
    unknown = unknown || left_[i] == 0;
  }
  if (unknown) {
    const double soon = t_old_ + just_after * h;
    evaluate(system, scheme, soon, probe_.data());
    for (std::size_t i = 0; i < count; ++i)
      if (left_[i] == 0) left_[i] = probe_[i], left_time_[i] = soon;
  }

  // From point to point; the first interval with a sign change has the first event.
  std::optional<LocatedEvent> event;
  for (double theta : sample_points) {
    const double b = theta < 1 ? t_old_ + theta * h : scheme.t();
    evaluate(system, scheme, b, right_.data());
    system.event_rates(right_rate_.data());
    if (theta == 1) end_ = right_;
    for (std::size_t i = 0; i < count; ++i) right_[i] = seen(i, b, right_[i]);
    if ((event = first_between(system, scheme, b, direction))) break;
    left_ = right_;
    left_rate_ = right_rate_;
    std::fill(left_time_.begin(), left_time_.end(), b);
  }
  if (event) return event;
  for (std::size_t i = 0; i < count; ++i) {
    at_end_[i] = {.value = end_[i], .rate = right_rate_[i]};
    if (std::abs(end_[i]) <= start_[i].band) at_end_[i].band = start_[i].band;
  }
  return std::nullopt;
}

/// The earliest of all sign changes between left_time_ (values left_) and b (values right_).
std::optional<LocatedEvent> EventLocator::first_between(OdeSystem& system, const Scheme& scheme, double b,
                                                        int direction) {
  std::optional<LocatedEvent> earliest;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    double end = b, g_end = right_[i];
    // Positive, falling and then rising again: what it is at its lowest.
    const bool dips = left_[i] > 0 && right_[i] > 0 && left_rate_[i] < 0 && right_rate_[i] > 0;
    if (!dips && !changes(left_[i], right_[i], direction)) continue;
    if (dips) {
      if (!departs(i) &&
          tangents_stay_positive(left_[i], left_rate_[i], right_[i], right_rate_[i], b - left_time_[i]))
        continue;
      end = lowest(system, scheme, i, b);
      evaluate(system, scheme, end, probe_.data());
      g_end = seen(i, end, probe_[i]);
      if (!changes(left_[i], g_end, direction)) continue;
    }
    // Later than one that is known already? The values there tell.
    if (earliest && earliest->time < end) {
      end = earliest->time;
      evaluate(system, scheme, end, probe_.data());
      g_end = seen(i, end, probe_[i]);
      if (!changes(left_[i], g_end, direction)) continue;
    }
    const double time = zero(system, scheme, i, left_time_[i], left_[i], end, g_end);
    if (!earliest || time < earliest->time) earliest = {static_cast<int>(i), time, -sign(left_[i])};
  }
  return earliest;
}

/// Where between left_time_ and b the rate of a function rises through zero.
double EventLocator::lowest(OdeSystem& system, const Scheme& scheme, std::size_t index, double b) {
  const auto rate = [&](double time) {
    evaluate(system, scheme, time, probe_.data());
    system.event_rates(probe_rate_.data());
    return probe_rate_[index];
  };
  const double a = left_time_[index];
  return bracketed_zero(rate, a, left_rate_[index], b, right_rate_[index], 1e-10 * (b - a));
}

/// The zero between a and b, to a few units in the last place: the right end, where the sign is the new one.
double EventLocator::zero(OdeSystem& system, const Scheme& scheme, std::size_t index, double a, double g_a,
                          double b, double g_b) {
  const int before = sign(g_a);
  const auto rising = [&](double time) {
    evaluate(system, scheme, time, probe_.data());
    return -before * seen(index, time, probe_[index]);
  };
  const double tolerance = std::max(2 * std::numeric_limits<double>::epsilon() * std::abs(b),
                                    1e-15 * (scheme.t() - scheme.t_old()));
  return bracketed_zero(rising, a, -before * g_a, b, -before * g_b, tolerance);
}

void EventLocator::follow(OdeSystem& system, const Scheme& scheme, double band, const std::vector<char>& last,
                          std::vector<EventTrigger>& triggers, std::vector<LocatedEvent>& out) {
  const std::size_t known = out.size();
  std::fill(start_.begin(), start_.end(), EventStart{.value = 1});
  // The beginning again: an impact there may have changed it.
  const double h = scheme.t() - scheme.t_old();
  double a = scheme.t_old();
  for (double theta : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double b = theta < 1 ? scheme.t_old() + theta * h : scheme.t();
    evaluate(system, scheme, b, right_.data());
    for (std::size_t i = 0; i < triggers.size(); ++i) {
      const double before = triggers[i].value;
      const auto passage = triggers[i].look(a, b, right_[i], band, last[i] && theta == 1, [&] {
        return a < b ? zero(system, scheme, i, a, before, b, right_[i]) : b;
      });
      if (passage) out.push_back({static_cast<int>(i), passage->time, passage->direction});
    }
    a = b;
  }
  std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(known), out.end(),
                   [](const LocatedEvent& one, const LocatedEvent& two) { return one.time < two.time; });
}

}  // namespace tappet
