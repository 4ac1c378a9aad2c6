#include "tappet/base/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::diagnostics_test {

using ::testing::EndsWith;

namespace {
SourcePos place(int line, int column) {
  return {std::make_shared<const std::string>("m.yaml"), line, column};
}
}  // namespace

TEST(Diagnostics, TextLeavesOutWhatIsNotKnown) {
  EXPECT_EQ((Diagnostic{Severity::error, place(3, 7), "bad"}).text(), "m.yaml:3:7: error: bad");
  EXPECT_EQ((Diagnostic{Severity::warning, place(3, 0), "odd"}).text(), "m.yaml:3: warning: odd");
  EXPECT_EQ((Diagnostic{Severity::error, place(0, 0), "bad"}).text(), "m.yaml: error: bad");
  EXPECT_EQ((Diagnostic{Severity::error, {}, "bad"}).text(), "error: bad");
}

TEST(Diagnostics, CollectsAndThrowsAll) {
  Diagnostics diagnostics;
  diagnostics.throw_if_errors();
  diagnostics.warning(place(1, 1), "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.throw_if_errors();
  diagnostics.error(place(2, 2), "bad");
  diagnostics.error(place(3, 3), "worse");
  EXPECT_EQ(diagnostics.error_count(), 2);
  try {
    diagnostics.throw_if_errors();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u);
    EXPECT_STREQ(error.what(), "m.yaml:1:1: warning: odd\nm.yaml:2:2: error: bad\nm.yaml:3:3: error: worse");
  }
}

TEST(Diagnostics, CountsTheEndlessRest) {
  Diagnostics diagnostics;
  for (int i = 1; i <= 100000; ++i) diagnostics.error(place(i, 1), "bad");
  EXPECT_EQ(diagnostics.error_count(), 100000);
  try {
    diagnostics.throw_if_errors();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_LT(error.diagnostics().size(), 1000u);
    EXPECT_THAT(error.what(), EndsWith("m.yaml: error: 99800 more errors"));
  }
}

TEST(Diagnostics, NearestName) {
  const std::vector<std::string> names = {"length", "radius", "mass", "revolute", "fixed", "N"};
  EXPECT_EQ(nearest_name("lenght", names), "length");
  EXPECT_EQ(nearest_name("Length", names), "length");
  EXPECT_EQ(nearest_name("radus", names), "radius");
  EXPECT_EQ(nearest_name("mas", names), "mass");
  EXPECT_EQ(nearest_name("n", names), "N");
  EXPECT_EQ(nearest_name("x", names), "");
  EXPECT_EQ(nearest_name("colour", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("a", {}), "");
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'a'), names), "");
}

TEST(Diagnostics, JoinNames) {
  EXPECT_EQ(join_names({}), "");
  EXPECT_EQ(join_names({"a"}), "a");
  EXPECT_EQ(join_names({"a", "b"}), "a and b");
  EXPECT_EQ(join_names({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(join_names({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

TEST(Diagnostics, Quote) {
  EXPECT_EQ(quote("a b"), "'a b'");
  EXPECT_EQ(quote("a\nb"), "'a b'");
  EXPECT_EQ(quote(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
  // never half a character
  std::string accents;
  for (int i = 0; i < 50; ++i) accents += "é";
  const std::string wide = quote("x" + accents);
  EXPECT_EQ(wide.substr(wide.size() - 6), "é...'");
}

}  // namespace tappet::diagnostics_test
