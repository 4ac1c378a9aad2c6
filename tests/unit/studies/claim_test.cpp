#include "tappet/studies/claim.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tappet/base/expression.hpp"

namespace tappet::claim_test {
namespace {

NumberTable table() {
  return {.runs = {"soft", "0.5", "stiff"},
          .names = {"height", "peak"},
          .units = {"m", "N"},
          .values = {{0.4, 10}, {0.3, 20}, {0.1, NAN}},
          .failed = {false, false, false}};
}

bool holds(const std::string& condition, const NumberTable& numbers = table()) {
  return judge(condition, numbers).holds;
}

TEST(Claim, NumbersOfOneRun) {
  EXPECT_TRUE(holds("height[soft] > 1.2*height[0.5]"));
  EXPECT_FALSE(holds("height[soft] > 1.4*height[0.5]"));
  EXPECT_TRUE(holds("max(height[soft], height[stiff]) == 0.4"));
  const Judgement judgement = judge("height[soft] - height[0.5] > 0", table());
  ASSERT_EQ(judgement.terms.size(), 2u);
  EXPECT_EQ(judgement.terms[0].first, "height[soft]");
  EXPECT_EQ(judgement.terms[0].second, 0.4);
}

TEST(Claim, OverAllRuns) {
  EXPECT_TRUE(holds("falling(height)"));
  EXPECT_FALSE(holds("rising(height)"));
  EXPECT_TRUE(holds("rising(-height)"));
  EXPECT_TRUE(holds("max(height) == 0.4"));
  EXPECT_TRUE(holds("min(height) == 0.1"));
  EXPECT_TRUE(holds("abs(mean(height) - 0.8/3) < 1e-12"));
  EXPECT_TRUE(holds("abs(spread(height) - 0.75) < 1e-12"));
  EXPECT_TRUE(holds("count(height > height[stiff]) == 2"));
  EXPECT_TRUE(holds("all(height > 0.05)"));
  EXPECT_FALSE(holds("all(height > 0.1)"));
  EXPECT_TRUE(holds("any(height > 0.35)"));
}

// The same condition on one altered value.
TEST(Claim, FailsWhenTheNumbersChange) {
  NumberTable altered = table();
  altered.values[2][0] = 0.35;
  EXPECT_TRUE(holds("falling(height)"));
  EXPECT_FALSE(holds("falling(height)", altered));
  EXPECT_TRUE(holds("height[stiff] < 0.2"));
  EXPECT_FALSE(holds("height[stiff] < 0.2", altered));
}

TEST(Claim, WithoutItsNumbersNothingIsDecided) {
  for (const char* condition : {"peak[stiff] != 3", "max(peak) > 0", "count(peak > 0) < 3"}) {
    const Judgement judgement = judge(condition, table());
    EXPECT_FALSE(judgement.decided) << condition;
    EXPECT_FALSE(judgement.holds) << condition;
  }
  // A failed run is left out of what is over all, and has no numbers of its own.
  NumberTable failed = table();
  failed.failed[2] = true;
  EXPECT_TRUE(holds("rising(peak)", failed));
  EXPECT_FALSE(judge("height[stiff] > 0", failed).decided);
  failed.failed = {true, true, true};
  EXPECT_FALSE(judge("max(height) > 0", failed).decided);
}

TEST(Claim, BareNamesOfOneRun) {
  const NumberTable one{
      .runs = {"run"}, .names = {"lost"}, .units = {""}, .values = {{0.1}}, .failed = {false}};
  EXPECT_TRUE(holds("(lost > 0.05)*(lost < 0.2)", one));
  EXPECT_THROW(judge("height > 0.05", table()), ExpressionError);
}

TEST(Claim, WhatCannotBeRead) {
  for (const char* condition :
       {"hight[soft] > 1", "height[sof] > 1", "height[soft > 1", "1 < 2", "max(min(height)) > 0",
        "height[soft] >", "height[soft] > 1 m", "max(hight) > 1"})
    EXPECT_THROW(judge(condition, table()), ExpressionError) << condition;
  try {
    judge("height[sof] > 1", table());
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'soft'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tappet::claim_test
