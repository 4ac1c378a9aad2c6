#include "tappet/studies/expression_text.hpp"

#include <gtest/gtest.h>

namespace tappet::expression_text::expression_text_test {
namespace {

TEST(ExpressionText, Parentheses) {
  int commas = 0;
  EXPECT_EQ(closing("max(a, min(b, c))+1", 3, commas), 16u);
  EXPECT_EQ(commas, 1);
  EXPECT_EQ(closing("max(a", 3, commas), std::string::npos);
}

TEST(ExpressionText, MessagesNameWhatVariablesStandFor) {
  const std::vector<double> values = {2};
  EXPECT_EQ(parse_all("3*x0_", {"x0_"}, {"peak[hertz]"})(values), 6);
  EXPECT_THROW(parse_all("3*x0_ m", {"x0_"}, {"peak"}), ExpressionError);
  EXPECT_THROW(parse_all("3*y", {"x0_"}, {"peak"}), ExpressionError);
}

}  // namespace
}  // namespace tappet::expression_text::expression_text_test
