// "joints.wrist.clearance.journal_radius=9.8mm": one value of the model replaced from outside the file.
//
// A path is followed through the tables of the model language beside the tree itself: the tables know where names are
// free (bodies, shapes, definitions), and there a name that is not in the tree is a misspelt one.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tappet/spec/paths.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/spec/yaml_builder.hpp"
#include "tappet/spec/yaml_reader.hpp"

namespace tappet {
namespace {

constexpr char addition_mark = '+';
constexpr std::string_view inputs_section = "inputs.", default_key = ".default";

/// The input whose value a path sets; "": it sets something else.
std::string input_of(const std::string& path) {
  if (!path.starts_with(inputs_section) || !path.ends_with(default_key)) return "";
  return path.substr(inputs_section.size(), path.size() - inputs_section.size() - default_key.size());
}

/// An input that is not there is a mistake, not a new one.
void check_input(const Value& root, const std::string& name, const SourcePos& pos) {
  std::vector<std::string> names;
  if (const Value* inputs = root.find("inputs"))
    for (const auto& [known, value] : inputs->map) names.push_back(known);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = nearest_name(name, names);
  throw_input_error(pos, names.empty()
                             ? fmt::format("there is no input {}: the model has no inputs", quote(name))
                             : fmt::format("there is no input {}; {}inputs: {}", quote(name),
                                           near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                                           join_names(names)));
}

/// The row that the tables have for a key of a mapping; null: none, and the reader of the model will say so. A family's
/// members are asked one by one: which of them the mapping is may be what is being changed.
const Parameter* row_of(const Parameter& owner, const std::string& key) {
  const auto in = [&](const Table& table) -> const Parameter* {
    const auto at = std::find_if(table.parameters.begin(), table.parameters.end(),
                                 [&](const Parameter& row) { return row.name == key; });
    return at == table.parameters.end() ? nullptr : &*at;
  };
  if (owner.table) return in(*owner.table);
  if (!owner.family) return nullptr;
  if (const Parameter* found = in(owner.family->common)) return found;
  if (!owner.family->members) return nullptr;
  for (const auto& [name, table] : owner.family->members())
    if (const Parameter* found = in(*table)) return found;
  return nullptr;
}

/// A family without a key: its members are mappings that hold the member's name over the member's own mapping.
const Table* only_key(const Parameter& owner, const std::string& key) {
  if (!owner.family || !owner.family->key.empty() || !owner.family->members) return nullptr;
  for (const auto& [name, table] : owner.family->members())
    if (name == key) return table;
  return nullptr;
}

bool names_are_free(const Parameter& row) {
  return row.kind == Kind::objects || row.kind == Kind::numbers || row.kind == Kind::definitions;
}

[[noreturn]] void refuse_new_name(const std::string& owner, const std::string& name, const Value* mapping,
                                  const SourcePos& pos) {
  std::vector<std::string> names;
  if (mapping)
    for (const auto& [known, value] : mapping->map) names.push_back(known);
  const std::string near = nearest_name(name, names);
  throw_input_error(
      pos,
      fmt::format(
          "the model has no '{}.{}'; {}{}. A setting changes what is there; --add adds (in Python add(), "
          "in a study '+' before the path)",
          owner, name, near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
          names.empty() ? fmt::format("'{}' holds nothing", owner)
                        : fmt::format("'{}' holds {}", owner, join_names(names))));
}

/// The same where the mapping says which member it is.
const Parameter* row_of_kind(const Parameter& owner, const Value* mapping, const std::string& key) {
  if (!owner.family || owner.family->key.empty() || !owner.family->members) return row_of(owner, key);
  const Value* kind = mapping ? mapping->find(owner.family->key) : nullptr;
  const std::string member = kind ? kind->text : owner.family->fallback;
  for (const auto& [name, table] : owner.family->members())
    if (name == member)
      for (const Parameter& row : table->parameters)
        if (row.name == key) return &row;
  for (const Parameter& row : owner.family->common.parameters)
    if (row.name == key) return &row;
  return nullptr;
}

/// Throws InputError if the path leads through a name that the tree does not have.
void check_names(const Value& root, const std::string& path, const SourcePos& pos) {
  Parameter row{.name = "", .kind = Kind::object, .table = &model_table()};
  const Value* at = &root;
  std::string so_far;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, dot - begin);
    begin = dot + 1;
    const Value* inner = at && at->kind == Value::Kind::mapping ? at->find(part) : nullptr;
    if (names_are_free(row)) {
      if (!inner) refuse_new_name(so_far, part, at, pos);
      if (row.kind != Kind::objects) return;  // numbers and expressions: there is nothing inside
      row.kind = Kind::object;                // the entry itself
    } else if (const Table* member = only_key(row, part)) {
      row = {.name = part, .kind = Kind::object, .table = member};
    } else {
      const Parameter* next = row_of(row, part);
      if (!next) return;
      row = *next;
    }
    at = inner;
    so_far += so_far.empty() ? part : "." + part;
  }
}

}  // namespace

const Parameter* row_at(const Value& root, const std::string& path) {
  static const Parameter whole{.name = "", .kind = Kind::object, .table = &model_table()};
  Parameter owner = whole;
  const Parameter* found = nullptr;
  const Value* at = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, dot - begin);
    begin = dot + 1;
    if (at && at->kind == Value::Kind::sequence) return found;  // an item has the row of its list
    if (at) at = at->kind == Value::Kind::mapping ? at->find(part) : nullptr;
    if (names_are_free(owner)) {
      if (owner.kind != Kind::objects) return found;  // a number of a free name
      owner.kind = Kind::object;
    } else if (const Table* member = only_key(owner, part)) {
      owner = {.name = part, .kind = Kind::object, .table = member};
      found = nullptr;
    } else {
      const Value* parent =
          find_value(root, path.substr(0, begin - 1 - part.size() > 0 ? begin - 2 - part.size() : 0));
      found = row_of_kind(owner, parent, part);
      if (!found) return nullptr;
      owner = *found;
    }
  }
  return found;
}

void change_value(Value& root, const std::string& path, Value value, const SourcePos& pos) {
  check_names(root, path, pos);
  set_value(root, path, std::move(value), pos);
}

void add_value(Value& root, const std::string& path, Value value, const SourcePos& pos) {
  if (find_value(root, path))
    throw_input_error(
        pos, fmt::format("'{}' is in the model already; a setting (--set, in Python []) changes it", path));
  set_value(root, path, std::move(value), pos);
}

std::string input_setting(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw_input_error({std::make_shared<const std::string>("--input " + assignment), 0, 0},
                      "an input is written NAME=VALUE, such as throttle=0.3");
  return fmt::format("{}{}{}{}", inputs_section, assignment.substr(0, equals), default_key,
                     assignment.substr(equals));
}

std::string adding_setting(const std::string& assignment) {
  return addition_mark + assignment;
}

namespace {

struct Setting {
  std::string path, value;
};

Setting split_setting(const std::string& text, const SourcePos& pos) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw_input_error(pos, "a setting is written path.to.key=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

SourcePos place_of(const std::string& words) {
  return {std::make_shared<const std::string>(words), 0, 0};
}

}  // namespace

void apply_setting(Value& root, const std::string& setting) {
  const bool adds = setting.starts_with(addition_mark);
  const std::string text = adds ? setting.substr(1) : setting;
  const std::size_t equals = text.find('=');
  const std::string input = equals == std::string::npos || adds ? "" : input_of(text.substr(0, equals));
  const SourcePos pos = place_of(!input.empty() ? fmt::format("--input {}{}", input, text.substr(equals))
                                                : fmt::format("{} {}", adds ? "--add" : "--set", text));
  if (!input.empty()) check_input(root, input, pos);
  const auto [path, written] = split_setting(text, pos);
  Value value = read_yaml_fragment(written, pos);
  (adds ? add_value : change_value)(root, path, std::move(value), pos);
}

void set_key(Value& mapping, const std::string& setting) {
  const SourcePos pos = place_of("--set " + setting);
  const auto [path, written] = split_setting(setting, pos);
  set_value(mapping, path, read_yaml_fragment(written, pos), pos);
}

}  // namespace tappet
