#include "tappet/studies/reproduce.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <mutex>
#include <numbers>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/figure.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/studies/parallel.hpp"
#include "tappet/studies/sweep_output.hpp"

namespace tappet {

namespace fs = std::filesystem;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
const std::string reference_prefix = "reference.";
/// As many as a picture of some hundred pixels can show.
constexpr std::size_t drawn_intervals = 400;

/// Pixels of pictures that go side by side.
constexpr int small_width = 620;

[[noreturn]] void refuse_figure(const std::string& message) {
  throw InputError({{Severity::error, {}, message}});
}

/// The first fault, with its place where it has one.
std::string sentence(const InputError& error) {
  const Diagnostic& first = error.diagnostics()[0];
  return first.pos.file ? first.text() : first.message;
}

// ---- what a figure needs of its runs

struct PreparedPlot {
  std::optional<RowExpression> x;
  std::vector<std::optional<RowExpression>> y;  ///< by panel; none where this run has no such signal
};

struct PreparedRun {
  std::string reason;  ///< why it cannot be run; "" if it can
  std::vector<std::string> settings;
  MetricNames names;                           ///< of its model, and of the reference
  std::vector<std::optional<Metric>> numbers;  ///< none where this run has no such signal
  std::vector<PreparedPlot> plots;
  Revolution revolution;
  std::set<std::string> signals;  ///< to be recorded
};

struct Prepared {
  std::vector<PreparedRun> runs;
  std::size_t reference = no_reference;
  static constexpr std::size_t no_reference = static_cast<std::size_t>(-1);
};

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
void read_for_runs(Prepared& prepared, const std::string& what, Read read) {
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

void prepare_names(const CatalogueFigure& figure, bool quick, Prepared& out) {
  for (const FigureRun& run : figure.runs) {
    PreparedRun prepared;
    prepared.settings = run.settings;
    if (quick) prepared.settings.insert(prepared.settings.end(), figure.quick.begin(), figure.quick.end());
    try {
      prepared.names = run.curve
                           ? metric_names(*run.curve)
                           : metric_names(*compile_with(*run.model, run.model_file, prepared.settings, {}));
    } catch (const InputError& error) {
      prepared.reason = sentence(error);
    }
    if (run.name == figure.reference) out.reference = out.runs.size();
    out.runs.push_back(std::move(prepared));
  }
  if (std::all_of(out.runs.begin(), out.runs.end(),
                  [](const PreparedRun& run) { return !run.reason.empty(); }))
    refuse_figure(out.runs[0].reason);
  if (out.reference == Prepared::no_reference) return;
  const std::vector<Signal> known = out.runs[out.reference].names.signals;
  for (PreparedRun& run : out.runs)
    for (const Signal& signal : known)
      if (signal.name != "time") run.names.signals.push_back({reference_prefix + signal.name, signal.unit});
}

Prepared prepare(const CatalogueFigure& figure, bool quick) {
  Prepared out;
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
  // What the others want of the reference, it records.
  if (out.reference != Prepared::no_reference)
    for (const PreparedRun& run : out.runs)
      for (const std::string& name : run.signals)
        if (name.starts_with(reference_prefix))
          out.runs[out.reference].signals.insert(name.substr(reference_prefix.size()));
  return out;
}

// ---- running

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
  std::vector<double> values;
  values.reserve(r.rows() * names.size());
  std::size_t k = 1;
  for (std::size_t i = 0; i < r.rows(); ++i) {
    const double t = r.time(i);
    values.insert(values.end(), r.row(i), r.row(i) + r.columns.size());
    while (k + 1 < reference.rows() && reference.time(k) < t) ++k;
    const double t0 = reference.time(k - 1), t1 = reference.time(k);
    const double part = t1 > t0 ? (t - t0) / (t1 - t0) : 1;
    for (const std::size_t c : columns) {
      const double a = reference.row(k - 1)[c], b = reference.row(k)[c];
      // Beyond its end there is no reference.
      values.push_back(part > 1 + 1e-6 ? nothing : a + std::min(part, 1.0) * (b - a));
    }
  }
  r.columns = std::move(names);
  r.values = std::move(values);
}

Recording record_run(const FigureRun& run, const PreparedRun& prepared) {
  if (run.curve) return record(*run.curve);
  std::vector<std::string> signals;
  for (const std::string& name : prepared.signals)
    if (!name.starts_with(reference_prefix)) signals.push_back(name);
  // No signal at all would mean every signal.
  if (signals.empty()) signals.push_back("energy.kinetic");
  return record(*compile_with(*run.model, run.model_file, prepared.settings, signals));
}

/// The run, or in `reason` why there is none.
Recording try_run(const FigureRun& run, const PreparedRun& prepared, std::string& reason) {
  Recording out;
  try {
    out = record_run(run, prepared);
    if (!out.summary.completed) reason = out.summary.stop_reason;
    if (reason.empty() && out.rows() < 2) reason = "the run recorded nothing";
  } catch (const InputError& error) {
    reason = sentence(error);
  } catch (const std::exception& error) {
    reason = error.what();
  }
  return out;
}

std::vector<Recording> record_all(const CatalogueFigure& figure, const Prepared& prepared,
                                  std::size_t threads, std::vector<std::string>& reasons) {
  std::vector<Recording> out(figure.runs.size());
  const std::size_t reference = prepared.reference;
  const auto make = [&](std::size_t i) {
    if (reasons[i].empty()) out[i] = try_run(figure.runs[i], prepared.runs[i], reasons[i]);
  };
  if (reference != Prepared::no_reference) {
    make(reference);
    if (!reasons[reference].empty())
      refuse_figure(
          fmt::format("the reference '{}' could not be made: {}", figure.reference, reasons[reference]));
  }
  in_parallel(figure.runs.size(), threads, [&](std::size_t i) {
    if (i != reference) make(i);
  });
  if (reference == Prepared::no_reference) return out;
  const Recording original = out[reference];
  for (std::size_t i = 0; i < out.size(); ++i)
    if (reasons[i].empty()) add_reference(out[i], original, prepared.runs[i].signals);
  return out;
}

// ---- numbers

NumberTable numbers_of(const CatalogueFigure& figure, const Prepared& prepared,
                       const std::vector<Recording>& recordings, const std::vector<std::string>& reasons,
                       std::vector<std::string>& faults) {
  NumberTable out;
  for (const FigureNumber& number : figure.numbers) out.names.push_back(number.name);
  out.units.resize(out.names.size());
  for (std::size_t i = 0; i < figure.runs.size(); ++i) {
    out.runs.push_back(figure.runs[i].name);
    out.failed.push_back(!reasons[i].empty());
    out.values.emplace_back(out.names.size(), nothing);
    if (out.failed.back()) continue;
    for (std::size_t j = 0; j < out.names.size(); ++j) {
      const std::optional<Metric>& metric = prepared.runs[i].numbers[j];
      if (!metric) continue;
      out.units[j] = metric->unit;
      try {
        out.values[i][j] = metric->value(recordings[i], prepared.runs[i].revolution);
      } catch (const SimulationError& error) {
        faults.push_back(fmt::format("{} of {}: {}", out.names[j], out.runs[i], error.what()));
      }
    }
  }
  return out;
}

std::string field(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string heading(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string numbers_csv(const NumberTable& table, const std::vector<std::string>& reasons) {
  std::string out = "run";
  for (std::size_t j = 0; j < table.names.size(); ++j)
    out += fmt::format(",{}", csv_field(heading(table.names[j], table.units[j])));
  out += ",status,reason\n";
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    out += csv_field(table.runs[i]);
    for (const double value : table.values[i]) out += fmt::format(",{}", field(value));
    out += fmt::format(",{},{}\n", reasons[i].empty() ? "done" : "failed", csv_field(reasons[i]));
  }
  return out;
}

// ---- pictures

/// What one run draws in one plot.
struct Curves {
  std::size_t run = 0;
  std::vector<double> x;
  std::vector<std::vector<double>> y;  ///< by panel; empty: this run has no such signal
};

Curves curves_of(std::size_t run, const PreparedRun& prepared, const PreparedPlot& of, const Window& window,
                 const Recording& recording) {
  Curves out{.run = run, .x = {}, .y = {}};
  out.y.resize(of.y.size());
  if (!of.x) return out;
  const auto [first, end] = rows_inside(recording, window, prepared.revolution);
  const auto column = [&, first = first, end = end](RowExpression expression) {
    expression.bind(recording);
    std::vector<double> values;
    for (std::size_t i = first; i < end; ++i) values.push_back(expression.at(recording.row(i)));
    return values;
  };
  out.x = column(*of.x);
  for (std::size_t j = 0; j < of.y.size(); ++j)
    if (of.y[j]) out.y[j] = column(*of.y[j]);
  return out;
}

std::string curves_csv(const CatalogueFigure& figure, const FigurePlot& plot,
                       const std::vector<Curves>& all) {
  std::string out = fmt::format("run,{}", csv_field(plot.x));
  for (const std::string& y : plot.y) out += fmt::format(",{}", csv_field(y));
  out += '\n';
  for (const Curves& curves : all)
    for (std::size_t i = 0; i < curves.x.size(); ++i) {
      out += fmt::format("{},{}", csv_field(figure.runs[curves.run].name), field(curves.x[i]));
      for (const auto& y : curves.y) out += fmt::format(",{}", y.empty() ? "" : field(y[i]));
      out += '\n';
    }
  return out;
}

std::string unit_of(const Prepared& prepared, auto expression_of) {
  for (const PreparedRun& run : prepared.runs)
    if (const std::optional<RowExpression>* expression = run.reason.empty() ? expression_of(run) : nullptr;
        expression && *expression)
      return (*expression)->unit();
  return "";
}

Series circle(double radius) {
  Series out{.name = "clearance", .x = {}, .y = {}};
  for (int i = 0; i <= 120; ++i) {
    out.x.push_back(radius * std::cos(std::numbers::pi * i / 60));
    out.y.push_back(radius * std::sin(std::numbers::pi * i / 60));
  }
  return out;
}

Figure figure_of(const CatalogueFigure& figure, std::size_t plot_number, const Prepared& prepared,
                 const std::vector<const Curves*>& drawn) {
  const FigurePlot& plot = figure.plots[plot_number];
  Figure out{.title = plot.title.empty() ? figure.title : plot.title,
             .x_name = plot.x,
             .x_unit = unit_of(prepared, [&](const PreparedRun& run) { return &run.plots[plot_number].x; }),
             .panels = {},
             .fill_x = plot.x == "time"};
  const auto label = [&](std::size_t j) { return plot.labels.empty() ? plot.y[j] : plot.labels[j]; };
  for (std::size_t j = 0; j < plot.y.size(); ++j) {
    Panel panel{
        .label = label(j),
        .unit = unit_of(prepared, [&](const PreparedRun& run) { return &run.plots[plot_number].y[j]; }),
        .series = {}};
    for (const Curves* curves : drawn) {
      if (curves->y[j].empty()) continue;
      panel.series.push_back(out.fill_x ? thin_over_time(curves->x, curves->y[j], drawn_intervals)
                                        : thin_in_plane(curves->x, curves->y[j], drawn_intervals));
      panel.series.back().name = figure.runs[curves->run].label;
    }
    if (plot.together && drawn.size() > 1)
      for (Series& series : panel.series) series.name = fmt::format("{}, {}", series.name, label(j));
    else if (panel.series.size() == 1)
      panel.series[0].name = label(j);
    if (plot.circle > 0) panel.series.push_back(circle(plot.circle));
    if (panel.series.empty()) continue;
    if (!plot.together || out.panels.empty()) {
      out.panels.push_back(std::move(panel));
      continue;
    }
    // The first one's unit is that of all; the legend says which is which.
    Panel& all = out.panels[0];
    all.label.clear();
    std::move(panel.series.begin(), panel.series.end(), std::back_inserter(all.series));
  }
  if (!plot.x_label.empty()) out.x_name = plot.x_label;
  out.same_scale =
      !out.fill_x && !out.x_unit.empty() && out.panels.size() == 1 && out.panels[0].unit == out.x_unit;
  return out;
}

/// Letters of the longest name in a legend; 0 where there is none.
std::size_t longest_legend(const Figure& figure) {
  std::size_t out = 0;
  for (const Panel& panel : figure.panels)
    if (panel.series.size() > 1)
      for (const Series& series : panel.series) out = std::max(out, series.name.size());
  return out;
}

/// Names of files in the document's folder.
struct Files {
  const ReproduceOptions& options;
  const Catalogue& document;
  const CatalogueFigure& figure;

  std::string inside(const std::string& part, const char* ending) const {
    return fmt::format("{}/figure_{}_{}{}", document.name, figure.number, part, ending);
  }
  std::string path(const std::string& name) const { return (fs::path(options.folder) / name).string(); }
};

/// A run's name as a part of a file's.
std::string file_part(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (plain || out.empty() || out.back() != '_') out += plain ? c : '_';
  }
  return out;
}

void make_plot(std::size_t number, const Prepared& prepared, const std::vector<Recording>& recordings,
               const Files& files, Reproduction& out) {
  const CatalogueFigure& figure = files.figure;
  const FigurePlot& plot = figure.plots[number];
  std::vector<Curves> all;
  for (std::size_t i = 0; i < figure.runs.size(); ++i) {
    const auto& wanted = plot.runs;
    if (!out.run_reasons[i].empty() ||
        (!wanted.empty() && std::find(wanted.begin(), wanted.end(), figure.runs[i].name) == wanted.end()))
      continue;
    all.push_back(curves_of(i, prepared.runs[i], prepared.runs[i].plots[number], plot.window, recordings[i]));
  }
  out.tables.push_back(files.inside(plot.name, ".csv"));
  write_whole(files.path(out.tables.back()), curves_csv(figure, plot, all));

  const auto picture = [&](const std::string& name, Figure drawing, bool small) {
    if (drawing.panels.empty()) return;
    // A long legend leaves a narrow picture no room for its curves.
    small = small && longest_legend(drawing) <= 14;
    if (small) drawing.width = small_width;
    draw(drawing, files.path(name));
    out.pictures.push_back({name, drawing.title, small});
  };
  if (!plot.apart) {
    std::vector<const Curves*> drawn;
    for (const Curves& curves : all) drawn.push_back(&curves);
    picture(files.inside(plot.name, ".svg"), figure_of(figure, number, prepared, drawn),
            figure.plots.size() > 1);
    return;
  }
  const Curves* beside = nullptr;
  for (const Curves& curves : all)
    if (curves.run == prepared.reference) beside = &curves;
  for (const Curves& curves : all) {
    if (&curves == beside) continue;
    std::vector<const Curves*> drawn = {&curves};
    if (beside) drawn.push_back(beside);
    Figure drawing = figure_of(figure, number, prepared, drawn);
    drawing.title = figure.runs[curves.run].label;
    picture(files.inside(fmt::format("{}_{}", plot.name, file_part(figure.runs[curves.run].name)), ".svg"),
            std::move(drawing), true);
  }
}

// ---- a figure

/// The table without values, to read conditions by.
NumberTable empty_table(const CatalogueFigure& figure) {
  NumberTable out;
  for (const FigureNumber& number : figure.numbers) out.names.push_back(number.name);
  for (const FigureRun& run : figure.runs) {
    out.runs.push_back(run.name);
    out.failed.push_back(false);
    out.values.emplace_back(out.names.size(), nothing);
  }
  return out;
}

Judgement judged(const FigureClaim& claim, const NumberTable& table) {
  if (claim.holds.empty()) return {};
  try {
    return judge(claim.holds, table);
  } catch (const ExpressionError& error) {
    refuse_figure(fmt::format("claim '{}' holds if {}: {}", claim.name, quote(claim.holds), error.what()));
  }
}

void make(const Files& files, std::size_t threads, Reproduction& out) {
  const CatalogueFigure& figure = files.figure;
  const Prepared prepared = prepare(figure, out.quick);
  for (const PreparedRun& run : prepared.runs) out.run_reasons.push_back(run.reason);
  const std::vector<Recording> recordings = record_all(figure, prepared, threads, out.run_reasons);
  if (std::none_of(out.run_reasons.begin(), out.run_reasons.end(),
                   [](const std::string& reason) { return reason.empty(); }))
    refuse_figure(out.run_reasons[0]);

  out.numbers = numbers_of(figure, prepared, recordings, out.run_reasons, out.faults);
  for (const FigureClaim& claim : figure.claims) out.judgements.push_back(judged(claim, out.numbers));
  out.verdict = verdict_of(figure.claims, out.judgements);

  out.tables.push_back(files.inside("numbers", ".csv"));
  write_whole(files.path(out.tables.back()), numbers_csv(out.numbers, out.run_reasons));
  for (std::size_t i = 0; i < figure.plots.size(); ++i) {
    // A picture that cannot be drawn takes nothing away from the numbers.
    try {
      make_plot(i, prepared, recordings, files, out);
    } catch (const InputError& error) {
      out.faults.push_back(sentence(error));
    } catch (const SimulationError& error) {
      out.faults.push_back(fmt::format("plot '{}': {}", figure.plots[i].name, error.what()));
    }
  }
}

Reproduction reproduce_one(const Files& files, std::size_t threads) {
  Reproduction out;
  out.document = &files.document;
  out.figure = &files.figure;
  if (!files.figure.missing.empty()) return out;
  if (files.options.quick && files.figure.slow && files.figure.quick.empty()) {
    out.verdict = Verdict::left_out;
    return out;
  }
  out.quick = files.options.quick && !files.figure.quick.empty();
  const auto start = std::chrono::steady_clock::now();
  try {
    make(files, threads, out);
  } catch (const InputError& error) {
    out.verdict = Verdict::failed;
    out.reason = sentence(error);
  } catch (const std::exception& error) {
    out.verdict = Verdict::failed;
    out.reason = error.what();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

void check_numbers(const std::vector<Catalogue>& documents, const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const Catalogue& document : documents)
    for (const CatalogueFigure& figure : document.figures) known.push_back(figure.number);
  for (const std::string& number : asked) {
    if (std::find(known.begin(), known.end(), number) != known.end()) continue;
    // 1 where the document has 1a to 1d, 12a where it has 12.
    std::vector<std::string> near;
    const auto digits = [](const std::string& text) {
      return text.substr(0, text.find_first_not_of("0123456789"));
    };
    for (const std::string& one : known)
      if (!digits(number).empty() && digits(one) == digits(number)) near.push_back(one);
    refuse_figure(fmt::format("there is no figure {}{}; known: {}", quote(number),
                              near.empty() ? "" : fmt::format(", did you mean {}?", join_names(near)),
                              join_names(known)));
  }
}

}  // namespace

const char* text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::seen:
      return "seen";
    case Verdict::partly:
      return "partly seen";
    case Verdict::not_seen:
      return "not seen";
    case Verdict::failed:
      return "failed";
    case Verdict::missing:
      return "not made";
    case Verdict::left_out:
      return "left out";
  }
  return "";
}

Verdict verdict_of(const std::vector<FigureClaim>& claims, const std::vector<Judgement>& judgements) {
  std::size_t holding = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) holding += !claims[i].holds.empty() && judgements[i].holds;
  if (holding == claims.size()) return Verdict::seen;
  return holding > 0 ? Verdict::partly : Verdict::not_seen;
}

std::vector<Reproduction> reproduce(const std::vector<Catalogue>& documents,
                                    const ReproduceOptions& options) {
  check_numbers(documents, options.figures);
  std::vector<Files> wanted;
  for (const Catalogue& document : documents) {
    const fs::path folder = fs::path(options.folder) / document.name;
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault) refuse(folder.string(), fmt::format("cannot be made: {}", fault.message()));
    for (const CatalogueFigure& figure : document.figures)
      if (options.figures.empty() ||
          std::find(options.figures.begin(), options.figures.end(), figure.number) != options.figures.end())
        wanted.push_back({options, document, figure});
  }
  const std::size_t threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                  : std::max(1u, std::thread::hardware_concurrency());
  const auto computed = static_cast<std::size_t>(std::count_if(
      wanted.begin(), wanted.end(), [](const Files& files) { return files.figure.missing.empty(); }));
  std::vector<Reproduction> out(wanted.size());
  std::mutex mutex;
  in_parallel(wanted.size(), threads, [&](std::size_t i) {
    out[i] = reproduce_one(wanted[i], std::max<std::size_t>(1, threads / std::max<std::size_t>(1, computed)));
    const std::lock_guard lock(mutex);
    if (options.done) options.done(out[i]);
  });
  return out;
}

void check_catalogue(const Catalogue& document) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<const std::string>(document.file);
  for (const CatalogueFigure& figure : document.figures) {
    if (!figure.missing.empty()) continue;
    try {
      for (const bool quick : {false, true})
        if (!quick || !figure.quick.empty()) prepare(figure, quick);
      for (const FigureClaim& claim : figure.claims) judged(claim, empty_table(figure));
    } catch (const InputError& error) {
      for (const Diagnostic& fault : error.diagnostics())
        diagnostics.error({file, 0, 0}, fmt::format("figure {}: {}", figure.number,
                                                    fault.pos.file ? fault.text() : fault.message));
    }
  }
  diagnostics.throw_if_errors();
}

std::string verdict_table(const std::vector<Reproduction>& figures) {
  std::string out = "document,figure,verdict,claim,holds,condition,terms\n";
  for (const Reproduction& r : figures) {
    const std::string begin = fmt::format("{},{},{}", r.document->name, r.figure->number, text_of(r.verdict));
    if (r.judgements.empty()) out += fmt::format("{},,,,\n", begin);
    for (std::size_t i = 0; i < r.judgements.size(); ++i) {
      const FigureClaim& claim = r.figure->claims[i];
      std::vector<std::string> terms;
      for (const auto& [name, value] : r.judgements[i].terms)
        terms.push_back(fmt::format("{} = {}", name, value));
      out +=
          fmt::format("{},{},{},{},{}\n", begin, csv_field(claim.name), r.judgements[i].holds ? "yes" : "no",
                      csv_field(claim.holds), csv_field(fmt::format("{}", fmt::join(terms, "; "))));
    }
  }
  return out;
}

}  // namespace tappet
