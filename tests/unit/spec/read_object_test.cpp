#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/spec/object.hpp"
#include "unit/spec/reading.hpp"

namespace tappet::read_object_test {

using namespace tappet::testing_spec;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

// A small language of its own: boxes with wheels, and drives of three types.

const Table wheel{.name = "a wheel",
                  .help = "",
                  .parameters = {{.name = "radius", .unit = "m", .required = true, .range = positive()},
                                 {.name = "spokes", .kind = Kind::integer, .fallback = "8"}}};

const Table belt{.name = "a belt drive",
                 .help = "",
                 .parameters = {{.name = "slip", .fallback = "0.1", .range = unit_interval()},
                                {.name = "ratio", .required = true}}};
const Table gear{.name = "a gear drive",
                 .help = "",
                 .parameters = {{.name = "teeth", .kind = Kind::integer, .required = true}}};
const Table bevel{.name = "a bevel drive", .help = "", .parameters = {}, .planar = false};

const Family drives{.key = "type",
                    .noun = "drive type",
                    .common = {.name = "a drive",
                               .help = "",
                               .parameters = {{.name = "ratio"}, {.name = "note", .kind = Kind::text}}},
                    .members = [] {
                      return std::vector<std::pair<std::string, const Table*>>{
                          {"belt", &belt}, {"bevel", &bevel}, {"gear", &gear}};
                    }};

Family with_default() {
  Family family = drives;
  family.fallback = "gear";
  return family;
}

const Table box{
    .name = "a box",
    .help = "",
    .parameters = {
        {.name = "mass", .unit = "kg", .help = "mass of the box", .required = true, .range = positive()},
        {.name = "length", .unit = "m", .fallback = "20 mm"},
        {.name = "position", .kind = Kind::vector, .unit = "m", .fallback = "0"},
        {.name = "axis", .kind = Kind::vector, .fallback = "[1, 0, 0]"},
        {.name = "colour", .kind = Kind::choice, .choices = {"red", "blue"}},
        {.name = "wheels", .kind = Kind::objects, .table = &wheel},
        {.name = "spare", .kind = Kind::object, .table = &wheel},
        {.name = "drive", .kind = Kind::object, .family = &drives}}};

}  // namespace

TEST(ReadObject, ValuesAndDefaults) {
  const Reading reading = read("mass: 2 kg\ncolour: red\n", box);
  EXPECT_EQ(reading.faults, "");
  const Object& object = reading.object;
  EXPECT_EQ(object.number("mass"), 2);
  EXPECT_TRUE(object.given("mass"));
  EXPECT_EQ(object.where("mass").column, 7);
  EXPECT_EQ(object.number("length"), 0.02);
  EXPECT_TRUE(object.has("length"));
  EXPECT_FALSE(object.given("length"));
  EXPECT_EQ(object.where("length").line, 1);
  EXPECT_EQ(object.text("colour"), "red");
  EXPECT_FALSE(object.has("wheels"));
  EXPECT_EQ(object.number_or("depth", 7), 7);
  EXPECT_THROW(object.number("depth"), std::logic_error);
}

TEST(ReadObject, DefaultsFollowTheDimension) {
  EXPECT_THAT(read("mass: 1\n", box).object.vector("position"), ElementsAre(0, 0));
  EXPECT_THAT(read("mass: 1\n", box, Dimension::spatial).object.vector("position"), ElementsAre(0, 0, 0));
  EXPECT_THAT(read("mass: 1\n", box).object.vector("axis"), ElementsAre(1, 0));
  EXPECT_THAT(read("mass: 1\n", box, Dimension::spatial).object.vector("axis"), ElementsAre(1, 0, 0));
}

TEST(ReadObject, UnknownKeys) {
  EXPECT_EQ(read("mass: 1\nlenght: 2\n", box).faults,
            "m:2:1: error: unknown key 'lenght' in a box; did you mean 'length'? allowed: mass, length, "
            "position, axis, "
            "colour, wheels, spare and drive");
  EXPECT_THAT(read("mass: 1\nzebra: 2\n", box).faults,
              HasSubstr("unknown key 'zebra' in a box; allowed: mass"));
  EXPECT_THAT(read("{mass: 1, length:3}\n", box).faults, HasSubstr("a space is missing after ':'"));
}

TEST(ReadObject, MissingAndEmptyValues) {
  EXPECT_EQ(read("length: 1\n", box).faults,
            "m:1:1: error: missing key 'mass' in a box: mass of the box (in kg)");
  EXPECT_EQ(read("length: 1\nmass:\n", box).faults, "m:2:1: error: 'mass' has no value");
}

TEST(ReadObject, AllFaultsInOneRun) {
  const std::string faults = read("mass: -1\nlength: 3 s\ncolour: green\nzebra: 1\n", box).faults;
  EXPECT_THAT(faults, AllOf(HasSubstr("m:1:7"), HasSubstr("m:2:9"), HasSubstr("m:3:9"), HasSubstr("m:4:1")));
}

TEST(ReadObject, ObjectsByName) {
  const Reading reading =
      read("mass: 1\nwheels:\n  front: {radius: 3 mm}\n  rear: {radius: 4 mm, spokes: 5}\n", box);
  EXPECT_EQ(reading.faults, "");
  const std::vector<Object>& wheels = reading.object.objects("wheels");
  ASSERT_EQ(wheels.size(), 2u);
  EXPECT_EQ(wheels[0].name, "front");
  EXPECT_EQ(wheels[0].name_pos.line, 3);
  EXPECT_EQ(wheels[0].integer("spokes"), 8);
  EXPECT_EQ(wheels[1].integer("spokes"), 5);
  EXPECT_EQ(wheels[1].number("radius"), 4e-3);
}

TEST(ReadObject, FaultsNameTheObject) {
  EXPECT_EQ(read("mass: 1\nwheels:\n  front:\n  rear: {radius: 1, size: 3}\n", box).faults,
            "m:3:3: error: missing key 'radius' in a wheel 'front' (in m)\n"
            "m:4:21: error: unknown key 'size' in a wheel 'rear'; allowed: radius and spokes");
  EXPECT_THAT(read("mass: 1\nwheels: {front: 3}\n", box).faults,
              HasSubstr("a wheel 'front' must be a mapping such as {key: value}, not '3'"));
  EXPECT_THAT(read("mass: 1\nwheels: [1]\n", box).faults,
              HasSubstr("'wheels' must be a mapping of names, not a list"));
  EXPECT_EQ(read("mass: 1\nwheels:\n", box).faults, "");
}

TEST(ReadObject, Names) {
  const auto fault = [](const std::string& name) {
    return read(fmt::format("mass: 1\nwheels: {{{}: {{radius: 1}}}}\n", name), box).faults;
  };
  for (const char* good : {"a", "left_2", "a-b", "2nd", "_x"}) EXPECT_EQ(fault(good), "") << good;
  for (const char* bad : {"a.b", "'a b'", "a/b", "-a", "''", "größe", "a:b"})
    EXPECT_THAT(fault(bad), HasSubstr("cannot be a name")) << bad;
}

TEST(ReadObject, SingleObject) {
  EXPECT_EQ(read("mass: 1\nspare: {radius: 2}\n", box).object.object("spare").number("radius"), 2);
  EXPECT_THAT(read("mass: 1\nspare:\n", box).faults,
              HasSubstr("m:2:1: error: missing key 'radius' in a wheel"));
  EXPECT_THAT(read("mass: 1\nspare: round\n", box).faults, HasSubstr("must be a mapping"));
}

TEST(ReadFamily, MemberAndCommonKeys) {
  const Reading reading = read("type: belt\nratio: 2\nnote: hi\n", drives);
  EXPECT_EQ(reading.faults, "");
  EXPECT_EQ(reading.object.type, "belt");
  EXPECT_EQ(reading.object.number("ratio"), 2);
  EXPECT_EQ(reading.object.number("slip"), 0.1);
  EXPECT_EQ(reading.object.text("note"), "hi");
  // The member's own row rules: a belt needs its ratio, a gear may have one.
  EXPECT_THAT(read("type: belt\n", drives).faults, HasSubstr("missing key 'ratio' in a belt drive"));
  EXPECT_EQ(read("type: gear\nteeth: 3\n", drives).faults, "");
}

TEST(ReadFamily, UnknownMember) {
  EXPECT_EQ(read("type: gaer\nteeth: 3\n", drives).faults,
            "m:1:7: error: unknown drive type 'gaer'; did you mean 'gear'? allowed: belt and gear");
  EXPECT_EQ(read("teeth: 3\n", drives).faults,
            "m:1:1: error: missing key 'type' in a drive; drive type: belt and gear");
  EXPECT_EQ(read("type: [gear]\n", drives).faults,
            "m:1:7: error: 'type' must be a drive type, not a list; allowed: belt and gear");
  EXPECT_THAT(read("type:\n", drives).faults, HasSubstr("must be a drive type, not empty"));
  EXPECT_THAT(read("mass: 1\ndrive: 3\n", box).faults, HasSubstr("a drive must be a mapping"));
}

TEST(ReadFamily, UnknownKeyNamesTheMember) {
  EXPECT_EQ(read("type: gear\nteeth: 3\nslip: 1\n", drives).faults,
            "m:3:1: error: unknown key 'slip' in a gear drive; allowed: type, teeth, ratio and note");
}

TEST(ReadFamily, DefaultMember) {
  EXPECT_EQ(read("teeth: 3\n", with_default()).object.type, "gear");
  EXPECT_EQ(read("{type: belt, ratio: 1}\n", with_default()).object.type, "belt");
}

TEST(ReadFamily, Dimension) {
  EXPECT_EQ(read("type: bevel\n", drives).faults, "m:1:7: error: a bevel drive needs `dimension: spatial`");
  EXPECT_EQ(read("type: bevel\n", drives, Dimension::spatial).faults, "");
  EXPECT_THAT(read("type: bevle\n", drives, Dimension::spatial).faults, HasSubstr("did you mean 'bevel'?"));
}

}  // namespace tappet::read_object_test
