#include "tappet/studies/figure_plots.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "tappet/results/csv.hpp"
#include "tappet/results/figure.hpp"
#include "tappet/results/output_file.hpp"

namespace tappet {

namespace {

/// As many as a picture of some hundred pixels can show.
constexpr std::size_t drawn_intervals = 400;
/// Pixels of pictures that go side by side.
constexpr int small_width = 620;

/// What one run draws in one plot.
struct Curves {
  std::size_t run = 0;
  std::vector<double> x;
  std::vector<std::vector<double>> y;  ///< by panel; empty: this run has no such signal
};

Curves curves_of(std::size_t run, const PreparedRun& prepared, const PreparedPlot& of, const FigurePlot& plot,
                 const Recording& recording) {
  Curves out{.run = run, .x = {}, .y = {}};
  out.y.resize(of.y.size());
  if (!of.x) return out;
  const auto [first, end] = rows_inside(recording, plot.window, prepared.revolution);
  const auto at_steps =
      plot.steps ? rows_at_steps(recording, first, end) : std::vector<std::vector<double>>();
  std::vector<const double*> rows;
  for (const std::vector<double>& row : at_steps) rows.push_back(row.data());
  if (!plot.steps) rows = recording.all_rows(first, end);
  const auto column = [&](RowExpression expression) {
    expression.bind(recording);
    std::vector<double> values;
    for (const double* row : rows) values.push_back(expression.at(row));
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
      out += fmt::format("{},{}", csv_field(figure.runs[curves.run].name), csv_field(curves.x[i]));
      for (const auto& y : curves.y) out += fmt::format(",{}", y.empty() ? "" : csv_field(y[i]));
      out += '\n';
    }
  return out;
}

std::string unit_of(const PreparedFigure& prepared, auto expression_of) {
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

Figure figure_of(const CatalogueFigure& figure, std::size_t plot_number, const PreparedFigure& prepared,
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
      if (plot.steps)
        panel.series.push_back(
            {.name = {}, .x = curves->x, .y = curves->y[j], .style = Series::Style::line_points});
      else
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
  out.same_scale = plot.equal || (!out.fill_x && !out.x_unit.empty() && out.panels.size() == 1 &&
                                  out.panels[0].unit == out.x_unit);
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

}  // namespace

void make_plot(std::size_t number, const PreparedFigure& prepared, const std::vector<Recording>& recordings,
               const FigureFiles& files, Reproduction& out) {
  const CatalogueFigure& figure = files.figure;
  const FigurePlot& plot = figure.plots[number];
  std::vector<Curves> all;
  for (std::size_t i = 0; i < figure.runs.size(); ++i) {
    const auto& wanted = plot.runs;
    if (!out.run_reasons[i].empty() ||
        (!wanted.empty() && std::find(wanted.begin(), wanted.end(), figure.runs[i].name) == wanted.end() &&
         std::find(wanted.begin(), wanted.end(), figure.runs[i].group) == wanted.end()))
      continue;
    all.push_back(curves_of(i, prepared.runs[i], prepared.runs[i].plots[number], plot, recordings[i]));
  }
  out.tables.push_back(files.inside(plot.name, ".csv"));
  write_output(files.path(out.tables.back()), OutputKind::table, curves_csv(figure, plot, all));

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

}  // namespace tappet
