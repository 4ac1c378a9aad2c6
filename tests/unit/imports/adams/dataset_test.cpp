#include "tappet/imports/adams/dataset.hpp"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::adams::dataset_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

DataSet read(const std::string& text, Diagnostics& diagnostics) {
  return read_data_set(text, {std::make_shared<const std::string>("m.adm"), 0, 0}, diagnostics);
}
DataSet read(const std::string& text) {
  Diagnostics diagnostics;
  DataSet out = read(text, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].text());
  return out;
}

TEST(AdamsDataSet, TitleStatementsArgumentsAndLines) {
  const DataSet data = read(
      "ADAMS/View model name: test\n!\nUNITS/\n, FORCE = NEWTON\n!\nPART/01, GROUND\n"
      "!                             adams_view_name='ROD'\nPART/0002, MASS = 1  ! kg\n, CM = 0201, IP = "
      "0.04, 0.1,\n, "
      "0.1\nEND\nPART/3, MASS = 9\n");
  EXPECT_EQ(data.title, "ADAMS/View model name: test");
  ASSERT_EQ(data.statements.size(), 3u);
  EXPECT_EQ(data.statements[0].name, "UNITS");
  EXPECT_EQ(data.statements[0].id, "");
  EXPECT_EQ(data.statements[1].id, "1");
  EXPECT_EQ(data.statements[1].arguments[0].name, "GROUND");
  EXPECT_THAT(data.statements[1].arguments[0].values, ElementsAre());
  const Statement& rod = data.statements[2];
  EXPECT_EQ(rod.title, "ROD");
  EXPECT_EQ(rod.line, 8);
  ASSERT_EQ(rod.arguments.size(), 3u);
  EXPECT_EQ(rod.arguments[2].name, "IP");
  EXPECT_EQ(rod.arguments[2].line, 9);
  EXPECT_THAT(rod.arguments[2].values, ElementsAre("0.04", "0.1", "0.1"));
}

TEST(AdamsDataSet, FunctionsGoOnOverLinesAndEndWhereArgumentsFollow) {
  const DataSet data = read(
      "title\nSFORCE/1, TRANSLATIONAL, I = 204, J = 205\n, FUNCTION =  - 100.0*(dm(204,205)-2.0)\n, - "
      "1.0*vr(204,205)\n"
      "SFORCE/2, FUNCTION = STEP(TIME, 0, 0,\n, 1, 5), ROTATION\nSFORCE/3, FUNCTION = STEP(TIME, 0, 0\n, 1, "
      "5)\n"
      "GFORCE/4, I = 1\n, FX = 1\\\n, FY = 2*TIME\\ RM = 3\nREQUEST/5, "
      "F2=ORIENT(27,1,1,2)\\F3=AX(1,2),C=EULER\n"
      "GFORCE/6, FX = 1 + &\n 2\n");
  const auto value = [&](int statement, int argument) {
    return data.statements[statement].arguments[argument].values[0];
  };
  EXPECT_EQ(value(0, 3), "- 100.0*(dm(204,205)-2.0)  - 1.0*vr(204,205)");
  EXPECT_EQ(value(1, 0), "STEP(TIME, 0, 0,  1, 5)");
  EXPECT_EQ(data.statements[1].arguments[1].name, "ROTATION");
  EXPECT_EQ(value(2, 0), "STEP(TIME, 0, 0, 1, 5)");
  EXPECT_EQ(value(3, 1), "1");
  EXPECT_EQ(value(3, 2), "2*TIME");
  EXPECT_EQ(value(3, 3), "3");
  EXPECT_EQ(value(4, 0), "ORIENT(27,1,1,2)");
  EXPECT_EQ(value(4, 1), "AX(1,2)");
  EXPECT_EQ(value(4, 2), "EULER");
  EXPECT_EQ(value(5, 0), "1 +  2");
}

TEST(AdamsDataSet, SemicolonsTabsAndCommentsWithCommas) {
  Diagnostics diagnostics;
  const DataSet data = read_data_set(
      "t\nPART/1, GROUND; MARKER/1,\tPART\t= 1;\nREQUEST/1, C=X, Y, Z of it, I = 3\n, COMMENT = a: b, c\n, J "
      "= 4;",
      {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  ASSERT_EQ(data.statements.size(), 3u);
  EXPECT_EQ(data.statements[1].name, "MARKER");
  EXPECT_EQ(data.statements[1].arguments[0].values[0], "1");
  const auto& request = data.statements[2].arguments;
  ASSERT_EQ(request.size(), 4u);
  EXPECT_EQ(request[0].values[0], "X, Y, Z of it");
  EXPECT_EQ(request[1].values[0], "3");
  EXPECT_EQ(request[2].values[0], "a: b, c");
  EXPECT_EQ(request[3].values[0], "4");
}

TEST(AdamsDataSet, NumbersInDegreesAndOthers) {
  EXPECT_EQ(read_number("-.4"), -0.4);
  EXPECT_EQ(read_number(" 1.5E-3 "), 1.5e-3);
  EXPECT_NEAR(*read_number("90D"), std::numbers::pi / 2, 1e-16);
  EXPECT_NEAR(*read_number("-90d"), -std::numbers::pi / 2, 1e-16);
  for (const char* none : {"", "x", "1.0D+3", "inf", "nan", "0x10", "1 e", "1e400"})
    EXPECT_FALSE(read_number(none)) << none;
}

TEST(AdamsDataSet, WhatIsNoStatementIsAnErrorWithItsLine) {
  for (const auto& [text, words] :
       {std::pair{"title\nMASS = 1\n", "m.adm:2: error: 'MASS = 1': here a statement NAME/id"},
        {"title\nPART/1, = 3\n", "m.adm:2: error: '= 3': here the name of an argument of PART/1"}}) {
    Diagnostics diagnostics;
    read(text, diagnostics);
    ASSERT_TRUE(diagnostics.has_errors()) << text;
    EXPECT_THAT(diagnostics.all()[0].text(), HasSubstr(words));
  }
  // Nothing crashes the reader.
  for (const char* text : {"", "\n\n", "t\nPART", "t\nPART/", "t\n,", "t\nPART/1,FUNCTION=", "t\n&",
                           "t\nA/1, B = (", "t\nA/1\\"}) {
    Diagnostics diagnostics;
    read(text, diagnostics);
  }
}

TEST(AdamsDataSet, HasNoMorePartsThanFitIntoMemory) {
  for (const char* part : {"A\n", "P/1\n", "P/1,A,B\n", "P/1,A=1,2,3,4\n"}) {
    std::string text = "title\n";
    while (text.size() < (12 << 20)) text += part;
    Diagnostics diagnostics;
    read_data_set(text, {}, diagnostics);
    ASSERT_TRUE(diagnostics.has_errors()) << part;
    EXPECT_THAT(diagnostics.all().back().message,
                ::testing::AnyOf(::testing::HasSubstr("more than 2000000 statements"),
                                 ::testing::HasSubstr("is expected")));
  }
}

// A function that goes on for two hundred thousand lines takes as long as its text, not as its square.
TEST(AdamsDataSet, LongFunctionsAreReadInOneGo) {
  std::string text = "title\nMOTION/1, FUNCTION = 1";
  for (int i = 0; i < 200'000; ++i) text += "\n, + 1";
  Diagnostics diagnostics;
  const DataSet data = read_data_set(text, {}, diagnostics);
  ASSERT_EQ(data.statements.size(), 1u);
  EXPECT_GT(data.statements[0].arguments[0].values[0].size(), 4u * 200'000);
}

}  // namespace
}  // namespace tappet::adams::dataset_test
