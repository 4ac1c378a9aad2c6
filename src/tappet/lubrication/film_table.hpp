// The film of a bearing of finite length as a table: Reynolds' equation with cavitation solved once per L/D and supply.
//
//   X = artanh ε ∈ [0, artanh 0.999],   ζ = asinh(cos γ/a)/asinh(1/a),  a = 0.8 s,   s = √(1 − ε²)
//   A(X, ζ) = ln(I·ŵ),   B(X, ζ) = s (ŵ×I)/((I·ŵ) sin γ),   C(X, ζ) = the flow over R²|w|
//   F = −(12 μ R⁴/c³) e^A [w + b ẑ×w],   b = (B/s) sin γ
//
// (lubrication/reynolds.hpp has the symbols.) −F·w > 0 whatever the error of interpolation; mirror images come from sin γ = w_t/|w|;
// F(e, a w) = a F(e, w) exactly; there is no trigonometric function. X is logarithmic at ε → 1, where forces are powers of 1 − ε, and
// cos γ is stretched there because a film changes from pressing to parting within w_n/w_t ~ s.
//
// Bicubic Hermite interpolation with slopes of tensor splines, C²; through ε = 0 these go on by A(−ε, ζ) = A(ε, −ζ),
// B(−ε, ζ) = −B(ε, −ζ). The row ε = 0 of a film without supply is made the same in all directions, as it is. Beyond ε = 0.999
// all three go on along straight lines in X.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/dual.hpp"
#include "tappet/lubrication/reynolds.hpp"

namespace tappet::lubrication {

struct FilmTableSize {
  int eccentricities = 29, directions = 33;  ///< nodes
  int around = 160, along = 12;              ///< cells of the coarser of two grids
  bool operator==(const FilmTableSize&) const = default;
};

class FilmTable {
 public:
  static constexpr double largest = 0.999;  ///< ε, of the last row

  /// e^A and b of F, for ε in [0, 1) and the unit vector (w_n, w_t).
  template <class T>
  struct Coefficients {
    T along, across;
  };
  template <class T>
  Coefficients<T> at(const T& eps, const T& w_n, const T& w_t) const {
    using std::exp, std::sqrt;
    const T s = sqrt((1 - eps) * (1 + eps));
    const Cell<T> cell = find(eps, s, w_n);
    return {exp(cell.value(*this, 0)), cell.value(*this, 1) * w_t / s};
  }
  /// The flow over R²|w|.
  double flow(double eps, double w_n) const {
    return find(eps, std::sqrt((1 - eps) * (1 + eps)), w_n).value(*this, 2);
  }

  /// Solves for all nodes, on as many threads.
  static FilmTable build(double ratio, Supply supply, const FilmTableSize& size, int threads);
  /// The same with its error.
  static FilmTable made(double ratio, Supply supply, const FilmTableSize& size, int threads) {
    FilmTable table = build(ratio, supply, size, threads);
    table.error_ = table.worst_error(checked_cells, threads);
    return table;
  }
  static constexpr int checked_cells = 4;  ///< of so many, one
  /// The largest difference to direct solutions in the middle of every so many cells, over the force there.
  double worst_error(int every, int threads) const;

  double ratio() const { return ratio_; }
  Supply supply() const { return supply_; }
  const FilmTableSize& size() const { return size_; }
  double error() const { return error_; }  ///< as worst_error() found it when the table was made

  void save(const std::filesystem::path& file) const;
  /// Null, with the reason, if the file is not such a table.
  static std::unique_ptr<FilmTable> load(const std::filesystem::path& file, std::string& why);
  /// The same of what such a file holds.
  static std::unique_ptr<FilmTable> of_text(const std::string& text, std::string& why);

 private:
  friend struct FilmTableFile;
  static constexpr int functions = 3;
  using Node = std::array<std::array<double, 4>, functions>;  // value, slopes by X and ζ in cells, and both

  template <class T>
  struct Cell {
    int i, j;
    std::array<T, 4> by_x, by_z;  // weights of value, slope at the beginning, value, slope at the end

    T value(const FilmTable& table, int f) const {
      const int n = table.size_.directions;
      const auto& p = table.nodes_;
      const auto &a = p[i * n + j][f], &b = p[i * n + j + 1][f], &c = p[(i + 1) * n + j][f],
                 &d = p[(i + 1) * n + j + 1][f];
      const auto row = [&](const std::array<double, 4>& l, const std::array<double, 4>& r, int k) {
        return by_z[0] * l[k] + by_z[1] * l[k + 2] + by_z[2] * r[k] + by_z[3] * r[k + 2];
      };
      return by_x[0] * row(a, b, 0) + by_x[1] * row(a, b, 1) + by_x[2] * row(c, d, 0) +
             by_x[3] * row(c, d, 1);
    }
  };
  template <class T>
  static std::array<T, 4> hermite(const T& u) {
    const T v = 1 - u;
    return {(1 + 2 * u) * v * v, u * v * v, u * u * (3 - 2 * u), -(u * u * v)};
  }
  template <class T>
  static T inverse_sinh(const T& x) {
    using std::log, std::sqrt;
    return value_of(x) < 0 ? -log(sqrt(x * x + 1) - x) : log(x + sqrt(x * x + 1));
  }
  template <class T>
  Cell<T> find(const T& eps, const T& s, const T& w_n) const {
    using std::log;
    const T a = stretch * s;
    const T x = 0.5 * log((1 + eps) / (1 - eps)) * ((size_.eccentricities - 1) / reach_);
    const T z = (inverse_sinh<T>(w_n / a) / inverse_sinh<T>(1 / a) + 1) * (0.5 * (size_.directions - 1));
    Cell<T> out;
    out.i = std::min(size_.eccentricities - 2, static_cast<int>(value_of(x)));
    out.j = std::clamp(static_cast<int>(value_of(z)), 0, size_.directions - 2);
    const T u = x - out.i;
    out.by_x = value_of(u) <= 1 ? hermite(u) : std::array<T, 4>{T(0), T(0), T(1), u - 1};
    out.by_z = hermite<T>(z - out.j);
    return out;
  }
  double eccentricity_of(double row) const;
  double cosine_of(double column, double eps) const;
  void make_slopes();

  static constexpr double stretch = 0.8;  // a/s
  double ratio_ = 1, reach_ = 1, error_ = 0;
  Supply supply_ = Supply::none;
  FilmTableSize size_;
  std::vector<Node> nodes_;
};

/// A table for a bearing: from the cache, or built and put there. Built once more, twice as fine, if its error is above the tolerance.
/// What was done is added to `notes`.
std::shared_ptr<const FilmTable> film_table(double ratio, Supply supply, double tolerance,
                                            std::vector<std::string>& notes);

/// $XDG_CACHE_HOME/tappet/films, or ~/.cache/tappet/films; empty: neither is known.
std::filesystem::path film_cache();

}  // namespace tappet::lubrication
