#include "tappet/results/plot.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "tappet/results/figure.hpp"
#include "tappet/results/gnuplot.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

namespace {

constexpr std::size_t most_curves = 100;

/// Between the name of a signal and that of its result, until all are known.
constexpr char separator = '\n';

/// Adds a result's curves to the panels. `mark` tells them from another result's; those that it lacks are passed over.
void gather(const ResultFile& result, const PlotOptions& options, const std::string& mark,
            std::vector<Panel>& panels) {
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
  const auto x = result.read_all(first, count, {&x_column, 1});

  for (const std::size_t column : chosen) {
    const Signal& signal = result.columns()[column];
    auto panel =
        std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.unit == signal.unit; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{"", signal.unit, {}});
    const auto y = result.read_all(first, count, {&column, 1});
    Series curve = over_time ? thin_over_time(x, y) : thin_in_plane(x, y);
    curve.name = signal.name + mark;
    panel->series.push_back(std::move(curve));
  }
}

/// One signal of several results is named at the axis, and its curves after the results; otherwise a curve says both.
void name_curves(Panel& panel) {
  const auto signal_of = [](const Series& curve) { return curve.name.substr(0, curve.name.find(separator)); };
  const std::string first = signal_of(panel.series.front());
  const bool one = std::all_of(panel.series.begin(), panel.series.end(),
                               [&](const Series& curve) { return signal_of(curve) == first; });
  if (one) panel.label = first;
  for (Series& curve : panel.series) {
    const std::string signal = signal_of(curve), result = curve.name.substr(signal.size() + 1);
    curve.name = one ? result : fmt::format("{} ({})", signal, result);
  }
}

}  // namespace

void plot(const ResultFile& result, const PlotOptions& options, const std::string& file) {
  gnuplot::check_file_name(file);
  const auto mark = [&](const std::string& path) {
    return options.others.empty() ? "" : separator + std::filesystem::path(path).stem().string();
  };
  std::vector<Panel> panels;
  gather(result, options, mark(result.path()), panels);
  for (const std::string& other : options.others) gather(ResultFile(other), options, mark(other), panels);
  if (!options.others.empty())
    for (Panel& panel : panels) name_curves(panel);
  Figure figure{.title = options.untitled        ? ""
                         : options.title.empty() ? result.header().title
                                                 : options.title,
                .x_name = options.x,
                .x_unit = "",
                .panels = std::move(panels),
                .width = options.width,
                .height = options.height,
                .font = options.font,
                .resolution = options.resolution,
                .log_x = options.log_x,
                .log_y = options.log_y};
  const Signal& x = result.columns()[result.index(options.x)];
  figure.x_unit = x.unit;
  figure.fill_x = x.name == "time";
  figure.same_scale = !figure.fill_x && x.unit == figure.panels[0].unit;
  draw(figure, file);
}

}  // namespace tappet
