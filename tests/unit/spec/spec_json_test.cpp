// A checked model as JSON.
#include "tappet/spec/spec_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tappet::spec_json_test {
namespace {

const char model[] = R"(tappet: 1
title: "a </script> title"
materials: {steel: {young: 207 GPa, poisson: 0.3}}
bodies:
  crank: {mass: 0.30 kg, inertia: 1e-5 kg m^2, position: [25 mm, 0]}
  rod: {mass: 0.21 kg, inertia: 2.5e-4 kg m^2, position: [110 mm, 0]}
joints:
  main: {type: revolute, bodies: [ground, crank], points: [[0, 0], [-25 mm, 0]]}
  pin:
    type: revolute
    bodies: [crank, rod]
    points: [[25 mm, 0], [-60 mm, 0]]
    clearance: {bearing_radius: 10 mm, journal_radius: 9.5 mm, length: 15 mm, materials: [steel, steel],
                normal: {law: hertz}}
motions:
  motor: {joint: main, angle: 10*t^2 deg}
simulation: {duration: 10 ms}
)";

TEST(SpecJson, HoldsTheModelInSi) {
  const auto json = nlohmann::json::parse(spec_json(spec_from_text(model, "model.yaml")));
  EXPECT_EQ(json["title"], "a </script> title");
  EXPECT_EQ(json["dimension"], "planar");
  EXPECT_EQ(json["gravity"], nlohmann::json({0.0, 0.0}));
  ASSERT_EQ(json["bodies"].size(), 2u);
  EXPECT_EQ(json["bodies"][0]["name"], "crank");
  EXPECT_DOUBLE_EQ(json["bodies"][0]["position"][0].get<double>(), 0.025);
  const auto& pin = json["joints"][1];
  EXPECT_EQ(pin["type"], "revolute");
  EXPECT_EQ(pin["bodies"], nlohmann::json({"crank", "rod"}));
  EXPECT_DOUBLE_EQ(pin["points"][1][0].get<double>(), -0.06);
  // Nested families, with the defaults that were filled in.
  EXPECT_EQ(pin["clearance"]["model"], "contact");
  EXPECT_DOUBLE_EQ(pin["clearance"]["journal_radius"].get<double>(), 0.0095);
  EXPECT_EQ(pin["clearance"]["normal"]["law"], "hertz");
  EXPECT_EQ(json["simulation"]["method"], "smooth");
  // What depends on time stays text.
  EXPECT_TRUE(json["motions"][0]["angle"].is_string());
}

// A shape is a mapping with one key, its kind.
TEST(SpecJson, HoldsShapes) {
  const auto json = nlohmann::json::parse(spec_json(spec_from_text(R"(tappet: 1
dimension: spatial
bodies:
  ball: {mass: 1 kg, shapes: {skin: {sphere: {radius: 10 mm}}}}
simulation: {duration: 1}
)",
                                                                   "model.yaml")));
  const auto& skin = json["bodies"][0]["shapes"][0];
  EXPECT_EQ(skin["name"], "skin");
  EXPECT_EQ(skin["type"], "sphere");
  EXPECT_DOUBLE_EQ(skin["radius"].get<double>(), 0.01);
}

}  // namespace
}  // namespace tappet::spec_json_test
