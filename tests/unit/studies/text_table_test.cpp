#include "tappet/studies/text_table.hpp"

#include <gtest/gtest.h>

namespace tappet::text_table_test {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirTexts) {
  EXPECT_EQ(text_table({{"a", "± 1", "x"}, {"long", "2", ""}}, Align::left), "a     ± 1  x\nlong  2\n");
  EXPECT_EQ(text_table({{"a", "± 1", "x"}, {"long", "2", "y"}}, Align::right),
            "a     ± 1  x\nlong    2  y\n");
  EXPECT_EQ(text_table({}, Align::left), "");
}

}  // namespace
}  // namespace tappet::text_table_test
