#include "tappet/studies/figure_runs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/model/model.hpp"
#include "tappet/studies/parallel.hpp"

namespace tappet {

void refuse_figure(const std::string& message) {
  throw InputError({{Severity::error, {}, message}});
}

std::string sentence(const InputError& error) {
  const Diagnostic& first = error.diagnostics()[0];
  return first.pos.file ? first.text() : first.message;
}

namespace {

const std::string reference_prefix = "reference.";

Revolution revolution_of(const std::string& text, const MetricNames& names) {
  if (text.empty()) return {};
  for (const Signal& signal : names.signals)
    if (signal.name == text) return {text, 0};
  try {
    std::string unit;
    const double number = Expression::parse(text, {}, unit)(std::span<const double>());
    return {"", convert_to_si(number, unit, "s")};
  } catch (const std::runtime_error&) {
    refuse_figure(fmt::format("`revolution` is {}, which is neither a signal nor a time", quote(text)));
  }
}

void add_signals(std::set<std::string>& to, const std::vector<std::string>& names) {
  to.insert(names.begin(), names.end());
  to.erase("time");
}

/// Reads the same text for every run. A run that lacks a signal leaves its place empty; that all do is an
/// error.
template <class Read>
void read_for_runs(PreparedFigure& prepared, const std::string& what, Read read) {
  std::string fault;
  bool any = false;
  for (PreparedRun& run : prepared.runs) {
    if (!run.reason.empty()) continue;
    try {
      read(run);
      any = true;
    } catch (const ExpressionError& error) {
      if (fault.empty()) fault = error.what();
    }
  }
  if (!any && !fault.empty()) refuse_figure(fmt::format("{}: {}", what, fault));
}

/// What the pictures of a run need of it.
void prepare_pictures(const CatalogueFigure& figure, const FigureRun& run, const Model& model,
                      PreparedRun& prepared) {
  prepared.names.signals.push_back({step_length, "s"});
  for (const FigurePicture& picture : figure.pictures) {
    if (picture.run.empty() ? &run != &figure.runs[0] : run.name != picture.run) continue;
    if (model.mechanism.dimension != Dimension::spatial)
      refuse_figure(
          fmt::format("picture '{}' is of a planar model; pictures are of spatial ones", picture.name));
    prepared.asked.insert(prepared.asked.end(), picture.at.begin(), picture.at.end());
    for (const Surface& surface : model.mechanism.surfaces)
      if (surface.body != model.mechanism.ground())
        for (std::string& signal : place_signals(model.mechanism.bodies[surface.body].name))
          prepared.signals.insert(std::move(signal));
  }
  std::sort(prepared.asked.begin(), prepared.asked.end());
  prepared.asked.erase(std::unique(prepared.asked.begin(), prepared.asked.end()), prepared.asked.end());
}

void prepare_names(const CatalogueFigure& figure, bool quick, PreparedFigure& out) {
  for (const FigureRun& run : figure.runs) {
    PreparedRun prepared;
    prepared.settings = run.settings;
    if (quick) prepared.settings.insert(prepared.settings.end(), figure.quick.begin(), figure.quick.end());
    try {
      if (run.curve) {
        prepared.names = metric_names(*run.curve);
      } else {
        const auto model = compile_with(*run.model, run.model_file, prepared.settings, {});
        prepared.names = metric_names(*model);
        prepare_pictures(figure, run, *model, prepared);
      }
    } catch (const InputError& error) {
      prepared.reason = sentence(error);
    }
    if (run.name == figure.reference) out.reference = out.runs.size();
    out.runs.push_back(std::move(prepared));
  }
  if (std::all_of(out.runs.begin(), out.runs.end(),
                  [](const PreparedRun& run) { return !run.reason.empty(); }))
    refuse_figure(out.runs[0].reason);
  if (out.reference == PreparedFigure::no_reference) return;
  const std::vector<Signal> known = out.runs[out.reference].names.signals;
  for (PreparedRun& run : out.runs)
    for (const Signal& signal : known)
      if (signal.name != "time") run.names.signals.push_back({reference_prefix + signal.name, signal.unit});
}

}  // namespace

std::vector<std::string> place_signals(const std::string& body) {
  std::vector<std::string> out;
  for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"}) out.push_back(body + "." + part);
  return out;
}

PreparedFigure prepare(const CatalogueFigure& figure, bool quick) {
  PreparedFigure out;
  prepare_names(figure, quick, out);
  for (PreparedRun& run : out.runs) {
    run.numbers.resize(figure.numbers.size());
    for (const FigurePlot& plot : figure.plots)
      run.plots.push_back({.x = {}, .y = std::vector<std::optional<RowExpression>>(plot.y.size())});
    if (!run.reason.empty()) continue;
    run.revolution = revolution_of(figure.revolution, run.names);
    if (!run.revolution.signal.empty()) run.signals.insert(run.revolution.signal);
  }
  for (std::size_t i = 0; i < figure.numbers.size(); ++i) {
    const FigureNumber& number = figure.numbers[i];
    read_for_runs(
        out, fmt::format("number '{}' is {}", number.name, quote(number.text)), [&](PreparedRun& run) {
          Metric metric = Metric::parse(number.name, Metric::Kind::value, number.text, run.names);
          metric.window = number.window;
          if (metric.needs_revolution() && figure.revolution.empty())
            refuse_figure(
                fmt::format("number '{}' counts revolutions: the figure needs `revolution`", number.name));
          add_signals(run.signals, metric.signals());
          run.numbers[i] = std::move(metric);
        });
  }
  for (std::size_t i = 0; i < figure.plots.size(); ++i) {
    const FigurePlot& plot = figure.plots[i];
    const auto read = [&](const std::string& text, auto place) {
      read_for_runs(out, fmt::format("plot '{}' draws {}", plot.name, quote(text)), [&](PreparedRun& run) {
        RowExpression expression(text, run.names);
        add_signals(run.signals, expression.signals());
        place(run) = std::move(expression);
      });
    };
    read(
        plot.x, [&](PreparedRun & run) -> auto& { return run.plots[i].x; });
    for (std::size_t j = 0; j < plot.y.size(); ++j)
      read(
          plot.y[j], [&](PreparedRun & run) -> auto& { return run.plots[i].y[j]; });
    if (plot.window.last && figure.revolution.empty())
      refuse_figure(fmt::format("plot '{}' counts revolutions: the figure needs `revolution`", plot.name));
  }
  for (PreparedRun& run : out.runs)
    run.steps = run.signals.contains(step_length) || std::any_of(figure.plots.begin(), figure.plots.end(),
                                                                 [](const FigurePlot& p) { return p.steps; });
  // What the others want of the reference, it records.
  if (out.reference != PreparedFigure::no_reference)
    for (const PreparedRun& run : out.runs)
      for (const std::string& name : run.signals)
        if (name.starts_with(reference_prefix))
          out.runs[out.reference].signals.insert(name.substr(reference_prefix.size()));
  return out;
}

namespace {

/// Adds the reference's signals as columns, interpolated where the samples are.
void add_reference(Recording& r, const Recording& reference, const std::set<std::string>& wanted) {
  std::vector<std::size_t> columns;
  std::vector<Signal> names = r.columns;
  for (const std::string& name : wanted) {
    if (!name.starts_with(reference_prefix)) continue;
    columns.push_back(reference.index(name.substr(reference_prefix.size())));
    names.push_back({name, reference.columns[columns.back()].unit});
  }
  if (columns.empty()) return;
  const auto widened = [&](const std::vector<double>& old) {
    const std::size_t width = r.columns.size();
    std::vector<double> out;
    out.reserve(old.size() / width * names.size());
    std::size_t k = 1;
    for (const double *row = old.data(), *const end = row + old.size(); row < end; row += width) {
      const double t = row[0];
      out.insert(out.end(), row, row + width);
      while (k + 1 < reference.rows() && reference.time(k) < t) ++k;
      const double t0 = reference.time(k - 1), t1 = reference.time(k);
      const double part = t1 > t0 ? (t - t0) / (t1 - t0) : 1;
      for (const std::size_t c : columns) {
        const double a = reference.row(k - 1)[c], b = reference.row(k)[c];
        // Beyond its end there is no reference.
        out.push_back(part > 1 + 1e-6 ? nothing : a + std::min(part, 1.0) * (b - a));
      }
    }
    return out;
  };
  r.values = widened(r.values);
  r.unsampled = widened(r.unsampled);
  r.columns = std::move(names);
}

Recording record_run(const FigureRun& run, const PreparedRun& prepared, Watch* watch,
                     const std::vector<std::string>& more = {}) {
  if (run.curve) return record(*run.curve);
  std::vector<std::string> signals;
  for (const std::string& name : prepared.signals)
    if (!name.starts_with(reference_prefix) && name != step_length) signals.push_back(name);
  // No signal at all would mean every signal.
  if (signals.empty()) signals.push_back("energy.kinetic");
  std::vector<std::string> settings = prepared.settings;
  settings.insert(settings.end(), more.begin(), more.end());
  Recording out;
  out.keeps_steps = prepared.steps;
  out.asked = prepared.asked;
  out = record(*compile_with(*run.model, run.model_file, settings, signals), watch, std::move(out));
  if (prepared.signals.contains(step_length)) add_step_lengths(out);
  return out;
}

/// The run, or in `reason` why there is none.
Recording try_run(const FigureRun& run, const PreparedRun& prepared, Watch* watch, std::string& reason,
                  const std::vector<std::string>& more = {}) {
  Recording out;
  try {
    out = record_run(run, prepared, watch, more);
    if (!out.summary.completed) reason = out.summary.stop_reason;
    if (reason.empty() && out.rows() < 2) reason = "the run recorded nothing";
  } catch (const InputError& error) {
    reason = sentence(error);
  } catch (const std::exception& error) {
    reason = error.what();
  }
  return out;
}

}  // namespace

std::vector<Recording> record_all(const CatalogueFigure& figure, const PreparedFigure& prepared,
                                  std::size_t threads, Watch* watch, std::vector<std::string>& reasons) {
  std::vector<Recording> out(figure.runs.size());
  expect_runs(watch, static_cast<double>(std::count_if(figure.runs.begin(), figure.runs.end(),
                                                       [](const FigureRun& run) { return !run.curve; })));
  const std::size_t reference = prepared.reference;
  const auto make = [&](std::size_t i) {
    if (reasons[i].empty()) out[i] = try_run(figure.runs[i], prepared.runs[i], watch, reasons[i]);
  };
  if (reference != PreparedFigure::no_reference) {
    make(reference);
    if (!reasons[reference].empty())
      refuse_figure(
          fmt::format("the reference '{}' could not be made: {}", figure.reference, reasons[reference]));
  }
  in_parallel(figure.runs.size(), threads, [&](std::size_t i) {
    if (i != reference) make(i);
  });
  if (reference == PreparedFigure::no_reference) return out;
  const Recording original = out[reference];
  for (std::size_t i = 0; i < out.size(); ++i)
    if (reasons[i].empty()) add_reference(out[i], original, prepared.runs[i].signals);
  return out;
}

std::vector<std::vector<std::vector<double>>> member_numbers(const CatalogueFigure& figure,
                                                             const PreparedFigure& prepared,
                                                             const std::vector<Recording>& recordings,
                                                             const std::vector<std::string>& reasons,
                                                             std::size_t threads, Watch* watch,
                                                             std::vector<std::string>& faults) {
  const std::size_t further = static_cast<std::size_t>(figure.ensemble.members) - 1;
  std::vector<std::vector<std::vector<double>>> out(figure.runs.size());
  if (further == 0) return out;
  // Each member's numbers, by run and member.
  std::vector<std::vector<double>> found(figure.runs.size() * further);
  std::vector<std::string> failures(found.size());
  expect_runs(watch, static_cast<double>(further) *
                         static_cast<double>(std::count_if(
                             figure.runs.begin(), figure.runs.end(),
                             [](const FigureRun& run) { return run.perturbed && !run.curve; })));
  in_parallel(found.size(), threads, [&](std::size_t k) {
    const std::size_t i = k / further, member = k % further + 1;
    if (stopped(watch)) return;
    if (!figure.runs[i].perturbed || figure.runs[i].curve || !reasons[i].empty()) return;
    std::vector<std::string> settings;
    for (std::string setting : figure.ensemble.settings) {
      for (std::size_t at; (at = setting.find("${n}")) != std::string::npos;)
        setting.replace(at, 4, fmt::format("{}", member));
      settings.push_back(std::move(setting));
    }
    Recording run = try_run(figure.runs[i], prepared.runs[i], watch, failures[k], settings);
    if (!failures[k].empty()) return;
    if (prepared.reference != PreparedFigure::no_reference)
      add_reference(run, recordings[prepared.reference], prepared.runs[i].signals);
    try {
      for (const std::optional<Metric>& metric : prepared.runs[i].numbers)
        found[k].push_back(metric ? metric->value(run, prepared.runs[i].revolution) : nothing);
    } catch (const SimulationError& error) {
      failures[k] = error.what();
      found[k].clear();
    }
  });
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::size_t i = k / further;
    if (!failures[k].empty())
      faults.push_back(
          fmt::format("member {} of run {}: {}", k % further + 1, figure.runs[i].name, failures[k]));
    if (found[k].empty()) continue;
    out[i].resize(found[k].size());
    for (std::size_t j = 0; j < found[k].size(); ++j) out[i][j].push_back(found[k][j]);
  }
  return out;
}

}  // namespace tappet
