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

/// A sign change of one function from g_a to g_b; from zero there is none, since that event is past.
bool changes(double g_a, double g_b) {
  return sign(g_a) != 0 && sign(g_b) != sign(g_a);
}

}  // namespace

EventLocator::EventLocator(const OdeSystem& system) : y_(static_cast<std::size_t>(system.size())) {
  for (auto* values : {&left_, &right_, &end_, &probe_})
    values->resize(static_cast<std::size_t>(system.event_count()));
  left_time_.resize(left_.size());
}

void EventLocator::evaluate(OdeSystem& system, const Scheme& scheme, double time, double* g) {
  scheme.interpolate(time, y_.data());
  system.event_values(time, y_.data(), g);
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (std::isnan(g[i]))
      throw SimulationError(time, fmt::format("event function {} is not a number at t = {:.12g} s", i, time));
}

std::optional<LocatedEvent> EventLocator::first(OdeSystem& system, const Scheme& scheme,
                                                const double* g_old) {
  const std::size_t count = left_.size();
  if (count == 0) return std::nullopt;
  std::copy(g_old, g_old + count, left_.begin());
  const double t_old = scheme.t_old(), h = scheme.t() - t_old;
  evaluate(system, scheme, scheme.t(), end_.data());

  std::fill(left_time_.begin(), left_time_.end(), t_old);

  // Functions that start from zero: their sign just after, and from there on they are like the others.
  if (std::find(left_.begin(), left_.end(), 0.0) != left_.end()) {
    const double soon = t_old + just_after * h;
    evaluate(system, scheme, soon, probe_.data());
    for (std::size_t i = 0; i < count; ++i)
      if (left_[i] == 0) left_[i] = probe_[i], left_time_[i] = soon;
  }

  // From point to point; the first interval with a sign change has the first event.
  for (double theta : sample_points) {
    const double b = theta < 1 ? t_old + theta * h : scheme.t();
    if (theta < 1)
      evaluate(system, scheme, b, right_.data());
    else
      right_ = end_;
    if (auto event = first_between(system, scheme, b)) return event;
    left_ = right_;
    std::fill(left_time_.begin(), left_time_.end(), b);
  }
  return std::nullopt;
}

/// The earliest of all sign changes between left_time_ (values left_) and b (values right_).
std::optional<LocatedEvent> EventLocator::first_between(OdeSystem& system, const Scheme& scheme, double b) {
  std::optional<LocatedEvent> earliest;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    if (!changes(left_[i], right_[i])) continue;
    // Later than one that is known already? The values there tell.
    double end = b, g_end = right_[i];
    if (earliest) {
      end = earliest->time;
      evaluate(system, scheme, end, probe_.data());
      g_end = probe_[i];
      if (!changes(left_[i], g_end)) continue;
    }
    const LocatedEvent event =
        refine(system, scheme, static_cast<int>(i), left_time_[i], left_[i], end, g_end);
    if (!earliest || event.time < earliest->time) earliest = event;
  }
  return earliest;
}

/// The zero between a and b, to a few units in the last place: the right end, where the sign is the new one.
LocatedEvent EventLocator::refine(OdeSystem& system, const Scheme& scheme, int index, double a, double g_a,
                                  double b, double g_b) {
  const int before = sign(g_a);
  const auto rising = [&](double time) {
    evaluate(system, scheme, time, probe_.data());
    return -before * probe_[static_cast<std::size_t>(index)];
  };
  const double tolerance = std::max(2 * std::numeric_limits<double>::epsilon() * std::abs(b),
                                    1e-15 * (scheme.t() - scheme.t_old()));
  return {index, bracketed_zero(rising, a, -before * g_a, b, -before * g_b, tolerance), -before};
}

}  // namespace tappet
