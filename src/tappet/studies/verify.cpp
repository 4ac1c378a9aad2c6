#include "tappet/studies/verify.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/scheme.hpp"
#include "tappet/spec/model_source.hpp"
#include "tappet/studies/headline.hpp"
#include "tappet/studies/parallel.hpp"

namespace tappet {

namespace {

// ---- variations

/// Finer in tolerance or step; an integrator of another kind; and twins of the finer run that differ from it
/// in their errors alone.
std::vector<VerifiedRun> variations(const RunSettings& s, const std::string& integrator) {
  const bool fixed = s.step > 0;
  const std::string key = fixed ? "simulation.step" : "simulation.tolerance";
  const auto finer = [&](double factor) {
    const double value = fixed ? s.step / factor : std::max(s.tolerance / factor, 2e-14 * (1 + 100 / factor));
    return fmt::format("{}={}{}", key, value, fixed ? " s" : "");
  };
  const double fine = fixed ? 4 : 100;
  const char* noun = fixed ? "step" : "tolerance";
  std::vector<VerifiedRun> out;
  out.push_back({"as it is", {}, {}});
  out.push_back({fmt::format("{} / {}", noun, fine), {finer(fine)}, {}});
  if (method_type(s).treatment != ContactTreatment::steps) {
    const std::string other = integrator == "dop853" ? "dopri5" : "dop853";
    out.push_back({fmt::format("{} / {}, integrator {}", noun, fine, other),
                   {finer(fine), "simulation.integrator=" + other},
                   {}});
  }
  for (const double factor : {1.3, 1.7})
    out.push_back({fmt::format("{} / {}", noun, factor * fine), {finer(factor * fine)}, {}});
  return out;
}

// ---- figures

/// Those of them that say something of a stretch of the motion, not of its end.
bool is_statistic(const Metric& metric) {
  return !metric.text.starts_with("last(");
}

std::vector<double> values_of(const Metric& metric, const std::vector<Recording>& runs) {
  std::vector<double> out;
  for (const Recording& run : runs) out.push_back(metric.value(run, {}));
  return out;
}

/// What a figure's differences are measured by: its own size, or, where a signal happens to end near zero,
/// the signal's.
double size_of(const Metric& metric, const std::vector<double>& values, const Recording& run) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  if (is_statistic(metric)) return size;
  const std::size_t column = run.index(metric.signals()[0]);
  for (std::size_t i = 0; i < run.rows(); ++i) size = std::max(size, std::abs(run.row(i)[column]));
  return size;
}

VerifiedFigure verified(const Metric& metric, const std::vector<double>& values, double size) {
  VerifiedFigure out{metric.name, metric.unit, values[0], 0, 0};
  double apart = 0;
  for (const double value : values) apart = std::max(apart, std::abs(value - values[0]));
  out.difference = size > 0 ? apart / size : 0;
  out.digits =
      apart == 0 ? 15 : static_cast<int>(std::clamp(std::floor(-std::log10(out.difference)), 0.0, 15.0));
  return out;
}

VerifiedStatistic statistic(const Metric& metric, const std::vector<double>& values) {
  VerifiedStatistic out{metric.name, metric.unit, 0, 0, false};
  const double n = static_cast<double>(values.size());
  for (const double value : values) out.mean += value / n;
  double variance = 0;
  for (const double value : values) variance += (value - out.mean) * (value - out.mean) / (n - 1);
  out.spread = out.mean != 0 ? std::sqrt(variance) / std::abs(out.mean) : variance > 0 ? INFINITY : 0;
  out.converged = out.spread < converged_spread;
  return out;
}

void verify_figures(const std::vector<Metric>& metrics, const std::vector<Recording>& runs,
                    Verification& out) {
  std::vector<double> sizes;
  std::map<std::string, double> largest;
  for (const Metric& metric : metrics) {
    sizes.push_back(size_of(metric, values_of(metric, runs), runs[0]));
    largest[metric.unit] = std::max(largest[metric.unit], sizes.back());
  }
  // Losses that cannot occur, forces that never act and bodies that do not move are no figures.
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (sizes[i] > 1e-9 * largest[metrics[i].unit])
      out.figures.push_back(verified(metrics[i], values_of(metrics[i], runs), sizes[i]));
}

/// Of impacts that deserve the name: touches at less than a tenth of the fastest one's speed are governed by
/// what presses the surfaces together.
std::vector<VerifiedContact> restitution(const Recording& run) {
  std::vector<VerifiedContact> out;
  for (std::size_t c = 0; c < run.contacts.size(); ++c) {
    VerifiedContact contact{.name = run.contacts[c]};
    std::vector<double> realised;
    double fastest = 0;
    for (const Impact& impact : run.impacts)
      if (impact.contact == static_cast<int>(c)) fastest = std::max(fastest, impact.speed_in);
    for (const Impact& impact : run.impacts) {
      if (impact.contact != static_cast<int>(c) || impact.speed_in < 0.1 * fastest ||
          std::isnan(impact.restitution))
        continue;
      realised.push_back(impact.restitution);
      contact.requested = impact.requested;
    }
    contact.impacts = static_cast<long>(realised.size());
    if (realised.empty()) continue;
    std::sort(realised.begin(), realised.end());
    contact.lowest = realised.front();
    contact.median = realised[realised.size() / 2];
    contact.highest = realised.back();
    out.push_back(contact);
  }
  return out;
}

// ---- the comparison of trajectories

void compare_trajectories(const std::vector<Recording>& runs, const std::vector<std::string>& where,
                          Verification& out) {
  out.horizon = {out.t_end, false};
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const Horizon h = horizon(runs[0], distance(runs[0], runs[i], where), parting);
    if (h.parted && (!out.horizon.parted || h.time < out.horizon.time)) out.horizon = h;
  }
  std::vector<std::vector<double>> finer;
  std::size_t parted = 0;
  for (std::size_t i = 1; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j) {
      finer.push_back(distance(runs[i], runs[j], where));
      parted += horizon(runs[i], finer.back(), parting).parted;
    }
  out.growth = growth(runs[1], finer, parting);
  out.returns = returns(runs[1], where, out.growth.from, out.growth.to);
  out.period = driving_period(runs[1]);
  out.repetition = repetition(runs[1], where, out.period, 8, parting);

  const bool finer_part = 2 * parted > finer.size();
  out.character = !out.horizon.parted
                      ? (out.repetition.periods > 0 ? Character::periodic : Character::determined)
                  : finer_part && out.sensitive() ? Character::chaotic
                  : !finer_part                   ? Character::unresolved
                                                  : Character::unclear;
}

std::string revolutions(const Verification& v, double time) {
  return v.period > 0 ? fmt::format(" ({:.1f} revolutions)", time / v.period) : "";
}

}  // namespace

std::string to_string(Character character) {
  switch (character) {
    case Character::determined:
      return "determined";
    case Character::periodic:
      return "periodic";
    case Character::chaotic:
      return "chaotic";
    case Character::unresolved:
      return "unresolved";
    case Character::unclear:
      return "unclear";
  }
  return "";
}

Verification verify(const std::string& path, const std::vector<std::string>& settings, Watch* watch) {
  return verify(read_model_file(path), path, settings, watch);
}

Verification verify(const Value& root, const std::string& path, const std::vector<std::string>& settings,
                    Watch* watch) {
  Verification out;
  out.model = path;

  // The model as it is says what there is to vary and to measure.
  const auto model = compile_with(root, path, settings, {});
  const MetricNames names = metric_names(*model);
  std::vector<Metric> metrics = headline(*model, names);
  std::erase_if(metrics, [&](const Metric& metric) {
    const std::string words = metric.without_impulses(names);
    if (!words.empty()) out.missing.push_back(words);
    return !words.empty();
  });
  const std::vector<std::string> where = coordinates(names.signals);
  std::set<std::string> signals(where.begin(), where.end());
  for (const Metric& metric : metrics)
    for (const std::string& signal : metric.signals()) signals.insert(signal);
  out.runs = variations(model->settings, Simulation(*model).describe().integrator);

  std::vector<Recording> runs(out.runs.size());
  expect_runs(watch, static_cast<double>(runs.size()));
  in_parallel(runs.size(), 0, [&](std::size_t i) {
    std::vector<std::string> all = settings;
    all.insert(all.end(), out.runs[i].settings.begin(), out.runs[i].settings.end());
    runs[i] = record(*compile_with(root, path, all, {signals.begin(), signals.end()}), watch);
  });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out.runs[i].summary = runs[i].summary;
    if (!runs[i].summary.completed)
      throw SimulationError(runs[i].summary.t_end, fmt::format("the run '{}' stopped: {}", out.runs[i].name,
                                                               runs[i].summary.stop_reason));
  }

  out.t_end = runs[0].summary.t_end;
  out.energy_residual = runs[0].summary.energy_residual;
  out.love_ratio = runs[0].summary.love_ratio;
  out.contacts = restitution(runs[0]);
  compare_trajectories(runs, where, out);
  verify_figures(metrics, runs, out);
  if (!out.horizon.parted || out.horizon.time > 0.9 * out.t_end) return out;
  for (Metric metric : metrics) {
    if (!is_statistic(metric)) continue;
    metric.window.from = out.horizon.time;
    const auto values = values_of(metric, runs);
    if (std::all_of(values.begin(), values.end(),
                    [](double value) { return value == 0 || std::isnan(value); }))
      continue;
    out.beyond.push_back(statistic(metric, values));
  }
  return out;
}

std::string Verification::verdict() const {
  const auto names_of = [&](bool converged) {
    std::vector<std::string> names;
    for (const VerifiedStatistic& s : beyond)
      if (s.converged == converged) names.push_back(s.name);
    return names;
  };
  const std::string growing =
      sensitive()
          ? fmt::format("errors grow tenfold every {:.3g} s{}, largest Lyapunov exponent about {:.2g} 1/s",
                        std::log(10) / growth.exponent, revolutions(*this, std::log(10) / growth.exponent),
                        growth.exponent)
          : "";
  const std::string few_returns =
      grows() && !sensitive()
          ? fmt::format(
                " Errors grow by {:.1f} powers of ten, but within {:g} returns of the motion: a Lyapunov "
                "exponent is not measurable below {:g}.",
                growth.decades, returns, fewest_returns)
          : "";
  std::string out;
  switch (character) {
    case Character::periodic:
      out = fmt::format(
          "The motion is periodic: it repeats itself every {}. All runs agree to the end; the trajectory can "
          "be "
          "trusted.",
          repetition.periods == 1 ? std::string("revolution")
                                  : fmt::format("{} revolutions", repetition.periods));
      break;
    case Character::determined:
      out = "All runs agree to the end; the trajectory can be trusted.";
      if (!growing.empty()) out += fmt::format(" But {}: a longer run would lose it.", growing);
      out += few_returns;
      break;
    case Character::chaotic:
      out = fmt::format(
          "The motion is chaotic: {}. The trajectory is determined up to t = {:.4g} s{}; beyond, only "
          "statistics mean anything.",
          growing, horizon.time, revolutions(*this, horizon.time));
      break;
    case Character::unresolved:
      out = fmt::format(
          "The tolerance is too coarse: finer runs agree with each other, but not with this one beyond "
          "t = {:.4g} s{}. Use {} or finer.",
          horizon.time, revolutions(*this, horizon.time), runs[1].settings[0]);
      break;
    case Character::unclear:
      out = fmt::format(
          "The runs part at t = {:.4g} s{}, also the finer ones{} Beyond, the trajectory is not determined.",
          horizon.time, revolutions(*this, horizon.time),
          few_returns.empty() ? ", but their differences do not grow exponentially: the tolerance is too "
                                "coarse for so long a run."
                              : "." + few_returns);
      break;
  }
  if (const auto good = names_of(true); !good.empty())
    out += fmt::format(" Converged there (within {:.0f} % between runs): {}.", 100 * converged_spread,
                       join_names(good));
  if (const auto bad = names_of(false); !bad.empty())
    out += fmt::format(" Not converged there: {}; a longer run gives them.", join_names(bad));
  if (energy_residual > 1e-3)
    out += fmt::format(" The energy balance is off by {:.2g} of the energy that moved: do not trust forces.",
                       energy_residual);
  if (love_ratio > 1)
    out += fmt::format(
        " Impacts reach {:.3g} times Love's limit: the contact laws are used beyond their theory.",
        love_ratio);
  return out;
}

}  // namespace tappet
