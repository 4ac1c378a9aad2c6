#include "tappet/base/parameters.hpp"

#include <gtest/gtest.h>

namespace tappet::test::parameters_test {
namespace {

struct Inner {
  double depth = 1;
};

struct Everything {
  double number = not_given;
  int count = 2;
  bool flag = false;
  std::string text;
  Formula formula;
  Vec3 vector = no_vector;
  std::optional<Mat3> inertia;
  std::array<std::string, 2> names;
  std::array<Vec3, 2> points = {no_vector, no_vector};
  NamedNumbers numbers;
  Inner inner;
  AnyParameters any;
  NamedParameters list;
};

const Table inner_table = table_of<Inner>("an inner", "", {{&Inner::depth, {.name = "depth"}}});
const Table table = table_of<Everything>("everything", "",
                                         {{&Everything::number, {.name = "number"}},
                                          {&Everything::count, {.name = "count"}},
                                          {&Everything::flag, {.name = "flag"}},
                                          {&Everything::text, {.name = "text"}},
                                          {&Everything::formula, {.name = "formula"}},
                                          {&Everything::vector, {.name = "vector"}},
                                          {&Everything::inertia, {.name = "inertia"}},
                                          {&Everything::names, {.name = "names"}},
                                          {&Everything::points, {.name = "points"}},
                                          {&Everything::numbers, {.name = "numbers"}},
                                          {&Everything::inner, {.name = "inner"}},
                                          {&Everything::any, {.name = "any"}},
                                          {&Everything::list, {.name = "list"}}});

TEST(Parameters, WhatIsNotGivenIsAbsent) {
  const AnyParameters p = Everything{};
  for (const Parameter& row : table.parameters)
    EXPECT_EQ(p.has(row.name), row.name == "count" || row.name == "flag" || row.name == "inner") << row.name;
  EXPECT_TRUE(std::isnan(p.number("number")));
  EXPECT_FALSE(p.has("no such row"));
  EXPECT_FALSE(AnyParameters());
}

TEST(Parameters, EveryKindOfMemberGoesThroughValuesUnchanged) {
  Everything given{.number = 0.1,
                   .count = -3,
                   .flag = true,
                   .text = "hello",
                   .formula = "3*t N",
                   .vector = Vec3(1, 2, 3),
                   .inertia = Mat3(Vec3(1, 2, 3).asDiagonal()),
                   .names = {"a", "b"},
                   .points = {Vec3(1, 0, 0), Vec3(0, 1, 0)},
                   .numbers = {{"k", 2.5}},
                   .inner = Inner{7},
                   .any = Inner{8},
                   .list = {{"first", Inner{9}}}};
  const AnyParameters from = given;
  AnyParameters to = Everything{};
  for (const Parameter& row : table.parameters) to.set(row.name, from.get(row.name).value());
  const Everything& out = to.as<Everything>();
  EXPECT_EQ(out.number, given.number);
  EXPECT_EQ(out.count, given.count);
  EXPECT_EQ(out.flag, given.flag);
  EXPECT_EQ(out.text, given.text);
  EXPECT_EQ(out.formula.text, given.formula.text);
  EXPECT_EQ(out.vector, given.vector);
  EXPECT_EQ(*out.inertia, *given.inertia);
  EXPECT_EQ(out.names, given.names);
  EXPECT_EQ(out.points, given.points);
  EXPECT_EQ(out.numbers, given.numbers);
  EXPECT_EQ(out.inner.depth, 7);
  EXPECT_EQ(out.any.as<Inner>().depth, 8);
  EXPECT_EQ(out.list.at(0).first, "first");
  EXPECT_EQ(out.list.at(0).second.as<Inner>().depth, 9);
}

TEST(Parameters, PlanarValuesFillTheComponentsThatThereAre) {
  AnyParameters p = Everything{};
  ParameterValue value;
  value.vector = {1, 2};
  p.set("vector", value);
  EXPECT_EQ(p.as<Everything>().vector, Vec3(1, 2, 0));
  value.vector = {5};
  p.set("vector", value);
  EXPECT_EQ(p.as<Everything>().vector, Vec3(0, 0, 5));
  p.set("inertia", value);
  EXPECT_EQ((*p.as<Everything>().inertia)(2, 2), 5);
  EXPECT_EQ(p.as<Everything>().inertia->trace(), 5);
}

TEST(Parameters, AChangedCopyLeavesTheOriginalAlone) {
  const AnyParameters first = Inner{1};
  AnyParameters second = first;
  second.set("depth", 2);
  EXPECT_EQ(first.as<Inner>().depth, 1);
  EXPECT_EQ(second.as<Inner>().depth, 2);
}

TEST(Parameters, ProgrammersErrorsAreSaid) {
  struct Unknown {};
  AnyParameters p = Inner{};
  EXPECT_THROW(p.as<Everything>(), std::logic_error);
  EXPECT_THROW(p.set("width", 1), std::logic_error);
  EXPECT_THROW(AnyParameters(Unknown{}).get("depth"), std::logic_error);
  EXPECT_THROW(table_of<Inner>("again", "", {}), std::logic_error);
}

TEST(Parameters, RowsKnownAtRunTimeAreKeptByName) {
  const Table dynamic = with_named_values({.name = "d", .help = "", .parameters = {{.name = "k"}}});
  AnyParameters p(dynamic.maps, dynamic.maps->copy(nullptr), {});
  EXPECT_FALSE(p.has("k"));
  p.set("k", 3);
  EXPECT_EQ(p.number("k"), 3);
}

TEST(Parameters, OriginSaysWhereAKeyIsOrElseTheWhole) {
  const auto file = std::make_shared<const std::string>("a.yaml");
  Origin origin{.name = "pin", .type = "", .pos = {file, 3, 1}, .name_pos = {file, 3, 1}};
  origin.places["bodies"] = {{file, 4, 5}, {{file, 4, 6}, {file, 4, 9}}, true};
  EXPECT_EQ(origin.where("bodies").line, 4);
  EXPECT_EQ(origin.where("bodies", 1).column, 9);
  EXPECT_EQ(origin.where("bodies", 2).column, 5);
  EXPECT_EQ(origin.where("axis").line, 3);
  EXPECT_TRUE(origin.given("bodies"));
  EXPECT_FALSE(origin.given("axis"));
}

}  // namespace
}  // namespace tappet::test::parameters_test
