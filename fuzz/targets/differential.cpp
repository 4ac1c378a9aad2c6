// One model, all methods: random_model(N) is run event-driven and smooth by two integrators each, and by Moreau's scheme with three
// steps. They must agree as far as what they are allows:
//
//   before the first impact     all integrators to `integrators_agree`; the instant of the impact too
//   after it                    event-driven by its two integrators, to the second impact. A force law has another impact: smooth is not asked
//   moreau                      error against event-driven ≤ C h + floor at the shortest step, C four times the largest error / h at longer ones:
//                               an error of first order passes, a limit that is another motion does not. Up to the second impact. What
//                               an impact adds depends on where in its step it falls, and may be small by luck: hence the four. Shorter
//                               steps are taken only where a quarter of the step has not halved the error
//   all                         finite numbers, completed runs, no energy from nowhere in a passive model, a closed energy ledger
//
// Impacts that follow each other at once, or are so slow that their instant is ill-determined, end the comparison.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "random_model.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::differential_target {
namespace {

constexpr double duration = 0.4, output_step = 0.01;
constexpr double tolerance = 1e-10;
/// Relative to the model's size and speeds. Ten thousand times the tolerance: what a global error may be of a local one over some
/// dozen steps of a mechanism that is not chaotic yet.
constexpr double integrators_agree = 1e-6;
/// How long runs under force laws go on behind the first impact, s: to its end, mostly; and those that only tell its beginning. At such a
/// tolerance explicit integrators of low order take up to a million steps where a contact in space begins to slide.
constexpr double after_impact = 0.05, behind_beginning = 1e-3;
/// Steps of such a run. A box in space whose corners begin to stick takes a million; behind its first impact nothing but its energy is
/// looked at, so that what is left out costs little.
constexpr long most_smooth_steps = 5000;
/// Slower impacts than this, m/s, end the comparison: the instant's error is the position's divided by the speed.
constexpr double slow_impact = 0.05;
constexpr double moreau_steps[] = {1e-3, 2.5e-4, 6.25e-5};
/// Taken where these leave it open.
constexpr double moreau_short_step = 4e-6;
/// Of moreau's error, relative: what rounding and the solver's own residual leave.
constexpr double moreau_floor = 1e-6, moreau_energy_floor = 1e-4;

struct Run final : Observer {
  std::string how;
  long most = 0, asked = 0;  ///< steps; 0: any number
  bool cut_short() const { return most > 0 && asked > most; }
  bool stop_requested() override { return ++asked, cut_short(); }
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::vector<Impact> impacts;
  RunSummary summary;

  void sample(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  void impact(const Impact& row) override { impacts.push_back(row); }

  std::size_t column(const std::string& name) const {
    return 1 + static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  /// Of one contact, that is over before the run is; the end where there is none.
  double first_impact_of(int contact) const {
    double first = duration;
    for (const Impact& row : impacts)
      if (row.contact == contact) first = std::min(first, row.start);
    return first;
  }
  /// Of all.
  double first_impact() const { return nth_impact(0); }
  double nth_impact(std::size_t n) const {
    std::vector<double> starts;
    for (const Impact& row : impacts) starts.push_back(row.start);
    std::sort(starts.begin(), starts.end());
    return n < starts.size() ? starts[n] : duration;
  }
};

std::string text_of(const RandomModel& model, const std::string& simulation, double end = duration) {
  return model.text + fmt::format("simulation: {{duration: {}, {}}}\noutput: {{step: {}}}\n", end, simulation,
                                  output_step);
}

Run run_by(const RandomModel& model, const std::string& simulation, double end = duration, long most = 0) {
  Run out;
  out.how = simulation, out.most = most;
  Diagnostics diagnostics;
  try {
    Simulation simulated(
        compile(spec_from_text(text_of(model, simulation, end), "random.yaml"), diagnostics));
    for (const Signal& signal : simulated.signals()) out.names.push_back(signal.name);
    out.summary = simulated.run(out);
  } catch (const InputError& error) {
    throw Contradiction(fmt::format("refused ({}): {}", simulation, error.what()));
  }
  if (!out.summary.completed && !out.cut_short())
    throw Contradiction(fmt::format("stopped ({}): {}", simulation, out.summary.stop_reason));
  for (const auto& row : out.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (std::isinf(row[i]) ||
          (std::isnan(row[i]) && (i == 0 || !out.names[i - 1].ends_with(".restitution"))))
        throw Contradiction(fmt::format("not finite ({}): {} at {} s", simulation,
                                        i == 0 ? "time" : out.names[i - 1], row[0]));
  return out;
}

bool is_motion(const std::string& name) {
  if (name.starts_with("energy.") || name.starts_with("c")) return false;
  for (const char* ending : {".x", ".y", ".z", ".vx", ".vy", ".vz", ".angle", ".omega"})
    if (name.ends_with(ending)) return true;
  return false;
}

/// Largest difference of the bodies' positions and velocities at samples of [from, to], over what positions and speeds there are.
struct Difference {
  double value = 0, time = 0;
  std::string signal;
};
Difference difference(const Run& a, const Run& b, double size, double from, double to) {
  Difference worst;
  double speed = 1;
  for (const auto& row : a.rows)
    for (std::size_t i = 0; i < a.names.size(); ++i)
      if (is_motion(a.names[i])) speed = std::max(speed, std::abs(row[i + 1]));
  for (std::size_t r = 0; r < std::min(a.rows.size(), b.rows.size()); ++r) {
    const double t = a.rows[r][0];
    if (t < from || t > to) continue;
    for (std::size_t i = 0; i < a.names.size(); ++i) {
      if (!is_motion(a.names[i])) continue;
      const double d = std::abs(a.rows[r][i + 1] - b.rows[r][i + 1]) / std::max(size, speed);
      if (d > worst.value) worst = {d, t, a.names[i]};
    }
  }
  return worst;
}

void expect_agreement(const Run& a, const Run& b, const RandomModel& model, double to) {
  const Difference found = difference(a, b, model.size, 0, to);
  if (found.value > integrators_agree)
    throw Contradiction(fmt::format("'{}' and '{}' differ by {:.2g} in {} at {} s", a.how, b.how, found.value,
                                    found.signal, found.time));
}

double column_range(const Run& run, const std::string& name) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& row : run.rows)
    low = std::min(low, row[run.column(name)]), high = std::max(high, row[run.column(name)]);
  return high - low;
}

/// How far kinetic and potential energy rose above their start, relative to what moved.
double energy_gain(const Run& run) {
  const std::size_t kinetic = run.column("energy.kinetic"), potential = run.column("energy.potential");
  const double moved =
      std::max({column_range(run, "energy.kinetic"), column_range(run, "energy.potential"), 1e-3});
  double gain = 0;
  for (const auto& row : run.rows)
    gain = std::max(gain, row[kinetic] + row[potential] - run.rows[0][kinetic] - run.rows[0][potential]);
  return gain / moved;
}

void check_energy(const Run& run, const RandomModel& model, double allowed) {
  if (run.summary.energy_residual > allowed)
    throw Contradiction(fmt::format("energy residual of '{}': {:.2g}", run.how, run.summary.energy_residual));
  if (model.passive && energy_gain(run) > allowed)
    throw Contradiction(fmt::format("energy gained by '{}': {:.2g}", run.how, energy_gain(run)));
}

/// Until when runs can be compared, with the first impact at t1: to the next one, or where the first is slow not beyond it. Nor beyond one
/// that has no solution by its law (a lever that friction jams): what follows may be rest or lifting, both are solutions.
double comparable_until(const Run& reference, double t1) {
  if (reference.impacts.empty()) return t1;
  for (const std::string& note : reference.summary.notes)
    if (note.find("no solution") != std::string::npos) return t1;
  for (const Impact& row : reference.impacts)
    if (row.start <= t1 + 1e-9 && std::abs(row.speed_in) < slow_impact) return t1;
  return reference.nth_impact(1);
}

struct MoreauError {
  Difference difference;
  double energy = 0;  ///< gained, or missing in the ledger
};
MoreauError moreau_error(const RandomModel& model, const Run& reference, double until, double h) {
  // Impacts come up to a step late, and as early.
  const double t1 = reference.first_impact(), quiet = 2 * moreau_steps[0];
  const Run run = run_by(model, fmt::format("method: moreau, step: {}", h));
  const Difference before = difference(reference, run, model.size, 0, std::min(t1, until) - quiet);
  const Difference after = difference(reference, run, model.size, t1 + quiet, until - quiet);
  return {before.value > after.value ? before : after,
          std::max(energy_gain(run), run.summary.energy_residual)};
}

void compare_moreau(const RandomModel& model, const Run& reference, double until) {
  double per_step = 0, energy_per_step = 0, last_error = HUGE_VAL, last_energy = HUGE_VAL;
  bool halved = false;
  std::string errors, energies;
  const auto passes = [&](double h) {
    const MoreauError found = moreau_error(model, reference, until, h);
    const double energy = model.passive ? found.energy : 0;
    const bool good = found.difference.value <= 4 * per_step * h + moreau_floor &&
                      energy <= 4 * energy_per_step * h + moreau_energy_floor;
    halved = found.difference.value <= std::max(last_error / 2, moreau_floor) &&
             energy <= std::max(last_energy / 2, moreau_energy_floor) && std::isfinite(last_error);
    last_error = found.difference.value, last_energy = energy;
    per_step = std::max(per_step, found.difference.value / h);
    energy_per_step = std::max(energy_per_step, energy / h);
    errors += fmt::format(" {:.2g}", found.difference.value);
    energies += fmt::format(" {:.2g}", energy);
    if (h == moreau_short_step && !good)
      throw Contradiction(fmt::format("moreau does not converge to '{}': {} at {} s, errors{}, energies{}",
                                      reference.how, found.difference.signal, found.difference.time, errors,
                                      energies));
    return good;
  };
  bool good = true;
  for (const double h : moreau_steps) {
    good = passes(h);
    if (good && halved) return;
  }
  if (!good) passes(moreau_short_step);
}

void run(std::string_view input) {
  const unsigned long number = std::strtoul(std::string(input).c_str(), nullptr, 10);
  const RandomModel model = random_model(number);
  const std::string precise = fmt::format(", tolerance: {}", tolerance);
  const Run events = run_by(model, "method: event-driven, integrator: dop853" + precise);
  const Run events_again = run_by(model, "method: event-driven, integrator: dopri5" + precise);
  const double t1 = events.first_impact();
  // Under force laws a sliding contact at such a tolerance takes thousands of steps, and is compared with nothing.
  const double soon = std::min(duration, t1 + after_impact);
  const Run smooth = run_by(model, "method: smooth, integrator: dop853" + precise, soon, most_smooth_steps);
  const char* others[] = {"dopri5", "adams", "bdf"};
  const Run smooth_again =
      run_by(model, fmt::format("method: smooth, integrator: {}{}", others[number % 3], precise),
             std::min(duration, t1 + behind_beginning), most_smooth_steps);

  for (const Run* other : {&events_again, &smooth, &smooth_again}) {
    // An impact that is slow has no certain instant.
    if (comparable_until(events, t1) > t1) {
      const Impact& first =
          *std::min_element(events.impacts.begin(), events.impacts.end(),
                            [](const Impact& a, const Impact& b) { return a.start < b.start; });
      const double there = other->first_impact_of(first.contact);
      if (std::min(there < duration ? there : t1, other->first_impact()) < t1 - integrators_agree ||
          (there < duration && there > t1 + integrators_agree))
        throw Contradiction(
            fmt::format("first impact at {} s by '{}', at {} s by '{}'", t1, events.how, there, other->how));
    }
    expect_agreement(events, *other, model, t1 - 1e-9);
  }
  const double until =
      std::min(comparable_until(events, t1), comparable_until(events_again, events_again.first_impact()));
  expect_agreement(events, events_again, model, until - 1e-6);
  for (const Run* one : {&events, &events_again, &smooth, &smooth_again}) check_energy(*one, model, 1e-4);
  compare_moreau(model, events, until);
}

std::string show(unsigned long number) {
  return text_of(random_model(number), "method: event-driven");
}

const Registration<FuzzTarget> registered{{.name = "differential",
                                           .help = "random models by all methods, which must agree",
                                           .examples = {},
                                           .run = run,
                                           .show = show}};

}  // namespace
}  // namespace tappet::fuzz::differential_target
