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

  NormalOutput output(const Motion& y) const {
    return law_.evaluate({.depth = y[0], .rate = y[1], .impact_rate = options_.speed});
  }

  double acceleration(const NormalOutput& out) const { return (options_.load - out.force) / options_.mass; }

  /// dF/dt along the motion: its zero is a peak.
  double force_rate(const Motion& y) const {
    const NormalOutput out = output(y);
    return out.d_depth * y[1] + out.d_rate * acceleration(out);
  }

  /// One step; `error` receives its estimate. Throws LawDomainError.
  Motion step(const Motion& y, double dt, Motion& error) {
    Motion next;
    stepper_.do_step(
        [this](const Motion& y, Motion& dydt, double) {
          const NormalOutput out = output(y);
          dydt = {y[1], acceleration(out), out.force, out.dissipated_power};
        },
        y, 0.0, next, dt, error);
    return next;
  }

  Motion step(const Motion& y, double dt) {
    Motion error;
    return step(y, dt, error);
  }

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
  const NormalLaw& law_;
  const ImpactOptions options_;
  boost::numeric::odeint::runge_kutta_fehlberg78<Motion> stepper_;
};

}  // namespace

ImpactResult single_impact(const NormalLaw& law, const ImpactOptions& options, std::span<const double> times,
                           std::vector<CurvePoint>* samples) {
  const double energy = 0.5 * options.mass * options.speed * options.speed,
               momentum = options.mass * options.speed;
  Impactor impactor(law, options);
  ImpactResult result;
  Motion y{0, options.speed, 0, 0};
  double t = 0, dt = 1e-12;
  std::size_t next_sample = 0;

  // The force just after first touch, for the laws that jump there.
  const double first_force = impactor.output({std::numeric_limits<double>::min(), options.speed, 0, 0}).force;
  result.max_force = first_force;
  const auto sample = [&](double time, const Motion& at) {
    const double force = time == 0 ? first_force : impactor.output(at).force;
    if (samples)
      samples->push_back({time, at[0], at[1], force, result.time_in == 0 || time <= result.time_in});
  };
  while (next_sample < times.size() && times[next_sample] <= 0) sample(times[next_sample++], y);

  for (long steps = 0; steps < 2'000'000; ++steps) {
    // A step whose error is small against the impact as a whole; beyond the law's domain it is shortened as
    // well.
    Motion next, error;
    double size;
    try {
      next = impactor.step(y, dt, error);
      const double depth = std::max({std::abs(next[0]), result.max_depth, y[0]});
      size = std::max({std::abs(error[0]) / depth, std::abs(error[1]) / options.speed,
                       std::abs(error[2]) / momentum, std::abs(error[3]) / energy}) /
             options.tolerance;
    } catch (const LawDomainError&) {
      if (dt < 1e-15 * (t + 1e-9)) throw;
      dt *= 0.5;
      continue;
    }
    // At a corner of the law, or at the limit of rounding, a step that no longer counts is taken as it is.
    if (!(size <= 1) && dt > 1e-13 * (t + 1e-9)) {
      dt *= std::max(0.2, 0.9 * std::pow(std::isfinite(size) ? size : 1e10, -1.0 / 8));
      continue;
    }

    // The step ends at separation.
    double taken = dt;
    bool separated = false;
    if (next[0] <= 0) {
      taken = impactor.locate(y, dt, [](const Motion& at) { return at[0]; });
      next = impactor.step(y, taken);
      separated = true;
    }
    // The turning point, once.
    if (result.time_in == 0 && y[1] > 0 && next[1] <= 0) {
      const double part = impactor.locate(y, taken, [](const Motion& at) { return at[1]; });
      const Motion turn = impactor.step(y, part);
      result.time_in = t + part;
      result.max_depth = turn[0];
      result.max_force = std::max(result.max_force, impactor.output(turn).force);
    }
    // A peak of the force inside the step.
    result.max_force = std::max({result.max_force, impactor.output(next).force});
    if (y[0] > 0 && impactor.force_rate(y) > 0 && impactor.force_rate(next) < 0) {
      const double part =
          impactor.locate(y, taken, [&](const Motion& at) { return impactor.force_rate(at); });
      result.max_force = std::max(result.max_force, impactor.output(impactor.step(y, part)).force);
    }
    for (; next_sample < times.size() && times[next_sample] <= t + taken; ++next_sample)
      sample(times[next_sample], impactor.step(y, times[next_sample] - t));

    t += taken;
    y = next;
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
    if (std::abs(y[1]) < 1e-9 * options.speed &&
        std::abs(impactor.acceleration(impactor.output(y))) * t < 1e-9 * options.speed) {
      result.speed_out = result.restitution = 0;
      if (result.time_in == 0) result.time_in = t, result.max_depth = y[0];
      return result;
    }
    dt *= std::clamp(0.9 * std::pow(std::max(size, 1e-10), -1.0 / 8), 0.2, 5.0);
  }
  return result;
}

std::vector<CurvePoint> impact_curve(const NormalLaw& law, const ImpactOptions& options, int points) {
  const ImpactResult impact = single_impact(law, options);
  std::vector<double> times;
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
  for (int k = 0; k < points; ++k) {
    const double depth = max_depth * k / (points - 1);
    curve.push_back({.depth = depth, .force = law.evaluate({.depth = depth}).force});
  }
  return curve;
}

}  // namespace tappet
