#include "tappet/base/table.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::table_test {

TEST(Range, Contains) {
  EXPECT_TRUE(any_number().contains(-1e300));
  EXPECT_FALSE(any_number().contains(INFINITY));
  EXPECT_FALSE(any_number().contains(NAN));
  EXPECT_FALSE(positive().contains(0));
  EXPECT_TRUE(positive().contains(1e-300));
  EXPECT_TRUE(not_negative().contains(0));
  EXPECT_FALSE(not_negative().contains(-1e-300));
  EXPECT_TRUE(unit_interval().contains(1));
  EXPECT_FALSE(unit_interval().contains(1.0000001));
  const Range half_open{.low = 0, .high = 1, .high_open = true};
  EXPECT_FALSE(half_open.contains(1));
}

TEST(Range, Text) {
  EXPECT_EQ(any_number().text(), "any finite number");
  EXPECT_EQ(positive().text(), "> 0");
  EXPECT_EQ(not_negative().text(), ">= 0");
  EXPECT_EQ(unit_interval().text(), "between 0 and 1");
  EXPECT_EQ((Range{.high = 2}).text(), "<= 2");
  EXPECT_EQ((Range{.low = 0, .high = 0.5, .low_open = true}).text(), "between 0 and 0.5, 0 excluded");
  EXPECT_EQ((Range{.low = 0, .high = 1, .low_open = true, .high_open = true}).text(),
            "between 0 and 1, both excluded");
}

}  // namespace tappet::table_test
