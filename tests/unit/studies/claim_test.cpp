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

// Two soft runs and a stiff one, in two groups.
TEST(Claim, OverTheRunsOfAGroup) {
  NumberTable grouped = table();
  grouped.groups = {"gentle", "gentle", ""};
  EXPECT_TRUE(holds("min(height[gentle]) == 0.3", grouped));
  EXPECT_TRUE(holds("min(height) == 0.1", grouped));
  EXPECT_TRUE(holds("rising(peak[gentle])*falling(height[gentle])", grouped));
  EXPECT_TRUE(holds("count(height[gentle] > height[stiff]) == 2", grouped));
  EXPECT_TRUE(holds("all(peak[gentle] > 9)", grouped));  // the third has none
  EXPECT_FALSE(judge("all(peak > 9)", grouped).decided);
  grouped.groups[2] = "other";
  for (const char* wrong :
       {"height[gentle] > 0", "max(height[gentle] - height[other]) > 0", "max(height[gentl]) > 0"})
    EXPECT_THROW(judge(wrong, grouped), ExpressionError) << wrong;
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

/// Two runs of n members each, as evenly spread about their means as ±s makes them.
NumberTable ensembles(int n, double first, double second, double s) {
  NumberTable out{.runs = {"a", "b"},
                  .names = {"peak"},
                  .units = {"N"},
                  .values = {{first}, {second}},
                  .failed = {false, false}};
  for (const double mean : {first, second}) {
    std::vector<double> members;
    for (int i = 0; i < n; ++i) members.push_back(mean + (i % 2 ? s : -s));
    out.members.push_back({members});
  }
  return out;
}

// n members at ±s: t s √(n/(n − 1))/√n.
TEST(Claim, ConfidenceIntervalsAreStudents) {
  EXPECT_NEAR(ensembles(12, 5, 6, 2).half_width(0, 0), 2.200985 * 2 / std::sqrt(11), 1e-6);
  EXPECT_NEAR(ensembles(2, 5, 6, 2).half_width(0, 0), 12.706205 * 2, 1e-5);
  EXPECT_NEAR(ensembles(3, 5, 6, 3).half_width(0, 0), 4.302653 * std::sqrt((4 + 16 + 4) / 2.0 / 3),
              1e-5);  // −3, 3, −3
  EXPECT_TRUE(std::isnan(table().half_width(0, 0)));
  EXPECT_TRUE(std::isnan(judge("peak[soft] > 1", table()).confidence));
}

// The difference of two means is known to √2 s/√(n − 1): a condition holds where it is two of these or more away, is open at one, and does not
// hold on the other side.
TEST(Claim, OfEnsemblesHoldsWhereItIsNoLuck) {
  const double sigma = 2 * std::sqrt(2 / 11.0);
  const auto at = [&](double sigmas) {
    return judge("peak[a] > peak[b]", ensembles(12, 10 + sigmas * sigma, 10, 2));
  };
  EXPECT_TRUE(at(2.5).holds);
  EXPECT_NEAR(at(0).confidence, 0.5, 0.12);  // draws of ±s are equal now and then
  EXPECT_NEAR(at(1).confidence, 0.841, 0.06);
  EXPECT_TRUE(at(1).open());
  EXPECT_FALSE(at(1).holds);
  EXPECT_FALSE(at(-2.5).holds);
  EXPECT_FALSE(at(-2.5).open());
  EXPECT_EQ(at(1).confidence, at(1).confidence);  // the same draws every time
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
