#include "tappet/studies/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace tappet {

namespace {

struct Extent {
  double low = INFINITY, high = -INFINITY;
  double span() const { return high - low; }
};

Extent extent(const Recording& run, std::size_t column) {
  Extent out;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    out.low = std::min(out.low, run.row(i)[column]);
    out.high = std::max(out.high, run.row(i)[column]);
  }
  return out;
}

struct Scaled {
  std::size_t column;
  double scale;
};

/// Columns that move, with their ranges. An angle that keeps turning has no range; its body's points tell the
/// same. What moves a million times less than others of its unit is rounding.
std::vector<Scaled> scaled_columns(const Recording& run, const std::vector<std::string>& coordinates) {
  std::vector<Scaled> all, out;
  std::map<std::string, double> widest;
  for (const std::string& name : coordinates) {
    const std::size_t column = run.index(name);
    if (column >= run.columns.size()) continue;
    const std::string& unit = run.columns[column].unit;
    const double span = extent(run, column).span();
    if (unit == "rad" && span > 2 * std::numbers::pi) continue;
    all.push_back({column, span});
    widest[unit] = std::max(widest[unit], span);
  }
  for (const Scaled& c : all)
    if (c.scale > 1e-6 * widest[run.columns[c.column].unit]) out.push_back(c);
  return out;
}

}  // namespace

std::vector<std::string> coordinates(const std::vector<Signal>& signals) {
  std::vector<std::string> out;
  for (const Signal& signal : signals) {
    const std::string ending = signal.name.substr(signal.name.rfind('.') + 1);
    static const std::vector<std::string> wanted = {"x",  "y",  "z",  "angle", "qw", "qx",
                                                    "qy", "qz", "ex", "ey",    "ez"};
    if (std::find(wanted.begin(), wanted.end(), ending) != wanted.end()) out.push_back(signal.name);
  }
  return out;
}

std::vector<double> distance(const Recording& a, const Recording& b,
                             const std::vector<std::string>& coordinates) {
  const std::vector<Scaled> columns = scaled_columns(a, coordinates);
  std::vector<double> out(std::min(a.rows(), b.rows()), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const Scaled& c : columns)
      out[i] = std::max(out[i], std::abs(a.row(i)[c.column] - b.row(i)[c.column]) / c.scale);
  return out;
}

Horizon horizon(const Recording& times, const std::vector<double>& distance, double limit) {
  // From behind: beyond the horizon most rows are apart. A passing disagreement that heals is none.
  const auto n = distance.size();
  if (n == 0) return {};
  std::size_t apart = 0, first = n;
  for (std::size_t i = n; i-- > 0;) {
    apart += distance[i] > limit;
    if (distance[i] > limit && 2 * apart >= n - i) first = i;
  }
  if (first == n) return {times.time(n - 1), false};
  return {times.time(first), true};
}

namespace {

/// The line through points (x, y): slope, and what of the squares is left.
struct Line {
  double slope = 0, residual = 0;
};

Line fit(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  return {slope, yy - slope * xy};
}

}  // namespace

Growth growth(const Recording& times, const std::vector<std::vector<double>>& distances, double saturation) {
  std::size_t rows = distances.empty() ? 0 : distances[0].size();
  for (const auto& d : distances) rows = std::min(rows, d.size());
  // ln of the largest distance so far, averaged over the pairs: steady growth instead of the ups and downs of
  // an orbit. The first hundredth of the run, in which the integrators' own errors show, is left out.
  std::vector<double> t, log_t, y, largest(distances.size(), 1e-16);
  for (std::size_t i = 0; i < rows; ++i) {
    double mean = 0;
    for (std::size_t k = 0; k < distances.size(); ++k) {
      largest[k] = std::max(largest[k], distances[k][i]);
      mean += std::log(largest[k]) / static_cast<double>(distances.size());
    }
    if (mean > std::log(saturation)) break;
    if (i < std::max<std::size_t>(rows / 100, 1)) continue;
    t.push_back(times.time(i));
    log_t.push_back(std::log(times.time(i)));
    y.push_back(mean);
  }
  if (t.size() < 8) return {};
  const Line over_time = fit(t, y), over_log = fit(log_t, y);
  // No error of a regular motion grows faster than the fourth power of time.
  return {over_time.slope, (y.back() - y.front()) / std::numbers::ln10,
          over_log.slope > 4 || over_time.residual < 0.5 * over_log.residual, t.front(), t.back()};
}

double returns(const Recording& run, const std::vector<std::string>& coordinates, double from, double to) {
  constexpr double wobble = 0.01;
  long most = 0;
  for (const Scaled& c : scaled_columns(run, coordinates)) {
    // The turning point that is being left, and the direction since.
    double turn = NAN, extreme = NAN;
    int direction = 0;
    long reversals = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      if (run.time(i) < from || run.time(i) > to) continue;
      const double x = run.row(i)[c.column];
      if (std::isnan(turn)) turn = extreme = x;
      if (direction * (x - extreme) > 0 || direction == 0) extreme = x;
      if (direction == 0 && std::abs(x - turn) > wobble * c.scale) direction = x > turn ? 1 : -1;
      if (direction != 0 && direction * (extreme - x) > wobble * c.scale) {
        direction = -direction, extreme = x;
        ++reversals;
      }
    }
    most = std::max(most, reversals);
  }
  return 0.5 * static_cast<double>(most);
}

Repetition repetition(const Recording& run, const std::vector<std::string>& coordinates, double period,
                      int most, double limit) {
  if (!(period > 0) || run.rows() < 4) return {};
  const std::vector<Scaled> columns = scaled_columns(run, coordinates);
  const double step = run.time(1) - run.time(0), end = run.time(run.rows() - 1);
  Repetition best;
  for (int k = 1; k <= most && 2 * k * period <= 0.5 * end; ++k) {
    double largest = 0;
    // The second half, but the last row, which may lie off the raster of samples.
    for (std::size_t i = 0; i + 1 < run.rows(); ++i) {
      const double before = run.time(i) - k * period;
      if (before < 0.5 * end) continue;
      const auto j = static_cast<std::size_t>(before / step);
      const double part = before / step - static_cast<double>(j);
      for (const Scaled& c : columns) {
        const double then = (1 - part) * run.row(j)[c.column] + part * run.row(j + 1)[c.column];
        largest = std::max(largest, std::abs(run.row(i)[c.column] - then) / c.scale);
      }
    }
    if (largest < limit) return {k, largest};
    if (best.distance == 0 || largest < best.distance) best.distance = largest;
  }
  return best;
}

double driving_period(const Recording& run) {
  const std::size_t n = run.rows();
  if (n < 8) return 0;
  for (std::size_t c = 1; c < run.columns.size(); ++c) {
    if (run.columns[c].unit != "rad") continue;
    const double from = run.row(n / 2)[c], to = run.row(n - 2)[c], t0 = run.time(n / 2), t1 = run.time(n - 2);
    const double rate = (to - from) / (t1 - t0);
    if (std::abs(to - from) < 2 * std::numbers::pi) continue;
    bool even = true;
    for (std::size_t i = n / 2; i + 1 < n && even; ++i)
      even = std::abs(run.row(i)[c] - from - rate * (run.time(i) - t0)) < 1e-6;
    if (even) return 2 * std::numbers::pi / std::abs(rate);
  }
  return 0;
}

}  // namespace tappet
