#include "tappet/contact/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

namespace tappet {
namespace {

// Depth, rate, impulse and dissipated energy.
using Motion = std::array<double, 4>;

class Impactor {
 public:
  Impactor(const NormalLaw& law, const ImpactOptions& options) : law_(law), options_(options) {}

  /// Up to and past separation the law as it is in contact, so that a force that jumps there does so between
  /// steps.
  NormalOutput output(const Motion& y) const {
    constexpr double touching = std::numeric_limits<double>::min();
    return law_.evaluate({.depth = std::max(y[0], touching), .rate = y[1], .impact_rate = options_.speed});
  }

  double acceleration(const NormalOutput& out) const { return (options_.load - out.force) / options_.mass; }

  /// dF/dt along the motion: its zero is a peak.
  double force_rate(const Motion& y) const {
    const NormalOutput out = output(y);
    return out.d_depth * y[1] + out.d_rate * acceleration(out);
  }

  /// Two half steps of order 8; `error` receives their difference to the whole one. (Fehlberg's own estimate
  /// compares only the ends of the step and sees nothing of a root in the force between them.) Throws
  /// LawDomainError.
  Motion step(const Motion& y, double dt, Motion& error) {
    const Motion whole = single(y, dt), next = single(single(y, dt / 2), dt / 2);
    for (int k = 0; k < 4; ++k) error[k] = next[k] - whole[k];
    return next;
  }

  Motion step(const Motion& y, double dt) { return single(single(y, dt / 2), dt / 2); }

  /// The part of the step from y at which f changes sign, in (0, dt].
  template <class F>
  double locate(const Motion& y, double dt, F f) {
    const auto value = [&](double part) { return f(part == 0 ? y : step(y, part)); };
    const double at_start = value(0), at_end = value(dt);
    if (at_end == 0) return dt;
    if (at_start == 0) return 0;
    std::uintmax_t iterations = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(
        value, 0.0, dt, at_start, at_end, boost::math::tools::eps_tolerance<double>(52), iterations);
    return high;
  }

 private:
  Motion single(const Motion& y, double dt) {
    Motion next;
    stepper_.do_step(
        [this](const Motion& y, Motion& dydt, double) {
          const NormalOutput out = output(y);
          dydt = {y[1], acceleration(out), out.force, out.dissipated_power};
        },
        y, 0.0, next, dt);
    return next;
  }

  const NormalLaw& law_;
  const ImpactOptions options_;
  boost::numeric::odeint::runge_kutta_fehlberg78<Motion> stepper_;
};

}  // namespace

ImpactResult single_impact(const NormalLaw& law, const ImpactOptions& options, std::span<const double> times,
                           std::vector<CurvePoint>* samples) {
  Impactor impactor(law, options);
  ImpactResult result;
  Motion y{0, options.speed, 0, 0};
  double t = 0, dt = 1e-12;
  std::size_t next_sample = 0;

  result.max_force = impactor.output(y).force;
  const auto sample = [&](double time, const Motion& at) {
    const bool loading = result.time_in == 0 || time <= result.time_in;
    if (samples) samples->push_back({time, at[0], at[1], impactor.output(at).force, loading});
  };
  // Error of a step against the impact as a whole, 1 being the tolerance.
  double fastest = options.speed;
  const auto relative = [&](const Motion& error, const Motion& next) {
    const double depth = std::max({std::abs(next[0]), result.max_depth, y[0]}),
                 momentum = options.mass * fastest;
    return std::max({std::abs(error[0]) / depth, std::abs(error[1]) / fastest, std::abs(error[2]) / momentum,
                     std::abs(error[3]) / (momentum * fastest)}) /
           options.tolerance;
  };
  while (next_sample < times.size() && times[next_sample] <= 0) sample(times[next_sample++], y);

  for (long steps = 0; steps < 2'000'000; ++steps) {
    // A step that stays in the law's domain, and ends at separation if it comes that far. Near separation
    // most laws have a root in them, so that the shortened step is measured anew.
    Motion next, error;
    double taken = dt;
    try {
      next = impactor.step(y, dt, error);
      if (next[0] <= 0 && relative(error, next) <= 1) {
        taken = impactor.locate(y, dt, [](const Motion& at) { return at[0]; });
        next = impactor.step(y, taken, error);
      }
    } catch (const LawDomainError&) {
      if (dt < 1e-15 * (t + 1e-9)) throw;
      dt *= 0.5;
      continue;
    }
    const double size = relative(error, next);
    // At a corner of the law, or at the limit of rounding, a step that no longer counts is taken as it is.
    if (!(size <= 1) && taken > 1e-13 * (t + 1e-9)) {
      dt = taken * std::max(0.2, 0.9 * std::pow(std::isfinite(size) ? size : 1e10, -1.0 / 9));
      continue;
    }
    const bool separated = next[0] <= 0;
    // The turning point, once.
    if (result.time_in == 0 && y[1] > 0 && next[1] <= 0) {
      const double part = impactor.locate(y, taken, [](const Motion& at) { return at[1]; });
      const Motion turn = impactor.step(y, part);
      result.time_in = t + part;
      result.max_depth = turn[0];
      result.max_force = std::max(result.max_force, impactor.output(turn).force);
    }
    // A peak of the force inside the step.
    result.max_force = std::max(result.max_force, impactor.output(next).force);
    if (y[0] > 0 && impactor.force_rate(y) > 0 && impactor.force_rate(next) < 0) {
      const double part =
          impactor.locate(y, taken, [&](const Motion& at) { return impactor.force_rate(at); });
      result.max_force = std::max(result.max_force, impactor.output(impactor.step(y, part)).force);
    }
    for (; next_sample < times.size() && times[next_sample] <= t + taken; ++next_sample)
      sample(times[next_sample], impactor.step(y, times[next_sample] - t));

    t += taken;
    y = next;
    fastest = std::max(fastest, std::abs(y[1]));
    result.duration = t;
    result.speed_out = -y[1];
    result.impulse = y[2];
    result.dissipated = y[3];
    result.restitution = result.speed_out / options.speed;
    if (separated) {
      result.separated = true;
      return result;
    }
    // At rest for good: no speed, and no acceleration that would give it one in as long again.
    if (std::abs(y[1]) < 1e-9 * fastest &&
        std::abs(impactor.acceleration(impactor.output(y))) * t < 1e-9 * fastest) {
      result.speed_out = result.restitution = 0;
      if (result.time_in == 0) result.time_in = t, result.max_depth = y[0];
      return result;
    }
    dt *= std::clamp(0.9 * std::pow(std::max(size, 1e-10), -1.0 / 9), 0.2, 5.0);
  }
  return result;
}

std::vector<CurvePoint> impact_curve(const NormalLaw& law, const ImpactOptions& options, int points) {
  const ImpactResult impact = single_impact(law, options);
  std::vector<double> times;
  times.reserve(2 * points);
  for (int k = 0; k < points; ++k) times.push_back(impact.time_in * k / (points - 1));
  for (int k = 0; k < points; ++k)
    times.push_back(impact.time_in + (impact.duration - impact.time_in) * k / (points - 1));
  std::vector<CurvePoint> curve;
  single_impact(law, options, times, &curve);
  // The last point lies at separation, where rounding may have left it out or made it a hair negative.
  if (impact.separated) {
    if (curve.size() < times.size()) curve.push_back({.time = impact.duration, .rate = -impact.speed_out});
    curve.back().depth = 0;
  }
  for (std::size_t k = 0; k < curve.size(); ++k) curve[k].loading = k < static_cast<std::size_t>(points);
  return curve;
}

std::vector<CurvePoint> static_curve(const NormalLaw& law, double max_depth, int points) {
  std::vector<CurvePoint> curve;
  curve.reserve(points);
  for (int k = 0; k < points; ++k) {
    const double depth = max_depth * k / (points - 1);
    curve.push_back({.depth = depth, .force = law.evaluate({.depth = depth}).force});
  }
  return curve;
}

}  // namespace tappet
