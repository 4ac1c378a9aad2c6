// JSON Schema (draft 2020-12) of the model file, from the same tables that read it: editors complete and
// check.
//
// A number is a JSON number in SI, or a text with a unit. Tables and families become definitions, each
// written once and referred to, so that the schema stays small however often a family is used.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tappet/spec/spec.hpp"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

/// "mass of the body (kg, > 0; default 1)"
std::string description(const Parameter& parameter) {
  std::vector<std::string> notes;
  if (!parameter.unit.empty()) notes.push_back(parameter.unit);
  if (parameter.range.text() != Range{}.text()) notes.push_back(parameter.range.text());
  if (!parameter.variables.empty()) notes.push_back("expression of " + join_names(parameter.variables));
  if (!parameter.fallback.empty()) notes.push_back("default " + parameter.fallback);
  std::string out = parameter.help;
  if (!notes.empty()) out += (out.empty() ? "(" : " (") + fmt::format("{}", fmt::join(notes, "; ")) + ")";
  return out;
}

void add_range(Json& schema, const Range& range) {
  if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
}

/// Bounds apply to plain numbers alone; a text is checked when the model is read.
Json number_schema(const Parameter& parameter, const char* type = "number") {
  Json schema{{"type", {type, "string"}}};
  add_range(schema, parameter.range);
  return schema;
}

Json list_schema(Json items, int least, int most) {
  Json schema{{"type", "array"}, {"items", std::move(items)}};
  if (least > 0) schema["minItems"] = least;
  if (most > 0) schema["maxItems"] = most;
  return schema;
}

Json list_schema(Json items, int length) {
  if (length == by_dimension) return list_schema(std::move(items), 2, 3);
  if (length == any_length) return list_schema(std::move(items), 1, 0);
  return list_schema(std::move(items), length, length);
}

int list_count(int count) {
  return count == 0 ? any_length : count;
}

Json inertia_schema() {
  const Json number{{"type", {"number", "string"}}};
  return {{"anyOf",
           {number, list_schema(number, 3), list_schema(number, 6), list_schema(list_schema(number, 3), 3)}}};
}

Json orientation_schema() {
  const Json number{{"type", {"number", "string"}}};
  const Json axis_angle{{"type", "object"},
                        {"properties", {{"axis", list_schema(number, 3)}, {"angle", number}}},
                        {"required", {"axis", "angle"}},
                        {"additionalProperties", false}};
  return {{"anyOf", {list_schema(number, 4), axis_angle}}};
}

class SchemaWriter {
 public:
  Json write(const Table& table, const std::string& title) {
    Json schema = table_schema(table);
    // The schema's own keys come first, then the table's, then the definitions.
    Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
    out.update(schema);
    out["$defs"] = definitions_;
    return out;
  }

 private:
  Json value_schema(const Parameter& p) {
    Json text{{"type", {"string", "number"}}};
    switch (p.kind) {
      case Kind::number:
      case Kind::expression:
        return number_schema(p);
      case Kind::integer:
        return number_schema(p, "integer");
      case Kind::boolean:
        return {{"type", "boolean"}};
      case Kind::text:
      case Kind::name:
        return text;
      case Kind::choice:
        return {{"enum", p.choices}};
      case Kind::names:
        return list_schema(text, list_count(p.count));
      case Kind::vector:
      case Kind::expressions:
        return list_schema(number_schema(p), p.length);
      case Kind::spin:
        return {{"anyOf", {number_schema(p), list_schema(number_schema(p), 3)}}};
      case Kind::definitions:
      case Kind::numbers:
        return {{"type", "object"}, {"additionalProperties", number_schema(p)}};
      case Kind::points:
      case Kind::matrix:
        return list_schema(list_schema(number_schema(p), p.length), list_count(p.count));
      case Kind::inertia:
        return inertia_schema();
      case Kind::orientation:
        return orientation_schema();
      case Kind::object:
        return child(p);
      case Kind::objects:
        return {{"type", {"object", "null"}},
                {"propertyNames", {{"pattern", "^[A-Za-z0-9_][A-Za-z0-9_-]*$"}}},
                {"additionalProperties", child(p)}};
    }
    return true;
  }

  Json parameter_schema(const Parameter& parameter) {
    Json schema = value_schema(parameter);
    const std::string words = description(parameter);
    if (!words.empty()) schema["description"] = words;
    return schema;
  }

  Json child(const Parameter& p) {
    if (p.family) return reference(p.family, p.family->noun, [&] { return family_schema(*p.family); });
    if (p.table) {
      const Json whole = reference(p.table, p.table->name, [&] { return table_schema(*p.table); });
      // A mapping whose only key is a list may be written as the list alone.
      const auto& rows = p.table->parameters;
      if (rows.size() == 1 && rows[0].kind == Kind::names) return {{"anyOf", {whole, value_schema(rows[0])}}};
      // One that has a `value` may be written as that alone.
      for (const Parameter& row : rows)
        if (row.name == "value" && row.kind == Kind::number) return {{"anyOf", {whole, value_schema(row)}}};
      return whole;
    }
    return true;
  }

  /// Refers to the definition of a table or family, and writes it when it is met for the first time.
  template <class Write>
  Json reference(const void* what, const std::string& words, Write write) {
    auto found = names_.find(what);
    if (found == names_.end()) {
      found = names_.emplace(what, unused_name(words)).first;
      const std::string name = found->second;
      Json definition = write();
      definitions_[name] = std::move(definition);
      return {{"$ref", "#/$defs/" + name}};
    }
    return {{"$ref", "#/$defs/" + found->second}};
  }

  /// "a revolute joint" → "a-revolute-joint", numbered when it is taken.
  std::string unused_name(const std::string& words) {
    std::string base;
    for (const char c : words) base += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    if (base.empty()) base = "mapping";
    std::string name = base;
    for (int i = 2; !used_.insert(name).second; ++i) name = fmt::format("{}-{}", base, i);
    return name;
  }

  Json table_schema(const Table& table) {
    Json properties = Json::object(), required = Json::array();
    for (const Parameter& parameter : table.parameters) {
      properties[parameter.name] = parameter_schema(parameter);
      if (parameter.required && parameter.supplied_by.empty()) required.push_back(parameter.name);
    }
    Json schema{{"type", required.empty() ? Json({"object", "null"}) : Json("object")}};
    if (!table.help.empty()) schema["description"] = table.help;
    schema["properties"] = std::move(properties);
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
  }

  /// One property a member, and only one of them.
  Json only_key_schema(const Family& family) {
    Json properties = Json::object();
    for (const auto& [name, table] : family.members()) properties[name] = member_schema(family, name, *table);
    Json schema{
        {"type", "object"}, {"minProperties", 1}, {"maxProperties", 1}, {"additionalProperties", false}};
    if (!family.common.help.empty()) schema["description"] = family.common.help;
    schema["properties"] = std::move(properties);
    return schema;
  }

  /// One rule a member: if `type` is its name, then its keys and no others.
  Json family_schema(const Family& family) {
    if (family.key.empty()) return only_key_schema(family);
    Json names = Json::array(), rules = Json::array();
    const auto members = family.members ? family.members() : decltype(family.members()){};
    for (const auto& [name, table] : members) {
      names.push_back(name);
      Json condition{{"properties", {{family.key, {{"const", name}}}}}};
      // Without the key the rule of the default member holds.
      if (name != family.fallback) condition["required"] = Json::array({family.key});
      rules.push_back({{"if", std::move(condition)}, {"then", member_schema(family, name, *table)}});
    }
    Json key{{"enum", std::move(names)}, {"description", family.noun}};
    if (!family.fallback.empty()) key["default"] = family.fallback;
    Json schema{{"type", "object"}};
    if (!family.common.help.empty()) schema["description"] = family.common.help;
    schema["properties"] = {{family.key, std::move(key)}};
    if (family.fallback.empty()) schema["required"] = Json::array({family.key});
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    return schema;
  }

  Json member_schema(const Family& family, const std::string& name, const Table& table) {
    Table merged = table;
    for (const Parameter& common : family.common.parameters) {
      bool replaced = false;
      for (const Parameter& own : table.parameters) replaced = replaced || own.name == common.name;
      if (!replaced) merged.parameters.push_back(common);
    }
    Json schema = table_schema(merged);
    if (!family.key.empty()) schema["properties"][family.key] = {{"const", name}};
    return schema;
  }

  Json definitions_ = Json::object();
  std::map<const void*, std::string> names_;
  std::set<std::string> used_;
};

}  // namespace

std::string json_schema(const Table& table, const std::string& title) {
  return SchemaWriter().write(table, title).dump(2) + "\n";
}

std::string json_schema() {
  return json_schema(model_table(), "Tappet model");
}

}  // namespace tappet
