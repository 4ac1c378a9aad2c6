// Rows chosen for a picture.
#include "tappet/results/thinning.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tappet::thinning_test {
namespace {

/// A slow wave, a spike of two rows, and noise about zero; the abscissa first.
std::vector<double> wave_and_spike(std::size_t rows, std::size_t spike) {
  std::vector<double> table;
  unsigned noise = 1;
  for (std::size_t r = 0; r < rows; ++r) {
    const double t = static_cast<double>(r) / static_cast<double>(rows - 1);
    noise = noise * 1664525u + 1013904223u;
    table.insert(table.end(), {t, std::sin(2 * M_PI * t), r == spike || r == spike + 1 ? 50.0 : 0.0,
                               1e-17 * (noise / 4294967296.0 - 0.5)});
  }
  return table;
}

double deviation(const std::vector<double>& table, std::size_t columns, std::size_t column,
                 const std::vector<std::size_t>& rows) {
  double worst = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double *a = &table[rows[i - 1] * columns], *b = &table[rows[i] * columns];
    for (std::size_t r = rows[i - 1]; r <= rows[i]; ++r) {
      const double* x = &table[r * columns];
      const double line = a[column] + (x[0] - a[0]) / (b[0] - a[0]) * (b[column] - a[column]);
      worst = std::max(worst, std::abs(x[column] - line));
    }
  }
  return worst;
}

TEST(Thinning, KeepsPeaksAndCurves) {
  const auto table = wave_and_spike(20000, 7777);
  const auto rows = thin(table, 4, 200, {}, std::vector<double>{0, 0, 0, 1e-9});
  EXPECT_LE(rows.size(), 200u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 19999u);
  // The spike is drawn as it is: its rows and their neighbours.
  for (const std::size_t r : {7776u, 7777u, 7778u, 7779u})
    EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), r)) << r;
  EXPECT_LT(deviation(table, 4, 2, rows), 1e-12);
  // A wave drawn with n equal chords is off by (2π/n)²/8: 1.2e-3 for 64 of them, which noise must not eat up.
  EXPECT_LT(deviation(table, 4, 1, rows), 1.2e-3);
}

TEST(Thinning, KeepsAllWhenThereIsRoom) {
  const auto table = wave_and_spike(100, 50);
  EXPECT_EQ(thin(table, 4, 100).size(), 100u);
  EXPECT_EQ(thin({}, 4, 100).size(), 0u);
}

TEST(Thinning, KeepsWhatIsAskedFor) {
  const auto table = wave_and_spike(5000, 100);
  const std::vector<std::size_t> keep = {0, 1234, 1235, 4999};
  const auto rows = thin(table, 4, 50, keep);
  for (const std::size_t r : keep) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), r)) << r;
  EXPECT_TRUE(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
}

TEST(Thinning, NumbersThatAreNoNumbersDoNoHarm) {
  auto table = wave_and_spike(5000, 100);
  table[4 * 2500 + 1] = NAN;
  table[4 * 2600 + 2] = INFINITY;
  EXPECT_LE(thin(table, 4, 50).size(), 50u);
}

}  // namespace
}  // namespace tappet::thinning_test
