// Which modes of a flexible body may be left out.
#include "tappet/studies/advise_modes.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::advise_modes_test {
namespace {

using ::testing::HasSubstr;

Situations rod() {
  Situations out;
  out.flexible.push_back(
      {.name = "rod", .frequencies = {100, 1000, 5000}, .compliances = {{8, 1, 1}, {0, 3, 1}}});
  return out;
}

// 2.943 δ/v = 5.886 ms: ten periods in it are 1699 Hz.
TEST(AdviseModes, LeavesOutWhatTurnsOftenInTheShortestImpact) {
  ContactAdvice slow, fast;
  slow.situation.name = "slow", slow.situation.speed = 0.1, slow.penetration = 1e-3;
  fast.situation.name = "fast", fast.situation.speed = 1, fast.penetration = 2e-3;
  const auto advice = advise_modes(rod(), {slow, fast});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].contact, "fast");
  EXPECT_NEAR(advice[0].time, 2.943 * 2e-3, 1e-12);
  EXPECT_NEAR(advice[0].highest, 10 / (2.943 * 2e-3), 1e-6);
  EXPECT_EQ(advice[0].dropped, 1);
  EXPECT_DOUBLE_EQ(advice[0].lost, 0.25);
  EXPECT_THAT(mode_advice_text(advice),
              HasSubstr("it leaves out 1 of the modes, which have up to 0.25 of the compliance"));
}

TEST(AdviseModes, ProposesNothingWithoutImpacts) {
  const auto advice = advise_modes(rod(), {});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].dropped, 0);
  EXPECT_THAT(mode_advice_text(advice), HasSubstr("no contact says how fast its loads change"));
  // What rests on a spring of 1 mm under its weight oscillates with 2π √(m δ/F).
  ContactAdvice rests;
  rests.situation.name = "rest", rests.situation.mass = 2, rests.situation.load = 20,
  rests.penetration = 1e-3;
  EXPECT_NEAR(advise_modes(rod(), {rests})[0].time, 2 * M_PI * std::sqrt(2 * 1e-3 / 20), 1e-12);
}

}  // namespace
}  // namespace tappet::advise_modes_test
