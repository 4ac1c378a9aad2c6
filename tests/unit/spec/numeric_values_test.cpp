// The numbers of a model file.
#include "tappet/spec/numeric_values.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::numeric_values_test {
namespace {

const char model[] = R"(tappet: 1
title: 2 windows
bodies:
  crank: {mass: 0.30 kg, inertia: 1/12 kg m^2, position: [25 mm, 0]}
  2nd: {mass: 2*pi}
motions:
  motor: {joint: main, angle: 10*t deg}
  drive: {joint: other, speed: 5000 rpm}
output: {signals: [crank.x, "3 cheers"]}
)";

TEST(NumericValues, AreFoundWithTheirUnits) {
  const Value root = read_yaml_text(model, "model.yaml");
  std::vector<std::string> paths;
  for (const NumericValue& value : numeric_values(root)) paths.push_back(value.path + "|" + value.unit);
  EXPECT_THAT(paths, ::testing::ElementsAre("bodies.crank.mass|kg", "bodies.crank.inertia|kg m^2",
                                            "bodies.crank.position.0|mm", "bodies.crank.position.1|",
                                            "bodies.2nd.mass|", "motions.drive.speed|rpm"));
}

TEST(NumericValues, ConstantExpressionsAreWorkedOut) {
  const auto values = numeric_values(read_yaml_text(model, "model.yaml"));
  EXPECT_DOUBLE_EQ(values[1].number, 1.0 / 12);
  EXPECT_DOUBLE_EQ(values[4].number, 2 * M_PI);
}

// Every path is one that a setting can name.
TEST(NumericValues, PathsAreThoseOfSettings) {
  const Value root = read_yaml_text(model, "model.yaml");
  for (const NumericValue& value : numeric_values(root)) {
    Value changed = root;
    apply_setting(changed, value.path + "=42 " + value.unit);
    bool found = false;
    for (const NumericValue& now : numeric_values(changed))
      found = found || (now.path == value.path && now.number == 42 && now.unit == value.unit);
    EXPECT_TRUE(found) << value.path;
  }
}

}  // namespace
}  // namespace tappet::numeric_values_test
