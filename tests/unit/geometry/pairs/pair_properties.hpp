// What holds for every pair of shapes in every pose.
#pragma once

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/random_placements.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet::testing {

struct PairTolerance {
  double exchange = 1e-12;   ///< of gaps under exchange of the shapes, m
  double steepness = 1.001;  ///< change of gap per displacement, at most
  bool same_order =
      true;  ///< candidates are numbered alike both ways; otherwise only the nearest is compared
};

/// Random poses within `reach`: unit normals, witness points that fit the gap, nothing that is not a number,
/// the same under exchange, and gaps that change by no more than the shapes move.
/// `other` is the pair the other way round.
inline void expect_pair_properties(const Pair& pair, const Pair& other, double reach, int count,
                                   const PairTolerance& tolerance = {}) {
  ASSERT_TRUE(pair && other);
  ASSERT_EQ(pair.candidates(), other.candidates());
  RandomPlacements random(7);
  constexpr double step = 1e-7;
  for (int i = 0; i < count; ++i) {
    const Pose p = random.pose(reach), q = random.pose(reach);
    const Pose moved = nudged(q, step * random.vector(), step * random.vector());
    // No point of the second shape within `arm` of its origin moves farther than this.
    const double arm = 4 * reach, farthest = step * std::sqrt(3.0) * (1 + arm);
    double nearest[2] = {HUGE_VAL, HUGE_VAL};
    for (int c = 0; c < pair.candidates(); ++c) {
      const Proximity x = pair.evaluate(p, q, c), y = other.evaluate(q, p, c), z = pair.evaluate(p, moved, c);
      nearest[0] = std::min(nearest[0], x.gap);
      nearest[1] = std::min(nearest[1], y.gap);
      ASSERT_FALSE(std::isnan(x.gap)) << i << " candidate " << c;
      if (std::isinf(x.gap)) continue;
      ASSERT_NEAR(x.normal.norm(), 1, 1e-12) << i << " candidate " << c;
      ASSERT_LT((x.on_first + x.gap * x.normal - x.on_second).norm(), 1e-12) << i << " candidate " << c;
      ASSERT_FALSE(std::isnan(x.radius[0]) || std::isnan(x.radius[1])) << i << " candidate " << c;
      if (tolerance.same_order) {
        ASSERT_NEAR(x.gap, y.gap, tolerance.exchange) << i << " candidate " << c;
        ASSERT_LT((x.normal + y.normal).norm(), 1e-6) << i << " candidate " << c;
      }
      ASSERT_LT(std::abs(z.gap - x.gap), tolerance.steepness * farthest) << i << " candidate " << c;
    }
    if (!tolerance.same_order) {
      ASSERT_NEAR(nearest[0], nearest[1], tolerance.exchange) << i;
    }
  }
}

inline void expect_pair_properties(const Shape& a, const Shape& b, double reach, int count,
                                   const PairTolerance& tolerance = {}) {
  expect_pair_properties(Pair(a, b), Pair(b, a), reach, count, tolerance);
}

}  // namespace tappet::testing
