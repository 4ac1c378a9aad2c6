#include "tappet/results/figure.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "tappet/results/gnuplot.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

namespace {

using gnuplot::literal;
using gnuplot::with_unit;

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add_logarithm(double value) {
    if (value > 0) add(std::log10(value));
  }
  Interval raised() const { return {std::pow(10, low), std::pow(10, high)}; }
  bool empty() const { return !(low <= high); }
  double span() const { return high - low; }

  /// With some air around it; a constant gets a band as wide as itself, so that rounding noise looks like
  /// nothing.
  Interval padded() const {
    if (empty()) return {-1, 1};
    const double size = std::max(std::abs(low), std::abs(high));
    if (span() <= 1e-12 * size)
      return size > 0 ? Interval{low - 0.5 * size, high + 0.5 * size} : Interval{-1, 1};
    return {low - 0.06 * span(), high + 0.06 * span()};
  }
};

/// An orbit is drawn as it is: one metre is as long on both axes, unless one of them would then show nothing.
void equalise(Interval& x, Interval& y, double width_to_height) {
  const double wide = x.span() / width_to_height, high = y.span();
  if (std::max(wide, high) > 5 * std::min(wide, high)) return;
  const auto widen = [](Interval& range, double span) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * span, middle + 0.5 * span};
  };
  if (wide > high) widen(y, wide);
  if (high > wide) widen(x, high * width_to_height);
}

/// Enough digits that neighbouring tick labels differ.
std::string tick_format(const Interval& range) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const double digits = range.span() > 0 ? std::ceil(std::log10(size / range.span())) + 2 : 6;
  return fmt::format("'%.{}g'", static_cast<int>(std::clamp(digits, 6.0, 15.0)));
}

/// Where things are in the picture, in pixels.
struct Frame {
  int width = 900, height = 0;
  double left = 115, right = 40, top = 46, bottom = 62, gap = 22;  ///< margins; gap: between panels
  double panel = 0;                                                ///< height of one
  double label = 24;                                               ///< of the vertical axis, from the left
  double letter = 7.2, line = 17;                                  ///< width of a letter, height of a line
  bool legends_above = false;                                      ///< of each panel, not beside it
  int legend_columns = 1;

  Frame(const std::vector<Panel>& panels, const Figure& figure) : width(figure.width) {
    // Margins hold letters.
    const double k = figure.font / 11;
    for (double* margin : {&left, &right, &top, &bottom, &gap, &letter, &line}) *margin *= k;
    if (figure.title.empty()) top = 0.8 * line;
    std::size_t curves = 1, letters = 0;
    for (const auto& one : panels) {
      curves = std::max(curves, one.series.size());
      if (one.series.size() == 1) continue;
      for (const auto& curve : one.series) letters = std::max(letters, curve.name.size());
    }
    // Legends stand right of the curves, never on them, and get the room that the longest name needs; above them where that is too much.
    const double entry = k * (70.0 + 9.3 * static_cast<double>(letters));
    legends_above = curves > 1 && entry > (width < 450 ? 0.2 : 0.45) * width;
    if (legends_above) {
      left = std::min(left, 0.26 * width);
      legend_columns = std::max(1, static_cast<int>(panel_width() / entry));
      top += legend_height(panels[0].series.size());
      for (const auto& one : panels) gap = std::max(gap, 0.8 * line + legend_height(one.series.size()));
    } else if (curves > 1) {
      right = entry;
    }
    const auto count = static_cast<double>(panels.size());
    const double high = (panels.size() == 1 ? 420.0 : 220.0) * std::sqrt(width / 900.0);
    panel = std::max(high, k * (20.0 * static_cast<double>(curves) + 20.0));
    if (figure.height > 0) panel = std::max(20.0, (figure.height - top - bottom - (count - 1) * gap) / count);
    height = figure.height > 0 ? figure.height
                               : static_cast<int>(top + bottom + count * panel + (count - 1) * gap);
    label = 24 * k;
  }
  double panel_width() const { return width - left - right; }
  /// Of the entries above a panel.
  double legend_height(std::size_t curves) const {
    if (!legends_above || curves < 2) return 0;
    const auto columns = static_cast<std::size_t>(legend_columns);
    return line * (0.3 + static_cast<double>((curves + columns - 1) / columns));
  }
  /// Gnuplot counts from below, in fractions.
  double upper(std::size_t number) const {
    return 1 - (top + static_cast<double>(number) * (panel + gap)) / height;
  }
  double lower(std::size_t number) const { return upper(number) - panel / height; }
};

/// Line and colour of the series of one number.
std::string style(const Series& series, std::size_t number, double font) {
  // Those of the report's page; further curves repeat them dashed.
  constexpr const char* colours[] = {"#1f66c1", "#d9730d", "#0f8a6d", "#b83280", "#6b4fc0", "#5c7c0a"};
  const char* colour = colours[number % 6];
  if (series.style == Series::Style::points)
    return fmt::format("with points pointtype 7 pointsize 0.25 linecolor rgb '{}'", colour);
  // Small letters go with thin lines.
  const double width = 1.5 * std::min(1.0, font / 11);
  const bool marked = series.style == Series::Style::line_points;
  return fmt::format("with {} linewidth {:.3g} linecolor rgb '{}' dashtype {}",
                     marked ? "linespoints pointtype 7 pointsize 0.4" : "lines", width, colour,
                     number / 6 % 4 + 1);
}

/// Between ticks along x, where gnuplot's own would run into each other; 0: they do not.
double wide_step(const Interval& x, const Frame& frame) {
  const double room = frame.panel_width() / (frame.letter * 6);
  if (x.empty() || !(x.span() > 0) || room >= 12) return 0;
  const double least = x.span() / std::max(1.0, std::floor(room)),
               power = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (step * power >= (1 - 1e-9) * least) return step * power;
  return 0;
}

/// One panel's commands. Panels lie below each other between fixed margins, so that their axes line up.
std::string panel_script(const Panel& panel, std::size_t number, const Frame& frame,
                         const std::string& x_label, const Interval& x, const Interval& y, bool last,
                         const Figure& figure) {
  const bool legend = panel.series.size() > 1;
  std::string text = fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
                                 frame.upper(number), frame.lower(number));
  text += fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low, x.high, y.low, y.high);
  if (const double step = figure.log_x ? 0 : wide_step(x, frame); step > 0)
    text += fmt::format("set xtics {}\n", step);
  text += fmt::format("set format y {}\n", figure.log_y ? "'%g'" : tick_format(y));
  // In a stack only the lowest panel names the axis they share.
  text += fmt::format("set format x {}\n", !last ? "''" : figure.log_x ? "'%g'" : tick_format(x));
  text += last ? fmt::format("set xlabel {}\n", literal(x_label)) : "unset xlabel\n";
  // Not gnuplot's own axis label: that one's place depends on the tick labels, and a stack of them would not
  // line up.
  text += fmt::format("set label 1 {} at screen {:.5f}, screen {:.5f} center rotate by 90\n",
                      literal(with_unit(legend ? panel.label : panel.series[0].name, panel.unit)),
                      frame.label / frame.width, 0.5 * (frame.upper(number) + frame.lower(number)));
  if (!legend)
    text += "unset key\n";
  else if (frame.legends_above)
    text += fmt::format(
        "set key at screen {:.5f}, screen {:.5f} left top horizontal Left reverse samplen 1.5 maxcols {}\n",
        frame.left / frame.width,
        frame.upper(number) + frame.legend_height(panel.series.size()) / frame.height, frame.legend_columns);
  else
    text += "set key outside right top vertical Left reverse samplen 1.5\n";
  text += "plot ";
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    text += fmt::format("{}'data_{}_{}' using 1:2 {} title {}", i ? ", " : "", number, i,
                        style(panel.series[i], i, figure.font), literal(panel.series[i].name));
  }
  return text + "\n";
}

std::string rows(std::initializer_list<const std::vector<double>*> columns) {
  fmt::memory_buffer text;
  const std::size_t count = (*columns.begin())->size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto* column : columns) fmt::format_to(std::back_inserter(text), "{} ", (*column)[i]);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

constexpr char common_script[] =
    "set datafile missing 'nan'\nset tics nomirror scale 0.4 textcolor rgb '#4b5663'\n"
    "set border 3 linecolor rgb '#9aa4b0' linewidth 0.8\nset grid linecolor rgb '#e3e8ed' linetype 1 "
    "linewidth 0.8\n"
    "set key textcolor rgb '#1b2430'\nset xlabel textcolor rgb '#1b2430'\n";

std::string side_margins(double left, double right, double width) {
  return fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n", left / width,
                     1 - right / width);
}

/// The distance between neighbours among the values; 0 unless they are evenly spaced.
double spacing(const std::set<double>& values) {
  if (values.size() < 2) return 0;
  const double step = (*values.rbegin() - *values.begin()) / static_cast<double>(values.size() - 1);
  double expected = *values.begin();
  for (const double value : values) {
    if (std::abs(value - expected) > 1e-6 * step) return 0;
    expected += step;
  }
  return step;
}

/// Between the lowest and the highest finite value.
double span(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

}  // namespace

Series thin_over_time(const std::vector<double>& x, const std::vector<double>& y, std::size_t intervals) {
  Series out;
  if (x.size() <= 4 * intervals) return {.name = "", .x = x, .y = y};
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t first = k * x.size() / intervals, end = (k + 1) * x.size() / intervals;
    std::size_t low = first, high = first;
    for (std::size_t i = first; i < end; ++i) {
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    std::size_t kept[] = {first, low, high, end - 1};
    std::sort(std::begin(kept), std::end(kept));
    for (std::size_t j = 0; j < 4; ++j) {
      if (j > 0 && kept[j] == kept[j - 1]) continue;
      out.x.push_back(x[kept[j]]);
      out.y.push_back(y[kept[j]]);
    }
  }
  return out;
}

Series thin_in_plane(const std::vector<double>& x, const std::vector<double>& y, std::size_t intervals) {
  if (x.size() <= 4 * intervals) return {.name = "", .x = x, .y = y};
  const double dx = span(x) / static_cast<double>(intervals), dy = span(y) / static_cast<double>(intervals);
  Series out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool last = i + 1 == x.size();
    const bool near =
        !out.x.empty() && std::abs(x[i] - out.x.back()) < dx && std::abs(y[i] - out.y.back()) < dy;
    if (near && !last) continue;
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
  }
  return out;
}

namespace {

double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values)
    if (std::isfinite(value)) out = std::max(out, std::abs(value));
  return out;
}

/// The figure in the units that suit its numbers.
Figure scaled(Figure figure) {
  double x_size = 0;
  std::vector<double> y_size(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    for (const Series& series : figure.panels[i].series) {
      x_size = std::max(x_size, largest(series.x));
      y_size[i] = std::max(y_size[i], largest(series.y));
    }
  // A metre that is to be as long on both axes is the same metre.
  if (figure.same_scale && figure.panels.size() == 1) x_size = y_size[0] = std::max(x_size, y_size[0]);
  const gnuplot::Scale x = gnuplot::scale_for(figure.x_unit, x_size);
  figure.x_unit = x.unit;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const gnuplot::Scale y = gnuplot::scale_for(figure.panels[i].unit, y_size[i]);
    figure.panels[i].unit = y.unit;
    for (Series& series : figure.panels[i].series) {
      if (x.factor != 1)
        for (double& value : series.x) value /= x.factor;
      if (y.factor != 1)
        for (double& value : series.y) value /= y.factor;
    }
  }
  return figure;
}

/// What is not positive has no place on a logarithmic axis.
void check_logarithmic(const Interval& interval, const std::string& axis, const std::string& file) {
  if (interval.empty())
    refuse(file, fmt::format("nothing is greater than 0 along {}: no logarithmic axis can show it", axis));
}

}  // namespace

void draw(const Figure& given, const std::string& file) {
  const Figure figure = scaled(given);
  Interval x;
  std::vector<Interval> y(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    for (const Series& series : figure.panels[i].series) {
      for (const double value : series.x) figure.log_x ? x.add_logarithm(value) : x.add(value);
      for (const double value : series.y) figure.log_y ? y[i].add_logarithm(value) : y[i].add(value);
    }
  const Frame frame(figure.panels, figure);
  if (figure.log_x) check_logarithmic(x, figure.x_name, file);
  if (!figure.fill_x || x.span() == 0 || x.empty()) x = x.padded();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (figure.log_y) check_logarithmic(y[i], with_unit("the axis", figure.panels[i].unit), file);
    y[i] = y[i].padded();
  }
  if (figure.panels.size() == 1 && figure.same_scale && !figure.log_x && !figure.log_y)
    equalise(x, y[0], frame.panel_width() / frame.panel);
  if (figure.log_x) x = x.raised();
  if (figure.log_y)
    for (Interval& interval : y) interval = interval.raised();

  gnuplot::Job job{.width = frame.width,
                   .height = frame.height,
                   .font = figure.font,
                   .resolution = figure.resolution,
                   .script = common_script,
                   .data = {}};
  if (figure.log_x) job.script += "set logscale x\n";
  if (figure.log_y) job.script += "set logscale y\n";
  job.script += side_margins(frame.left, frame.right, frame.width);
  job.script += figure.title.empty()
                    ? "set multiplot\n"
                    : fmt::format("set multiplot title {} textcolor rgb '#1b2430'\n", literal(figure.title));
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    for (std::size_t j = 0; j < panel.series.size(); ++j)
      job.data.emplace_back(fmt::format("data_{}_{}", i, j), rows({&panel.series[j].x, &panel.series[j].y}));
    job.script += panel_script(panel, i, frame, with_unit(figure.x_name, figure.x_unit), x, y[i],
                               i + 1 == figure.panels.size(), figure);
  }
  job.script += "unset multiplot\n";
  gnuplot::draw(job, file);
}

void draw(const Map& map, const std::string& file) {
  Interval x, y;
  for (const double value : map.x) x.add(value);
  for (const double value : map.y) y.add(value);
  const double dx = spacing({map.x.begin(), map.x.end()}), dy = spacing({map.y.begin(), map.y.end()});
  const bool grid =
      dx > 0 && dy > 0 &&
      static_cast<double>(map.x.size()) == std::round(x.span() / dx + 1) * std::round(y.span() / dy + 1);
  // Cells reach half a step beyond the outermost points.
  x = grid ? Interval{x.low - dx / 2, x.high + dx / 2} : x.padded();
  y = grid ? Interval{y.low - dy / 2, y.high + dy / 2} : y.padded();

  gnuplot::Job job{.width = 900, .height = 600, .script = common_script, .data = {}};
  // Every cell has its line: an empty one would end the image.
  std::string cells;
  for (std::size_t i = 0; i < map.x.size(); ++i)
    cells += std::isfinite(map.z[i]) ? fmt::format("{} {} {}\n", map.x[i], map.y[i], map.z[i])
                                     : fmt::format("{} {} NaN\n", map.x[i], map.y[i]);
  job.data.emplace_back("map", cells);
  job.script += side_margins(115, 150, job.width);
  job.script +=
      fmt::format("set title {}\nset xlabel {}\nset ylabel {}\nset cblabel {}\nunset key\n",
                  literal(map.title), literal(with_unit(map.x_name, map.x_unit)),
                  literal(with_unit(map.y_name, map.y_unit)), literal(with_unit(map.z_name, map.z_unit)));
  job.script += fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low, x.high, y.low, y.high);
  // Viridis: even steps for the eye, also in grey and for the colour-blind.
  job.script += "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n";
  job.script += grid ? "unset grid\nplot 'map' using 1:2:3 with image\n"
                     : "plot 'map' using 1:2:3 with points pointtype 7 pointsize 1 linecolor palette\n";
  gnuplot::draw(job, file);
}

}  // namespace tappet
