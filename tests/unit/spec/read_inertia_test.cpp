#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/spec/reading.hpp"

namespace tappet::read_inertia_test {

using namespace tappet::testing_spec;
using testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

const Parameter inertia{.name = "key", .kind = Kind::inertia, .unit = "kg m^2"};
const Parameter orientation{.name = "key", .kind = Kind::orientation};

std::string fault(const Parameter& parameter, const std::string& text,
                  Dimension dimension = Dimension::spatial) {
  const Reading reading = read_one(parameter, text, dimension);
  EXPECT_FALSE(reading.object.has("key")) << text;
  return reading.faults;
}

std::vector<double> spatial(const Parameter& parameter, const std::string& text) {
  const Reading reading = read_one(parameter, text, Dimension::spatial);
  EXPECT_EQ(reading.faults, "") << text;
  return reading.object.has("key") ? reading.object.vector("key") : std::vector<double>{};
}

}  // namespace

TEST(ReadInertia, Planar) {
  EXPECT_THAT(read_one(inertia, "1e-5 kg m^2").object.vector("key"), ElementsAre(1e-5));
  EXPECT_THAT(fault(inertia, "0", Dimension::planar), HasSubstr("must be > 0"));
  EXPECT_THAT(fault(inertia, "-1", Dimension::planar), HasSubstr("must be > 0"));
  EXPECT_THAT(fault(inertia, "[1, 1, 1]", Dimension::planar),
              HasSubstr("must be one number (in kg m^2) in a planar model, not a list"));
  EXPECT_THAT(fault(inertia, "1 kg", Dimension::planar), HasSubstr("a moment of inertia is expected"));
}

TEST(ReadInertia, ThreeWaysToWriteATensor) {
  EXPECT_THAT(spatial(inertia, "[1, 2, 2.5]"), ElementsAre(1, 0, 0, 0, 2, 0, 0, 0, 2.5));
  EXPECT_THAT(spatial(inertia, "[1, 2, 2.5, 0.1, -0.2, 0.3]"),
              ElementsAre(1, 0.1, -0.2, 0.1, 2, 0.3, -0.2, 0.3, 2.5));
  EXPECT_THAT(spatial(inertia, "[[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]"),
              ElementsAre(1, 0.1, 0, 0.1, 2, 0, 0, 0, 2.5));
  EXPECT_THAT(spatial(inertia, "[1 g cm^2, 1e-7, 1e-7]"), ElementsAre(1e-7, 0, 0, 0, 1e-7, 0, 0, 0, 1e-7));
}

TEST(ReadInertia, WrongShapes) {
  EXPECT_THAT(fault(inertia, "3"), HasSubstr("'key' is '3'; a spatial body takes [Ixx, Iyy, Izz]"));
  EXPECT_THAT(fault(inertia, "[1, 2]"), HasSubstr("'key' has 2 numbers"));
  EXPECT_THAT(fault(inertia, "[[1, 0, 0], [0, 1, 0]]"), HasSubstr("has 2"));
  EXPECT_THAT(fault(inertia, "[[1, 0, 0], [0, 1, 0], 3]"), HasSubstr("must be a list of 3 numbers"));
  EXPECT_THAT(fault(inertia, "[1, [0, 1, 0], 3]"), HasSubstr("must be a number"));
  EXPECT_THAT(fault(inertia, "[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]"), HasSubstr("is not symmetric"));
}

TEST(ReadInertia, OnlyRealBodies) {
  EXPECT_EQ(fault(inertia, "[1, 1, -1]"),
            "m:1:6: error: 'key' is not positive definite: its principal moments are -1, 1 and 1 kg m^2, but "
            "all must be > 0");
  EXPECT_THAT(fault(inertia, "[0, 1, 1]"), HasSubstr("not positive definite"));
  EXPECT_THAT(fault(inertia, "[0, 0, 0]"), HasSubstr("not positive definite"));
  EXPECT_THAT(fault(inertia, "[1, 1, 1, 2, 0, 0]"), HasSubstr("principal moments are -1, 1 and 3"));
  EXPECT_EQ(fault(inertia, "[1, 1, 3]"),
            "m:1:6: error: 'key' belongs to no real body: its principal moments are 1, 1 and 3 kg m^2, but "
            "none may exceed the "
            "sum of the other two");
  // A thin plate lies on the limit, and rounding must not push it over.
  spatial(inertia, "[1, 2, 3]");
  spatial(inertia, "[0.1, 0.2, 0.30000000001]");
  spatial(inertia, "[1e-12, 1e-12, 1e-12]");
  // A thin rod, nearly.
  spatial(inertia, "[1e-9, 1, 1]");
}

TEST(ReadOrientation, Quaternions) {
  EXPECT_THAT(spatial(orientation, "[1, 0, 0, 0]"), ElementsAre(1, 0, 0, 0));
  const std::vector<double> q = spatial(orientation, "[0.7071, 0.7071, 0, 0]");
  EXPECT_NEAR(q[0], std::sqrt(0.5), 1e-15);
  EXPECT_THAT(fault(orientation, "[0, 0, 0, 0]"), HasSubstr("has length 0, but must have length 1"));
  EXPECT_THAT(fault(orientation, "[1, 1, 0, 0]"), HasSubstr("has length 1.41421, but must have length 1"));
  EXPECT_THAT(fault(orientation, "[1e200, 0, 0, 1e200]"), HasSubstr("length 1.41421e+200"));
  EXPECT_THAT(fault(orientation, "[1, 0, 0]"), HasSubstr("has 3 numbers, but 4 are expected"));
  EXPECT_THAT(fault(orientation, "30 deg"),
              HasSubstr("must be a quaternion [w, x, y, z] or {axis, angle}, not '30 deg'"));
  EXPECT_THAT(fault(orientation, "[1 rad, 0, 0, 0]"), HasSubstr("plain number"));
}

TEST(ReadOrientation, AxisAndAngle) {
  const double half = std::numbers::pi / 12;
  EXPECT_THAT(spatial(orientation, "{axis: [0, 0, 2], angle: 30 deg}"),
              ElementsAre(DoubleNear(std::cos(half), 1e-15), 0, 0, DoubleNear(std::sin(half), 1e-15)));
  EXPECT_THAT(spatial(orientation, "{axis: [0, 1e-200, 0], angle: 1 rev}"),
              ElementsAre(-1, 0, DoubleNear(0, 1e-15), 0));
  EXPECT_THAT(fault(orientation, "{axis: [0, 0, 0], angle: 1}"), HasSubstr("has no direction"));
  EXPECT_THAT(fault(orientation, "{axis: [0, 0, 1]}"), HasSubstr("missing key 'angle' in an orientation"));
  EXPECT_THAT(fault(orientation, "{axis: [0, 0, 1], angle: 1 m}"), HasSubstr("an angle is expected"));
  EXPECT_THAT(fault(orientation, "{axes: [0, 0, 1], angle: 1}"), HasSubstr("did you mean 'axis'?"));
}

}  // namespace tappet::read_inertia_test
