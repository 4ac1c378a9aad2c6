#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/spec/spec.hpp"

namespace tappet::settings_test {

using ::testing::HasSubstr;

namespace {

const char* model = "a: {b: 1, points: [[0, 0], [1, 2]]}\nempty:\nscalar: 3\n";

/// The model as text after one setting, or the message.
std::string after(const std::string& setting) {
  Value root = read_yaml_text(model, "m");
  try {
    apply_setting(root, setting);
  } catch (const InputError& error) {
    return error.what();
  }
  return to_yaml(root);
}

}  // namespace

TEST(Settings, ReplaceAndAdd) {
  EXPECT_EQ(after("a.b=9.8mm"), "a:\n  b: 9.8mm\n  points: [[0, 0], [1, 2]]\nempty: null\nscalar: 3\n");
  EXPECT_THAT(after("a.points.1.0=7 mm"), HasSubstr("points: [[0, 0], [7 mm, 2]]"));
  EXPECT_THAT(after("a.points.1=[5, 6]"), HasSubstr("points: [[0, 0], [5, 6]]"));
  EXPECT_THAT(after("scalar={x: 1, y: [2]}"), HasSubstr("scalar:\n  x: 1\n  y: [2]\n"));
  EXPECT_THAT(after("empty.x.y=1"), HasSubstr("empty:\n  x:\n    y: 1\n"));
  EXPECT_THAT(after("new.x=1"), HasSubstr("new:\n  x: 1\n"));
  EXPECT_THAT(after("scalar=2*pi rad/s"), HasSubstr("scalar: 2*pi rad/s\n"));
  EXPECT_THAT(after("scalar=a=b"), HasSubstr("scalar: a=b\n"));
  EXPECT_THAT(after("scalar="), HasSubstr("scalar: null\n"));
}

TEST(Settings, PlaceOfWhatWasSet) {
  Value root = read_yaml_text(model, "m");
  apply_setting(root, "new.x=[1, 2]");
  const Value* list = root.find("new")->find("x");
  EXPECT_EQ(*list->items[1].pos.file, "--set new.x=[1, 2]");
  EXPECT_EQ(list->items[1].pos.line, 0);
  EXPECT_EQ(root.find("new")->key_pos.size(), 1u);
}

TEST(Settings, Faults) {
  EXPECT_EQ(after("a.b"), "--set a.b: error: a setting is written path.to.key=value");
  EXPECT_THAT(after("=3"), HasSubstr("a setting is written"));
  EXPECT_THAT(after(""), HasSubstr("a setting is written"));
  EXPECT_THAT(after("a..b=3"), HasSubstr("a part of the path is empty"));
  EXPECT_THAT(after("a.=3"), HasSubstr("a part of the path is empty"));
  EXPECT_EQ(after("scalar.x=3"), "--set scalar.x=3: error: 'scalar' is a single value and has no 'x'");
  EXPECT_EQ(
      after("a.points.2=[0, 0]"),
      "--set a.points.2=[0, 0]: error: 'a.points' is a list of 2 items, numbered from 0; it has no item '2'");
  EXPECT_THAT(after("a.points.x=1"), HasSubstr("it has no item 'x'"));
  EXPECT_THAT(after("a.points.-1=1"), HasSubstr("it has no item '-1'"));
  EXPECT_THAT(after("a.b={x: 1"), HasSubstr("is a bracket left open?"));
  EXPECT_THAT(after("a.b=x: y: z"), HasSubstr("not valid YAML"));
  EXPECT_THAT(after("a.b={x: 1, x: 2}"), HasSubstr("duplicate key 'x'"));
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  EXPECT_THAT(after(deep + "=1"), HasSubstr("the path is too long"));
}

}  // namespace tappet::settings_test
