#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tappet/spec/spec.hpp"

namespace tappet::schema_test {

using nlohmann::json;

namespace {

const Table wheel{
    .name = "a wheel",
    .help = "Something round",
    .parameters = {
        {.name = "radius", .unit = "m", .help = "outer radius", .required = true, .range = positive()},
        {.name = "spokes", .kind = Kind::integer, .fallback = "8", .range = {.low = 3, .high = 100}}}};
const Table belt{.name = "a belt", .help = "", .parameters = {{.name = "slip", .range = unit_interval()}}};
const Table gear{
    .name = "a gear", .help = "", .parameters = {{.name = "mate", .kind = Kind::object, .table = &wheel}}};
const Family drives{
    .key = "type",
    .noun = "drive type",
    .common = {.name = "a drive", .help = "", .parameters = {{.name = "note", .kind = Kind::text}}},
    .fallback = "belt",
    .members = [] {
      return std::vector<std::pair<std::string, const Table*>>{{"belt", &belt}, {"gear", &gear}};
    }};
const Table cart{.name = "a cart",
                 .help = "",
                 .parameters = {{.name = "colour", .kind = Kind::choice, .choices = {"red", "blue"}},
                                {.name = "position", .kind = Kind::vector, .unit = "m"},
                                {.name = "points", .kind = Kind::points, .unit = "m", .count = 2},
                                {.name = "inertia", .kind = Kind::inertia, .unit = "kg m^2"},
                                {.name = "wheels", .kind = Kind::objects, .table = &wheel},
                                {.name = "drive", .kind = Kind::object, .family = &drives}}};

const json& cart_schema() {
  static const json schema = json::parse(json_schema(cart, "Cart"));
  return schema;
}

}  // namespace

TEST(Schema, Frame) {
  const json& schema = cart_schema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["title"], "Cart");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["colour"]["enum"], (json{"red", "blue"}));
  EXPECT_EQ(schema["properties"]["position"]["minItems"], 2);
  EXPECT_EQ(schema["properties"]["position"]["maxItems"], 3);
  EXPECT_EQ(schema["properties"]["points"]["minItems"], 2);
  EXPECT_EQ(schema["properties"]["inertia"]["anyOf"].size(), 4u);
}

TEST(Schema, TablesAreDefinedOnce) {
  const json& schema = cart_schema();
  const json& wheels = schema["properties"]["wheels"];
  EXPECT_EQ(wheels["additionalProperties"]["$ref"], "#/$defs/a-wheel");
  const json& definition = schema["$defs"]["a-wheel"];
  EXPECT_EQ(definition["required"], json::array({"radius"}));
  EXPECT_EQ(definition["properties"]["radius"]["type"], (json{"number", "string"}));
  EXPECT_EQ(definition["properties"]["radius"]["exclusiveMinimum"], 0);
  EXPECT_EQ(definition["properties"]["radius"]["description"], "outer radius (m; > 0)");
  EXPECT_EQ(definition["properties"]["spokes"]["type"], (json{"integer", "string"}));
  EXPECT_EQ(definition["properties"]["spokes"]["description"], "(between 3 and 100; default 8)");
  EXPECT_EQ(schema["$defs"].size(), 2u);
}

TEST(Schema, FamiliesByTheirKey) {
  const json& schema = cart_schema();
  EXPECT_EQ(schema["properties"]["drive"]["$ref"], "#/$defs/drive-type");
  const json& family = schema["$defs"]["drive-type"];
  EXPECT_EQ(family["properties"]["type"]["enum"], (json{"belt", "gear"}));
  ASSERT_EQ(family["allOf"].size(), 2u);
  const json &belt_rule = family["allOf"][0], &gear_rule = family["allOf"][1];
  EXPECT_EQ(gear_rule["if"]["properties"]["type"]["const"], "gear");
  EXPECT_EQ(gear_rule["if"]["required"], json::array({"type"}));
  // The default member's rule holds without the key.
  EXPECT_FALSE(belt_rule["if"].contains("required"));
  EXPECT_FALSE(family.contains("required"));
  const json& then = gear_rule["then"];
  EXPECT_EQ(then["additionalProperties"], false);
  EXPECT_TRUE(then["properties"].contains("note"));
  EXPECT_TRUE(then["properties"].contains("mate"));
  EXPECT_TRUE(then["properties"].contains("type"));
}

TEST(Schema, OfTheModel) {
  const json schema = json::parse(json_schema());
  EXPECT_EQ(schema["required"], json::array({"tappet"}));
  for (const Parameter& parameter : model_table().parameters)
    EXPECT_TRUE(schema["properties"].contains(parameter.name)) << parameter.name;
  EXPECT_FALSE(schema["properties"]["bodies"].is_null());
}

// Every reference leads somewhere.
TEST(Schema, ReferencesExist) {
  const json schema = json::parse(json_schema());
  int references = 0;
  const auto walk = [&](auto&& self, const json& node) -> void {
    if (node.is_object() && node.contains("$ref")) {
      ++references;
      const std::string target = node["$ref"];
      ASSERT_TRUE(target.starts_with("#/$defs/")) << target;
      EXPECT_TRUE(schema["$defs"].contains(target.substr(8))) << target;
    }
    if (!node.is_structured()) return;
    for (const auto& child : node) self(self, child);
  };
  walk(walk, schema);
  EXPECT_GT(references, 3);
}

}  // namespace tappet::schema_test
