// Coefficients of the Dormand–Prince 5(4) pair [Dormand1980, table 2] and of its continuous extension of
// order 4 [Hairer1993, II.6, eq. 6.12, as coded in DOPRI5]. Checked by the order conditions in tests/order.
#pragma once

#include <array>

namespace tappet {

struct Dopri5Tableau {
  static constexpr int order = 5;
  static constexpr int dense_order = 4;

  /// Rows of stages: 0–5 the stages proper, 6 the derivative at the new point.
  static constexpr int stages = 6;
  static constexpr int rows = 7;
  using Row = std::array<double, rows>;

  static constexpr Row c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static constexpr std::array<Row, rows> a = {{
      {},
      {1. / 5},
      {3. / 40, 9. / 40},
      {44. / 45, -56. / 15, 32. / 9},
      {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
      // The weights of the solution: the new point is a stage too ("first same as last").
      {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
  }};

  /// Weights of the error estimate: order 5 minus order 4. It needs the derivative at the new point.
  static constexpr bool error_needs_end = true;
  static constexpr Row error = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                -17253. / 339200, 22. / 525, -1. / 40};
  static constexpr bool has_low_error = false;
  static constexpr Row low_error = {};

  /// The polynomial of the dense output beyond its cubic Hermite part (see explicit_runge_kutta.hpp).
  static constexpr std::array<Row, 1> dense = {{
      {-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
       701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423},
  }};

  /// Step-size control: exponents of the PI controller [Hairer1993, IV.2] and bounds of the change.
  static constexpr double beta = 0.04;
  static constexpr double exponent = 0.2 - 0.75 * beta;
  static constexpr double safety = 0.9;
  static constexpr double smallest_factor = 0.2;
  static constexpr double largest_factor = 10;
};

}  // namespace tappet
