#include "tappet/results/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace tappet {

namespace {

double finite(double x) {
  return std::isfinite(x) ? x : 0;
}

/// What a deviation of each column is measured by: its standard deviation. A column that jumps from row to
/// row, such as rounding noise about zero, cannot be drawn with fewer rows and must not cost the others
/// theirs: its roughness counts tenfold.
std::vector<double> weights(std::span<const double> table, std::size_t columns,
                            std::span<const double> least) {
  const std::size_t rows = table.size() / columns;
  std::vector<double> out(columns, 0.0);
  for (std::size_t c = 1; c < columns; ++c) {
    double mean = 0, square = 0, rough = 0;
    for (std::size_t r = 0; r < rows; ++r) mean += finite(table[r * columns + c]) / static_cast<double>(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = finite(table[r * columns + c]) - mean;
      square += x * x;
      if (r < 2) continue;
      const double x1 = finite(table[(r - 1) * columns + c]), x2 = finite(table[(r - 2) * columns + c]);
      rough += std::abs(x + mean - 2 * x1 + x2);
    }
    const auto n = static_cast<double>(rows);
    const double scale = std::max(std::sqrt(square / n) + 10 * rough / n, c < least.size() ? least[c] : 0);
    // Noise in the last digits of a constant is no signal either.
    out[c] = scale > 1e-12 * std::abs(mean) ? 1 / scale : 0;
  }
  return out;
}

/// The rows first … last, drawn as one straight line, and the row that it misses most.
struct Piece {
  double deviation = 0;
  std::size_t first = 0, last = 0, worst = 0;
  bool operator<(const Piece& other) const {
    return deviation != other.deviation ? deviation < other.deviation : first > other.first;
  }
};

Piece measure(std::span<const double> table, const std::vector<double>& weight, std::size_t first,
              std::size_t last) {
  const std::size_t columns = weight.size();
  Piece piece{-1, first, last, first};
  const double *a = &table[first * columns], *b = &table[last * columns];
  const double length = b[0] - a[0];
  for (std::size_t r = first + 1; r < last; ++r) {
    const double* x = &table[r * columns];
    const double s = length > 0 ? (x[0] - a[0]) / length : 0.5;
    double deviation = 0;
    for (std::size_t c = 1; c < columns; ++c) {
      const double line = finite(a[c]) + s * (finite(b[c]) - finite(a[c]));
      deviation = std::max(deviation, weight[c] * std::abs(finite(x[c]) - line));
    }
    if (deviation > piece.deviation) piece.deviation = deviation, piece.worst = r;
  }
  return piece;
}

}  // namespace

std::vector<std::size_t> thin(std::span<const double> table, std::size_t columns, std::size_t wanted,
                              std::span<const std::size_t> keep, std::span<const double> least) {
  const std::size_t rows = columns ? table.size() / columns : 0;
  std::vector<std::size_t> chosen;
  if (rows <= wanted || rows <= 2) {
    for (std::size_t r = 0; r < rows; ++r) chosen.push_back(r);
    return chosen;
  }
  const std::vector<double> weight = weights(table, columns, least);
  chosen.push_back(0);
  for (const std::size_t r : keep)
    if (r > chosen.back() && r + 1 < rows) chosen.push_back(r);
  chosen.push_back(rows - 1);

  std::priority_queue<Piece> pieces;
  const auto offer = [&](std::size_t first, std::size_t last) {
    if (last > first + 1) pieces.push(measure(table, weight, first, last));
  };
  for (std::size_t i = 1; i < chosen.size(); ++i) offer(chosen[i - 1], chosen[i]);
  // Pieces of a column without change are straight: nothing more to gain.
  while (chosen.size() < wanted && !pieces.empty() && pieces.top().deviation > 0) {
    const Piece piece = pieces.top();
    pieces.pop();
    chosen.push_back(piece.worst);
    offer(piece.first, piece.worst);
    offer(piece.worst, piece.last);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace tappet
