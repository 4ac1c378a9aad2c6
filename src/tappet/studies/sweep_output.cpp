#include "tappet/studies/sweep_output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "tappet/results/csv.hpp"
#include "tappet/results/figure.hpp"

namespace tappet {

namespace {

/// A range's number without its unit, which the first line has.
std::string field(const Axis& axis, const AxisValue& value) {
  return axis.is_range() ? csv_field(value.number) : csv_field(value.text);
}

void append(std::string& line, const std::string& text) {
  line += ',';
  line += text;
}

std::string axis_headings(const Study& study) {
  std::string out;
  for (const Axis& axis : study.axes) append(out, csv_heading(axis.name, axis.unit));
  return out;
}

std::string axis_fields(const Study& study, std::size_t run) {
  std::string out;
  for (std::size_t j = 0; j < study.axes.size(); ++j) append(out, field(study.axes[j], study.design[run][j]));
  return out;
}

/// Place of a metric among those of its sort: values, or lists.
std::size_t place(const Study& study, const Metric& metric) {
  const bool value = metric.kind == Metric::Kind::value;
  std::size_t out = 0;
  for (const Metric& other : study.metrics) {
    if (&other == &metric) break;
    out += (other.kind == Metric::Kind::value) == value;
  }
  return out;
}

/// A parameter or a metric of the runs, for plots.
struct Quantity {
  std::string name, unit;
  std::vector<double> values;  ///< one per run; NaN: none
};

const Metric* find_metric(const Study& study, const std::string& name) {
  const auto at = std::find_if(study.metrics.begin(), study.metrics.end(),
                               [&](const Metric& metric) { return metric.name == name; });
  return at == study.metrics.end() ? nullptr : &*at;
}

Quantity quantity(const Study& study, const std::vector<SweepRow>& rows, const std::string& name) {
  Quantity out{name, "", {}};
  for (std::size_t j = 0; j < study.axes.size(); ++j) {
    if (study.axes[j].name != name) continue;
    out.unit = study.axes[j].unit;
    for (const SweepRow& row : rows) out.values.push_back(study.design[row.run][j].number);
    return out;
  }
  const Metric& metric = *find_metric(study, name);
  out.unit = metric.unit;
  const std::size_t at = place(study, metric);
  for (const SweepRow& row : rows)
    out.values.push_back(row.reason.empty() ? row.values[at] : std::numeric_limits<double>::quiet_NaN());
  return out;
}

/// A list has no line: its points are the bifurcation diagram.
Series points_of(const std::vector<SweepRow>& rows, std::size_t at, const Quantity& x) {
  Series out{.name = "", .x = {}, .y = {}, .style = Series::Style::points};
  for (const SweepRow& row : rows) {
    if (!row.reason.empty()) continue;
    for (const auto& [time, value] : row.lists[at]) {
      out.x.push_back(x.values[row.run]);
      out.y.push_back(value);
    }
  }
  return out;
}

/// A curve from left to right.
Series curve_of(const Quantity& x, const Quantity& y) {
  std::vector<std::size_t> order(x.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x.values[a] < x.values[b]; });
  Series out{.name = "", .x = {}, .y = {}, .style = Series::Style::line_points};
  for (const std::size_t i : order) {
    out.x.push_back(x.values[i]);
    out.y.push_back(y.values[i]);
  }
  return out;
}

}  // namespace

std::string sweep_table(const Study& study, const std::vector<SweepRow>& rows) {
  std::string out = "run" + axis_headings(study);
  for (const Metric& metric : study.metrics)
    if (metric.kind == Metric::Kind::value) append(out, csv_heading(metric.name, metric.unit));
  out += ",status,reason\n";
  const auto values = static_cast<std::size_t>(
      std::count_if(study.metrics.begin(), study.metrics.end(),
                    [](const Metric& metric) { return metric.kind == Metric::Kind::value; }));
  for (const SweepRow& row : rows) {
    out += fmt::format("{}{}", row.run, axis_fields(study, row.run));
    for (std::size_t i = 0; i < values; ++i) append(out, row.reason.empty() ? csv_field(row.values[i]) : "");
    append(out, row.reason.empty() ? "done" : "failed");
    append(out, csv_field(row.reason));
    out += '\n';
  }
  return out;
}

std::string list_table(const Study& study, const std::vector<SweepRow>& rows, const Metric& metric) {
  std::string out =
      fmt::format("run{},time [s],{}\n", axis_headings(study), csv_heading(metric.name, metric.unit));
  const std::size_t at = place(study, metric);
  for (const SweepRow& row : rows) {
    if (!row.reason.empty()) continue;
    const std::string begin = fmt::format("{}{}", row.run, axis_fields(study, row.run));
    for (const auto& [time, value] : row.lists[at])
      out += fmt::format("{},{},{}\n", begin, csv_field(time), csv_field(value));
  }
  return out;
}

void draw(const Study& study, const std::vector<SweepRow>& rows, const StudyPlot& plot,
          const std::string& file) {
  const Quantity x = quantity(study, rows, plot.x);
  if (!plot.z.empty()) {
    const Quantity y = quantity(study, rows, plot.y), z = quantity(study, rows, plot.z);
    draw(Map{study.title, x.name, x.unit, y.name, y.unit, z.name, z.unit, x.values, y.values, z.values},
         file);
    return;
  }
  Panel panel;
  const Metric& metric = *find_metric(study, plot.y);
  panel.unit = metric.unit;
  panel.series.push_back(metric.kind == Metric::Kind::value ? curve_of(x, quantity(study, rows, plot.y))
                                                            : points_of(rows, place(study, metric), x));
  panel.series[0].name = metric.name;
  draw(Figure{study.title, x.name, x.unit, {panel}}, file);
}

}  // namespace tappet
