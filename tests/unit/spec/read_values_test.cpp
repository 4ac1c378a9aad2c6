#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/spec/reading.hpp"

namespace tappet::read_values_test {

using namespace tappet::testing_spec;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

constexpr double pi = std::numbers::pi;
const Parameter mass{.name = "key", .unit = "kg", .range = positive()};
const Parameter length{.name = "key", .unit = "m"};
const Parameter plain{};

double number(const Parameter& parameter, const std::string& text) {
  const Reading reading = read_one(parameter, text);
  EXPECT_EQ(reading.faults, "") << text;
  return reading.object.has("key") ? reading.object.number("key") : NAN;
}

std::string fault(const Parameter& parameter, const std::string& text,
                  Dimension dimension = Dimension::planar) {
  const Reading reading = read_one(parameter, text, dimension);
  EXPECT_FALSE(reading.object.has("key")) << text;
  return reading.faults;
}

}  // namespace

TEST(ReadValues, Numbers) {
  EXPECT_EQ(number(mass, "3"), 3);
  EXPECT_EQ(number(mass, "3 kg"), 3);
  EXPECT_EQ(number(mass, "'3 g'"), 3e-3);
  EXPECT_EQ(number(mass, "1/3"), 1.0 / 3);
  EXPECT_EQ(number(length, "-1e-5"), -1e-5);
  EXPECT_DOUBLE_EQ(number(length, "9.8mm"), 9.8e-3);
  EXPECT_EQ(number(length, "10 µm"), 1e-5);
  EXPECT_EQ(number(length, "+.5"), 0.5);
  EXPECT_EQ(number({.name = "key", .unit = "kg m^2"}, "1e-5 kg m^2"), 1e-5);
  EXPECT_DOUBLE_EQ(number({.name = "key", .unit = "rad/s"}, "5000 rpm"), 5000 * 2 * pi / 60);
  EXPECT_DOUBLE_EQ(number({.name = "key", .unit = "rad/s"}, "2*pi*50 rad/s"), 100 * pi);
  EXPECT_DOUBLE_EQ(number({.name = "key", .unit = "rad/s"}, "50 rev/s"), 100 * pi);
  EXPECT_DOUBLE_EQ(number({.name = "key", .unit = "rad"}, "30 deg"), pi / 6);
  EXPECT_EQ(number({.name = "key", .unit = "s"}, "10 us"), 10e-6);
}

TEST(ReadValues, NumbersThatAreNot) {
  EXPECT_EQ(fault(mass, "-3 kg"), "m:1:6: error: 'key' is '-3 kg', but must be > 0 (in kg)");
  EXPECT_EQ(fault(mass, "0"), "m:1:6: error: 'key' is '0', but must be > 0 (in kg)");
  EXPECT_EQ(fault(mass, "3 m"),
            "m:1:6: error: 'key' is '3 m': 'm' is a length, but a mass is expected, such as kg or g");
  EXPECT_EQ(fault(mass, "[1, 2]"), "m:1:6: error: 'key' must be a number in kg, not a list");
  EXPECT_EQ(fault(mass, "{a: 1}"), "m:1:6: error: 'key' must be a number in kg, not a mapping");
  EXPECT_EQ(fault(mass, ""), "m:1:1: error: 'key' has no value");
  EXPECT_EQ(fault(mass, "~"), "m:1:1: error: 'key' has no value");
  EXPECT_THAT(fault(mass, "heavy"), HasSubstr("must be a number in kg: unknown name 'heavy'"));
  EXPECT_THAT(fault(mass, "''"), HasSubstr("nothing is given"));
  EXPECT_THAT(fault(mass, "1/0"), HasSubstr("'key' is '1/0', which is not a finite number"));
  EXPECT_THAT(fault(mass, "1e200*1e200"), HasSubstr("not a finite number"));
  EXPECT_THAT(fault(mass, "inf"), HasSubstr("not a finite number"));
  EXPECT_THAT(fault(mass, ".nan"), HasSubstr("unexpected '.'"));
  EXPECT_THAT(fault(mass, "1_000"), HasSubstr("digits cannot be grouped"));
  EXPECT_THAT(fault(mass, "1,5"), HasSubstr("unexpected ','"));
  EXPECT_THAT(fault(mass, "0x10"), HasSubstr("unknown unit"));
  EXPECT_THAT(fault(mass, "5 t*2"), HasSubstr("'t*2'"));
  EXPECT_THAT(fault(plain, "5 m"), HasSubstr("a plain number without a unit is expected"));
  EXPECT_THAT(fault(plain, "5 rad"), HasSubstr("a plain number without a unit is expected"));
  EXPECT_THAT(fault({.name = "key", .unit = "rad/s"}, "50 Hz"),
              HasSubstr("write 50 rev/s or 2*pi*50 rad/s, not 50 Hz"));
  EXPECT_THAT(fault({.name = "key", .unit = "N/m^n"}, "5 N/m"),
              HasSubstr("write a plain number, which is in N/m^n"));
  EXPECT_THAT(fault({.name = "key", .unit = "1", .range = unit_interval()}, "1.5"),
              HasSubstr("must be between 0 and 1"));
}

TEST(ReadValues, Integers) {
  const Parameter integer{.name = "key", .kind = Kind::integer, .range = positive()};
  EXPECT_EQ(read_one(integer, "7").object.integer("key"), 7);
  EXPECT_EQ(read_one(integer, "1e3").object.integer("key"), 1000);
  EXPECT_THAT(fault(integer, "1.5"), HasSubstr("'key' is '1.5', but must be a whole number"));
  EXPECT_THAT(fault(integer, "1e10"), HasSubstr("whole number"));
  EXPECT_THAT(fault(integer, "-1"), HasSubstr("must be > 0"));
  EXPECT_THAT(fault(integer, "[1]"), HasSubstr("must be a whole number, not a list"));
}

TEST(ReadValues, Booleans) {
  const Parameter boolean{.name = "key", .kind = Kind::boolean};
  EXPECT_TRUE(read_one(boolean, "true").object.boolean("key"));
  EXPECT_FALSE(read_one(boolean, "false").object.boolean("key"));
  for (const char* text : {"yes", "True", "1", "on", "[true]"})
    EXPECT_THAT(fault(boolean, text), HasSubstr("must be true or false")) << text;
}

TEST(ReadValues, TextsAndNames) {
  EXPECT_EQ(read_one({.name = "key", .kind = Kind::text}, "'a: b'").object.text("key"), "a: b");
  EXPECT_EQ(read_one({.name = "key", .kind = Kind::text}, "2024").object.text("key"), "2024");
  EXPECT_EQ(read_one({.name = "key", .kind = Kind::name}, "crank").object.text("key"), "crank");
  EXPECT_THAT(fault({.name = "key", .kind = Kind::name}, "[crank]"), HasSubstr("must be a name, not a list"));
  EXPECT_THAT(fault({.name = "key", .kind = Kind::name}, "''"), HasSubstr("must be a name, but is empty"));
}

TEST(ReadValues, Choices) {
  const Parameter choice{.name = "key", .kind = Kind::choice, .choices = {"smooth", "moreau"}};
  EXPECT_EQ(read_one(choice, "moreau").object.text("key"), "moreau");
  EXPECT_EQ(fault(choice, "smoth"),
            "m:1:6: error: 'key' is 'smoth', which is not known; did you mean 'smooth'? allowed: smooth and "
            "moreau");
  EXPECT_THAT(fault(choice, "zebra"), HasSubstr("which is not known; allowed: smooth and moreau"));
  EXPECT_THAT(fault(choice, "{}"), HasSubstr("must be one of smooth and moreau, not a mapping"));
}

TEST(ReadValues, NameLists) {
  const Parameter names{.name = "key", .kind = Kind::names, .count = 2};
  const Reading reading = read_one(names, "[ground, crank]");
  ASSERT_EQ(reading.object.names("key").size(), 2u);
  EXPECT_EQ(reading.object.names("key")[1].text, "crank");
  EXPECT_EQ(reading.object.names("key")[1].pos.column, 15);
  EXPECT_THAT(fault(names, "[a]"), HasSubstr("'key' has 1 names, but 2 are expected"));
  EXPECT_THAT(fault(names, "a"), HasSubstr("must be a list of 2 names, not 'a'"));
  EXPECT_THAT(fault(names, "[a, [b]]"), HasSubstr("must be a list of names, but holds a list"));
  EXPECT_EQ(
      read_one({.name = "key", .kind = Kind::names, .count = 0}, "[a, b, c]").object.names("key").size(), 3u);
  EXPECT_THAT(fault({.name = "key", .kind = Kind::names, .count = 0}, "[]"), HasSubstr("is an empty list"));
}

TEST(ReadValues, Expressions) {
  const Parameter speed{.name = "key", .kind = Kind::expression, .unit = "rad/s", .variables = {"t"}};
  const Reading reading = read_one(speed, "500*t rpm");
  EXPECT_EQ(reading.faults, "");
  EXPECT_DOUBLE_EQ(reading.object.expression("key")(2.0), 1000 * 2 * pi / 60);
  EXPECT_DOUBLE_EQ(reading.object.expression("key").jet(2.0).d1, 500 * 2 * pi / 60);
  EXPECT_TRUE(read_one(speed, "5000 rpm").object.expression("key").is_constant());
  EXPECT_EQ(fault(speed, "3*x"),
            "m:1:6: error: 'key' must be a number in rad/s or an expression of t: unknown name 'x' in "
            "'3*x'; known: t, pi and e");
  EXPECT_THAT(fault(speed, "500 t rad/s"), HasSubstr("to multiply by the variable t, write *t"));
  EXPECT_THAT(fault(speed, "t m"), HasSubstr("an angular velocity is expected"));
  EXPECT_THAT(fault(speed, "1/0"), HasSubstr("not a finite number"));
  EXPECT_THAT(fault(speed, "[1]"), HasSubstr("not a list"));
  const Parameter bounded{.name = "key", .kind = Kind::expression, .range = positive(), .variables = {"t"}};
  EXPECT_THAT(fault(bounded, "-1"), HasSubstr("must be > 0"));
  EXPECT_EQ(read_one(bounded, "-t").faults, "");
}

TEST(ReadValues, ExpressionLists) {
  const Parameter force{.name = "key", .kind = Kind::expressions, .unit = "N", .variables = {"t"}};
  const Reading reading = read_one(force, "[2*t kN, 3]");
  EXPECT_EQ(reading.object.expressions("key")[0](1.0), 2000);
  EXPECT_EQ(reading.object.expressions("key")[1](1.0), 3);
  EXPECT_THAT(fault(force, "[1, 2, 3]"),
              HasSubstr("'key' has 3 expressions, but 2 are expected in a planar model"));
  EXPECT_THAT(fault(force, "[x, 2]"), HasSubstr("unknown name 'x'"));
}

TEST(ReadValues, Vectors) {
  const Parameter point{.name = "key", .kind = Kind::vector, .unit = "m"};
  EXPECT_THAT(read_one(point, "[25 mm, 0]").object.vector("key"), ElementsAre(0.025, 0));
  EXPECT_THAT(read_one(point, "[1, 2, 3]", Dimension::spatial).object.vector("key"), ElementsAre(1, 2, 3));
  EXPECT_EQ(fault(point, "[1, 2, 3]"),
            "m:1:6: error: 'key' has 3 numbers, but 2 are expected in a planar model");
  EXPECT_THAT(fault(point, "[1, 2]", Dimension::spatial), HasSubstr("3 are expected in a spatial model"));
  EXPECT_THAT(fault(point, "0"), HasSubstr("must be a list of 2 numbers, not '0'"));
  EXPECT_EQ(fault(point, "[1 kg, 2]"),
            "m:1:7: error: 'key' is '1 kg': 'kg' is a mass, but a length is expected, such as m or mm");
  EXPECT_THAT(fault(point, "[1,, 2]"), HasSubstr("has 3 numbers"));
  EXPECT_THAT(fault(point, "[1, ]"), HasSubstr("has 1 numbers"));
  EXPECT_THAT(fault({.name = "key", .kind = Kind::vector, .length = 4}, "[1]"),
              HasSubstr("'key' has 1 numbers, but 4 are expected"));
  EXPECT_EQ(read_one({.name = "key", .kind = Kind::vector, .length = any_length}, "[1]")
                .object.vector("key")
                .size(),
            1u);
  // every bad number is reported
  EXPECT_THAT(fault(point, "[a, b]"), ::testing::AllOf(HasSubstr("m:1:7"), HasSubstr("m:1:10")));
}

TEST(ReadValues, Spins) {
  const Parameter spin{.name = "key", .kind = Kind::spin, .unit = "rad/s"};
  EXPECT_THAT(read_one(spin, "2").object.vector("key"), ElementsAre(2));
  EXPECT_THAT(read_one(spin, "[1, 2, 3]", Dimension::spatial).object.vector("key"), ElementsAre(1, 2, 3));
  EXPECT_THAT(fault(spin, "[1, 2, 3]"), HasSubstr("must be a number in rad/s, not a list"));
  EXPECT_THAT(fault(spin, "2", Dimension::spatial), HasSubstr("must be a list of 3 numbers, not '2'"));
}

TEST(ReadValues, NamedNumbers) {
  const Parameter numbers{.name = "key", .kind = Kind::numbers, .unit = "m"};
  const Reading reading = read_one(numbers, "{a: 1 mm, b: 2}");
  EXPECT_EQ(reading.faults, "");
  EXPECT_EQ(reading.object.names("key")[1].text, "b");
  EXPECT_THAT(reading.object.vector("key"), ElementsAre(1e-3, 2));
  EXPECT_THAT(fault(numbers, "[1]"), HasSubstr("must be a mapping of names to numbers, not a list"));
  EXPECT_THAT(fault(numbers, "{a: 1 kg}"), HasSubstr("m:1:10: error: 'a' is '1 kg'"));
  EXPECT_THAT(fault(numbers, "{a: }"), HasSubstr("'a' must be a number in m, not empty"));
}

TEST(ReadValues, Points) {
  const Parameter points{.name = "key", .kind = Kind::points, .unit = "m"};
  EXPECT_THAT(read_one(points, "[[0, 0], [-25 mm, 0]]").object.points("key"),
              ElementsAre(ElementsAre(0, 0), ElementsAre(-0.025, 0)));
  EXPECT_THAT(fault(points, "[[0, 0]]"), HasSubstr("'key' has 1 points, but 2 are expected"));
  EXPECT_THAT(fault(points, "[[0, 0], [0, 0, 0]]"), HasSubstr("m:1:15: error: 'key' has 3 numbers"));
  EXPECT_THAT(fault(points, "[0, 0]"), HasSubstr("must be a list of 2 numbers, not '0'"));
}

TEST(ReadValues, Matrices) {
  const Parameter matrix{.name = "key", .kind = Kind::matrix, .unit = "N/m", .length = 2, .count = 2};
  EXPECT_THAT(read_one(matrix, "[[1, 2], [3, 4]]").object.points("key"),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(fault(matrix, "[[1, 2]]"), HasSubstr("has 1 rows, but 2 are expected"));
  EXPECT_THAT(fault(matrix, "[[1 N/m, 2], [3, 4]]"), HasSubstr("a plain number without a unit is expected"));
}

TEST(ReadValues, LongNonsenseIsCutInMessages) {
  EXPECT_LT(fault(mass, std::string(100000, 'x')).size(), 400u);
}

}  // namespace tappet::read_values_test
