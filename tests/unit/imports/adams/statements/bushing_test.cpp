#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_bushing_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// x¨ = 3 − 40 (x − 0.1) − 2 ẋ along z of J, which is x of the world: by BUSHING around the place of J, and by FIELD with its free length.
TEST(AdamsBushing, VectorsOfThreeAndMatrices) {
  const double k = 40, w = std::sqrt(k - 1), still = 0.1 + 3 / k;
  const std::string marker =
      "MARKER/21, PART=2, REULER=90D,90D,0\nMARKER/11, PART=1, QP=0.1,0,0, REULER=90D,90D,0\n"
      "MARKER/12, PART=1, REULER=90D,90D,0\n";
  for (const char* element :
       {"BUSHING/1, I=21, J=11, C=0.5,0.5,2, K=10,20,40\n, CT=0,0,0, KT=1,1,1, FORCE=0,0,3, TORQUE=0,0,0\n",
        "FIELD/1, I=21, J=12, CRATIO=0.05, FORCE=0,0,3,0,0,0\n, LENGTH=0,0,0.1,0,0,0, KMATRIX=10,0,0,0,0,0\n"
        ", 0,20,0,0,0,0\n, 0,0,40,0,0,0\n, 0,0,0,1,0,0\n, 0,0,0,0,1,0\n, 0,0,0,0,0,1\n"}) {
    const Recording r = run_adams(adams_mass_at("0,0,0") + marker + element, 1);
    for (const auto& row : r.rows) {
      const double t = row[0], x = still * (1 - std::exp(-t) * (std::cos(w * t) + std::sin(w * t) / w));
      EXPECT_NEAR(row[r.column("part_2.x")], x, 1e-8) << element << t;
    }
  }
}

// Markers turned by 30° about z at the start: I α¨ = −k (α + π/6).
TEST(AdamsBushing, MarkersTurnedAtTheStartAreLoaded) {
  const Recording r =
      run_adams(adams_mass_at("0,0,0") +
                    "MARKER/21, PART=2, REULER=30D,0,0\nBUSHING/1, I=21, J=10, K=5,5,5, KT=0,0,10\n",
                1);
  const double w = std::sqrt(10 / 2.5);
  EXPECT_NEAR(r.last("part_2.wz"), -M_PI / 6 * w * std::sin(w), 1e-8);
}

}  // namespace
}  // namespace tappet::adams_bushing_test
