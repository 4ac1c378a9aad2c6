// Reads mappings key by key: each key must be in the table, each required row must be there, defaults fill
// the rest.
#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "tappet/spec/read_values.hpp"
#include "tappet/spec/yaml_reader.hpp"

namespace tappet {

namespace {

Object read_named(const Value& value, const Table& table, const std::string& name, const SourcePos& name_pos,
                  const ReadContext& context);
Object read_named(const Value& value, const Family& family, const std::string& name,
                  const SourcePos& name_pos, const ReadContext& context);

/// What one mapping may hold.
struct Shape {
  std::string words;                   ///< "a revolute joint 'pin'"
  std::vector<const Parameter*> rows;  ///< a family's common ones and its member's
  std::string family_key = "";         ///< "type", or "" without a family

  const Parameter* find(const std::string& key) const {
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const Parameter* row) { return row->name == key; });
    return at == rows.end() ? nullptr : *at;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> out;
    if (!family_key.empty()) out.push_back(family_key);
    for (const Parameter* row : rows) out.push_back(row->name);
    return out;
  }
};

std::string words_for(const std::string& what, const std::string& name) {
  return name.empty() ? what : fmt::format("{} {}", what, quote(name));
}

// --- Defaults
// ------------------------------------------------------------------------------------------------------

/// The default's text as a value. A model of ten thousand bodies asks for the same few again and again.
Value parsed_fallback(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, Value> known;
  std::lock_guard lock(mutex);
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  const SourcePos nowhere{std::make_shared<const std::string>("default"), 0, 0};
  return known.emplace(text, read_yaml_fragment(text, nowhere)).first->second;
}

Value fallback_value(const Parameter& parameter, const ReadContext& context) {
  Value value = parsed_fallback(parameter.fallback);
  const bool list = parameter.kind == Kind::vector || parameter.kind == Kind::expressions;
  if (!list) return value;
  const std::size_t length = std::max(1, resolved_length(parameter.length, context));
  if (value.kind == Value::Kind::scalar) {
    Value repeated;
    repeated.kind = Value::Kind::sequence;
    repeated.pos = value.pos;
    repeated.items.assign(length, value);
    return repeated;
  }
  if (parameter.length == by_dimension && value.items.size() == 3) value.items.resize(length);
  return value;
}

// --- One parameter
// -------------------------------------------------------------------------------------------------

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Names become parts of signals (crank.x) and of paths (--set bodies.crank.mass=...).
bool check_name(const std::string& name, const SourcePos& pos, const ReadContext& context) {
  if (!name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_name_character))
    return true;
  context.diagnostics->error(
      pos, fmt::format(
               "{} cannot be a name: the letters a–z and A–Z, digits, '_' and '-' are allowed, '-' not first",
               quote(name)));
  return false;
}

Object read_child(const Value& value, const Parameter& parameter, const std::string& name,
                  const SourcePos& pos, const ReadContext& context) {
  if (parameter.family) return read_named(value, *parameter.family, name, pos, context);
  if (parameter.table) return read_named(value, *parameter.table, name, pos, context);
  throw std::logic_error("parameter '" + parameter.name + "' has neither table nor family");
}

bool read_objects(const Value& value, const Parameter& parameter, const ReadContext& context,
                  std::vector<Object>& out) {
  if (value.kind != Value::Kind::mapping && value.kind != Value::Kind::null) {
    context.diagnostics->error(
        value.pos, fmt::format("'{}' must be a mapping of names, not {}", parameter.name, shown(value)));
    return false;
  }
  for (std::size_t i = 0; i < value.map.size(); ++i) {
    check_name(value.map[i].first, value.key_pos[i], context);
    out.push_back(read_child(value.map[i].second, parameter, value.map[i].first, value.key_pos[i], context));
  }
  return true;
}

bool read_parameter(const Value& value, const Parameter& parameter, const SourcePos& key_pos,
                    const ReadContext& context, Object::Entry& entry) {
  entry.pos = value.pos;
  if (parameter.kind == Kind::objects) return read_objects(value, parameter, context, entry.objects);
  if (parameter.kind == Kind::object) {
    // A value that is written alone is called by the name of what it is the value of.
    if (value.kind == Value::Kind::scalar && parameter.table)
      for (const Parameter& row : parameter.table->parameters)
        if (row.name == "value" && row.kind == Kind::number) {
          Parameter alone = row;
          alone.name = parameter.name;
          Object::Entry number;
          if (!read_entry(value, alone, context, number)) return false;
        }
    entry.objects = {read_child(value, parameter, "", key_pos, context)};
    return true;
  }
  if (value.kind == Value::Kind::null) {
    context.diagnostics->error(value.pos, fmt::format("'{}' has no value", parameter.name));
    return false;
  }
  return read_entry(value, parameter, context, entry);
}

// --- One mapping
// ---------------------------------------------------------------------------------------------------

/// An empty value counts as an empty mapping, so that the missing keys are what is reported.
bool check_mapping(const Value& value, const std::string& words, const ReadContext& context) {
  if (value.kind == Value::Kind::mapping || value.kind == Value::Kind::null) return true;
  context.diagnostics->error(
      value.pos, fmt::format("{} must be a mapping such as {{key: value}}, not {}", words, shown(value)));
  return false;
}

/// What stands behind a comma in a flow mapping without being a key: it has no value and is no name.
bool rest_of_value(const std::string& key, const Value& value) {
  const bool name = !key.empty() && std::isalpha(static_cast<unsigned char>(key.front())) &&
                    std::all_of(key.begin(), key.end(), is_name_character);
  return value.kind == Value::Kind::null && !name;
}

void report_unknown_key(const std::string& key, const Value& value, const SourcePos& pos, const Shape& shape,
                        const ReadContext& context) {
  if (context.diagnostics->full()) return context.diagnostics->error(pos, "unknown key");
  const std::vector<std::string> keys = shape.keys();
  // {length:3} is one key without a value.
  if (const std::size_t colon = key.find(':');
      colon != std::string::npos && shape.find(key.substr(0, colon))) {
    context.diagnostics->error(
        pos, fmt::format("unknown key {} in {}: a space is missing after ':'", quote(key), shape.words));
    return;
  }
  // {mass: 1,5 kg} and {fx: min(1, t)}: the comma ends the value, and the rest is taken for a key.
  if (rest_of_value(key, value)) {
    context.diagnostics->error(
        pos,
        fmt::format(
            "{} in {} is no key: the comma before it ends a value. A decimal point is written '.', and a "
            "text with a comma in quotes",
            quote(key), shape.words));
    return;
  }
  const std::string nearest = nearest_name(key, keys);
  context.diagnostics->error(pos, fmt::format("unknown key {} in {}; {}allowed: {}", quote(key), shape.words,
                                              nearest.empty() ? "" : "did you mean '" + nearest + "'? ",
                                              keys.empty() ? "none" : join_names(keys)));
}

void report_missing(const Parameter& parameter, const std::string& words, const Object& object,
                    Diagnostics& diagnostics) {
  diagnostics.error(object.name_pos.file ? object.name_pos : object.pos, missing_key(parameter, words));
}

void read_mapping(const Value& value, const Shape& shape, const ReadContext& context, Object& object) {
  // What is written.
  for (std::size_t i = 0; i < value.map.size(); ++i) {
    const auto& [key, child] = value.map[i];
    if (!shape.family_key.empty() && key == shape.family_key) continue;
    const Parameter* parameter = shape.find(key);
    if (!parameter) {
      report_unknown_key(key, child, value.key_pos[i], shape, context);
      continue;
    }
    if (!parameter->unit_power.empty() || !parameter->unit_from.empty()) continue;
    Object::Entry entry;
    entry.given = true;
    if (read_parameter(child, *parameter, value.key_pos[i], context, entry))
      object.put(key, std::move(entry));
  }
  // What is not.
  for (const Parameter* parameter : shape.rows) {
    if (value.find(parameter->name)) continue;
    if (parameter->required) {
      if (parameter->supplied_by.empty())
        report_missing(*parameter, shape.words, object, *context.diagnostics);
    } else if (!parameter->fallback.empty()) {
      Object::Entry entry;
      const Value fallback = fallback_value(*parameter, context);
      if (read_parameter(fallback, *parameter, object.pos, context, entry)) {
        entry.pos = object.pos;
        object.put(parameter->name, std::move(entry));
      }
    }
  }
  // What has a unit that another key decides on.
  for (const Parameter* parameter : shape.rows) {
    const bool by_power = !parameter->unit_power.empty(), by_key = !parameter->unit_from.empty();
    const Value* child = by_power || by_key ? value.find(parameter->name) : nullptr;
    if (!child || (by_power && !object.has(parameter->unit_power))) continue;
    Parameter resolved = *parameter;
    if (by_power)
      resolved.unit.replace(resolved.unit.rfind("^n"), 2,
                            fmt::format("^{:.15g}", object.number(parameter->unit_power)));
    else
      resolved.unit = object.has(parameter->unit_from) ? object.text(parameter->unit_from) : "";
    Object::Entry entry;
    entry.given = true;
    if (read_parameter(*child, resolved, child->pos, context, entry))
      object.put(parameter->name, std::move(entry));
  }
}

bool check_dimension(const Table& table, const std::string& words, const SourcePos& pos,
                     const ReadContext& context) {
  if (context.dimension == Dimension::planar ? table.planar : table.spatial) return true;
  context.diagnostics->error(pos, fmt::format("{} needs `dimension: {}`", words,
                                              context.dimension == Dimension::planar ? "spatial" : "planar"));
  return false;
}

Object begin_object(const Value& value, const std::string& name, const SourcePos& name_pos,
                    const ReadContext& context) {
  Object object;
  object.definitions = context.definitions;
  object.name = name;
  object.pos = value.pos;
  object.name_pos = name_pos;
  return object;
}

Object read_named(const Value& value, const Table& table, const std::string& name, const SourcePos& name_pos,
                  const ReadContext& context) {
  Object object = begin_object(value, name, name_pos, context);
  object.table = &table;
  Shape shape{words_for(table.name, name), {}};
  for (const Parameter& parameter : table.parameters) shape.rows.push_back(&parameter);
  if (!check_dimension(table, shape.words, value.pos, context)) return object;
  // A mapping whose only key is a list may be written as the list alone.
  if (value.kind == Value::Kind::sequence && table.parameters.size() == 1 &&
      table.parameters[0].kind == Kind::names) {
    Value whole;
    whole.kind = Value::Kind::mapping;
    whole.pos = value.pos;
    whole.map.emplace_back(table.parameters[0].name, value);
    whole.key_pos.push_back(value.pos);
    read_mapping(whole, shape, context, object);
  } else if (const Parameter* row = shape.find("value");
             value.kind == Value::Kind::scalar && row && row->kind == Kind::number) {
    // One that has a `value` may be written as that alone.
    Value whole;
    whole.kind = Value::Kind::mapping;
    whole.pos = value.pos;
    whole.map.emplace_back("value", value);
    whole.key_pos.push_back(value.pos);
    read_mapping(whole, shape, context, object);
  } else if (check_mapping(value, shape.words, context)) {
    read_mapping(value, shape, context, object);
  }
  return object;
}

// --- Families
// ------------------------------------------------------------------------------------------------------

using Members = std::vector<std::pair<std::string, const Table*>>;

/// Names of the members that fit the model's dimension.
std::vector<std::string> usable_names(const Members& members, const ReadContext& context) {
  std::vector<std::string> names;
  for (const auto& [name, table] : members)
    if (context.dimension == Dimension::planar ? table->planar : table->spatial) names.push_back(name);
  return names;
}

/// The member of this name; null after an error.
const std::pair<std::string, const Table*>* find_named(const std::string& wanted, const SourcePos& pos,
                                                       const Family& family, const Members& members,
                                                       const std::vector<std::string>& usable,
                                                       const ReadContext& context) {
  const auto member =
      std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == wanted; });
  if (member != members.end()) return &*member;
  const std::string nearest = nearest_name(wanted, usable);
  context.diagnostics->error(
      pos, fmt::format("unknown {} {}; {}allowed: {}", family.noun, quote(wanted),
                       nearest.empty() ? "" : "did you mean '" + nearest + "'? ", join_names(usable)));
  return nullptr;
}

/// The member that is the mapping's only key; null after an error.
const std::pair<std::string, const Table*>* find_only_key(const Value& value, const Family& family,
                                                          const Members& members,
                                                          const std::vector<std::string>& usable,
                                                          const std::string& words, const Object& object,
                                                          const ReadContext& context) {
  if (value.map.size() == 1)
    return find_named(value.map[0].first, value.key_pos[0], family, members, usable, context);
  context.diagnostics->error(object.name_pos.file ? object.name_pos : object.pos,
                             fmt::format("{} must hold one key, the {}, not {}; allowed: {}", words,
                                         family.noun, value.map.size(), join_names(usable)));
  return nullptr;
}

/// The member that the mapping names; null after an error.
const std::pair<std::string, const Table*>* find_member(const Value& value, const Family& family,
                                                        const Members& members, const std::string& words,
                                                        const Object& object, const ReadContext& context) {
  const std::vector<std::string> usable = usable_names(members, context);
  if (family.key.empty()) return find_only_key(value, family, members, usable, words, object, context);
  const Value* key = value.find(family.key);
  std::string wanted = family.fallback;
  if (!key && wanted.empty()) {
    context.diagnostics->error(
        object.name_pos.file ? object.name_pos : object.pos,
        fmt::format("missing key '{}' in {}; {}: {}", family.key, words, family.noun, join_names(usable)));
    return nullptr;
  }
  if (key && key->kind != Value::Kind::scalar) {
    context.diagnostics->error(key->pos, fmt::format("'{}' must be a {}, not {}; allowed: {}", family.key,
                                                     family.noun, shown(*key), join_names(usable)));
    return nullptr;
  }
  if (key) wanted = key->text;
  return find_named(wanted, key ? key->pos : object.pos, family, members, usable, context);
}

Object read_named(const Value& value, const Family& family, const std::string& name,
                  const SourcePos& name_pos, const ReadContext& context) {
  Object object = begin_object(value, name, name_pos, context);
  object.family = &family;
  const std::string words =
      words_for(family.common.name.empty() ? "a " + family.noun : family.common.name, name);
  if (!check_mapping(value, words, context)) return object;

  const Members members = family.members ? family.members() : Members{};
  const auto* member = find_member(value, family, members, words, object, context);
  if (!member) return object;
  object.type = member->first;
  const Table& table = *member->second;

  // The member's rows come first: a common row of the same name gives way.
  Shape shape{words_for(table.name, name), {}, family.key};
  for (const Parameter& parameter : table.parameters) shape.rows.push_back(&parameter);
  for (const Parameter& parameter : family.common.parameters)
    if (!shape.find(parameter.name)) shape.rows.push_back(&parameter);
  if (family.key.empty()) {
    const Value& inner = value.map[0].second;
    if (check_dimension(table, shape.words, value.key_pos[0], context) &&
        check_mapping(inner, shape.words, context))
      read_mapping(inner, shape, context, object);
    return object;
  }
  const Value* key = value.find(family.key);
  if (check_dimension(table, shape.words, key ? key->pos : value.pos, context))
    read_mapping(value, shape, context, object);
  return object;
}

}  // namespace

Object read_object(const Value& value, const Table& table, const ReadContext& context) {
  return read_named(value, table, "", {}, context);
}

Object read_object(const Value& value, const Family& family, const ReadContext& context) {
  return read_named(value, family, "", {}, context);
}

}  // namespace tappet
