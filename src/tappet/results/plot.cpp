#include "tappet/results/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/results/figure.hpp"
#include "tappet/results/gnuplot.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

namespace {

constexpr std::size_t most_curves = 100;

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

/// Over time: the first, lowest, highest and last value of each of some thousand intervals. No peak is lost,
/// and a long run draws as fast as a short one.
Series thin_over_time(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t intervals = 2000;
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

/// In the plane: points that nobody could tell from the one before are left out.
Series thin_in_plane(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() <= 8000) return {.name = "", .x = x, .y = y};
  const double dx = span(x) / 2000, dy = span(y) / 2000;
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

std::vector<Panel> gather(const ResultFile& result, const PlotOptions& options) {
  const bool over_time = options.x == "time";
  std::vector<std::size_t> chosen = result.select(options.signals);
  if (!over_time || chosen.size() > 1) std::erase(chosen, std::size_t{0});  // `*` means the signals, not time
  if (chosen.empty()) refuse(result.path(), "name at least one signal to plot");
  if (chosen.size() > most_curves) {
    refuse(result.path(), fmt::format("{} signals are too many for one picture: choose at most {}",
                                      chosen.size(), most_curves));
  }
  const std::size_t x_column = result.index(options.x);

  // The rows between --from and --to. Time never decreases.
  const auto time = result.column("time");
  const auto begin = options.from ? std::lower_bound(time.begin(), time.end(), *options.from) : time.begin();
  const auto end = options.to ? std::upper_bound(time.begin(), time.end(), *options.to) : time.end();
  if (time.empty()) refuse(result.path(), "holds no samples yet: there is nothing to plot");
  if (begin >= end) {
    refuse(result.path(),
           fmt::format("there are no samples in that interval: the result reaches from {} s to {} s",
                       time.front(), time.back()));
  }
  const auto first = static_cast<std::size_t>(begin - time.begin()),
             count = static_cast<std::size_t>(end - begin);
  const auto x = result.read(first, count, {&x_column, 1});

  std::vector<Panel> panels;
  for (const std::size_t column : chosen) {
    const Signal& signal = result.columns()[column];
    auto panel =
        std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.unit == signal.unit; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{"", signal.unit, {}});
    const auto y = result.read(first, count, {&column, 1});
    Series curve = over_time ? thin_over_time(x, y) : thin_in_plane(x, y);
    curve.name = signal.name;
    panel->series.push_back(std::move(curve));
  }
  return panels;
}

}  // namespace

void plot(const ResultFile& result, const PlotOptions& options, const std::string& file) {
  gnuplot::check_file_name(file);
  Figure figure{.title = options.title.empty() ? result.header().title : options.title,
                .x_name = options.x,
                .x_unit = "",
                .panels = gather(result, options)};
  const Signal& x = result.columns()[result.index(options.x)];
  figure.x_unit = x.unit;
  figure.fill_x = x.name == "time";
  figure.same_scale = !figure.fill_x && x.unit == figure.panels[0].unit;
  draw(figure, file);
}

}  // namespace tappet
