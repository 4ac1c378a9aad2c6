#include "tappet/spec/spec_json.hpp"

#include <nlohmann/json.hpp>

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

Json object_json(const Object& object, const Table& table);
Json object_json(const Object& object, const Family& family);

Json described(const Object& object, const Parameter& row) {
  return row.family ? object_json(object, *row.family) : row.table ? object_json(object, *row.table) : Json();
}

Json expression_json(const Expression& expression) {
  return expression.is_constant() ? Json(expression(std::span<const double>())) : Json(expression.text());
}

Json names_json(const std::vector<Name>& names) {
  Json out = Json::array();
  for (const Name& name : names) out.push_back(name.text);
  return out;
}

Json value_json(const Object& object, const Parameter& row) {
  const std::string& key = row.name;
  switch (row.kind) {
    case Kind::number:
      return object.number(key);
    case Kind::integer:
      return object.integer(key);
    case Kind::boolean:
      return object.boolean(key);
    case Kind::text:
    case Kind::choice:
    case Kind::name:
      return object.text(key);
    case Kind::names:
      return names_json(object.names(key));
    case Kind::expression:
      return expression_json(object.expression(key));
    case Kind::expressions: {
      Json out = Json::array();
      for (const Expression& expression : object.expressions(key)) out.push_back(expression_json(expression));
      return out;
    }
    case Kind::definitions:
      return {};  // what they are used for has its values already
    case Kind::numbers: {
      Json out = Json::object();
      for (std::size_t i = 0; i < object.names(key).size(); ++i)
        out[object.names(key)[i].text] = object.vector(key).at(i);
      return out;
    }
    case Kind::vector:
    case Kind::inertia:
    case Kind::orientation:
    case Kind::spin:
      return object.vector(key);
    case Kind::points:
    case Kind::matrix:
      return object.points(key);
    case Kind::object:
      return described(object.object(key), row);
    case Kind::objects: {
      Json out = Json::array();
      for (const Object& item : object.objects(key)) out.push_back(described(item, row));
      return out;
    }
  }
  return {};
}

void add_rows(Json& out, const Object& object, const Table& table) {
  for (const Parameter& row : table.parameters)
    if (object.has(row.name)) out[row.name] = value_json(object, row);
}

Json begin(const Object& object) {
  Json out = Json::object();
  if (!object.name.empty()) out["name"] = object.name;
  return out;
}

Json object_json(const Object& object, const Table& table) {
  Json out = begin(object);
  add_rows(out, object, table);
  return out;
}

Json object_json(const Object& object, const Family& family) {
  Json out = begin(object);
  out[family.key.empty() ? "type" : family.key] = object.type;
  add_rows(out, object, family.common);
  for (const auto& [name, table] : family.members())
    if (name == object.type) add_rows(out, object, *table);
  return out;
}

}  // namespace

std::string spec_json(const Spec& spec) {
  Json out{{"title", spec.title},
           {"dimension", spec.dimension == Dimension::planar ? "planar" : "spatial"},
           {"gravity", spec.gravity}};
  const std::pair<const char*, const std::vector<Object>*> lists[] = {
      {"materials", &spec.materials}, {"bodies", &spec.bodies}, {"joints", &spec.joints},
      {"motions", &spec.motions},     {"forces", &spec.forces}, {"contacts", &spec.contacts},
      {"events", &spec.events}};
  const std::pair<const char*, const Object*> singles[] = {
      {"ground", &spec.ground}, {"simulation", &spec.simulation}, {"output", &spec.output}};
  for (const Parameter& row : model_table().parameters) {
    for (const auto& [name, objects] : lists) {
      if (row.name != name) continue;
      Json items = Json::array();
      for (const Object& object : *objects) items.push_back(described(object, row));
      out[name] = std::move(items);
    }
    for (const auto& [name, object] : singles)
      if (row.name == name) out[name] = described(*object, row);
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tappet
