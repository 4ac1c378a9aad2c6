// Sine and cosine of one angle, for mechanisms that ask for both some ten million times in a run.
//
//   θ = kπ/128 + δ,  |δ| ≤ π/256
//   sin θ = S_k + (C_k sin δ − S_k (1 − cos δ)),   cos θ = C_k − (S_k sin δ + C_k (1 − cos δ))
//
// S_k, C_k from a table, sin δ and 1 − cos δ from their series: the first terms left out are below 1e-17. π/128 is
// subtracted in two parts, the first of which times k is exact. What remains is the rounding of the table and of the last
// sums: less than 1.5e-16. Plain sums and products: the same bits on every processor.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tappet {

namespace sine_cosine_table {

inline constexpr int steps = 256;  ///< in a turn
inline constexpr long double pi = 3.14159265358979323846264338327950288L;

struct Entry {
  double sine, cosine;
};

/// Σ (−1)ⁿ x^(2n + first)/(2n + first)!, for 0 ≤ x ≤ π/4
constexpr long double series(long double x, int first) {
  long double term = first == 0 ? 1 : x, sum = 0;
  for (int n = first; n < 40; n += 2) {
    sum += term;
    term *= -x * x / ((n + 1) * (n + 2));
  }
  return sum;
}

struct Table {
  Entry at[steps];
  constexpr Table() : at{} {
    // An eighth of a turn, and the others by symmetry.
    for (int k = 0; k < steps; ++k) {
      const int quarter = k / (steps / 4), rest = k % (steps / 4);
      const bool beyond = rest > steps / 8;
      const long double x = 2 * pi * (beyond ? steps / 4 - rest : rest) / steps;
      const double near = static_cast<double>(series(x, 1)), far = static_cast<double>(series(x, 0));
      const double s = beyond ? far : near, c = beyond ? near : far;
      at[k] = quarter == 0   ? Entry{s, c}
              : quarter == 1 ? Entry{c, -s}
              : quarter == 2 ? Entry{-s, -c}
                             : Entry{-c, s};
    }
  }
};
inline constexpr Table table;

}  // namespace sine_cosine_table

inline void sine_cosine(double angle, double& sine, double& cosine) {
  // Where k needs no more than 20 bits, so that k times the first part of π/128, of 33 bits, is exact.
  constexpr double largest = 2.5e4;
  if (!(std::abs(angle) < largest)) return ::sincos(angle, &sine, &cosine);
  constexpr double first = 0x1.921fb544p-6, second = 0x1.0b4611a626331p-40;

  // Adding 1.5 · 2⁵² rounds to a whole number, whose low bits are then those of the sum.
  constexpr double rounder = 6755399441055744.0;
  const double shifted =
      angle * (sine_cosine_table::steps / 2 / static_cast<double>(sine_cosine_table::pi)) + rounder;
  std::int64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  const double k = shifted - rounder;
  const double d = (angle - k * first) - k * second, d2 = d * d;
  const double sine_d = d + d * d2 * (-1.0 / 6 + d2 * (1.0 / 120));
  const double versine_d = d2 * (0.5 + d2 * (-1.0 / 24 + d2 * (1.0 / 720)));
  const sine_cosine_table::Entry& at = sine_cosine_table::table.at[bits & (sine_cosine_table::steps - 1)];
  sine = at.sine + (at.cosine * sine_d - at.sine * versine_d);
  cosine = at.cosine - (at.sine * sine_d + at.cosine * versine_d);
}

}  // namespace tappet
