#include "tappet/studies/compare.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/figure.hpp"
#include "tappet/spec/model_source.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/divergence.hpp"
#include "tappet/studies/headline.hpp"
#include "tappet/studies/parallel.hpp"
#include "tappet/studies/text_table.hpp"

namespace tappet {

namespace {

[[noreturn]] void refuse_name(const VariationType& variation, const std::string& name) {
  const std::string near = nearest_name(name, variation.names());
  throw InputError(
      {{Severity::error,
        {},
        fmt::format("--{}: there is no {}; {}known: {}", variation.name, quote(name),
                    near.empty() ? "" : "did you mean '" + near + "'? ", join_names(variation.names()))}});
}

std::vector<Variant> variants_of(const Value& root, const VariationType& variation,
                                 const std::vector<std::string>& names) {
  const std::vector<std::string> known = variation.names();
  std::vector<Variant> out;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const std::string& each : known) out.push_back(variation.make(root, each));
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) refuse_name(variation, name);
    out.push_back(variation.make(root, name));
  }
  return out;
}

std::vector<std::string> default_signals(const Model& model) {
  const Mechanism& m = model.mechanism;
  std::vector<std::string> out;
  for (const Motion& motion : m.motions) {
    if (motion.effort.empty()) continue;
    out.push_back(motion.constraint->name + "." + motion.effort);
    break;
  }
  if (!m.contacts.empty()) out.push_back(m.contacts[0]->name + ".normal");
  if (out.empty() && !m.bodies.empty()) out.push_back(m.bodies[0].name + ".x");
  return out;
}

void check_signals(const std::vector<std::string>& signals, const MetricNames& names) {
  std::vector<std::string> known;
  for (const Signal& signal : names.signals) known.push_back(signal.name);
  for (const std::string& signal : signals) {
    if (std::find(known.begin(), known.end(), signal) != known.end()) continue;
    const std::string near = nearest_name(signal, known);
    throw InputError(
        {{Severity::error,
          {},
          fmt::format("there is no signal {}{}; known: {}", quote(signal),
                      near.empty() ? "" : ", did you mean '" + near + "'?", join_names(known, 12))}});
  }
}

/// The largest difference of a signal from another recording of it, over the largest value there; NaN where
/// one of them has no such signal.
double largest_difference(const Recording& reference, const Recording& other, const std::string& signal) {
  const std::size_t a = reference.index(signal), b = other.index(signal);
  if (a >= reference.columns.size() || b >= other.columns.size() || other.rows() < 2)
    return std::numeric_limits<double>::quiet_NaN();
  double difference = 0, most = 0;
  std::size_t k = 1;
  const std::vector<const double*> rows = other.all_rows(0, other.rows());
  for (const double* row : reference.all_rows(0, reference.rows())) {
    const double t = row[0];
    while (k + 1 < rows.size() && rows[k][0] < t) ++k;
    const double t0 = rows[k - 1][0], t1 = rows[k][0], s = t1 > t0 ? (t - t0) / (t1 - t0) : 1;
    const double y = (1 - s) * rows[k - 1][b] + s * rows[k][b];
    difference = std::max(difference, std::abs(y - row[a]));
    most = std::max(most, std::abs(row[a]));
  }
  return most > 0 ? difference / most : difference;
}

/// A variant's run; what goes wrong is its reason.
void run_variant(const Value& root, const std::string& path, const std::vector<std::string>& settings,
                 const std::vector<std::string>& signals, const std::vector<Metric>& metrics, Watch* watch,
                 ComparedVariant& out) {
  try {
    // A variant may touch in other places than the model, and so not have all of its signals.
    const MetricNames known = metric_names(*compile_with(root, path, settings, {}));
    const auto has = [&](const std::string& name) {
      return std::any_of(known.signals.begin(), known.signals.end(),
                         [&](const Signal& s) { return s.name == name; });
    };
    std::vector<std::string> recorded;
    std::copy_if(signals.begin(), signals.end(), std::back_inserter(recorded), has);
    out.recording = record(*compile_with(root, path, settings, recorded), watch);
    out.summary = out.recording.summary;
    if (!out.summary.completed && !out.summary.stop_reason.empty())
      out.reason = out.summary.stop_reason;
    else
      for (const Metric& metric : metrics) {
        const std::vector<std::string> needed = metric.signals();
        // Impacts are of a contact by name.
        const auto impacts_of = [&](const std::string& contact) {
          return metric.name.find(fmt::format("({}.impacts)", contact)) != std::string::npos;
        };
        const bool there = std::all_of(needed.begin(), needed.end(), has) &&
                           (metric.name.find(".impacts)") == std::string::npos ||
                            std::any_of(known.contacts.begin(), known.contacts.end(), impacts_of));
        const std::string none = metric.without_impulses(known);
        if (!none.empty()) out.missing.push_back(none);
        out.values.push_back(there && none.empty() ? metric.value(out.recording, {})
                                                   : std::numeric_limits<double>::quiet_NaN());
      }
  } catch (const InputError& error) {
    out.reason = error.diagnostics()[0].text();
  } catch (const SimulationError& error) {
    out.reason = error.what();
  } catch (const StudyStopped& stop) {
    out.reason = stop.what();
  }
  if (!out.reason.empty()) out.values.assign(metrics.size(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Comparison compare(const std::string& path, const std::vector<std::string>& settings,
                   const VariationType& variation, const std::vector<std::string>& names,
                   std::vector<std::string> signals, Watch* watch) {
  Value root = read_model_file(path);
  for (const std::string& setting : settings) apply_setting(root, setting);
  // The model as it is must be good: what is wrong with it is not a variant's fault.
  const auto model = compile_with(root, path, {}, {});
  const MetricNames known = metric_names(*model);
  const std::vector<Metric> metrics = headline(*model, known);
  const std::vector<Variant> variants = variants_of(root, variation, names);

  Comparison out{.title = model->title,
                 .model = path,
                 .figures = {},
                 .signals = {},
                 .variants = {},
                 .caveats = variation.caveats};
  check_signals(signals, known);
  out.signals = signals.empty() ? default_signals(*model) : std::move(signals);
  std::set<std::string> recorded(out.signals.begin(), out.signals.end());
  for (const Metric& metric : metrics) {
    out.figures.push_back({metric.name, metric.unit});
    for (const std::string& signal : metric.signals()) recorded.insert(signal);
  }
  // Angles tell what a revolution is.
  for (const Signal& signal : known.signals)
    if (signal.unit == "rad" && signal.name.ends_with(".angle")) recorded.insert(signal.name);
  out.variants.resize(variants.size());
  expect_runs(watch, static_cast<double>(variants.size()));
  in_parallel(variants.size(), 0, [&](std::size_t i) {
    out.variants[i].name = variants[i].name;
    run_variant(root, path, variants[i].settings, {recorded.begin(), recorded.end()}, metrics, watch,
                out.variants[i]);
  });

  // Figures that no variant has are no figures of this model.
  for (std::size_t i = out.figures.size(); i-- > 0;) {
    const bool empty = std::all_of(out.variants.begin(), out.variants.end(), [&](const ComparedVariant& v) {
      return v.values[i] == 0 || std::isnan(v.values[i]);
    });
    if (!empty) continue;
    out.figures.erase(out.figures.begin() + static_cast<std::ptrdiff_t>(i));
    for (ComparedVariant& v : out.variants) v.values.erase(v.values.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return out;
}

// ---- output

namespace {

using Row = std::vector<std::string>;

/// Each sentence once, with the variants that it is about.
std::vector<std::pair<std::string, std::vector<std::string>>> missing_figures(const Comparison& c) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const ComparedVariant& v : c.variants)
    for (const std::string& sentence : v.missing) {
      const auto same =
          std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.first == sentence; });
      if (same == out.end())
        out.push_back({sentence, {v.name}});
      else
        same->second.push_back(v.name);
    }
  return out;
}

}  // namespace

std::string comparison_json(const Comparison& c, const std::vector<std::string>& files) {
  using Json = nlohmann::ordered_json;
  Json figures = Json::array(), variants = Json::array();
  for (const auto& figure : c.figures) figures.push_back({{"name", figure.name}, {"unit", figure.unit}});
  for (const ComparedVariant& v : c.variants) {
    Json values = Json::array();
    for (const double value : v.values) values.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    variants.push_back({{"name", v.name}, {"reason", v.reason}, {"values", values}});
  }
  return Json{{"title", c.title},     {"model", c.model},     {"figures", figures},
              {"variants", variants}, {"caveats", c.caveats}, {"files", files}}
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string comparison_text(const Comparison& c) {
  std::vector<Row> rows = {{""}};
  for (const ComparedVariant& v : c.variants) rows[0].push_back(v.name);
  const auto add = [&](const std::string& name, auto value) {
    Row row = {name};
    for (const ComparedVariant& v : c.variants) row.push_back(v.reason.empty() ? value(v) : "failed");
    rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < c.figures.size(); ++i)
    add(c.figures[i].unit.empty() ? c.figures[i].name
                                  : fmt::format("{} [{}]", c.figures[i].name, c.figures[i].unit),
        [&](const ComparedVariant& v) {
          return std::isnan(v.values[i]) ? "" : fmt::format("{:.5g}", v.values[i]);
        });
  // How far each is from the first, over the whole run.
  for (const std::string& signal : c.signals) {
    const ComparedVariant& first = c.variants.front();
    if (c.variants.size() < 2 || !first.reason.empty()) break;
    add(fmt::format("{} off {}", signal, first.name), [&](const ComparedVariant& v) {
      const double off = &v == &first ? NAN : largest_difference(first.recording, v.recording, signal);
      return std::isnan(off) ? std::string() : fmt::format("{:.1e}", off);
    });
  }
  add("energy residual",
      [](const ComparedVariant& v) { return fmt::format("{:.1e}", v.summary.energy_residual); });
  add("steps", [](const ComparedVariant& v) { return fmt::format("{}", v.summary.steps); });
  add("evaluations", [](const ComparedVariant& v) { return fmt::format("{}", v.summary.evaluations); });
  add("wall time [s]",
      [](const ComparedVariant& v) { return fmt::format("{:.2g}", v.summary.wall_seconds); });
  std::string out = text_table(rows, Align::right);
  for (const ComparedVariant& v : c.variants)
    if (!v.reason.empty()) out += fmt::format("{} failed: {}\n", v.name, v.reason);
  for (const auto& [sentence, variants] : missing_figures(c))
    out += fmt::format("{} has no {}\n", fmt::join(variants, ", "), sentence);
  return out;
}

std::string comparison_table(const Comparison& c) {
  Row header = {"variant"};
  for (const Comparison::Figure& f : c.figures)
    header.push_back(csv_field(f.unit.empty() ? f.name : fmt::format("{} [{}]", f.name, f.unit)));
  for (const char* name :
       {"energy_residual", "steps", "rejected", "evaluations", "wall_seconds", "status", "reason"})
    header.push_back(name);
  std::string out = fmt::format("{}\n", fmt::join(header, ","));
  for (const ComparedVariant& v : c.variants) {
    Row row = {csv_field(v.name)};
    for (const double value : v.values) row.push_back(csv_field(value));
    const bool done = v.reason.empty();
    row.push_back(done ? csv_field(v.summary.energy_residual) : "");
    for (const long count : {v.summary.steps, v.summary.rejected, v.summary.evaluations})
      row.push_back(done ? fmt::format("{}", count) : "");
    row.push_back(done ? csv_field(v.summary.wall_seconds) : "");
    row.push_back(done ? "done" : "failed");
    row.push_back(csv_field(v.reason));
    out += fmt::format("{}\n", fmt::join(row, ","));
  }
  return out;
}

double overlay_start(const Comparison& c) {
  for (const ComparedVariant& v : c.variants) {
    if (!v.reason.empty()) continue;
    const double period = driving_period(v.recording);
    return period > 0 ? std::max(0.0, v.summary.t_end - 2 * period) : 0;
  }
  return 0;
}

void draw(const Comparison& c, double from, const std::string& file) {
  tappet::Figure figure{.title = c.title, .x_name = "time", .x_unit = "s", .panels = {}, .fill_x = true};
  for (const std::string& signal : c.signals) {
    Panel panel{.label = signal, .unit = "", .series = {}};
    for (const ComparedVariant& v : c.variants) {
      const std::size_t column = v.recording.index(signal);
      if (!v.reason.empty() || column >= v.recording.columns.size()) continue;
      panel.unit = v.recording.columns[column].unit;
      std::vector<double> x, y;
      for (const double* row : v.recording.all_rows(0, v.recording.rows())) {
        if (row[0] < from) continue;
        x.push_back(row[0]);
        y.push_back(row[column]);
      }
      panel.series.push_back(thin_over_time(x, y));
      panel.series.back().name = v.name;
    }
    if (!panel.series.empty()) figure.panels.push_back(std::move(panel));
  }
  if (!figure.panels.empty()) tappet::draw(figure, file);
}

}  // namespace tappet
